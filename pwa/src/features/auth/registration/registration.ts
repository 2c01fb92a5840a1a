/** The values and rules of the three registration steps, and the body of the call. */
import { t } from '@lingui/core/macro';
import { RegistrationStep1, RegistrationStep2, RegistrationStep3 } from '@nivida/contract/account/auth';
import { type FieldErrors, validateForm } from '../../../ui/form/useForm.ts';
import type { RegistrationBody } from '../auth-api.ts';
import { EMPTY_REGISTRATION_DRAFT, type RegistrationDraft } from './registration-draft.ts';

/** A new password and its confirmation; never stored on the device. */
export interface NewPasswordValues {
  password: string;
  confirmPassword: string;
}

export const EMPTY_NEW_PASSWORD: NewPasswordValues = { password: '', confirmPassword: '' };

/** Values of the wizard: its draft, and fields that are lost when the dialog closes. */
export interface RegistrationValues extends RegistrationDraft, NewPasswordValues {
  otp: string;
  agreeToTerms: boolean;
}

export const EMPTY_REGISTRATION: RegistrationValues = {
  ...EMPTY_REGISTRATION_DRAFT,
  ...EMPTY_NEW_PASSWORD,
  otp: '',
  agreeToTerms: false,
};

const STEP_OF_FIELD: Readonly<Record<string, RegistrationDraft['step']>> = {
  name: 1,
  email: 1,
  mobileNo: 1,
  password: 2,
  confirmPassword: 2,
};

/** Moves an error of the country code to the number, and one of the verification to the e-mail address. */
function moveErrorsToVisibleFields({ countryCode, otp, ...errors }: FieldErrors): FieldErrors {
  return { ...(countryCode && { mobileNo: countryCode }), ...(otp && { email: otp }), ...errors };
}

/** Errors of step 1. A valid e-mail address must also be verified. */
function validatePersonStep(draft: RegistrationDraft): FieldErrors {
  const errors = moveErrorsToVisibleFields(validateForm(RegistrationStep1, draft).errors);
  if (errors.email || draft.verifiedAt !== null) return errors;
  // The message is shown at the code's field while that field is shown.
  const field = draft.codeSentAt === null ? 'email' : 'otp';
  return { ...errors, [field]: t`Please verify your email with OTP first` };
}

/** Errors of a step. */
export function validateStep(values: RegistrationValues): FieldErrors {
  if (values.step === 1) return validatePersonStep(values);
  return validateForm(values.step === 2 ? RegistrationStep2 : RegistrationStep3, values).errors;
}

/** The body of the call. The consent is sent as a header. */
export function toRegistrationBody(values: RegistrationValues): RegistrationBody {
  return {
    name: values.name.trim(),
    email: values.email.trim(),
    mobileNo: values.mobileNo,
    countryCode: values.countryCode,
    password: values.password.normalize('NFC'),
    companyName: values.companyName.trim(),
    companyType: values.companyType,
    state: values.state,
    districts: values.districts,
    departments: values.departments,
    address: values.address.trim(),
    minPrice: 0,
    maxPrice: null,
  };
}

/**
 * The server's field errors as the wizard shows them, and the first step that has one. Null when the server
 * named no field.
 */
export function firstRefusedStep(fields: FieldErrors): { step: RegistrationDraft['step']; errors: FieldErrors } | null {
  // The server names the first element of the list `districts` 'districts.0'.
  const named = Object.entries(fields).map(([name, message]) => [name.split('.')[0] ?? name, message] as const);
  if (named.length === 0) return null;
  const errors = moveErrorsToVisibleFields(Object.fromEntries(named));
  const steps = Object.keys(errors).map((name) => STEP_OF_FIELD[name] ?? 3);
  return { step: steps.includes(1) ? 1 : steps.includes(2) ? 2 : 3, errors };
}
