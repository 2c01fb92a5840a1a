/** What stands in the contact form: what was typed over what is known of the user, checked by the contract. */

import type { User } from '@nivida/contract/account/user';
import { ContactFormValues } from '@nivida/contract/site/contact';
import { safeParse } from 'valibot';

/** The fields as the form holds them. */
export interface ContactFields {
  name: string;
  email: string;
  /** Without +91; '' when not given. */
  phone: string;
  company: string;
  subject: string;
  message: string;
  agreeToTerms: boolean;
}

/** One message per wrong field, by the field's name. */
export type ContactErrors = Readonly<Partial<Record<keyof ContactFields, string>>>;

/** The fields in the order in which they stand. */
export const CONTACT_FIELDS = ['name', 'email', 'phone', 'company', 'subject', 'message', 'agreeToTerms'] as const;

const MOBILE_DIGITS = 10;

/** The form before anything is typed, with the signed-in user's name, e-mail and mobile number. */
export function initialContactFields(user: User | undefined): ContactFields {
  return {
    name: user?.username ?? '',
    email: user?.email ?? '',
    phone: user?.mobileNo.replace(/^\+91/, '') ?? '',
    company: '',
    subject: '',
    message: '',
    agreeToTerms: false,
  };
}

/** Checks all fields: the message as it is sent, or the first thing that is wrong with each field. */
export function validateContact(fields: ContactFields): { form?: ContactFormValues; errors: ContactErrors } {
  const { success, output, issues } = safeParse(ContactFormValues, fields);
  if (success) return { form: output, errors: {} };
  const errors: Partial<Record<keyof ContactFields, string>> = {};
  for (const issue of issues) {
    const field = CONTACT_FIELDS.find((name) => name === issue.path?.[0].key);
    if (field) errors[field] ??= issue.message;
  }
  return { errors };
}

/** A mobile number as it was typed or pasted: without spaces, hyphens and +91. A digit too many is left to be seen. */
export function normaliseTypedPhone(text: string): string {
  const compact = text.replace(/[\s()-]/gu, '').replace(/^\+91/u, '');
  const [, number] = compact.match(/^(?:91|0)(\d{10})$/u) ?? [];
  return number ?? compact.slice(0, MOBILE_DIGITS + 1);
}
