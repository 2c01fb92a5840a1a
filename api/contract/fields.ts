/** Field rules shared by forms and calls. A missing key and an empty field give the same message. */
import * as v from 'valibot';

const MAX_EMAIL_CHARACTERS = 254;
// One address without lists, quotes and control characters. The mail server decides whether it exists.
const EMAIL_PATTERN = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]+$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/u;

/** Whether a text contains control characters, such as line breaks and tabs. */
export const hasControlCharacters = (text: string): boolean => CONTROL_CHARACTERS.test(text);

/** Number of code points after trimming. */
export const characterCount = (text: string): number => [...text].length;

/** Text that must not be empty after trimming; at most `maxCharacters` code points. */
export const requiredText = (message: string, maxCharacters = 200) =>
  v.optional(
    v.pipe(
      v.string(message),
      v.trim(),
      v.nonEmpty(message),
      v.check((text) => characterCount(text) <= maxCharacters, `At most ${maxCharacters} characters`),
      v.check((text) => !hasControlCharacters(text), 'Line breaks and control characters are not allowed'),
    ),
    '',
  );

/** One e-mail address, trimmed, its domain in lower case; the part before @ stays as typed. */
export const emailField = v.optional(
  v.pipe(
    v.string('Email is required'),
    v.trim(),
    v.nonEmpty('Email is required'),
    v.maxLength(MAX_EMAIL_CHARACTERS, 'Please enter a valid email address'),
    v.regex(EMAIL_PATTERN, 'Please enter a valid email address'),
    v.check((text) => !hasControlCharacters(text), 'Please enter a valid email address'),
    v.transform((text) => text.replace(/@.*$/u, (domain) => domain.toLowerCase())),
  ),
  '',
);

/** A mobile number in a form: 10 digits starting with 6 to 9, without a country code. */
export const mobileField = v.optional(
  v.pipe(
    v.string('Mobile number is required'),
    v.trim(),
    v.nonEmpty('Mobile number is required'),
    v.regex(/^[6-9]\d{9}$/, 'Please enter a valid 10-digit mobile number'),
  ),
  '',
);

/** A mobile number in a request, with or without +91; the output has +91. */
export const indianMobileField = v.optional(
  v.pipe(
    v.string('Mobile number is required'),
    v.trim(),
    v.nonEmpty('Mobile number is required'),
    v.regex(/^(?:\+91)?[6-9]\d{9}$/, 'Invalid mobile number format'),
    v.transform((text) => `+91${text.slice(-10)}`),
  ),
  '',
);

export const MIN_PASSWORD_CHARACTERS = 8;
const MAX_PASSWORD_CHARACTERS = 128;

/** A new password: any 8 to 128 characters in Unicode's composed form (NFC). */
export const newPasswordField = v.optional(
  v.pipe(
    v.string('Password is required'),
    v.nonEmpty('Password is required'),
    v.normalize('NFC'),
    v.check((text) => characterCount(text) >= MIN_PASSWORD_CHARACTERS, 'Password must be at least 8 characters'),
    v.check((text) => characterCount(text) <= MAX_PASSWORD_CHARACTERS, 'Password must be at most 128 characters'),
  ),
  '',
);

/** An existing password. Its length is not checked, so that an old short one still signs in. */
export const passwordField = v.optional(
  v.pipe(
    v.string('Password is required'),
    v.nonEmpty('Password is required'),
    v.normalize('NFC'),
    v.check((text) => characterCount(text) >= 6, 'Password must be at least 6 characters'),
    v.check((text) => characterCount(text) <= MAX_PASSWORD_CHARACTERS, 'Password must be at most 128 characters'),
  ),
  '',
);

/** The mailed one-time code. */
export const otpField = v.optional(
  v.pipe(
    v.string('Please enter the OTP'),
    v.trim(),
    v.nonEmpty('Please enter the OTP'),
    v.regex(/^\d{6}$/, 'The OTP has 6 digits'),
  ),
  '',
);

const MOBILE_DIGITS = 10;

/**
 * A mobile number as it is typed or pasted, at most `maxDigits` long. Prefixes such as '+91', letters and spaces are
 * removed. The '+' of another country stays, which makes the number visibly wrong.
 */
export function normaliseTypedMobile(text: string, maxDigits = MOBILE_DIGITS): string {
  const compact = text.replace(/[^\d+]/g, '').replace(/^\+91/, '');
  const [, number] = compact.match(/^(?:91|0)(\d{10})$/) ?? [];
  return number ?? compact.slice(0, maxDigits);
}
