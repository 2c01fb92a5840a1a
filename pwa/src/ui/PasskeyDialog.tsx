import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from './Button.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';
import { ErrorText } from './feedback/Note.tsx';

interface PasskeyDialogProps {
  /** Asks the system for the passkey. Resolves with why there is none, or null. */
  prompt: () => Promise<string | null>;
  /** Called when the passkey was shown. */
  onDone: () => void;
  onClose: () => void;
}

/** Asks for the passkey that a change of the account needs. */
export function PasskeyDialog({ prompt, onDone, onClose }: PasskeyDialogProps) {
  const [problem, setProblem] = useState<string>();
  const [isPrompting, setIsPrompting] = useState(false);

  async function show(): Promise<void> {
    setProblem(undefined);
    setIsPrompting(true);
    const failure = await prompt();
    setIsPrompting(false);
    if (failure === null) onDone();
    else setProblem(failure);
  }

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
