/** What is typed in the payment form, kept in this tab from leaving for the payment page until the order is paid. */
import { readOwnDraft, saveOwnDraft } from '../../data/drafts.ts';
import { currentOwner } from '../../data/session.ts';
import type { Buyer } from './buyer.ts';

const NAME = 'payment form';
const FIELDS = ['name', 'mobileNo', 'email', 'billingState', 'gstin', 'firm', 'firmAddress'] as const;

/** The typed fields, and the plan with its states when a plan is bought. */
export interface PaymentDraft {
  buyer: Partial<Buyer>;
  planId: string | null;
  states: string[];
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The present user's draft in this tab; empty when there is none. */
export function readPaymentDraft(): PaymentDraft {
  const kept = readOwnDraft(NAME, currentOwner());
  const { buyer, planId, states }: { buyer?: unknown; planId?: unknown; states?: unknown } = Object(kept);
  const typed: Record<string, unknown> = Object(buyer);
  return {
    buyer: Object.fromEntries(FIELDS.flatMap((field) => (isText(typed[field]) ? [[field, typed[field]]] : []))),
    planId: isText(planId) ? planId : null,
    states: Array.isArray(states) ? states.filter(isText) : [],
  };
}

export function savePaymentDraft(draft: PaymentDraft): void {
  saveOwnDraft(NAME, currentOwner(), draft);
}

export function forgetPaymentDraft(): void {
  saveOwnDraft(NAME, currentOwner(), null);
}
