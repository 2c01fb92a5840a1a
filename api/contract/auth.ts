/** Signing in, registering, the code by e-mail, a new password, and the list of sessions. */
import * as v from 'valibot';
import {
  email,
  givenPassword,
  hasControl,
  indianMobile,
  lengthOf,
  mobile,
  newPassword,
  otp,
  required,
} from './fields.ts';
import { User } from './user.ts';

/** Value and label of each kind of company (SPEC section 3). */
export const COMPANY_TYPES = {
  private: 'Private Limited',
  public: 'Public Limited',
  partnership: 'Partnership',
  proprietorship: 'Proprietorship',
} as const;
export type CompanyType = keyof typeof COMPANY_TYPES;

/** The country codes offered at registration; only India's can sign in (RESOLUTIONS R17). */
export const COUNTRY_CODES = [
  { code: '+91', country: 'India' },
  { code: '+1', country: 'United States' },
  { code: '+44', country: 'United Kingdom' },
  { code: '+61', country: 'Australia' },
  { code: '+86', country: 'China' },
  { code: '+81', country: 'Japan' },
  { code: '+49', country: 'Germany' },
  { code: '+33', country: 'France' },
  { code: '+39', country: 'Italy' },
  { code: '+34', country: 'Spain' },
  { code: '+55', country: 'Brazil' },
  { code: '+27', country: 'South Africa' },
  { code: '+971', country: 'UAE' },
  { code: '+966', country: 'Saudi Arabia' },
  { code: '+65', country: 'Singapore' },
  { code: '+60', country: 'Malaysia' },
  { code: '+66', country: 'Thailand' },
  { code: '+84', country: 'Vietnam' },
  { code: '+62', country: 'Indonesia' },
  { code: '+63', country: 'Philippines' },
] as const;

/** The terms that registering accepts; sent in the header `X-Terms-Version` (RESOLUTIONS R12). */
export const TERMS_VERSION = '2026-11-21';

const india = v.optional(v.literal('+91', 'Invalid mobile number format'), '+91');

const closed = 'The body holds a field that does not belong there';

/** The sign-in form. */
export const SignInForm = v.object({ mobileNo: mobile, password: givenPassword, rememberMe: v.boolean() });

/** Body of `POST /api/auth/login`. */
export const SignIn = v.strictObject(
  {
    mobileNo: indianMobile,
    countryCode: india,
    password: givenPassword,
    rememberMe: v.optional(v.boolean('Remember me must be true or false'), false),
  },
  closed,
);
export type SignIn = v.InferOutput<typeof SignIn>;

const indianForm = v.custom<string>((code) => code === '+91', 'Please enter a valid 10-digit mobile number');

/** Step 1 of the registration wizard, but for the e-mail's proof. The country code's message stands at the mobile. */
export const RegistrationStep1 = v.object({
  name: required('Name is required', 100),
  email,
  mobileNo: mobile,
  countryCode: indianForm,
});

/** Step 2 of the registration wizard. */
export const RegistrationStep2 = v.pipe(
  v.object({
    password: newPassword,
    confirmPassword: v.optional(
      v.pipe(v.string('Please confirm your password'), v.nonEmpty('Please confirm your password'), v.normalize('NFC')),
      '',
    ),
  }),
  v.forward(
    v.partialCheck(
      [['password'], ['confirmPassword']],
      ({ password, confirmPassword }) => password === confirmPassword,
      'Passwords do not match',
    ),
    ['confirmPassword'],
  ),
);

const MOST_PLACES = 100;

/** Names from the lists of a state; which are listed the server checks. */
const places = (kind: 'district' | 'department') =>
  v.optional(
    v.pipe(
      v.array(
        v.pipe(v.string(`Each ${kind} must be text`), v.maxLength(100, 'At most 100 characters')),
        `At least one ${kind} is required`,
      ),
      v.minLength(1, `At least one ${kind} is required`),
      v.maxLength(MOST_PLACES, `At most ${MOST_PLACES} ${kind}s`),
    ),
    [],
  );

