/** The rules of the three steps, and what is sent at the end. */
import { RegistrationStep1, RegistrationStep2, RegistrationStep3 } from '@nivida/contract/account/auth';
import type { RegistrationBody } from '../auth-api.ts';
import { type FieldErrors, validateForm } from '../useForm.ts';
import type { RegistrationDraft } from './registration-draft.ts';

/** What the wizard never keeps: it is gone with the dialog. */
export interface NewPasswordValues {
  password: string;
  confirmPassword: string;
}

const STEP_OF_FIELD: Readonly<Record<string, RegistrationDraft['step']>> = {
  name: 1,
  email: 1,
  mobileNo: 1,
  password: 2,
  confirmPassword: 2,
};

/** What is said of a country code stands at the number, and of the proof at the address: those are what the reader sees. */
function moveErrorsToVisibleFields({ countryCode, otp, ...errors }: FieldErrors): FieldErrors {
  return { ...(countryCode && { mobileNo: countryCode }), ...(otp && { email: otp }), ...errors };
}

/** The wrong fields of step 1; an address that is one must have been verified too. */
export function validatePersonStep(draft: RegistrationDraft): FieldErrors {
  const errors = moveErrorsToVisibleFields(validateForm(RegistrationStep1, draft).errors);
  if (errors.email || draft.verifiedAt !== null) return errors;
  // where the code is being asked for, the message stands there
  const field = draft.codeSentAt === null ? 'email' : 'otp';
  return { ...errors, [field]: 'Please verify your email with OTP first' };
}

/** The wrong fields of step 2. */
export function validatePasswordStep(secrets: NewPasswordValues): FieldErrors {
  return validateForm(RegistrationStep2, secrets).errors;
}

/** The wrong fields of step 3. */
export function validateCompanyStep(draft: RegistrationDraft, agreeToTerms: boolean): FieldErrors {
  return validateForm(RegistrationStep3, { ...draft, agreeToTerms }).errors;
}

/** What is sent: without the confirmation, the consent (it goes as a header) and what belongs to the wizard alone. */
export function toRegistrationBody(draft: RegistrationDraft, { password }: NewPasswordValues): RegistrationBody {
  return {
    name: draft.name.trim(),
    email: draft.email.trim(),
    mobileNo: draft.mobileNo,
    countryCode: draft.countryCode,
    password: password.normalize('NFC'),
    companyName: draft.companyName.trim(),
    companyType: draft.companyType,
    state: draft.state,
    districts: draft.districts,
    departments: draft.departments,
    address: draft.address.trim(),
    minPrice: 0,
    maxPrice: null,
  };
}

/** The server's wrong fields as the wizard shows them, and the first step that has one; null when it named none. */
export function firstRefusedStep(fields: FieldErrors): { step: RegistrationDraft['step']; errors: FieldErrors } | null {
  // an element of a list is named as 'districts.0'
  const named = Object.entries(fields).map(([name, message]) => [name.split('.')[0] ?? name, message] as const);
  if (named.length === 0) return null;
  const errors = moveErrorsToVisibleFields(Object.fromEntries(named));
  const steps = Object.keys(errors).map((name) => STEP_OF_FIELD[name] ?? 3);
  return { step: steps.includes(1) ? 1 : steps.includes(2) ? 2 : 3, errors };
}
