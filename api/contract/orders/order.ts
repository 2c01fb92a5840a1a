/** Orders of documents and plans, and the buyer's view of them. */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import {
  emailField,
  indianMobileField,
  lineOfText,
  mobileField,
  requiredText,
  UNKNOWN_FIELD_MESSAGE,
} from '../fields.ts';
import { placeName } from '../regions/states.ts';
import { PACKAGE_KINDS } from './document-package.ts';
import { compactGstin, gstinError, stateOfGstin } from './gst.ts';

/** Price of one document package in paise (SPEC section 9), all taxes included (R49). */
export const DOCUMENT_PRICE_PAISE = 9_900;

/** A GSTIN that a tax invoice can carry, as typed or pasted; '' for none. */
export const optionalGstin = v.optional(
  v.pipe(
    v.string(),
    v.transform(compactGstin),
    v.check(
      (text) => text === '' || gstinError(text) === undefined,
      ({ input }) => gstinError(input) ?? '',
    ),
  ),
  '',
);

export const MAX_FIRM_CHARACTERS = 150;
export const MAX_FIRM_ADDRESS_CHARACTERS = 300;

const optionalLine = (maxCharacters: number) => v.optional(v.pipe(v.string(), v.trim(), lineOfText(maxCharacters)), '');

const billingFields = {
  billingState: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(60)), ''),
  gstin: optionalGstin,
  /** Registered name and address of the firm, for a tax invoice with a GSTIN. */
  firm: optionalLine(MAX_FIRM_CHARACTERS),
  firmAddress: optionalLine(MAX_FIRM_ADDRESS_CHARACTERS),
};

/** Buyer's data that a tax invoice with a GSTIN needs. */
export interface BillingDetails {
  billingState: string;
  gstin: string;
  firm: string;
  firmAddress: string;
}

/** Errors for missing billing data, by field. */
export function missingBilling({
  gstin,
  firm,
  firmAddress,
}: Omit<BillingDetails, 'billingState'>): Partial<BillingDetails> {
  if (gstin === '') return {};
  return {
    ...(firm === '' && { firm: t`Name of the firm is required` }),
    ...(firmAddress === '' && { firmAddress: t`Address of the firm is required` }),
  };
}

/** The error for a GSTIN of another State than the chosen one. */
export function gstinStateError({
  gstin,
  billingState,
}: Pick<BillingDetails, 'gstin' | 'billingState'>): string | undefined {
  const state = stateOfGstin(gstin);
  if (gstin === '' || billingState === '' || state === undefined || state === billingState) return undefined;
  return t`This GSTIN is registered in ${{ state: placeName(state) }} (${{ code: gstin.slice(0, 2) }}), not in ${{ billingState: placeName(billingState) }}`;
}

/** The payment form of both dialogs: the messages of registration step 1 (R25). */
export const PaymentForm = v.object({
  name: requiredText(() => t`Name is required`, 100),
  mobileNo: mobileField,
  email: emailField,
  ...billingFields,
});
export type PaymentForm = v.InferOutput<typeof PaymentForm>;

const orderFields = {
  name: requiredText(() => t`Name is required`, 100),
  mobileNo: indianMobileField,
  email: emailField,
  /** Rupees that the buyer saw. They are only compared with the catalogue (R40). */
  amount: v.union(
    [v.number(), v.pipe(v.string(), v.regex(/^\d{1,7}(\.\d{1,2})?$/, 'amount must be rupees'))],
    'amount must be rupees',
  ),
  /** The page of this app that the buyer returns to. */
  redirectUrl: v.pipe(v.string('redirectUrl must be text'), v.maxLength(1_000)),
  ...billingFields,
};

const tenderId = v.pipe(v.string('tenderId must be text'), v.regex(/^\d{1,10}$/, 'tenderId is not a tender id'));

/** Body of `POST /api/create-order` for the documents of a tender. */
const DocumentOrder = v.strictObject(
  {
    ...orderFields,
    product: v.literal('tender-documents'),
    tenderId,
    documentId: v.optional(tenderId),
    /** True when the buyer has read the warning about an earlier purchase with this e-mail address and buys again. */
    again: v.optional(v.boolean()),
  },
  UNKNOWN_FIELD_MESSAGE,
);

/** Body of `POST /api/create-order` for a plan; `states` are the chosen states. */
const PlanOrder = v.strictObject(
  {
    ...orderFields,
    product: v.literal('yearly-subscription'),
    planId: v.picklist(['basic', 'premium', 'enterprise'], 'Unknown plan'),
    /** A firm of the buyer, who is its owner: the plan is then the firm's, `planId` is 'enterprise'. */
    firmId: v.optional(v.pipe(v.string(), v.uuid('firmId is not the id of a firm'))),
    states: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.maxLength(36)), []),
  },
  UNKNOWN_FIELD_MESSAGE,
);

