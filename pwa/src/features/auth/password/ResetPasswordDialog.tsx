import { ForgotPasswordRequest } from '@nivida/contract/account/auth';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { Field, Input } from '../../../ui/form/Field.tsx';
import { requestResetLink } from '../auth-api.ts';
import { DIALOG_TITLES, openAuthDialog } from '../dialogs.ts';
import { FailureBox } from '../FailureBox.tsx';
import { failureText } from '../failure.ts';
import { useForm, validateForm } from '../useForm.ts';

/** Asks for the mail with the link; `onSent` gets the address it went to. */
function ResetLinkForm({ onSent }: { onSent: (email: string) => void }) {
  const { form, errors, show, edited, failure, busy, run } = useForm();
  const isBusy = busy !== null;
  const [email, setEmail] = useState('');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const { sent, errors: wrong } = validateForm(ForgotPasswordRequest, { email });
    if (!sent) return show(wrong);
    void run(
      'send',
      async () => {
        await requestResetLink(sent.email);
        onSent(sent.email);
      },
      (error) => {
        show(fieldErrorsOf(error));
        return failureText(error, 'Failed to process request');
      },
    );
  };

  return (
    <form className="stack" ref={form} onSubmit={submit} noValidate>
      <FailureBox text={failure} />
      <Field label="Email" error={errors.email}>
        {(control) => (
          <Input
            {...control}
            type="email"
            name="email"
            inputMode="email"
            autoComplete="email"
            readOnly={isBusy}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              edited('email');
            }}
          />
        )}
      </Field>
      <DialogActions>
        <Button disabled={isBusy} onClick={() => openAuthDialog('sign-in')}>
          Cancel
        </Button>
        <Button look="main" type="submit" disabled={isBusy} busy={isBusy}>
          Send Reset Link
        </Button>
      </DialogActions>
    </form>
  );
}

/** SPEC's 'Reset Password': the form, and then where to look. */
export function ResetPasswordDialog({ onClose }: { onClose: () => void }) {
  const [sentTo, setSentTo] = useState('');
  return (
    <Dialog title={DIALOG_TITLES['reset-password']} onClose={onClose} isForm>
      {sentTo ? (
        <>
          <div role="status">
            <h3>Check your email</h3>
            <p>We've sent password reset instructions to {sentTo}</p>
          </div>
          <DialogActions>
            {/* the field that had the focus is gone */}
            <Button look="main" autoFocus onClick={onClose}>
              Close
            </Button>
          </DialogActions>
        </>
      ) : (
        <ResetLinkForm onSent={setSentTo} />
      )}
    </Dialog>
  );
}
