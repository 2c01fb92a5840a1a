/** Sign-in by passkey, and the second step after the password. All throw ky's errors and SessionNotStoredError. */
import { SessionStartResponse } from '@nivida/contract/account/auth';
import { RequestOptionsResponse } from '@nivida/contract/account/passkeys';
import { MINUTE_MS } from '@nivida/contract/time';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import {
  failureOf,
  loadPasskeyLibrary,
  type PasskeyFailure,
  passkeyObstacle,
  promptForPasskey,
} from '../../data/passkeys/passkey-prompts.ts';
import { api } from '../../data/server/api.ts';
import { startSessionOf } from './auth-api.ts';

/** A challenge is valid for five minutes; the offer in the field gets a new one before that. */
const OFFER_MS = 4 * MINUTE_MS;

const begin = async (secondFactorToken?: string) =>
  (await api.post('api/auth/passkey/begin', { json: { secondFactorToken } }).json(RequestOptionsResponse)).options;

interface PasskeySignIn {
  /** The token of a sign-in that waits for its second step. */
  secondFactorToken?: string;
  rememberMe?: boolean;
}

async function finish(passkey: AuthenticationResponseJSON, signIn: PasskeySignIn): Promise<void> {
  startSessionOf(
    await api.post('api/auth/passkey/finish', { json: { ...signIn, passkey } }).json(SessionStartResponse),
  );
}

/** Asks the system for a passkey and signs in with it. */
export async function signInByPasskey(signIn: PasskeySignIn): Promise<'signed-in' | PasskeyFailure> {
  const obstacle = passkeyObstacle();
  if (obstacle) return obstacle;
  const shown = await promptForPasskey(await begin(signIn.secondFactorToken));
  if (typeof shown === 'string') return shown;
  await finish(shown, signIn);
  return 'signed-in';
}

/** The second step by one of the user's recovery codes. */
export async function signInByRecoveryCode(secondFactorToken: string, code: string): Promise<void> {
  const json = { secondFactorToken, code };
  startSessionOf(await api.post('api/auth/passkey/recovery-code', { json }).json(SessionStartResponse));
}

/**
 * Offers the passkeys of this device in the field for the mobile number, where the browser can. Another prompt ends the
 * offer. Returns the function that ends it.
 */
export function offerPasskeys(onSignedIn: () => void, onError: (error: unknown) => void): () => void {
  let isWanted = passkeyObstacle() === null;
  let stop = () => {};
  async function offer(): Promise<void> {
    const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = await loadPasskeyLibrary();
    if (!(await browserSupportsWebAuthnAutofill())) return;
    stop = () => WebAuthnAbortService.cancelCeremony();
    while (isWanted) {
      const options = (await begin()) as PublicKeyCredentialRequestOptionsJSON;
      if (!isWanted) return;
      let isOld = false;
      const renewal = setTimeout(() => {
        isOld = true;
        stop();
      }, OFFER_MS);
      try {
        const shown = await startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
        // Nothing is there to end any more.
        isWanted = false;
        await finish(shown, {}).then(onSignedIn, onError);
      } catch (error) {
        if (!isOld || failureOf(error) !== 'cancelled') return;
      } finally {
        clearTimeout(renewal);
      }
    }
  }
  // An offer that fails is no problem of the user: the button and the password stay.
  offer().catch(() => undefined);
  return () => {
    if (isWanted) stop();
    isWanted = false;
  };
}
