import { t } from '@lingui/core/macro';
import { ChangePasswordRequest, MessageResponse } from '@nivida/contract/account/auth';
import { type ReactNode, useState } from 'react';
import { confirmationProblem } from '../../data/passkeys/passkey-prompts.ts';
import { api, assertOnline, formFailure, refusalOf } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { FormElement, PasswordField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import { PasskeyDialog } from '../../ui/PasskeyDialog.tsx';
import { refreshSessions } from './sessions.ts';

const EMPTY_PASSWORDS = { currentPassword: '', newPassword: '' };

interface ChangePasswordProps {
  userId: string;
  /** The user name under which the browser stores the password. */
  mobileNo: string;
  /** Renders a hint about the new password. */
  renderHint: (password: string) => ReactNode;
}

/** The form that changes the password. The server may need a passkey, and ends the user's other sessions. */
export function ChangePassword({ userId, mobileNo, renderHint }: ChangePasswordProps) {
  const form = useForm(EMPTY_PASSWORDS);
  const [needsPasskey, setNeedsPasskey] = useState(false);

  const submit = () =>
    form.submit(
      validateForm(ChangePasswordRequest, form.values),
      async (json) => {
        assertOnline();
        const { message } = await api.post('api/auth/change-password', { json }).json(MessageResponse);
        showToast({ text: message });
        form.reset();
        void refreshSessions(userId);
      },
      (error) => {
        if (refusalOf(error)?.code !== 'PASSKEY_NEEDED')
          return formFailure(error, t`Failed to change the password`, form.values);
        setNeedsPasskey(true);
        return { text: '' };
      },
    );

  function submitAgain(): void {
    setNeedsPasskey(false);
    void submit();
  }

  return (
    <Panel aria-labelledby="password">
      <FormElement form={form} onSubmit={submit}>
        <h2 id="password">{t`Change password`}</h2>
        <input type="text" name="username" autoComplete="username" value={mobileNo} readOnly hidden />
        <PasswordField
          form={form}
          name="currentPassword"
          label={t`Current password`}
          autoComplete="current-password"
          required
        />
        <div>
          <PasswordField form={form} name="newPassword" label={t`New password`} autoComplete="new-password" required />
          {renderHint(form.values.newPassword)}
        </div>
        <ErrorText text={form.failure} />
        <div className="row">
          <Button type="submit" busy={form.isBusy}>
            {t`Change Password`}
          </Button>
        </div>
      </FormElement>
      {needsPasskey && (
        <PasskeyDialog prompt={confirmationProblem} onDone={submitAgain} onClose={() => setNeedsPasskey(false)} />
      )}
    </Panel>
  );
}
