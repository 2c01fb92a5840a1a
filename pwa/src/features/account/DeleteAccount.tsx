import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MessageResponse } from '@nivida/contract/account/auth';
import { useState } from 'react';
import { api, assertOnline, formFailure } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { PasswordField } from '../../ui/form/FormFields.tsx';
import { useForm } from '../../ui/form/useForm.ts';

interface DeleteAccountProps {
  /** The user name under which the browser stores the password. */
  mobileNo: string;
  /** Called with the server's message when the account is closed and its sessions have ended. */
  onDeleted: (message: string) => void;
}

function DeleteAccountDialog({ mobileNo, onDeleted, onClose }: DeleteAccountProps & { onClose: () => void }) {
  const form = useForm({ password: '' });

  const { password } = form.values;
  const submit = () =>
    form.submit(
      password === '' ? { errors: { password: t`Password is required` } } : { sent: password, errors: {} },
      async () => {
        assertOnline();
        const { message } = await api.delete('api/me', { json: { password } }).json(MessageResponse);
        onDeleted(message);
      },
      (error) => formFailure(error, t`Failed to delete the account`, form.values),
    );

  return (
    <FormDialog
      title={t`Delete your account?`}
      cancelText={t`Keep it`}
      submitText={t`Delete Account`}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <Trans>
          You are signed out on all devices now, and your data is erased after 7 days. To keep the account, sign in
          within these 7 days.
        </Trans>
      </p>
      <input type="text" name="username" autoComplete="username" value={mobileNo} readOnly hidden />
      <PasswordField form={form} name="password" label={t`Your password`} autoComplete="current-password" required />
    </FormDialog>
  );
}

/** The panel that closes the account. */
export function DeleteAccount(props: DeleteAccountProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Panel stack aria-labelledby="delete">
      <h2 id="delete">{t`Delete account`}</h2>
      <p className="s muted">
        <Trans>
          The account is closed at once and erased after 7 days; signing in within these 7 days keeps it. Erased are
          profile, company, bookmarks and sessions. Invoices stay, as tax law requires.
        </Trans>
      </p>
      <div className="row">
        <Button aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
          {t`Delete Account`}
        </Button>
      </div>
      {isAsking && <DeleteAccountDialog {...props} onClose={() => setIsAsking(false)} />}
    </Panel>
  );
}
