import { isHTTPError } from 'ky';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { resetPassword } from '../auth-api.ts';
import { FailureBox } from '../FailureBox.tsx';
import { failureText } from '../failure.ts';
import { type NewPasswordValues, validatePasswordStep } from '../registration/registration.ts';
import { useForm } from '../useForm.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';

interface NewPasswordFormProps {
  /** From the link of the mail. */
  token: string;
  onDone: () => void;
  /** The link counts no more; gets what the server says of it. */
  onDeadLink: (reason: string) => void;
}

/** True when the server refused the link itself: neither the new password nor too many tries. */
function isLinkRefused(error: unknown): boolean {
  if (!isHTTPError(error) || fieldErrorsOf(error).newPassword) return false;
  const { status } = error.response;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** The new password of whoever came by the link of the mail. */
export function NewPasswordForm({ token, onDone, onDeadLink }: NewPasswordFormProps) {
  const { form, errors, failure, busy, show, edited, run } = useForm();
  const [secrets, setSecrets] = useState<NewPasswordValues>({ password: '', confirmPassword: '' });
  const isBusy = busy !== null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const wrong = validatePasswordStep(secrets);
    if (Object.keys(wrong).length > 0) return show(wrong);
    void run(
      'reset',
      async () => {
        await resetPassword(token, secrets.password.normalize('NFC'));
        onDone();
      },
      (error) => {
        const reason = failureText(error, 'Failed to reset password');
        if (isLinkRefused(error)) onDeadLink(reason);
        const { newPassword } = fieldErrorsOf(error);
        show(newPassword ? { password: newPassword } : {});
        // what stands at the field need not stand in the box too
        return newPassword ? '' : reason;
      },
    );
  };

  return (
    <form className="stack" ref={form} onSubmit={submit} noValidate>
      <FailureBox text={failure} />
      <NewPasswordFields
        label="New password"
        secrets={secrets}
        errors={errors}
        isDisabled={isBusy}
        known={[]}
        onChange={(changed, field) => {
          setSecrets(changed);
          edited(field);
        }}
      />
      <div className="row">
        <Button look="main" type="submit" disabled={isBusy} busy={isBusy}>
          Reset Password
        </Button>
      </div>
    </form>
  );
}
