/** Accounts as the desk and the commands show them. Instants in UTC. */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { PlanState } from '../orders/order.ts';
import { PLAN_IDS } from '../orders/plans.ts';
import { THREAD_STATES } from '../support/threads.ts';
import { isDay } from '../time.ts';
import { Reason, STAFF_ROLES } from './act.ts';
import { ListedAuditEvent } from './audit-log.ts';
import { DESK_ORDER_STATUSES } from './orders.ts';

/** An account: `closing` ones are erased at `erasedOn` unless they are reopened. */
const AccountStatus = v.picklist(['open', 'closing', 'erased']);

/** An account in a list; mobile number and e-mail address are masked. */
export const ListedPerson = v.object({
  id: v.string(),
  username: v.string(),
  companyName: v.string(),
  state: v.string(),
  email: v.string(),
  mobileNo: v.string(),
  status: AccountStatus,
  createdAt: v.string(),
});
export type ListedPerson = v.InferOutput<typeof ListedPerson>;

/**
 * Query of `GET /api/desk/people`: an e-mail address, a mobile number, an id, or the name of a person or firm, each complete.
 * Without it: the accounts that are to be erased.
 */
export const PeopleQuery = v.object({ find: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(254)), '') });
export type PeopleQuery = v.InferOutput<typeof PeopleQuery>;

/** At most 50. */
export const PeopleResponse = v.object({ rows: v.array(ListedPerson) });
export type PeopleResponse = v.InferOutput<typeof PeopleResponse>;

/** Failed sign-ins of a number, in one kind of browser. */
const SignInLock = v.object({
  /** Browsers that have not signed in to the number before, known ones, or passwords asked for within the app. */
  where: v.picklist(['unknown', 'known', 'signed-in']),
  failuresInARow: v.number(),
  lastAt: v.string(),
  /** Null: not locked now. */
  lockedUntil: v.nullable(v.string()),
  /** Locked until the password is reset. */
  isFinal: v.boolean(),
});

/** A plan or trial of an account. */
export const GrantedPlan = v.object({
  id: v.string(),
  planId: v.picklist(PLAN_IDS),
  /** Bought, a trial, given by an operator, or the free plan of an installation that sells nothing. */
  origin: v.picklist(['order', 'trial', 'gift', 'free']),
  states: v.array(v.string()),
  startsAt: v.string(),
  /** Exclusive. */
  endsAt: v.string(),
  status: v.picklist(['waiting', 'running', 'ended', 'revoked']),
  isTest: v.boolean(),
});
export type GrantedPlan = v.InferOutput<typeof GrantedPlan>;

/** A gift in the list of all; its e-mail address is masked. */
export const ListedGift = v.object({
  ...GrantedPlan.entries,
  /** Null until an account with the e-mail address claims it. */
  userId: v.nullable(v.string()),
  email: v.string(),
});
export type ListedGift = v.InferOutput<typeof ListedGift>;

/** An order of an account or a firm. */
export const NewestOrder = v.object({
  orderId: v.string(),
  status: v.picklist(DESK_ORDER_STATUSES),
  title: v.string(),
  amountPaise: v.number(),
  createdAt: v.string(),
});
export type NewestOrder = v.InferOutput<typeof NewestOrder>;

/** Answer of `GET /api/desk/people/{id}`. */
export const PersonResponse = v.object({
  ...ListedPerson.entries,
  /** Until when the member of staff reads the whole e-mail address and mobile number; null: they are masked. */
  openUntil: v.nullable(v.string()),
  language: v.string(),
  companyType: v.string(),
  districts: v.array(v.string()),
  departments: v.array(v.string()),
  /** When a closing account is erased. */
  erasedOn: v.nullable(v.string()),
  /** Why the account cannot be erased; null: it can. */
  notErasable: v.nullable(v.string()),
  /** An erasure that waits for a second person. */
  proposal: v.nullable(
    v.object({
      id: v.string(),
      proposedBy: v.string(),
      reason: v.string(),
      isOwn: v.boolean(),
      proposedAt: v.string(),
      expiresAt: v.string(),
    }),
  ),
  role: v.nullable(v.picklist(STAFF_ROLES)),
  /** The plan or trial whose limits count now. */
  plan: v.nullable(PlanState),
  /** All plans and trials, the newest first. */
  plans: v.array(GrantedPlan),
  locks: v.array(SignInLock),
  /** Signed-in devices now. */
  sessions: v.number(),
  lastUsedAt: v.nullable(v.string()),
  passkeys: v.number(),
  /** Keys for programs that are not revoked. */
  apiKeys: v.number(),
  /** Private addresses of saved searches. */
  searchFeeds: v.number(),
  /** Whether a sign-in by password needs a passkey too. */
  secondFactor: v.boolean(),
  /** Devices with alerts, the mails of the account included. */
  alertDevices: v.number(),
  unreadNotices: v.number(),
  savedSearches: v.number(),
  bookmarks: v.number(),
  orderCount: v.number(),
  /** The newest five. */
  orders: v.array(NewestOrder),
  /** The newest five conversations with support. */
  threads: v.array(v.object({ id: v.string(), subject: v.string(), state: v.picklist(THREAD_STATES), at: v.string() })),
  /** The newest twenty events about the account or by it. */
  events: v.array(ListedAuditEvent),
});
export type PersonResponse = v.InferOutput<typeof PersonResponse>;

/** Answer of the act that opens the contact data. */
export const PersonContact = v.object({ email: v.string(), mobileNo: v.string() });
export type PersonContact = v.InferOutput<typeof PersonContact>;

/** Failures that were forgotten: one counter for each kind of browser. */
export const UnlockResponse = v.object({ counters: v.number() });
export type UnlockResponse = v.InferOutput<typeof UnlockResponse>;

/** Sessions that have ended. */
export const EndSessionsResponse = v.object({ sessions: v.number() });
export type EndSessionsResponse = v.InferOutput<typeof EndSessionsResponse>;

/** Keys for programs that were revoked. */
export const RevokeKeysResponse = v.object({ keys: v.number() });
export type RevokeKeysResponse = v.InferOutput<typeof RevokeKeysResponse>;

/** Private addresses of saved searches that have ended. */
export const EndFeedsResponse = v.object({ feeds: v.number() });
export type EndFeedsResponse = v.InferOutput<typeof EndFeedsResponse>;

/** Body of the act that gives a plan. */
export const GrantPlanRequest = v.object({
  planId: v.picklist(PLAN_IDS),
  /** The last Indian day: '2027-03-31'. */
  until: v.pipe(
    v.string(),
    v.check(isDay, () => t`Choose a day`),
  ),
  reason: Reason,
});
export type GrantPlanRequest = v.InferOutput<typeof GrantPlanRequest>;

/** `unchanged`: the account had this plan until this day already. */
export const GrantPlanResponse = v.object({ id: v.string(), outcome: v.picklist(['given', 'changed', 'unchanged']) });
export type GrantPlanResponse = v.InferOutput<typeof GrantPlanResponse>;

/** Answer of an act that has nothing to say. */
export const PersonActResponse = v.object({ id: v.string() });
export type PersonActResponse = v.InferOutput<typeof PersonActResponse>;
