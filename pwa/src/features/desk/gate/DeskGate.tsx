import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { confirmPasskey, passkeyFailureText } from '../../../data/passkeys/passkey-prompts.ts';
import { failureText } from '../../../data/server/api.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import css from './DeskGate.module.css';

interface DeskGateProps {
  /** Why a passkey is needed. */
  question: string;
  onShown: () => unknown;
  /** Absent: the only way out leaves the desk. */
  onCancel: (() => void) | undefined;
}

/**
 * Covers the desk until a passkey is shown. What was typed below stays; it is a modal dialog, because the desk may have one
 * open.
 */
export function DeskGate({ question, onShown, onCancel }: DeskGateProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  async function show(): Promise<void> {
    setProblem(undefined);
    setIsBusy(true);
    try {
      const outcome = await confirmPasskey();
      if (outcome === 'confirmed') await onShown();
      else setProblem(passkeyFailureText(outcome));
    } catch (error) {
      setProblem(failureText(error, t`The passkey was not accepted`));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <dialog
      className={css.gate}
      ref={dialog}
      aria-labelledby="gate"
      onCancel={(event) => {
        event.preventDefault();
        onCancel?.();
      }}
      // A second Escape closes a dialog without asking.
      onClose={({ currentTarget }) => currentTarget.isConnected && currentTarget.showModal()}
    >
      <div className={`${css.body} stack`}>
        <h2 id="gate">{question}</h2>
        {!onCancel && (
          <p className="muted">{t`The desk shows data of other people. Your passkey proves that it is you.`}</p>
        )}
        <div className="row">
          <Button look="main" busy={isBusy} onClick={() => void show()}>
            {t`Show passkey`}
          </Button>
          {onCancel ? (
            <Button onClick={onCancel}>{t`Cancel`}</Button>
          ) : (
            <ButtonLink to="/dashboard">{t`Leave the desk`}</ButtonLink>
          )}
        </div>
        <ErrorText text={problem} />
        {!onCancel && (
          <p className="s">
            {t`No passkey yet?`}{' '}
            <ButtonLink look="link" to="/dashboard/settings#passkeys">{t`Create one in Settings`}</ButtonLink>
          </p>
        )}
      </div>
    </dialog>
  );
}
