/** The contact form (SPEC section 5): lengths are counted in code points after trimming, limits themselves allowed. */
import * as v from 'valibot';
import { characterCount, emailField } from '../fields.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break in a name or subject would be a mail header
const ONE_LINE_PATTERN = /^[^\u0000-\u001f\u007f\u2028\u2029]*$/u;

const oneLine = v.regex(ONE_LINE_PATTERN, 'Line breaks and control characters are not allowed');
const minLength = (min: number, message: string) =>
  v.check<string, string>((text) => characterCount(text) >= min, message);
const maxLength = (max: number, message: string) =>
  v.check<string, string>((text) => characterCount(text) <= max, message);

const contactFields = {
  name: v.optional(
    v.pipe(
      v.string('Name is required'),
      v.trim(),
      v.nonEmpty('Name is required'),
      minLength(2, 'Name must be at least 2 characters'),
      maxLength(100, 'Name must be less than 100 characters'),
      oneLine,
    ),
    '',
  ),
  email: emailField,
  /** '' when not given. */
  phone: v.optional(
    v.pipe(v.string(), v.trim(), v.regex(/^(?:[6-9]\d{9})?$/, 'Please enter a valid 10-digit mobile number')),
    '',
  ),
  countryCode: v.optional(v.literal('+91', 'Please enter a valid 10-digit mobile number'), '+91'),
  company: v.optional(
    v.pipe(v.string(), v.trim(), maxLength(100, 'Company name must be less than 100 characters'), oneLine),
    '',
  ),
  subject: v.optional(
    v.pipe(
      v.string('Subject is required'),
      v.trim(),
      v.nonEmpty('Subject is required'),
      minLength(5, 'Subject must be at least 5 characters'),
      maxLength(200, 'Subject must be less than 200 characters'),
      oneLine,
    ),
    '',
  ),
  message: v.optional(
    v.pipe(
      v.string('Message is required'),
      v.trim(),
      v.nonEmpty('Message is required'),
      minLength(10, 'Message must be at least 10 characters'),
      maxLength(1000, 'Message must be less than 1000 characters'),
    ),
    '',
  ),
  agreeToTerms: v.optional(v.literal(true, 'You must agree to the terms and conditions'), false as true),
};

/** The form as the visitor fills it. */
export const ContactFormValues = v.object(contactFields);
export type ContactFormValues = v.InferOutput<typeof ContactFormValues>;

/** Body of `POST /api/contact`. */
export const ContactRequest = v.strictObject(
  {
    ...contactFields,
    /** Made by the device once per message, so that sending it again after a lost answer stores it once. */
    messageId: v.optional(v.pipe(v.string(), v.uuid('messageId must be a UUID'))),
    /** A field that people do not see; what fills it is a robot, and its message is thrown away. */
    website: v.optional(v.string(), ''),
  },
  'The body holds a field that does not belong there',
);
export type ContactRequest = v.InferOutput<typeof ContactRequest>;

/** Answer of `POST /api/contact`. */
export const ContactResponse = v.object({ success: v.literal(true), message: v.string() });
