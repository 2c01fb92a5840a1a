/** The buyer: what the payment form holds, and what is known of whoever is signed in. */
import { isGstin, stateOfGstin } from '@nivida/contract/gst';
import { missingBilling, PaymentForm, wrongGstinState } from '@nivida/contract/order';
import { Me } from '@nivida/contract/user';
import * as v from 'valibot';
import { keepAnswers, useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import type { Session } from '../../data/session.ts';

/** What the form holds; `mobileNo` without +91. */
export type Buyer = v.InferInput<typeof PaymentForm> & Record<keyof PaymentForm, string>;

/** The first message of each wrong field, by its name. */
export type BuyerErrors = Partial<Record<string, string>>;

const DIGITS = 10;
const GSTIN_LENGTH = 15;

/** A mobile number as it was typed or pasted, capped at 10 characters; '+91 98765 43210' and the like lose their prefix. */
export function typedMobile(text: string): string {
  const compact = text.replace(/[\s()-]/g, '').replace(/^\+91/, '');
  const [, number] = compact.match(/^(?:91|0)(\d{10})$/) ?? [];
  return number ?? compact.slice(0, DIGITS);
}

/** The fields of whoever is signed in, which are locked; empty ones when signed out. */
export function buyerOf(session: Session | null): Pick<Buyer, 'name' | 'mobileNo' | 'email'> {
  if (!session) return { name: '', mobileNo: '', email: '' };
  const { username, mobileNo, email } = session.user;
  return { name: username, mobileNo: typedMobile(mobileNo), email };
}

/** Checks the form: the buyer as he is sent, or the first message of each wrong field. */
export function checkBuyer(buyer: Buyer): { buyer: PaymentForm | null; errors: BuyerErrors } {
  // Without a GSTIN the fields of the firm are not shown, and nothing of them is sent.
  const asked = buyer.gstin.trim() === '' ? { ...buyer, firm: '', firmAddress: '' } : buyer;
  const { success, output, issues } = v.safeParse(PaymentForm, asked);
  const errors: BuyerErrors = {};
  for (const issue of issues ?? []) errors[v.getDotPath(issue) ?? ''] ??= issue.message;
  const { gstin, firm, firmAddress, billingState } = asked;
  const missing = errors.gstin ? {} : missingBilling({ gstin, firm: firm.trim(), firmAddress: firmAddress.trim() });
  const wrong = wrongGstinState({ gstin, billingState });
  const all: BuyerErrors = { ...missing, ...(wrong && { gstin: wrong }), ...errors };
  return success && Object.keys(all).length === 0 ? { buyer: output, errors: {} } : { buyer: null, errors: all };
}

/** A GSTIN as it was typed or pasted; a whole one chooses its State too. */
export function typedGstin(text: string): Partial<Buyer> {
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

const profiles = keepAnswers(async (_userId): Promise<ProfileBilling> => {
  const { state, billing } = await api.get('api/me').json(Me);
  return { home: state, state: stateOfGstin(billing.gstin) ?? state, ...billing };
});

/** What the profile of the signed-in user begins the invoice with; empty when signed out or not known yet. */
export function useProfileBilling(session: Session | null): ProfileBilling {
  const { answer } = useAnswer(profiles, session?.user._id ?? null);
  return answer ?? { home: '', state: '', gstin: '', firm: '', firmAddress: '' };
}
