/** Passkeys in this browser: the prompts of the system, and the calls before and after them. */
import { t } from '@lingui/core/macro';
import { MessageResponse } from '@nivida/contract/account/auth';
import { CreationOptionsResponse, PasskeySummary, RequestOptionsResponse } from '@nivida/contract/account/passkeys';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { isHTTPError } from 'ky';
import { deviceLabel } from '../device/device-info.ts';
import { api, failureText } from '../server/api.ts';

/** Why a prompt has no result, apart from a failed call. */
export type PasskeyFailure =
  | 'cancelled'
  | 'unsupported'
  | 'offline'
  /** The account has no passkey yet. */
  | 'none-yet'
  | 'already-added'
  /** Nothing here can verify the user: no screen lock, and no key or phone was used. */
  | 'no-screen-lock';

/** The sentence for the user. */
export function passkeyFailureText(failure: PasskeyFailure): string {
  switch (failure) {
    case 'cancelled':
      return t`No passkey was used. The prompt was closed, or it took too long.`;
    case 'unsupported':
      return t`This browser cannot use passkeys here. Use a newer browser or another way to sign in.`;
    case 'offline':
      return t`You are offline. A passkey needs a connection, because the server checks it.`;
    case 'none-yet':
      return t`Your account has no passkey yet. Add one in Settings.`;
    case 'already-added':
      return t`This device already has a passkey of your account.`;
    case 'no-screen-lock':
      return t`This device has no screen lock for passkeys. Set one up (PIN, fingerprint or face), or use your phone or a security key.`;
  }
}

/** Whether the browser knows passkeys. They need a page that was loaded safely. */
export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in globalThis && globalThis.isSecureContext;

/** The library of the prompts, loaded with the first one. */
export const loadPasskeyLibrary = () => import('@simplewebauthn/browser');

/** Why no prompt can be shown now; null when it can. */
export function passkeyObstacle(): 'unsupported' | 'offline' | null {
  if (!supportsPasskeys()) return 'unsupported';
  return navigator.onLine ? null : 'offline';
}

const FAILURES: Partial<Record<string, PasskeyFailure>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'already-added',
  ConstraintError: 'no-screen-lock',
  NotSupportedError: 'unsupported',
  SecurityError: 'unsupported',
};

/** The failure that an error of a prompt stands for; undefined for another error. */
export function failureOf(error: unknown): PasskeyFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  // The library wraps the browser's error.
  const { name } = error.cause instanceof Error ? error.cause : error;
  return FAILURES[name];
}

/** The result of a prompt, or why there is none. Throws other errors. */
async function prompt<T>(show: () => Promise<T>): Promise<T | PasskeyFailure> {
  try {
    return await show();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    return failure;
  }
}

/** Asks the system for a passkey of this site, until the signal. The answer of `options` is for the server. */
export async function promptForPasskey(
  options: RequestOptionsResponse['options'],
  signal?: AbortSignal,
): Promise<AuthenticationResponseJSON | PasskeyFailure> {
  const { startAuthentication, WebAuthnAbortService } = await loadPasskeyLibrary();
  if (signal?.aborted) return 'cancelled';
  const end = () => WebAuthnAbortService.cancelCeremony();
  signal?.addEventListener('abort', end);
  try {
    return await prompt(() => startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }));
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/**
 * Asks for one of the user's passkeys and notes it in the session: it opens the desk, and dangerous changes. Throws ky's
 * errors, also when the server does not accept the passkey. The signal ends the prompt, and nothing is noted then.
 */
export async function confirmPasskey(signal?: AbortSignal): Promise<'confirmed' | PasskeyFailure> {
  const obstacle = passkeyObstacle();
  if (obstacle) return obstacle;
  const begun = await api
    .post('api/passkeys/confirm/begin')
    .json(RequestOptionsResponse)
    .catch((error: unknown) => {
      if (isHTTPError(error) && error.response.status === 409) return null;
      throw error;
    });
  if (!begun) return 'none-yet';
  const shown = await promptForPasskey(begun.options, signal);
  if (typeof shown === 'string') return shown;
  if (signal?.aborted) return 'cancelled';
  await api.post('api/passkeys/confirm/finish', { json: { passkey: shown } }).json(MessageResponse);
  return 'confirmed';
}

/** `confirmPasskey` for a dialog: null when the passkey was shown, else the sentence for the user. */
export async function confirmationProblem(signal: AbortSignal): Promise<string | null> {
  try {
    const outcome = await confirmPasskey(signal);
    return outcome === 'confirmed' ? null : passkeyFailureText(outcome);
  } catch (error) {
    return failureText(error, t`Failed to confirm`);
  }
}

/** The name that is offered for a passkey of this device: 'Chrome on Android'. */
export const suggestedPasskeyName = (): string => deviceLabel(navigator.userAgent);

/** Creates a passkey on this device, or on one that the system offers, and adds it to the account. Throws ky's errors. */
export async function addPasskey(name: string): Promise<PasskeySummary | PasskeyFailure> {
  const obstacle = passkeyObstacle();
  if (obstacle) return obstacle;
  const { options } = await api.post('api/passkeys/registration/begin').json(CreationOptionsResponse);
  const { startRegistration } = await loadPasskeyLibrary();
  const created = await prompt(() =>
    startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }),
  );
  if (typeof created === 'string') return created;
  return api.post('api/passkeys/registration/finish', { json: { passkey: created, name } }).json(PasskeySummary);
}
