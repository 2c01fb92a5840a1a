/** The one list of rate limits. docs/operations.md has a row for each; a test compares both. */
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@nivida/contract/time';

/** At most `max` in `perSeconds`. A window begins with its first call; the next begins after it has ended. */
export interface RateLimitWindow {
  max: number;
  perSeconds: number;
}

const perMinute = (max: number): RateLimitWindow => ({ max, perSeconds: MINUTE_SECONDS });
const perTenMinutes = (max: number): RateLimitWindow => ({ max, perSeconds: 10 * MINUTE_SECONDS });
const perQuarter = (max: number): RateLimitWindow => ({ max, perSeconds: 15 * MINUTE_SECONDS });
const perHour = (max: number): RateLimitWindow => ({ max, perSeconds: HOUR_SECONDS });
const perDay = (max: number): RateLimitWindow => ({ max, perSeconds: DAY_SECONDS });

/**
 * What a limit counts.
 * - `account`, `email`, `order` and `device` stand for one person.
 * - `address` is an IPv4 address, which thousands of phones may share, so its limit is high. An IPv6 /64 is one household
 *   and gets a fiftieth of it, about as much as one person.
 * - `mailbox` counts all mails that visitors request for one mailbox. If a limit has it, its `email` counts each requester
 *   of that mailbox separately: an established device, else a network. A stranger then cannot use up the owner's share.
 * There is no limit for all visitors together, because a few visitors could then block all others.
 */
export type LimitSubject = 'account' | 'email' | 'mailbox' | 'order' | 'device' | 'address';

type Windows = readonly RateLimitWindow[];

export const RATE_LIMITS = {
  /** All calls and searches of an address, counted by each process in its memory. */
  request: { address: [perMinute(15_000)] },
  search: { address: [perMinute(3_000)] },
  /** Feeds and OCDS without a key, counted in the same way. */
  data: { address: [perMinute(1_500)] },
  /** Wrong passwords. Limits of a mobile number are in sign-in-throttle.service.ts. */
  'sign-in': { device: [perQuarter(20), perDay(100)], address: [perQuarter(1_000), perDay(5_000)] },
  /** Challenges for signing in by passkey, and answers to them. Wrong ones count as `sign-in` too. */
  'passkey-sign-in': { device: [perQuarter(120)], address: [perQuarter(6_000)] },
  /** Calls of a signed-in user about passkeys. */
  passkeys: { account: [perMinute(30), perHour(200)] },
  /** Recovery codes that were typed after a right password. */
  'recovery-code': { account: [perHour(10), perDay(30)] },
  register: { email: [perHour(5)], mailbox: [perHour(10)], device: [perHour(20)], address: [perHour(3_000)] },
  /** Mailed codes. */
  code: {
    email: [perMinute(1), perHour(5), perDay(10)],
    mailbox: [perHour(10), perDay(20)],
    device: [perHour(20)],
    address: [perHour(3_000)],
  },
  /** Mailed links for a new password. */
  reset: { email: [perHour(3)], mailbox: [perHour(6)], device: [perHour(20)], address: [perHour(3_000)] },
  contact: { email: [perHour(5)], device: [perHour(10)], address: [perHour(1_000)] },
  'create-order': {
    account: [perTenMinutes(60)],
    email: [perTenMinutes(60)],
    device: [perTenMinutes(60)],
    address: [perTenMinutes(3_000)],
  },
  /** Answers that tell a buyer: this e-mail address has bought these documents before. */
  'order-warning': { email: [perHour(20)], device: [perHour(20)], address: [perHour(1_000)] },
  'order-status': { order: [perMinute(30)] },
  'order-documents': { order: [perHour(30)] },
  'resend-documents': { order: [perHour(3)] },
  'document-request': {
    account: [perHour(60)],
    email: [perHour(60)],
    device: [perHour(60)],
    address: [perHour(3_000)],
  },
  'document-link': { account: [perHour(600)] },
  /** Requests for ids and tokens that do not exist. Real ones have at least 128 random bits. */
  'unknown-id': { device: [perMinute(30), perHour(200)], address: [perMinute(1_500), perHour(10_000)] },
  /** Push subscriptions. A signed-out device is counted by its address at the push service. */
  'push-subscribe': { account: [perHour(20)], device: [perHour(20)], address: [perHour(3_000)] },
  plan: { account: [perMinute(30)] },
  profile: { account: [perHour(10)] },
  export: { account: [perHour(5)] },
  searches: { account: [perMinute(120)] },
  bookmarks: { account: [perMinute(120)] },
  'followed-offices': { account: [perMinute(120)] },
  bids: { account: [perMinute(120)] },
  'file-backup': { account: [perMinute(400)] },
  /** Calls of a user about firms. */
  firms: { account: [perMinute(120)] },
  /** Mailed invitations to firms. */
  'firm-invitation': { account: [perHour(10), perDay(30)], mailbox: [perDay(5)] },
  'outbox-tokens': { account: [perHour(30)] },
  outbox: { account: [perMinute(120)] },
  /** Calls about the user's threads with support. */
  support: { account: [perMinute(120)] },
  /** Messages in threads. */
  'support-message': { account: [perHour(30), perDay(100)] },
  /** Reports of mistakes in tenders, without an account. */
  'tender-report': { device: [perHour(10)], address: [perHour(500)] },
  /** Parts of attachments: about 60 files of 5 MB a day. */
  'support-upload': { account: [perMinute(120), perDay(1_200)] },
  /** Calls about documents that are read for a user, and their parts: about 10 files of 25 MB a day. */
  readings: { account: [perMinute(240), perDay(1_500)] },
  /** Documents that are read for a user. Each occupies a reader for seconds. */
  'own-reading': { account: [perHour(30), perDay(60)] },
  /** Calls with a key of POST /api/import; the key counts as an account. */
  import: { account: [perMinute(60), perHour(600)] },
  /** Calls of the user about keys of the API. */
  'api-keys': { account: [perMinute(60)] },
  /** Calls with a key of the API; the key counts as an account. */
  'api-key': { account: [perMinute(600), perDay(50_000)] },
  /** Reads of the private feeds of an account. */
  'search-feed': { account: [perMinute(120), perDay(10_000)] },
  /** All calls of a member of staff to the desk. */
  desk: { account: [perMinute(300)] },
} as const satisfies Record<string, Partial<Record<LimitSubject, Windows>>>;

export type LimitName = keyof typeof RATE_LIMITS;
/** Names of limits that count an account. */
export type AccountLimitName = {
  [Name in LimitName]: (typeof RATE_LIMITS)[Name] extends { account: Windows } ? Name : never;
}[LimitName];

/** Other refusals for the metric, decided in other files: failures of a mobile number, attempts at a code, orders of a buyer. */
export const OTHER_REFUSALS = ['sign-in-account', 'code-tries', 'new-orders', 'webhook-address'] as const;

/** A value of the label `limit` of the metric nivida_refused_total: 'contact-email', 'sign-in-account'. */
export type RefusedLimit = `${LimitName}-${LimitSubject}` | (typeof OTHER_REFUSALS)[number];

/** The windows of a subject; none when the limit does not count it. */
export const windowsOf = (name: LimitName, subject: LimitSubject): Windows =>
  (RATE_LIMITS[name] as Partial<Record<LimitSubject, Windows>>)[subject] ?? [];
