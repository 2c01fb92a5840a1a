/** The buyer: values of the payment form, their validation, and the account's data for the invoice. */
import { MeResponse } from '@nivida/contract/account/user';
import { normaliseTypedMobile } from '@nivida/contract/fields';
import { compactGstin, gstinError, stateOfGstin } from '@nivida/contract/orders/gst';
import { gstinStateError, missingBilling, PaymentForm } from '@nivida/contract/orders/order';
import type * as v from 'valibot';
import { apiOf } from '../../../data/server/api.ts';
import { createQueryCache, useQuery } from '../../../data/server/query-cache.ts';
import type { Session } from '../../../data/session.ts';
import { type CheckedForm, validateForm } from '../../../ui/form/useForm.ts';

/** Values of the form; `mobileNo` without +91. */
export type BuyerFormValues = v.InferInput<typeof PaymentForm> & Record<keyof PaymentForm, string>;

/** The name, number and e-mail address of the account. Empty when signed out. */
export function buyerOfSession(session: Session | null): Pick<BuyerFormValues, 'name' | 'mobileNo' | 'email'> {
  if (!session) return { name: '', mobileNo: '', email: '' };
  const { username, mobileNo, email } = session.user;
  return { name: username, mobileNo: normaliseTypedMobile(mobileNo), email };
}

/** Validates the form. A GSTIN needs a firm with an address, and the State in which it is registered. */
export function validateBuyer(buyer: BuyerFormValues): CheckedForm<PaymentForm> {
  // Without a GSTIN the fields of the firm are hidden and not sent.
  const values = buyer.gstin.trim() === '' ? { ...buyer, firm: '', firmAddress: '' } : buyer;
  const { sent, errors: invalid } = validateForm(PaymentForm, values);
  const { gstin, firm, firmAddress, billingState } = values;
  const missing = invalid.gstin ? {} : missingBilling({ gstin, firm: firm.trim(), firmAddress: firmAddress.trim() });
  const wrongState = gstinStateError({ gstin, billingState });
  const errors = { ...missing, ...(wrongState && { gstin: wrongState }), ...invalid };
  return sent && Object.keys(errors).length === 0 ? { sent, errors } : { errors };
}

/** A GSTIN as typed or pasted. A complete GSTIN also sets its State. */
export function normaliseTypedGstin(text: string): Partial<BuyerFormValues> {
  // The text after a comma, such as the name of the State, is not part of the number.
  const gstin = compactGstin(/^[^,;(]*/.exec(text)?.[0] ?? '');
  const billingState = gstinError(gstin) ? undefined : stateOfGstin(gstin);
  return { gstin, ...(billingState && { billingState }) };
}

/** The billing data of the profile. */
interface ProfileBilling {
  /** The State of the registration. */
  home: string;
  /** The State for the invoice. */
  state: string;
  gstin: string;
  firm: string;
  firmAddress: string;
}

const profileBillingCache = createQueryCache(async (userId): Promise<ProfileBilling> => {
  const { state, billing } = await apiOf(userId).get('api/me').json(MeResponse);
  return { home: state, state: stateOfGstin(billing.gstin) ?? state, ...billing };
});

/** The billing data of the signed-in user; empty when signed out or not loaded yet. */
export function useProfileBilling(session: Session | null): ProfileBilling {
  const { answer } = useQuery(profileBillingCache, session?.user._id ?? null);
  return answer ?? { home: '', state: '', gstin: '', firm: '', firmAddress: '' };
}
