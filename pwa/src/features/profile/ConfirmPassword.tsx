import { t } from '@lingui/core/macro';
import { formFailure } from '../../data/server/api.ts';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
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

  const { password } = form.values;
  const submit = () =>
    form.submit(
      password === '' ? { errors: { password: t`Password is required` } } : { sent: password, errors: {} },
      confirm,
      (error) => formFailure(error, t`Failed to update profile`, form.values),
    );

  return (
    <FormDialog title={t`Your password, please`} form={form} onSubmit={submit} onClose={onClose}>
      <p>{t`A new mobile number or e-mail address needs your password.`}</p>
      <input type="text" name="username" autoComplete="username" value={mobileNo} readOnly hidden />
      <PasswordField form={form} name="password" label={t`Your password`} autoComplete="current-password" required />
    </FormDialog>
  );
}
