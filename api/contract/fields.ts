/** Field rules shared by forms and calls. A missing key and an empty field give the same message. */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { asciiDigits } from './digits.ts';

const MAX_EMAIL_CHARACTERS = 254;
// One address without lists, quotes and control characters. The mail server decides whether it exists.
const EMAIL_PATTERN = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]+$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/u;

/** The message about a field that a request must not have. */
export const UNKNOWN_FIELD_MESSAGE = 'The body holds a field that does not belong there';

/** The message about a value, in the language of the moment. */
export type Message = () => string;

/** Whether a text contains control characters, such as line breaks and tabs. */
export const hasControlCharacters = (text: string): boolean => CONTROL_CHARACTERS.test(text);

/** Number of code points after trimming. */
export const characterCount = (text: string): number => [...text].length;

/** One line of at most `maxCharacters` code points. */
export const lineOfText = (maxCharacters: number) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => characterCount(text) <= maxCharacters,
      () => t`At most ${maxCharacters} characters`,
    ),
    v.check(
      (text) => !hasControlCharacters(text),
      () => t`Line breaks and control characters are not allowed`,
    ),
  );

/** Text that must not be empty after trimming; at most `maxCharacters` code points. */
export const requiredText = (message: Message, maxCharacters = 200) =>
  v.optional(v.pipe(v.string(message), v.trim(), v.nonEmpty(message), lineOfText(maxCharacters)), '');

/** One e-mail address, trimmed, with its domain in lower case. The part before @ stays as typed. */
export const emailField = v.optional(
  v.pipe(
    v.string(() => t`Email is required`),
    v.trim(),
    v.nonEmpty(() => t`Email is required`),
    v.maxLength(MAX_EMAIL_CHARACTERS, () => t`Please enter a valid email address`),
    v.regex(EMAIL_PATTERN, () => t`Please enter a valid email address`),
    v.check(
      (text) => !hasControlCharacters(text),
      () => t`Please enter a valid email address`,
    ),
    v.transform((text) => text.replace(/@.*$/u, (domain) => domain.toLowerCase())),
  ),
  '',
);

/** Characters that may be between the digits of a number: spaces, brackets, dots, dashes and invisible marks of pasted texts. */
const NUMBER_SEPARATORS = /[^\S\r\n]|[().\p{Pd}\p{Cf}]/gu;
/** The digits 0 to 9 of a typed number without its separators; other characters stay. */
const compactDigits = (text: string): string => asciiDigits(text).replace(NUMBER_SEPARATORS, '');
const INDIAN_MOBILE_PATTERN = /^(?:\+91|0091|0?91)?0?([6-9]\d{9})$/;

/**
 * The 10 digits of an Indian mobile number; undefined for another text. It may be written in any Indian script, with +91,
 * 0091, 91 or 0 before it.
 */
export const readMobile = (text: string): string | undefined => INDIAN_MOBILE_PATTERN.exec(compactDigits(text))?.[1];

const writtenMobile = (message: Message) =>
  v.pipe(
    v.string(() => t`Mobile number is required`),
    v.trim(),
    v.nonEmpty(() => t`Mobile number is required`),
    v.transform((text) => readMobile(text) ?? ''),
    v.nonEmpty(message),
  );

/** A mobile number in a form; the output has its 10 digits only. */
export const mobileField = v.optional(
  writtenMobile(() => t`Please enter a valid 10-digit mobile number`),
  '',
);

/** A mobile number in a request; the output has +91. */
export const indianMobileField = v.optional(
  v.pipe(
    writtenMobile(() => t`Invalid mobile number format`),
    v.transform((digits) => `+91${digits}`),
  ),
  '',
);

export const MIN_PASSWORD_CHARACTERS = 8;
const MAX_PASSWORD_CHARACTERS = 128;

/** A new password: any 8 to 128 characters in Unicode's composed form (NFC). */
export const newPasswordField = v.optional(
  v.pipe(
    v.string(() => t`Password is required`),
    v.nonEmpty(() => t`Password is required`),
    v.normalize('NFC'),
    v.check(
      (text) => characterCount(text) >= MIN_PASSWORD_CHARACTERS,
      () => t`Password must be at least 8 characters`,
    ),
    v.check(
      (text) => characterCount(text) <= MAX_PASSWORD_CHARACTERS,
      () => t`Password must be at most 128 characters`,
    ),
  ),
  '',
);

/** An existing password. Its length is not checked, so that an old short one still signs in. */
export const passwordField = v.optional(
  v.pipe(
    v.string(() => t`Password is required`),
    v.nonEmpty(() => t`Password is required`),
    v.normalize('NFC'),
    v.check(
      (text) => characterCount(text) >= 6,
      () => t`Password must be at least 6 characters`,
    ),
    v.check(
      (text) => characterCount(text) <= MAX_PASSWORD_CHARACTERS,
      () => t`Password must be at most 128 characters`,
    ),
  ),
  '',
);

const OTP_DIGITS = 6;

/** The mailed one-time code. */
export const otpField = v.optional(
  v.pipe(
    v.string(() => t`Please enter the OTP`),
    v.trim(),
    v.nonEmpty(() => t`Please enter the OTP`),
    v.transform(compactDigits),
    v.regex(/^\d{6}$/, () => t`The OTP has 6 digits`),
  ),
  '',
);

const MOBILE_DIGITS = 10;

/**
 * Cleans a mobile number while it is typed or pasted: digits 0 to 9, at most `maxDigits`. '+91', '0091', spaces and letters
 * are removed. '0' and '91' are removed when the number is complete. The '+' of another country stays, so that the number
 * is visibly wrong.
 */
export function normaliseTypedMobile(text: string, maxDigits = MOBILE_DIGITS): string {
  const compact = asciiDigits(text).replace(/[^\d+]/g, '');
  const typed = compact.replace(/^(?:\+|00)91/, '');
  // A text that begins with 0 or 91 may be a number with a prefix.
  return readMobile(compact) ?? readMobile(typed) ?? typed.slice(0, maxDigits + (/^(?:0|91)/.test(typed) ? 1 : 0));
}

/** The message about what `normaliseTypedMobile` removes from a text; '' for nothing. Prefixes and separators do not count. */
export function leftOutOfMobile(text: string, maxDigits = MOBILE_DIGITS): string {
  const compact = compactDigits(text);
  if (/[^\d+]/.test(compact)) return t`Only digits are kept here.`;
  const isCut =
    readMobile(compact) === undefined &&
    compact.replace(/^(?:\+|00)91/, '').length > normaliseTypedMobile(text, maxDigits).length;
  return isCut ? t`A mobile number has ${MOBILE_DIGITS} digits. The rest was left out.` : '';
}

/** Cleans a one-time code while it is typed or pasted: at most six characters. Text around six digits is removed. */
export function normaliseTypedCode(text: string): string {
  const compact = compactDigits(text);
  const digits = compact.replace(/\D/g, '');
  return (digits.length === OTP_DIGITS ? digits : compact).slice(0, OTP_DIGITS);
}