/** Body of `POST /api/create-order`. */
export const CreateOrderRequest = v.variant('product', [DocumentOrder, PlanOrder], 'Unknown product');
export type CreateOrderRequest = v.InferOutput<typeof CreateOrderRequest>;

/** Answer of `POST /api/create-order`: the next page; with `alreadyEntitled` nothing is to be paid. */
export const CreateOrderResponse = v.object({
  url: v.string(),
  orderId: v.string(),
  alreadyEntitled: v.optional(v.boolean()),
});
export type CreateOrderResponse = v.InferOutput<typeof CreateOrderResponse>;

/** A public order id: 16 random bytes in base64url. */
export const ORDER_ID_PATTERN = /^[\w-]{22}$/;

const ORDER_STATUSES = ['SUCCESS', 'FAILED', 'PENDING', 'REFUNDED'] as const;
/** Public status of an order. */
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Query of `GET /api/status-check` and `GET /api/payment-status`. */
export const OrderStatusQuery = v.object({
  id: v.optional(v.pipe(v.string('Order ID is missing'), v.nonEmpty('Order ID is missing')), ''),
});

/** Answer of `GET /api/status-check?id=` and `GET /api/payment-status?id=`. */
export const OrderStatusResponse = v.object({
  /** `SUCCESS` counts as paid; an unknown status is shown as a failure (R41). */
  status: v.string(),
  order: v.object({
    product: v.string(),
    tenderId: v.nullable(v.string()),
    planId: v.optional(v.nullable(v.string())),
    /** For document orders: the contents of the package for this tender. */
    contents: v.optional(v.picklist(PACKAGE_KINDS)),
    /** The tender's title or the plan's name at the time of purchase. */
    title: v.optional(v.string()),
    amountPaise: v.optional(v.number()),
  }),
  error: v.optional(v.string()),
  /** True for a PENDING order whose payment page has ended. The bank may take hours. */
  isUnconfirmed: v.optional(v.boolean()),
  /** Credit note of a refunded order with a receipt. */
  creditNoteNumber: v.optional(v.string()),
});
export type OrderStatusResponse = v.InferOutput<typeof OrderStatusResponse>;

/** One order in the buyer's list. Instants in UTC, money in paise. */
export const OrderSummary = v.object({
  orderId: v.string(),
  product: v.picklist(['tender-documents', 'yearly-subscription']),
  /** The tender's title or the plan's name. */
  title: v.string(),
  tenderId: v.nullable(v.string()),
  planId: v.nullable(v.string()),
  amountPaise: v.number(),
  status: v.picklist(ORDER_STATUSES),
  createdAt: v.string(),
  paidAt: v.nullable(v.string()),
  /** Number of the receipt or tax invoice; its PDF is at `/api/orders/{orderId}/receipt.pdf`. */
  receiptNumber: v.nullable(v.string()),
  /** Number of the credit note of a refunded order; its PDF is at `/api/orders/{orderId}/credit-note.pdf`. */
  creditNoteNumber: v.nullable(v.string()),
  /** Paid in the sandbox: no money moved. */
  isTest: v.boolean(),
});
export type OrderSummary = v.InferOutput<typeof OrderSummary>;

/** The current plan or trial, and its use in this Indian calendar month. Instants in UTC. */
export const PlanState = v.object({
  planId: v.picklist(['basic', 'premium', 'enterprise']),
  isTrial: v.boolean(),
  /** Given by the operator, not bought. */
  isGift: v.optional(v.boolean(), false),
  /** Name of the firm whose plan it is; absent for the user's own. */
  firm: v.optional(v.string()),
  /** Chosen states, at most the plan's number. More may be added at any time. Empty for all of India. */
  states: v.array(v.string()),
  startsAt: v.string(),
  /** Exclusive. */
  endsAt: v.string(),
  downloadsUsed: v.number(),
  /** Null: no monthly limit; 0: downloads are not included. */
  downloadsPerMonth: v.nullable(v.number()),
  /** The earliest instant at which states can be replaced, once in 30 days; null for a plan without a limit of states. */
  statesChangeableAt: v.nullable(v.string()),
});
export type PlanState = v.InferOutput<typeof PlanState>;

/** Body of `PUT /api/plan/states`. The answer is `PlanState`. */
export const PlanStatesRequest = v.strictObject(
  {
    states: v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(60))),
      v.minLength(1, () => t`Please choose a state`),
      v.maxLength(36),
    ),
  },
  UNKNOWN_FIELD_MESSAGE,
);
export type PlanStatesRequest = v.InferOutput<typeof PlanStatesRequest>;

/** Answer of `GET /api/orders`, newest first. */
export const OrderListResponse = v.object({ orders: v.array(OrderSummary), plan: v.nullable(PlanState) });
export type OrderListResponse = v.InferOutput<typeof OrderListResponse>;
