import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { passkeyFailureText } from '../../data/passkeys/passkey-prompts.ts';
import { failureText } from '../../data/server/api.ts';
import { signInByPasskey } from './passkey-sign-in.ts';

/** A button that signs in by passkey: one prompt at a time, and why the last one failed. */
export function usePasskeySignIn(onDone: () => void) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const showError = (error: unknown) => setProblem(failureText(error, t`Failed to login`));

  async function signIn(how: Parameters<typeof signInByPasskey>[0]): Promise<void> {
    if (isBusy) return;
    setProblem(undefined);
    setIsBusy(true);
    try {
      const outcome = await signInByPasskey(how);
      if (outcome === 'signed-in') onDone();
      else setProblem(passkeyFailureText(outcome));
    } catch (error) {
      showError(error);
    } finally {
      setIsBusy(false);
    }
  }

  return { isBusy, problem, signIn, showError };
}
