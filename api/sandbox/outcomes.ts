/** Outcomes of a payment as data: captures, webhooks and faults of the status call. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Event types of webhooks. */
export type EventName = 'checkout.paid' | 'checkout.failed' | 'refund.succeeded' | 'refund.failed';

/** A webhook that is wrong on purpose. */
export type WebhookFault = 'tampered' | 'wrong-secret' | 'stale' | 'future';

/** Webhooks of one event. */
export interface OutcomeWebhook {
  event: EventName;
  delayMs?: number;
  /** Number of copies. Default: one. */
  copies?: number;
  /** Each copy has an event id of its own. */
  freshIds?: boolean;
  fault?: WebhookFault;
}

/** A step: a capture or a refusal, at once or later. */
export interface OutcomeStep {
  result: 'PAID' | 'FAILED';
  webhooks: OutcomeWebhook[];
  afterMs?: number;
  /** `afterMs` counts from the end of the page instead of from the buyer's action. */
  fromExpiry?: boolean;
  /** Difference to the requested amount, in paise. */
  amountDifference?: number;
  /** Default: INR. */
  currency?: string;
  /** Default: UPI_DECLINED. */
  errorCode?: string;
}

/** What happens after the buyer's action. */
export interface Outcome {
  /** Label in the page's menu. */
  label: string;
  steps: OutcomeStep[];
  /** When the browser returns: after the first webhook was sent, or never. Default: at once. */
  goesBack?: 'after webhook' | 'never';
  /** Fault of the status call for a minute after the action. */
  statusFault?: '500' | 'hang' | 'malformed';
  /** True when the payment outlasts the page: the status stays PENDING until a step decides. */
  outlastsPage?: boolean;
  /** Result of refunds. `pending` succeeds after 30 s. Default: success at once. */
  refund?: 'pending' | 'fail';
}

const paidWebhook: OutcomeWebhook = { event: 'checkout.paid' };
const failedWebhook: OutcomeWebhook = { event: 'checkout.failed' };
const failed: OutcomeStep = { result: 'FAILED', webhooks: [failedWebhook] };
const paid: OutcomeStep = { result: 'PAID', webhooks: [paidWebhook] };
const paidSilently: OutcomeStep = { result: 'PAID', webhooks: [] };

/** Paid at once, with a webhook that differs from the usual one. */
const paidWith = (webhook: Partial<OutcomeWebhook>): OutcomeStep[] => [
  { result: 'PAID', webhooks: [{ ...paidWebhook, ...webhook }] },
];

/** Every outcome by name; the name is also the test VPA, `<name>@sandbox`. */
export const OUTCOMES = {
  success: { label: 'Succeed', steps: [paid] },
  fail: { label: 'Decline', steps: [failed] },
  cancel: { label: 'Cancel: back without paying', steps: [{ ...failed, errorCode: 'CANCELLED_BY_BUYER' }] },
  abandon: { label: 'Abandon: no way back, no webhook', steps: [], goesBack: 'never' },
  'paid-no-return': { label: 'Paid, but no way back and no webhook', steps: [paidSilently], goesBack: 'never' },
  'pending-success': { label: 'Pending, succeeds after 10 s', steps: [{ ...paid, afterMs: 10 * SECOND }] },
  'pending-fail': { label: 'Pending, fails after 10 s', steps: [{ ...failed, afterMs: 10 * SECOND }] },
  'late-success': {
    label: 'Succeeds a minute after the page has expired',
    steps: [{ ...paid, afterMs: MINUTE, fromExpiry: true }],
  },
  'slow-success': {
    label: 'Pending, succeeds 6 hours after the page has ended',
    steps: [{ ...paid, afterMs: 6 * 60 * MINUTE, fromExpiry: true }],
    outlastsPage: true,
  },
  undecided: { label: 'Pending, never decided', steps: [], outlastsPage: true },
  'webhook-first': { label: 'Webhook before the way back', steps: [paid], goesBack: 'after webhook' },
  'webhook-30s': { label: 'Webhook 30 s late', steps: paidWith({ delayMs: 30 * SECOND }) },
  'webhook-10m': { label: 'Webhook 10 min late', steps: paidWith({ delayMs: 10 * MINUTE }) },
  'no-webhook': { label: 'No webhook', steps: [paidSilently] },
  duplicate: { label: 'Webhook three times, same event id', steps: paidWith({ copies: 3 }) },
  'duplicate-new-id': { label: 'Webhook three times, new event ids', steps: paidWith({ copies: 3, freshIds: true }) },
  'out-of-order': {
    label: 'Webhook "failed" after "paid"',
    steps: [{ ...paid, webhooks: [paidWebhook, failedWebhook] }],
  },
  tampered: { label: 'Webhook with an altered body', steps: paidWith({ fault: 'tampered' }) },
  'wrong-secret': { label: 'Webhook signed with another secret', steps: paidWith({ fault: 'wrong-secret' }) },
  stale: { label: 'Webhook signed 10 min ago', steps: paidWith({ fault: 'stale' }) },
  future: { label: 'Webhook signed 10 min ahead', steps: paidWith({ fault: 'future' }) },
  'amount-off': { label: 'One paisa less than asked for', steps: [{ ...paid, amountDifference: -1 }] },
  'amount-over': { label: 'One paisa more than asked for', steps: [{ ...paid, amountDifference: 1 }] },
  'wrong-currency': { label: 'Captured in US dollars', steps: [{ ...paid, currency: 'USD' }] },
  'double-capture': {
    label: 'Debited twice, the second time after 5 s',
    steps: [paid, { ...paid, afterMs: 5 * SECOND }],
  },
  'status-500': { label: 'Status call answers 500 for a minute', steps: [paid], statusFault: '500' },
  'status-hang': { label: 'Status call hangs for a minute', steps: [paid], statusFault: 'hang' },
  'status-malformed': {
    label: 'Status call answers broken JSON for a minute',
    steps: [paid],
    statusFault: 'malformed',
  },
  'refund-pending': { label: 'Succeed; refunds stay pending 30 s', steps: [paid], refund: 'pending' },
  'refund-fail': { label: 'Succeed; refunds fail', steps: [paid], refund: 'fail' },
} satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof OUTCOMES;

/** Whether the text of a form or a call is the name of an outcome. */
export const isOutcomeName = (name: string): name is OutcomeName => Object.hasOwn(OUTCOMES, name);
