/** Everything that can happen to a checkout, as data: what is captured when, which webhooks tell of it, what the status call does. */
import type { EventName } from './protocol.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A webhook that is wrong on purpose. */
export type WebhookFault = 'tampered' | 'wrong-secret' | 'stale' | 'future';

/** Webhooks of one event. */
export interface Hook {
  event: EventName;
  delayMs?: number;
  /** How many are sent; one unless given. */
  copies?: number;
  /** Each copy has an event id of its own. */
  freshIds?: boolean;
  fault?: WebhookFault;
}

/** What happens at one instant after the buyer's action. */
export interface Step {
  result: 'PAID' | 'FAILED';
  afterMs?: number;
  /** `afterMs` counts from the end of the page instead of from the action. */
  fromExpiry?: boolean;
  /** Captured more or less than asked for, in paise. */
  amountOff?: number;
  currency?: string;
  errorCode?: string;
  hooks: Hook[];
}

/** A course of events that can be chosen. */
export interface Outcome {
  /** As the menu of the page says it. */
  label: string;
  steps: Step[];
  /** How the browser comes back: at once, after the first webhook was sent, or never. */
  goesBack: 'at once' | 'after webhook' | 'never';
  /** What the status call does for a minute from the action on. */
  statusFault?: '500' | 'hang' | 'malformed';
  /** What becomes of refunds: succeed at once unless given; `pending` succeeds after 30 s. */
  refund?: 'pending' | 'fail';
}

const paid: Hook = { event: 'checkout.paid' };
const failed: Hook = { event: 'checkout.failed' };

function pays(label: string, hooks: Hook[] = [paid], more: Partial<Step> & Partial<Outcome> = {}): Outcome {
  const { goesBack = 'at once', statusFault, refund, ...step } = more;
  return { label, steps: [{ result: 'PAID', hooks, ...step }], goesBack, statusFault, refund };
}

function fails(label: string, more: Partial<Step> = {}): Outcome {
  return { label, steps: [{ result: 'FAILED', hooks: [failed], ...more }], goesBack: 'at once' };
}

/** Every outcome by name; the name is also the test VPA, `<name>@sandbox`. */
export const OUTCOMES = {
  success: pays('Succeed'),
  fail: fails('Decline'),
  cancel: fails('Cancel: back without paying', { errorCode: 'CANCELLED_BY_BUYER' }),
  abandon: { label: 'Abandon: no way back, no webhook', steps: [], goesBack: 'never' },
  'paid-no-return': pays('Paid, but no way back and no webhook', [], { goesBack: 'never' }),
  'pending-success': pays('Pending, succeeds after 10 s', [paid], { afterMs: 10 * SECOND }),
  'pending-fail': fails('Pending, fails after 10 s', { afterMs: 10 * SECOND }),
  'late-success': pays('Succeeds a minute after the page has expired', [paid], { afterMs: MINUTE, fromExpiry: true }),
  'webhook-first': pays('Webhook before the way back', [paid], { goesBack: 'after webhook' }),
  'webhook-30s': pays('Webhook 30 s late', [{ ...paid, delayMs: 30 * SECOND }]),
  'webhook-10m': pays('Webhook 10 min late', [{ ...paid, delayMs: 10 * MINUTE }]),
  'no-webhook': pays('No webhook', []),
  duplicate: pays('Webhook three times, same event id', [{ ...paid, copies: 3 }]),
  'duplicate-new-id': pays('Webhook three times, new event ids', [{ ...paid, copies: 3, freshIds: true }]),
  'out-of-order': pays('Webhook "failed" after "paid"', [paid, failed]),
  tampered: pays('Webhook with an altered body', [{ ...paid, fault: 'tampered' }]),
  'wrong-secret': pays('Webhook signed with another secret', [{ ...paid, fault: 'wrong-secret' }]),
  stale: pays('Webhook signed 10 min ago', [{ ...paid, fault: 'stale' }]),
  future: pays('Webhook signed 10 min ahead', [{ ...paid, fault: 'future' }]),
  'amount-off': pays('One paisa less than asked for', [paid], { amountOff: -1 }),
  'amount-over': pays('One paisa more than asked for', [paid], { amountOff: 1 }),
  'wrong-currency': pays('Captured in US dollars', [paid], { currency: 'USD' }),
  'double-capture': {
    label: 'Debited twice, the second time after 5 s',
    steps: [
      { result: 'PAID', hooks: [paid] },
      { result: 'PAID', hooks: [paid], afterMs: 5 * SECOND },
    ],
    goesBack: 'at once',
  },
  'status-500': pays('Status call answers 500 for a minute', [paid], { statusFault: '500' }),
  'status-hang': pays('Status call hangs 30 s, for a minute', [paid], { statusFault: 'hang' }),
  'status-malformed': pays('Status call answers broken JSON for a minute', [paid], { statusFault: 'malformed' }),
  'refund-pending': pays('Succeed; refunds stay pending 30 s', [paid], { refund: 'pending' }),
  'refund-fail': pays('Succeed; refunds fail', [paid], { refund: 'fail' }),
} satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof OUTCOMES;

/** The outcome of a name that a person typed or the database held; undefined when there is none. */
export function outcomeOf(name: string): Outcome | undefined {
  return Object.hasOwn(OUTCOMES, name) ? OUTCOMES[name as OutcomeName] : undefined;
}
