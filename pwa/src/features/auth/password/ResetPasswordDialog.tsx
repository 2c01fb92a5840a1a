import { t } from '@lingui/core/macro';
import { ForgotPasswordRequest } from '@nivida/contract/account/auth';
import { useState } from 'react';
import { failureText, fieldErrorsOf } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import { FormElement, TextField } from '../../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../../ui/form/useForm.ts';
import { requestResetLink } from '../auth-api.ts';
import { dialogTitle, openAuthDialog } from '../dialogs.ts';

/** Requests the mail with the link; `onSent` gets its address. */
function ResetLinkForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useForm({ email: '' }, { stepOf: () => 1 });
  const { isBusy } = form;

  const submit = () =>
    form.submit(
      validateForm(ForgotPasswordRequest, form.values),
      async ({ email }) => {
        await requestResetLink(email);
        onSent(email);
      },
      (error) => ({ text: failureText(error, t`Failed to process request`), errors: fieldErrorsOf(error) }),
    );

  return (
    <FormElement form={form} onSubmit={submit}>
      <ErrorText text={form.failure} />
      <TextField form={form} name="email" label={t`Email`} type="email" inputMode="email" autoComplete="email" />
      <DialogActions>
        <Button disabled={isBusy} onClick={() => openAuthDialog('sign-in')}>
          {t`Cancel`}
        </Button>
        <Button look="main" type="submit" disabled={isBusy} busy={isBusy}>
          {t`Send Reset Link`}
        </Button>
      </DialogActions>
    </FormElement>
  );
}

/** SPEC's 'Reset Password': the form, then the notice that a mail is on its way. */
export function ResetPasswordDialog({ onClose }: { onClose: () => void }) {
  const [sentTo, setSentTo] = useState('');
  return (
    <Dialog title={dialogTitle('reset-password')} onClose={onClose} isForm>
      {sentTo ? (
        <>
          <div role="status">
            <h3>{t`Check your email`}</h3>
            <p>{t`We've sent password reset instructions to ${sentTo}`}</p>
          </div>
          <DialogActions>
            {/* The focused field is removed, so the button takes the focus. */}
            <Button look="main" autoFocus onClick={onClose}>
              {t`Close`}
            </Button>
          </DialogActions>
        </>
      ) : (
        <ResetLinkForm onSent={setSentTo} />
      )}
    </Dialog>
  );
}
