/** Schemas of sign-in, registration, one-time codes, passwords and sessions. */
import { msg, t } from '@lingui/core/macro';
import * as v from 'valibot';
import {
  characterCount,
  emailField,
  hasControlCharacters,
  indianMobileField,
  type Message,
  mobileField,
  newPasswordField,
  otpField,
  passwordField,
  requiredText,
  UNKNOWN_FIELD_MESSAGE,
} from '../fields.ts';
import { languages } from '../languages.ts';
import { User } from './user.ts';

/** The value of each kind of company and its label (SPEC section 3). */
export const COMPANY_TYPES = {
  private: msg`Private Limited`,
  public: msg`Public Limited`,
  partnership: msg`Partnership`,
  proprietorship: msg`Proprietorship`,
} as const;
export type CompanyType = keyof typeof COMPANY_TYPES;

/** The country codes offered at registration; only Indian numbers are accepted (R17). */
export const COUNTRY_CODES = [
  { code: '+91', country: msg`India` },
  { code: '+1', country: msg`United States` },
  { code: '+44', country: msg`United Kingdom` },
  { code: '+61', country: msg`Australia` },
  { code: '+86', country: msg`China` },
  { code: '+81', country: msg`Japan` },
  { code: '+49', country: msg`Germany` },
  { code: '+33', country: msg`France` },
  { code: '+39', country: msg`Italy` },
  { code: '+34', country: msg`Spain` },
  { code: '+55', country: msg`Brazil` },
  { code: '+27', country: msg`South Africa` },
  { code: '+971', country: msg`UAE` },
  { code: '+966', country: msg`Saudi Arabia` },
  { code: '+65', country: msg`Singapore` },
  { code: '+60', country: msg`Malaysia` },
  { code: '+66', country: msg`Thailand` },
  { code: '+84', country: msg`Vietnam` },
  { code: '+62', country: msg`Indonesia` },
  { code: '+63', country: msg`Philippines` },
] as const;

/** The version of the terms accepted at registration; sent in the header `X-Terms-Version` (R12). */
export const TERMS_VERSION = '2026-11-21';

const indiaCountryCode = v.optional(
  v.literal('+91', () => t`Invalid mobile number format`),
  '+91',
);

/** The sign-in form. */
export const SignInForm = v.object({ mobileNo: mobileField, password: passwordField, rememberMe: v.boolean() });

/** Body of `POST /api/auth/login`. */
export const SignInRequest = v.strictObject(
  {
    mobileNo: indianMobileField,
    countryCode: indiaCountryCode,
    password: passwordField,
    rememberMe: v.optional(v.boolean('Remember me must be true or false'), false),
  },
  UNKNOWN_FIELD_MESSAGE,
);
export type SignInRequest = v.InferOutput<typeof SignInRequest>;

const indiaCountryCodeField = v.custom<string>(
  (code) => code === '+91',
  () => t`Please enter a valid 10-digit mobile number`,
);

/** Step 1 of the registration wizard, without the proof of the e-mail. A wrong country code is reported at the mobile number. */
export const RegistrationStep1 = v.object({
  name: requiredText(() => t`Name is required`, 100),
  email: emailField,
  mobileNo: mobileField,
  countryCode: indiaCountryCodeField,
});

/** Step 2 of the registration wizard. */
export const RegistrationStep2 = v.pipe(
  v.object({
    password: newPasswordField,
    confirmPassword: v.optional(
      v.pipe(
        v.string(() => t`Please confirm your password`),
        v.nonEmpty(() => t`Please confirm your password`),
        v.normalize('NFC'),
      ),
      '',
    ),
  }),
  v.forward(
    v.partialCheck(
      [['password'], ['confirmPassword']],
      ({ password, confirmPassword }) => password === confirmPassword,
      () => t`Passwords do not match`,
    ),
    ['confirmPassword'],
  ),
);

const MAX_PLACES = 100;

/** Names from the lists of a state; the server checks that they are listed. */
const placeNames = (each: Message, atLeastOne: Message, atMost: Message) =>
  v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.string(each),
          v.maxLength(100, () => t`At most 100 characters`),
        ),
        atLeastOne,
      ),
      v.minLength(1, atLeastOne),
      v.maxLength(MAX_PLACES, atMost),
    ),
    [],
  );

const companyFields = {
  companyName: requiredText(() => t`Company name is required`),
  companyType: v.optional(
    v.pipe(
      v.string(() => t`Company type is required`),
      v.picklist(Object.keys(COMPANY_TYPES) as CompanyType[], () => t`Company type is required`),
    ),
    '',
  ),
  state: requiredText(() => t`State is required`, 60),
  districts: placeNames(
    () => 'Each district must be text',
    () => t`At least one district is required`,
    () => t`At most ${MAX_PLACES} districts`,
  ),
  departments: placeNames(
    () => 'Each department must be text',
    () => t`At least one department is required`,
    () => t`At most ${MAX_PLACES} departments`,
  ),
  address: v.optional(
    v.pipe(
      v.string('The address must be text'),
      v.trim(),
      v.check(
        (text) => characterCount(text) <= 500,
        () => t`At most 500 characters`,
      ),
      v.check(
        (text) => !hasControlCharacters(text.replace(/[\t\n\r]/g, '')),
        () => t`Control characters are not allowed`,
      ),
    ),
    '',
  ),
};

