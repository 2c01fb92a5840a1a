/** The buyer: what the payment form holds, and what is known of whoever is signed in. */

import { MeResponse } from '@nivida/contract/account/user';
import { isGstin, stateOfGstin } from '@nivida/contract/orders/gst';
import { gstinStateError, missingBilling, PaymentForm } from '@nivida/contract/orders/order';
import * as v from 'valibot';
import { api } from '../../../data/server/api.ts';
import { createQueryCache, useQuery } from '../../../data/server/query-cache.ts';
import type { Session } from '../../../data/session.ts';

/** What the form holds; `mobileNo` without +91. */
export type BuyerFormValues = v.InferInput<typeof PaymentForm> & Record<keyof PaymentForm, string>;

/** The first message of each wrong field, by its name. */
export type BuyerErrors = Partial<Record<string, string>>;

const MOBILE_DIGITS = 10;
const GSTIN_LENGTH = 15;

/** A mobile number as it was typed or pasted, capped at 10 characters; '+91 98765 43210' and the like lose their prefix. */
export function normaliseBuyerMobile(text: string): string {
  const compact = text.replace(/[\s()-]/g, '').replace(/^\+91/, '');
  const [, number] = compact.match(/^(?:91|0)(\d{10})$/) ?? [];
  return number ?? compact.slice(0, MOBILE_DIGITS);
}

/** The fields of whoever is signed in, which are locked; empty ones when signed out. */
export function buyerOfSession(session: Session | null): Pick<BuyerFormValues, 'name' | 'mobileNo' | 'email'> {
  if (!session) return { name: '', mobileNo: '', email: '' };
  const { username, mobileNo, email } = session.user;
  return { name: username, mobileNo: normaliseBuyerMobile(mobileNo), email };
}

/** Checks the form: the buyer as he is sent, or the first message of each wrong field. */
export function validateBuyer(buyer: BuyerFormValues): { buyer: PaymentForm | null; errors: BuyerErrors } {
  // Without a GSTIN the fields of the firm are not shown, and nothing of them is sent.
  const isInvoiceWanted = buyer.gstin.trim() === '' ? { ...buyer, firm: '', firmAddress: '' } : buyer;
  const { success, output, issues } = v.safeParse(PaymentForm, isInvoiceWanted);
  const errors: BuyerErrors = {};
  for (const issue of issues ?? []) errors[v.getDotPath(issue) ?? ''] ??= issue.message;
  const { gstin, firm, firmAddress, billingState } = isInvoiceWanted;
  const missing = errors.gstin ? {} : missingBilling({ gstin, firm: firm.trim(), firmAddress: firmAddress.trim() });
  const wrong = gstinStateError({ gstin, billingState });
  const all: BuyerErrors = { ...missing, ...(wrong && { gstin: wrong }), ...errors };
  return success && Object.keys(all).length === 0 ? { buyer: output, errors: {} } : { buyer: null, errors: all };
}

/** A GSTIN as it was typed or pasted; a whole one chooses its State too. */
export function normaliseTypedGstin(text: string): Partial<BuyerFormValues> {
  const gstin = text.replace(/\s/g, '').toUpperCase().slice(0, GSTIN_LENGTH);
  const billingState = isGstin(gstin) ? stateOfGstin(gstin) : undefined;
  return { gstin, ...(billingState && { billingState }) };
}

/** What the profile knows for an invoice. */
export interface ProfileBilling {
  /** Of the registration. */
  home: string;
  /** For the invoice. */
  state: string;
  gstin: string;
  firm: string;
  firmAddress: string;
}

const profileBillingCache = createQueryCache(async (_userId): Promise<ProfileBilling> => {
  const { state, billing } = await api.get('api/me').json(MeResponse);
  return { home: state, state: stateOfGstin(billing.gstin) ?? state, ...billing };
});

/** What the profile of the signed-in user begins the invoice with; empty when signed out or not known yet. */
export function useProfileBilling(session: Session | null): ProfileBilling {
  const { answer } = useQuery(profileBillingCache, session?.user._id ?? null);
  return answer ?? { home: '', state: '', gstin: '', firm: '', firmAddress: '' };
}