const company = {
  companyName: required('Company name is required'),
  companyType: v.optional(
    v.pipe(
      v.string('Company type is required'),
      v.picklist(Object.keys(COMPANY_TYPES) as CompanyType[], 'Company type is required'),
    ),
    '',
  ),
  state: required('State is required', 60),
  districts: places('district'),
  departments: places('department'),
  address: v.optional(
    v.pipe(
      v.string('The address must be text'),
      v.trim(),
      v.check((text) => lengthOf(text) <= 500, 'At most 500 characters'),
      // Lines are well here.
      v.check((text) => !hasControl(text.replace(/[\t\n\r]/g, '')), 'Control characters are not allowed'),
    ),
    '',
  ),
};

/** Step 3 of the registration wizard. */
export const RegistrationStep3 = v.object({
  ...company,
  agreeToTerms: v.literal(true, 'You must agree to the terms and conditions'),
});

const AMOUNT = 'Please enter an amount in rupees';
const rupees = v.pipe(v.number(AMOUNT), v.finite(AMOUNT), v.minValue(0, AMOUNT), v.maxValue(1e13, AMOUNT));

/** Body of `POST /api/auth/register`. State, districts and departments must be listed ones; the server checks that. */
export const Registration = v.strictObject(
  {
    name: required('Name is required', 100),
    email,
    mobileNo: indianMobile,
    countryCode: india,
    password: newPassword,
    ...company,
    minPrice: v.optional(rupees, 0),
    maxPrice: v.optional(v.nullable(rupees), null),
  },
  closed,
);
export type Registration = v.InferOutput<typeof Registration>;

/** Answer of login, register and `POST /api/auth/google`. */
export const SessionStart = v.object({ token: v.string(), user: User });
export type SessionStart = v.InferOutput<typeof SessionStart>;

/** Answer of `POST /api/auth/refresh`: the token that replaces the one shown. */
export const Renewal = v.object({ token: v.string() });

/** Body of `POST /api/auth/forgot-password`; the reset dialog's form. */
export const ForgotPassword = v.strictObject({ email }, closed);

/** Body of `POST /api/auth/reset-password`. */
export const ResetPassword = v.strictObject(
  {
    token: v.optional(
      v.pipe(v.string('This link is not complete'), v.regex(/^[\w-]{43}$/, 'This link is not complete')),
      '',
    ),
    newPassword,
  },
  closed,
);

/** Body of `POST /api/auth/change-password`. */
export const ChangePassword = v.strictObject({ currentPassword: givenPassword, newPassword }, closed);

const NO_TOKEN = 'Failed to login with google';

/** Body of `POST /api/auth/google`: the ID token that Google gave the browser. */
export const SocialSignIn = v.strictObject(
  { token: v.optional(v.pipe(v.string(NO_TOKEN), v.nonEmpty(NO_TOKEN), v.maxLength(8_192, NO_TOKEN)), '') },
  closed,
);

/** Body of `POST /api/auth/otp/generate`. */
export const OtpRequest = v.strictObject({ email }, closed);

/** Body of `POST /api/auth/otp/verify`. */
export const OtpCheck = v.strictObject({ email, otp }, closed);

/** What a call answers that has nothing but a sentence to say. */
export const Said = v.object({ message: v.string() });
export type Said = v.InferOutput<typeof Said>;

/** One of the user's sessions; instants in UTC. */
export const SessionSummary = v.object({
  id: v.string(),
  /** How the browser called itself. */
  userAgent: v.string(),
  signedInAt: v.string(),
  lastUsedAt: v.string(),
  expiresAt: v.string(),
  /** The session that asks. */
  isCurrent: v.boolean(),
});
export type SessionSummary = v.InferOutput<typeof SessionSummary>;

/** Answer of `GET /api/sessions`, the last used first. */
export const SessionList = v.object({ sessions: v.array(SessionSummary) });
