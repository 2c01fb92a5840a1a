import { t } from '@lingui/core/macro';
import { RegistrationStep2 } from '@nivida/contract/account/auth';
import { isHTTPError } from 'ky';
import { failureText, fieldErrorsOf } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import { FormElement } from '../../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../../ui/form/useForm.ts';
import { resetPassword } from '../auth-api.ts';
import { EMPTY_NEW_PASSWORD } from '../registration/registration.ts';
import { NewPasswordFields } from './NewPasswordFields.tsx';

interface NewPasswordFormProps {
  /** The token in the mail's link. */
  token: string;
  onDone: () => void;
  /** Called with the server's reason when the link is no longer valid. */
  onDeadLink: (reason: string) => void;
}

/** True when the server refused the link itself, and not the new password or too many attempts. */
export function isLinkRefused(error: unknown): boolean {
  if (!isHTTPError(error) || fieldErrorsOf(error).newPassword) return false;
  const { status } = error.response;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** The form behind the link of the reset mail. */
export function NewPasswordForm({ token, onDone, onDeadLink }: NewPasswordFormProps) {
  const form = useForm(EMPTY_NEW_PASSWORD, { stepOf: () => 1 });

  const submit = () =>
    form.submit(
      validateForm(RegistrationStep2, form.values),
      async ({ password }) => {
        await resetPassword(token, password);
        onDone();
      },
      (error) => {
        const reason = failureText(error, t`Failed to reset password`);
        if (isLinkRefused(error)) onDeadLink(reason);
        const { newPassword } = fieldErrorsOf(error);
        return newPassword ? { text: '', errors: { password: newPassword } } : { text: reason };
      },
    );

  return (
    <FormElement form={form} onSubmit={submit}>
      <ErrorText text={form.failure} />
      <NewPasswordFields label={t`New password`} form={form} known={[]} />
      <div className="row">
        <Button look="main" type="submit" disabled={form.isBusy} busy={form.isBusy}>
          {t`Reset Password`}
        </Button>
      </div>
    </FormElement>
  );
}
