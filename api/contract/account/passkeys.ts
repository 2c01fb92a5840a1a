/** Schemas of passkeys, recovery codes and the second factor. */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { passwordField, requiredText, UNKNOWN_FIELD_MESSAGE } from '../fields.ts';

export const MAX_PASSKEY_NAME_CHARACTERS = 60;
/** Recovery codes of a set. Each works once. */
export const RECOVERY_CODE_COUNT = 10;

/** Binary data of the browser in base64url. */
const bytesText = (maxCharacters: number) =>
  v.pipe(
    v.string('Binary data must be base64url'),
    v.regex(/^[\w-]+$/, 'Binary data must be base64url'),
    v.maxLength(maxCharacters, 'The binary data is too long'),
  );

const transports = v.optional(
  v.pipe(
    v.array(v.pipe(v.string('A transport must be text'), v.maxLength(20, 'The name of the transport is too long'))),
    v.maxLength(10, 'At most 10 transports'),
  ),
  [],
);

const attachment = v.optional(v.nullable(v.picklist(['platform', 'cross-platform'], 'An unknown attachment')), null);

const credentialFields = {
  id: bytesText(1_400),
  rawId: bytesText(1_400),
  type: v.literal('public-key', 'The type must be public-key'),
  authenticatorAttachment: attachment,
};

/** What `navigator.credentials.create` returned, as JSON. */
export const CreatedPasskey = v.object({
  ...credentialFields,
  response: v.object({
    clientDataJSON: bytesText(4_000),
    attestationObject: bytesText(20_000),
    transports,
  }),
});
export type CreatedPasskey = v.InferOutput<typeof CreatedPasskey>;

/** What `navigator.credentials.get` returned, as JSON. */
export const ShownPasskey = v.object({
  ...credentialFields,
  response: v.object({
    clientDataJSON: bytesText(4_000),
    authenticatorData: bytesText(4_000),
    signature: bytesText(4_000),
    userHandle: v.optional(v.nullable(bytesText(100)), null),
  }),
});
export type ShownPasskey = v.InferOutput<typeof ShownPasskey>;

const descriptor = v.object({
  id: v.string(),
  type: v.literal('public-key'),
  transports: v.optional(v.array(v.string())),
});

/** Answer of a begin call for creating a passkey: `PublicKeyCredentialCreationOptionsJSON`. */
export const CreationOptionsResponse = v.object({
  options: v.looseObject({
    challenge: v.string(),
    rp: v.object({ id: v.string(), name: v.string() }),
    user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
    pubKeyCredParams: v.array(v.object({ alg: v.number(), type: v.literal('public-key') })),
    excludeCredentials: v.array(descriptor),
  }),
});
export type CreationOptionsResponse = v.InferOutput<typeof CreationOptionsResponse>;

/** Answer of a begin call for showing a passkey: `PublicKeyCredentialRequestOptionsJSON`. */
export const RequestOptionsResponse = v.object({
  options: v.looseObject({
    challenge: v.string(),
    rpId: v.string(),
    allowCredentials: v.optional(v.array(descriptor)),
  }),
});
export type RequestOptionsResponse = v.InferOutput<typeof RequestOptionsResponse>;

/** One of the user's passkeys; instants in UTC. */
export const PasskeySummary = v.object({
  id: v.string(),
  name: v.string(),
  createdAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
  /** Whether it is synchronised between the user's devices. */
  isSynced: v.boolean(),
  /** Whether this device has it, as far as this session knows. */
  isThisDevice: v.boolean(),
});
export type PasskeySummary = v.InferOutput<typeof PasskeySummary>;

/** Answer of `GET /api/passkeys`, oldest first. */
export const PasskeyListResponse = v.object({
  passkeys: v.array(PasskeySummary),
  /** Whether signing in by password or Google also needs a passkey or a recovery code. */
  secondFactor: v.boolean(),
  /** Members of staff with a passkey always need the second factor. */
  isSecondFactorRequired: v.boolean(),
  recoveryCodesLeft: v.number(),
  /** Whether the calls that change this list are open: a sign-in or a confirmation of the last 15 minutes. */
  isConfirmed: v.boolean(),
  /** Whether the password can confirm; else only a passkey or a new sign-in. */
  canConfirmByPassword: v.boolean(),
});
export type PasskeyListResponse = v.InferOutput<typeof PasskeyListResponse>;

const passkeyName = requiredText(() => t`Give the passkey a name`, MAX_PASSKEY_NAME_CHARACTERS);

/** Body of `POST /api/passkeys/registration/finish`. */
export const FinishRegistrationRequest = v.strictObject(
  { passkey: CreatedPasskey, name: passkeyName },
  UNKNOWN_FIELD_MESSAGE,
);
export type FinishRegistrationRequest = v.InferOutput<typeof FinishRegistrationRequest>;

/** Body of `PUT /api/passkeys/{id}`. */
export const RenamePasskeyRequest = v.strictObject({ name: passkeyName }, UNKNOWN_FIELD_MESSAGE);

/** Body of `POST /api/passkeys/confirm/finish`. */
export const ConfirmPasskeyRequest = v.strictObject({ passkey: ShownPasskey }, UNKNOWN_FIELD_MESSAGE);
export type ConfirmPasskeyRequest = v.InferOutput<typeof ConfirmPasskeyRequest>;

/** Body of `POST /api/passkeys/confirm/password`. */
export const ConfirmPasswordRequest = v.strictObject({ password: passwordField }, UNKNOWN_FIELD_MESSAGE);

/** Body of `PUT /api/passkeys/second-factor`. */
export const SecondFactorRequest = v.strictObject(
  { isOn: v.boolean('isOn must be true or false') },
  UNKNOWN_FIELD_MESSAGE,
);

/** Answer with a new set of recovery codes, which is shown once; null when the present set stays. */
export const RecoveryCodesResponse = v.object({ codes: v.nullable(v.array(v.string())) });
export type RecoveryCodesResponse = v.InferOutput<typeof RecoveryCodesResponse>;

/** The token of a sign-in that waits for its second factor. */
const secondFactorToken = v.pipe(
  v.string('The token must be text'),
  v.regex(/^[\w-]{43}$/, 'The token is not complete'),
);

/** Body of `POST /api/auth/passkey/begin`: without a token for signing in by the passkey alone. */
export const BeginPasskeySignInRequest = v.strictObject(
  { secondFactorToken: v.optional(secondFactorToken) },
  UNKNOWN_FIELD_MESSAGE,
);

/** Body of `POST /api/auth/passkey/finish`. `rememberMe` counts without a token only. */
export const PasskeySignInRequest = v.strictObject(
  {
    passkey: ShownPasskey,
    secondFactorToken: v.optional(secondFactorToken),
    rememberMe: v.optional(v.boolean('Remember me must be true or false'), false),
  },
  UNKNOWN_FIELD_MESSAGE,
);
export type PasskeySignInRequest = v.InferOutput<typeof PasskeySignInRequest>;

/** Body of `POST /api/auth/passkey/recovery-code`. */
export const RecoveryCodeRequest = v.strictObject(
  {
    secondFactorToken,
    code: requiredText(() => t`Enter one of your recovery codes`, 40),
  },
  UNKNOWN_FIELD_MESSAGE,
);
export type RecoveryCodeRequest = v.InferOutput<typeof RecoveryCodeRequest>;
