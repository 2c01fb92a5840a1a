/** The fields of the contact form. */
import type { User } from '@nivida/contract/account/user';

/** Values of the form. */
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

export const CONTACT_FIELDS = ['name', 'email', 'phone', 'company', 'subject', 'message', 'agreeToTerms'] as const;

/**
 * The text of a message to support, from the form of a signed-in user. Support knows the account; what was typed
 * otherwise is added below the message.
 */
export function supportText({ message, name, email, phone, company }: ContactFields, user: User): string {
  const known = initialContactFields(user);
  const others = [
    name !== known.name && name,
    email !== known.email && email,
    phone !== known.phone && phone,
    company,
  ].filter(Boolean);
  return others.length === 0 ? message : `${message}\n\n${others.join('\n')}`;
}

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
