/**
 * The typed payment form. It is stored in this tab while the buyer visits the payment page, until the order
 * is paid.
 */
import { readTabDraft, saveTabDraft } from '../../../data/device/tab-drafts.ts';
import { currentOwner } from '../../../data/session.ts';
import type { BuyerFormValues } from './buyer.ts';

const DRAFT_NAME = 'payment form';
const DRAFT_FIELDS = ['name', 'mobileNo', 'email', 'billingState', 'gstin', 'firm', 'firmAddress'] as const;

/** The typed fields. For a plan, also the plan and its states. */
interface PaymentDraft {
  buyer: Partial<BuyerFormValues>;
  planId: string | null;
  states: string[];
}

const isString = (value: unknown): value is string => typeof value === 'string';

/** The current user's draft in this tab. Empty when there is none. */
export function readPaymentDraft(): PaymentDraft {
  const stored = readTabDraft(DRAFT_NAME, currentOwner());
  const { buyer, planId, states }: { buyer?: unknown; planId?: unknown; states?: unknown } = Object(stored);
  const typed: Record<string, unknown> = Object(buyer);
  return {
    buyer: Object.fromEntries(DRAFT_FIELDS.flatMap((field) => (isString(typed[field]) ? [[field, typed[field]]] : []))),
    planId: isString(planId) ? planId : null,
    states: Array.isArray(states) ? states.filter(isString) : [],
  };
}

export function savePaymentDraft(draft: PaymentDraft): void {
  saveTabDraft(DRAFT_NAME, currentOwner(), draft);
}

export function deletePaymentDraft(): void {
  saveTabDraft(DRAFT_NAME, currentOwner(), null);
}