/** Body of `PUT /api/me/company`, and the company form of the profile. The server checks the places, as at registration. */
export const CompanyRequest = v.strictObject(companyFields, UNKNOWN_FIELD_MESSAGE);
export type CompanyRequest = v.InferOutput<typeof CompanyRequest>;

/** Step 3 of the registration wizard. */
export const RegistrationStep3 = v.object({
  ...companyFields,
  agreeToTerms: v.literal(true, () => t`You must agree to the terms and conditions`),
});

const AMOUNT_MESSAGE = () => t`Please enter an amount in rupees`;
const rupeeAmount = v.pipe(
  v.number(AMOUNT_MESSAGE),
  v.finite(AMOUNT_MESSAGE),
  v.minValue(0, AMOUNT_MESSAGE),
  v.maxValue(1e13, AMOUNT_MESSAGE),
);

/** Body of `POST /api/auth/register`. State, districts and departments must be listed ones; the server checks that. */
export const RegistrationRequest = v.strictObject(
  {
    name: requiredText(() => t`Name is required`, 100),
    email: emailField,
    mobileNo: indianMobileField,
    countryCode: indiaCountryCode,
    password: newPasswordField,
    ...companyFields,
    minPrice: v.optional(rupeeAmount, 0),
    maxPrice: v.optional(v.nullable(rupeeAmount), null),
  },
  UNKNOWN_FIELD_MESSAGE,
);
export type RegistrationRequest = v.InferOutput<typeof RegistrationRequest>;

/** Answer of login, register and `POST /api/auth/google`. `language` is that of the account. */
export const SessionStartResponse = v.object({
  token: v.string(),
  user: User,
  language: v.optional(v.picklist(languages())),
});
export type SessionStartResponse = v.InferOutput<typeof SessionStartResponse>;

/** Answer of a sign-in that needs a passkey or a recovery code too. The token is valid for 10 minutes. */
export const SecondFactorNeeded = v.object({ secondFactorToken: v.string() });
export type SecondFactorNeeded = v.InferOutput<typeof SecondFactorNeeded>;

/** Answer of login and `POST /api/auth/google`. */
export const SignInResponse = v.union([SessionStartResponse, SecondFactorNeeded]);
export type SignInResponse = v.InferOutput<typeof SignInResponse>;

/** Answer of `POST /api/auth/refresh`: the new token. It replaces the one that was sent. */
export const TokenRefreshResponse = v.object({ token: v.string() });

/** Body of `POST /api/auth/forgot-password`; the reset dialog's form. */
export const ForgotPasswordRequest = v.strictObject({ email: emailField }, UNKNOWN_FIELD_MESSAGE);

/** Body of `POST /api/auth/reset-password`. */
export const ResetPasswordRequest = v.strictObject(
  {
    token: v.optional(
      v.pipe(
        v.string(() => t`This link is not complete`),
        v.regex(/^[\w-]{43}$/, () => t`This link is not complete`),
      ),
      '',
    ),
    newPassword: newPasswordField,
  },
  UNKNOWN_FIELD_MESSAGE,
);

/** Body of `POST /api/auth/change-password`. */
export const ChangePasswordRequest = v.strictObject(
  { currentPassword: passwordField, newPassword: newPasswordField },
  UNKNOWN_FIELD_MESSAGE,
);

const INVALID_TOKEN_MESSAGE = () => t`Failed to login with google`;

/** Answer of `POST /api/auth/google/nonce`: the nonce for Google's ID token, bound to the browser by a cookie for 10 minutes. */
export const NonceResponse = v.object({ nonce: v.string() });
export type NonceResponse = v.InferOutput<typeof NonceResponse>;

/** Body of `POST /api/auth/google`: the browser's ID token of Google, with the nonce of `POST /api/auth/google/nonce`. */
export const SocialSignInRequest = v.strictObject(
  {
    token: v.optional(
      v.pipe(
        v.string(INVALID_TOKEN_MESSAGE),
        v.nonEmpty(INVALID_TOKEN_MESSAGE),
        v.maxLength(8_192, INVALID_TOKEN_MESSAGE),
      ),
      '',
    ),
  },
  UNKNOWN_FIELD_MESSAGE,
);

/** Body of `POST /api/auth/otp/generate`. */
export const OtpGenerateRequest = v.strictObject({ email: emailField }, UNKNOWN_FIELD_MESSAGE);

/** Body of `POST /api/auth/otp/verify`. */
export const OtpVerifyRequest = v.strictObject({ email: emailField, otp: otpField }, UNKNOWN_FIELD_MESSAGE);

/** An answer that is only a message. */
export const MessageResponse = v.object({ message: v.string() });
export type MessageResponse = v.InferOutput<typeof MessageResponse>;

/** One of the user's sessions; instants in UTC. */
export const SessionSummary = v.object({
  id: v.string(),
  /** The User-Agent header. */
  userAgent: v.string(),
  signedInAt: v.string(),
  lastUsedAt: v.string(),
  expiresAt: v.string(),
  /** The session of this request. */
  isCurrent: v.boolean(),
});
export type SessionSummary = v.InferOutput<typeof SessionSummary>;

/** Answer of `GET /api/sessions`, most recently used first. */
export const SessionListResponse = v.object({ sessions: v.array(SessionSummary) });
