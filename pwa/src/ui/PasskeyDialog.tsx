import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';
import { ErrorText } from './feedback/Note.tsx';

/** Asks the system for the passkey until the signal. Resolves with why there is none, or null. */
type Prompt = (signal: AbortSignal) => Promise<string | null>;

/** The prompt of a dialog. When the dialog is closed, the prompt ends and `onDone` is not called any more. */
export function usePasskeyPrompt(prompt: Prompt, onDone: () => void) {
  const [problem, setProblem] = useState<string>();
  const [isPrompting, setIsPrompting] = useState(false);
  const closing = useRef<AbortController>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    closing.current = controller;
    return () => controller.abort();
  }, []);
  const finish = () => {
    if (!closing.current?.signal.aborted) onDone();
  };
  async function show(): Promise<void> {
    const signal = closing.current?.signal;
    if (!signal) return;
    setProblem(undefined);
    setIsPrompting(true);
    const failure = await prompt(signal);
    setIsPrompting(false);
    if (failure === null) finish();
    else setProblem(failure);
  }
  return { problem, isPrompting, show, finish };
}

interface PasskeyDialogProps {
  prompt: Prompt;
  /** Called when the passkey was shown. */
  onDone: () => void;
  onClose: () => void;
}

/** Asks for the passkey that a change of the account needs. */
export function PasskeyDialog({ prompt, onDone, onClose }: PasskeyDialogProps) {
  const { problem, isPrompting, show } = usePasskeyPrompt(prompt, onDone);
  return (
    <Dialog title={t`Confirm that it is you`} onClose={onClose}>
      <p>{t`This needs your passkey. If you no longer have it, sign out and sign in with a recovery code.`}</p>
      <ErrorText text={problem} />
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button look="main" busy={isPrompting} onClick={() => void show()}>
          {t`Use your passkey`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
