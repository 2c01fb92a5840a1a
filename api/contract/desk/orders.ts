/** Orders as the desk sees them. Lists have no data of the buyer; a file has them masked. Money is in paise. */
import * as v from 'valibot';
import { emailField } from '../fields.ts';
import { Reason } from './act.ts';

const instant = v.pipe(v.string(), v.isoTimestamp());

export const DESK_ORDER_STATUSES = [
  'CREATED',
  'PENDING',
  'SUCCESS',
  'FAILED',
  'EXPIRED',
  'REVIEW',
  'REFUND_PENDING',
  'REFUNDED',
] as const;

export const DeskOrderQuery = v.object({
  /** An e-mail address, a mobile number, or the id of an order, payment, refund or receipt: exact. */
  find: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
  status: v.optional(v.picklist(DESK_ORDER_STATUSES)),
  page: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,5}$/), v.transform(Number)), '1'),
});
export type DeskOrderQuery = v.InferOutput<typeof DeskOrderQuery>;

export const DeskOrderRow = v.object({
  id: v.string(),
  status: v.picklist(DESK_ORDER_STATUSES),
  title: v.string(),
  amountPaise: v.number(),
  live: v.boolean(),
  createdAt: instant,
});
export type DeskOrderRow = v.InferOutput<typeof DeskOrderRow>;

/** Those in review first, then the newest. */
export const DeskOrderListResponse = v.object({
  rows: v.array(DeskOrderRow),
  total: v.number(),
  pages: v.number(),
});
export type DeskOrderListResponse = v.InferOutput<typeof DeskOrderListResponse>;

export const DeskOrderFile = v.object({
  ...DeskOrderRow.entries,
  product: v.string(),
  tenderId: v.nullable(v.string()),
  provider: v.string(),
  /** Each page that was asked for, with its provider, oldest first. */
  attempts: v.array(v.object({ ref: v.string(), provider: v.string(), at: instant })),
  /** The captured amount; null while unpaid. */
  paidPaise: v.nullable(v.number()),
  isOfAccount: v.boolean(),
  /** Masked; '' after erasure. */
  buyer: v.object({ email: v.string(), mobile: v.string() }),
  payments: v.array(
    v.object({ id: v.string(), kind: v.string(), amountPaise: v.number(), currency: v.string(), at: instant }),
  ),
  refunds: v.array(v.object({ ref: v.string(), state: v.string(), amountPaise: v.number(), reason: v.string() })),
  invoices: v.array(v.object({ kind: v.string(), number: v.string(), at: instant })),
  /** The ledger, oldest first. `actor` is the name of a member of staff, '' for other people and jobs. */
  events: v.array(v.object({ at: instant, action: v.string(), actor: v.string(), reason: v.string() })),
  /** What the buyer's own page says. */
  buyerSees: v.object({ status: v.string(), error: v.nullable(v.string()) }),
  /** Path of the buyer's own page. */
  buyerPage: v.string(),
  /** A refund that waits for a second person. */
  proposal: v.nullable(v.object({ id: v.string(), proposedBy: v.string(), reason: v.string(), isOwn: v.boolean() })),
});
export type DeskOrderFile = v.InferOutput<typeof DeskOrderFile>;

export const ChangeEmailRequest = v.object({ email: emailField, reason: Reason });
export type ChangeEmailRequest = v.InferOutput<typeof ChangeEmailRequest>;

export const OpenedBuyer = v.object({ name: v.string(), email: v.string(), mobile: v.string() });
export type OpenedBuyer = v.InferOutput<typeof OpenedBuyer>;

/** 'proposed': the amount is above the limit, so a second person confirms it. */
export const RefundResponse = v.object({ outcome: v.picklist(['sent', 'proposed']) });
export type RefundResponse = v.InferOutput<typeof RefundResponse>;

/** The status after the act. */
export const OrderActResponse = v.object({ status: v.picklist(DESK_ORDER_STATUSES) });
export type OrderActResponse = v.InferOutput<typeof OrderActResponse>;
