/** Outcomes of a checkout as data: captures, webhooks and faults of the status call. */
import type { EventName } from './protocol.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A webhook that is wrong on purpose. */
export type WebhookFault = 'tampered' | 'wrong-secret' | 'stale' | 'future';

/** Webhooks of one event. */
export interface OutcomeWebhook {
  event: EventName;
  delayMs?: number;
  /** Number of copies; one unless given. */
  copies?: number;
  /** Each copy has an event id of its own. */
  freshIds?: boolean;
  fault?: WebhookFault;
}

/** Effects at one instant after the buyer's action. */
export interface OutcomeStep {
  result: 'PAID' | 'FAILED';
  afterMs?: number;
  /** `afterMs` counts from the end of the page instead of from the action. */
  fromExpiry?: boolean;
  /** Difference to the requested amount, in paise. */
  amountDifference?: number;
  currency?: string;
  errorCode?: string;
  webhooks: OutcomeWebhook[];
}

/** An outcome that can be chosen. */
export interface CheckoutOutcome {
  /** Label in the page's menu. */
  label: string;
  steps: OutcomeStep[];
  /** When the browser returns: at once, after the first webhook was sent, or never. */
  goesBack: 'at once' | 'after webhook' | 'never';
  /** Fault of the status call for a minute after the action. */
  statusFault?: '500' | 'hang' | 'malformed';
  /** The end of the page does not end the payment: the status stays PENDING until a step decides. */
  outlastsPage?: boolean;
  /** Result of refunds: success at once unless given; `pending` succeeds after 30 s. */
  refund?: 'pending' | 'fail';
}

const paidWebhook: OutcomeWebhook = { event: 'checkout.paid' };
const failedWebhook: OutcomeWebhook = { event: 'checkout.failed' };

function paidOutcome(
  label: string,
  hooks: OutcomeWebhook[] = [paidWebhook],
  more: Partial<OutcomeStep> & Partial<CheckoutOutcome> = {},
): CheckoutOutcome {
  const { goesBack = 'at once', statusFault, refund, ...step } = more;
  return { label, steps: [{ result: 'PAID', webhooks: hooks, ...step }], goesBack, statusFault, refund };
}

function failedOutcome(label: string, more: Partial<OutcomeStep> = {}): CheckoutOutcome {
  return { label, steps: [{ result: 'FAILED', webhooks: [failedWebhook], ...more }], goesBack: 'at once' };
}

/** Every outcome by name; the name is also the test VPA, `<name>@sandbox`. */
export const OUTCOMES = {
  success: paidOutcome('Succeed'),
  fail: failedOutcome('Decline'),
  cancel: failedOutcome('Cancel: back without paying', { errorCode: 'CANCELLED_BY_BUYER' }),
  abandon: { label: 'Abandon: no way back, no webhook', steps: [], goesBack: 'never' },
  'paid-no-return': paidOutcome('Paid, but no way back and no webhook', [], { goesBack: 'never' }),
  'pending-success': paidOutcome('Pending, succeeds after 10 s', [paidWebhook], { afterMs: 10 * SECOND }),
  'pending-fail': failedOutcome('Pending, fails after 10 s', { afterMs: 10 * SECOND }),
  'late-success': paidOutcome('Succeeds a minute after the page has expired', [paidWebhook], {
    afterMs: MINUTE,
    fromExpiry: true,
  }),
  'slow-success': {
    ...paidOutcome('Pending, succeeds 6 hours after the page has ended', [paidWebhook], {
      afterMs: 6 * HOUR,
      fromExpiry: true,
    }),
    outlastsPage: true,
  },
  undecided: { label: 'Pending, never decided', steps: [], goesBack: 'at once', outlastsPage: true },
  'webhook-first': paidOutcome('Webhook before the way back', [paidWebhook], { goesBack: 'after webhook' }),
  'webhook-30s': paidOutcome('Webhook 30 s late', [{ ...paidWebhook, delayMs: 30 * SECOND }]),
  'webhook-10m': paidOutcome('Webhook 10 min late', [{ ...paidWebhook, delayMs: 10 * MINUTE }]),
  'no-webhook': paidOutcome('No webhook', []),
  duplicate: paidOutcome('Webhook three times, same event id', [{ ...paidWebhook, copies: 3 }]),
  'duplicate-new-id': paidOutcome('Webhook three times, new event ids', [
    { ...paidWebhook, copies: 3, freshIds: true },
  ]),
  'out-of-order': paidOutcome('Webhook "failed" after "paid"', [paidWebhook, failedWebhook]),
  tampered: paidOutcome('Webhook with an altered body', [{ ...paidWebhook, fault: 'tampered' }]),
  'wrong-secret': paidOutcome('Webhook signed with another secret', [{ ...paidWebhook, fault: 'wrong-secret' }]),
  stale: paidOutcome('Webhook signed 10 min ago', [{ ...paidWebhook, fault: 'stale' }]),
  future: paidOutcome('Webhook signed 10 min ahead', [{ ...paidWebhook, fault: 'future' }]),
  'amount-off': paidOutcome('One paisa less than asked for', [paidWebhook], { amountDifference: -1 }),
  'amount-over': paidOutcome('One paisa more than asked for', [paidWebhook], { amountDifference: 1 }),
  'wrong-currency': paidOutcome('Captured in US dollars', [paidWebhook], { currency: 'USD' }),
  'double-capture': {
    label: 'Debited twice, the second time after 5 s',
    steps: [
      { result: 'PAID', webhooks: [paidWebhook] },
      { result: 'PAID', webhooks: [paidWebhook], afterMs: 5 * SECOND },
    ],
    goesBack: 'at once',
  },
  'status-500': paidOutcome('Status call answers 500 for a minute', [paidWebhook], { statusFault: '500' }),
  'status-hang': paidOutcome('Status call hangs 30 s, for a minute', [paidWebhook], { statusFault: 'hang' }),
  'status-malformed': paidOutcome('Status call answers broken JSON for a minute', [paidWebhook], {
    statusFault: 'malformed',
  }),
  'refund-pending': paidOutcome('Succeed; refunds stay pending 30 s', [paidWebhook], { refund: 'pending' }),
  'refund-fail': paidOutcome('Succeed; refunds fail', [paidWebhook], { refund: 'fail' }),
} satisfies Record<string, CheckoutOutcome>;

export type OutcomeName = keyof typeof OUTCOMES;

/** The outcome with a name from a form or the database; undefined when there is none. */
export function findOutcome(name: string): CheckoutOutcome | undefined {
  return Object.hasOwn(OUTCOMES, name) ? OUTCOMES[name as OutcomeName] : undefined;
}
