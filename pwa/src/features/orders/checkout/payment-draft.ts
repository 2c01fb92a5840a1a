/** The typed payment form, stored in this tab from the visit of the payment page until the order is paid. */
import { readTabDraft, saveTabDraft } from '../../../data/device/tab-drafts.ts';
import { currentOwner } from '../../../data/session.ts';
import type { BuyerFormValues } from './buyer.ts';

const DRAFT_NAME = 'payment form';
const DRAFT_FIELDS = ['name', 'mobileNo', 'email', 'billingState', 'gstin', 'firm', 'firmAddress'] as const;

/** The typed fields, and the plan with its states when a plan is bought. */
export interface PaymentDraft {
  buyer: Partial<BuyerFormValues>;
  planId: string | null;
  states: string[];
}

const isString = (value: unknown): value is string => typeof value === 'string';

/** The present user's draft in this tab; empty when there is none. */
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
