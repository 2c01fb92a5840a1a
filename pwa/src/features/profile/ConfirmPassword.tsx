import type { FormEvent } from 'react';
import { failureText, fieldErrorsOf } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { PasswordField } from '../../ui/form/FormFields.tsx';
import { useForm } from '../../ui/form/useForm.ts';

interface ConfirmPasswordProps {
  /** The user name under which the browser stores the password. */
  mobileNo: string;
  confirm: (password: string) => Promise<void>;
  onClose: () => void;
}

/**
 * Asks for the password. After a sign-in that is not recent, the server needs it to change the number or the
 * address.
 */
export function ConfirmPassword({ mobileNo, confirm, onClose }: ConfirmPasswordProps) {
  const form = useForm({ password: '' });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { password } = form.values;
    void form.submit(
      password === '' ? { errors: { password: 'Password is required' } } : { sent: password, errors: {} },
      confirm,
      (error) => {
        const wrong = fieldErrorsOf(error).password;
        return wrong
          ? { text: '', errors: { password: wrong } }
          : { text: failureText(error, 'Failed to update profile') };
      },
    );
  };

  return (
    <Dialog title="Your password, please" onClose={onClose} isForm>
      <form className="stack" ref={form.ref} noValidate onSubmit={submit}>
        <p>A new mobile number or e-mail address needs your password.</p>
        <input type="text" name="username" autoComplete="username" value={mobileNo} readOnly hidden />
        <PasswordField form={form} name="password" label="Your password" autoComplete="current-password" required />
        <ErrorText text={form.failure} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" busy={form.isBusy}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
