import { t } from '@lingui/core/macro';
import { MAX_PASSKEY_NAME_CHARACTERS, type PasskeySummary } from '@nivida/contract/account/passkeys';
import {
  addPasskey,
  confirmationProblem,
  passkeyFailureText,
  suggestedPasskeyName,
} from '../../../data/passkeys/passkey-prompts.ts';
import { assertOnline, failureText, formFailure } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { FormDialog } from '../../../ui/form/FormDialog.tsx';
import { PasswordField, TextField } from '../../../ui/form/FormFields.tsx';
import { type CheckedForm, useForm } from '../../../ui/form/useForm.ts';
import { PasskeyDialog, usePasskeyPrompt } from '../../../ui/PasskeyDialog.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import css from './passkeys.module.css';
import { confirmByPassword, removePasskey, renamePasskey } from './passkeys.ts';

interface StepProps {
  onClose: () => void;
  onDone: () => void;
}

const nameErrors = (name: string): CheckedForm<string> =>
  name.trim() === '' ? { errors: { name: t`Give the passkey a name` } } : { sent: name.trim(), errors: {} };

/** Creates a passkey under a name. */
export function AddPasskeyDialog({ onClose, onDone }: StepProps) {
  const form = useForm({ name: suggestedPasskeyName() });
  const submit = () =>
    form.submit(
      nameErrors(form.values.name),
      async (name) => {
        const added = await addPasskey(name);
        if (typeof added === 'string') throw new PromptEnded(passkeyFailureText(added));
        showToast({ text: t`The passkey is added` });
        onDone();
      },
      (error) =>
        error instanceof PromptEnded
          ? { text: error.message }
          : formFailure(error, t`Failed to add the passkey`, form.values),
    );
  return (
    <FormDialog title={t`Add a passkey`} submitText={t`Add`} form={form} onSubmit={submit} onClose={onClose}>
      <p>{t`Your device asks for its lock: fingerprint, face or PIN. It may also offer your phone or a security key.`}</p>
      <TextField
        form={form}
        name="name"
        label={t`Name of the passkey`}
        autoComplete="off"
        maxLength={MAX_PASSKEY_NAME_CHARACTERS}
      />
    </FormDialog>
  );
}

/** A prompt ended without a passkey; the message is for the user. */
class PromptEnded extends Error {}

export function RenamePasskeyDialog({ passkey, onClose, onDone }: StepProps & { passkey: PasskeySummary }) {
  const form = useForm({ name: passkey.name });
  const submit = () =>
    form.submit(
      nameErrors(form.values.name),
      async (name) => {
        assertOnline();
        await renamePasskey(passkey.id, name);
        onDone();
      },
      (error) => formFailure(error, t`Failed to rename the passkey`, form.values),
    );
  return (
    <FormDialog title={t`Rename the passkey`} form={form} onSubmit={submit} onClose={onClose}>
      <TextField
        form={form}
        name="name"
        label={t`Name of the passkey`}
        autoComplete="off"
        maxLength={MAX_PASSKEY_NAME_CHARACTERS}
      />
    </FormDialog>
  );
}

export function RemovePasskeyDialog({ passkey, onClose, onDone }: StepProps & { passkey: PasskeySummary }) {
  const form = useForm({});
  const submit = () =>
    form.submit(
      { sent: passkey.id, errors: {} },
      async (id) => {
        assertOnline();
        await removePasskey(id);
        showToast({ text: t`The passkey is removed` });
        onDone();
      },
      (error) => ({ text: failureText(error, t`Failed to remove the passkey`) }),
    );
  return (
    <FormDialog title={t`Remove this passkey?`} submitText={t`Remove`} form={form} onSubmit={submit} onClose={onClose}>
      <p>
        <b>{passkey.name}</b>
      </p>
      <p>
        {t`It does not open your account any more. Remove it from the device's passwords as well, so that it is not offered again.`}
      </p>
    </FormDialog>
  );
}

interface ConfirmProps extends StepProps {
  mobileNo: string;
  hasPasskey: boolean;
  canUsePassword: boolean;
}

/** Asks the user to confirm a change: by a passkey, or by the password where that is enough. */
export function ConfirmDialog({ mobileNo, hasPasskey, canUsePassword, onClose, onDone }: ConfirmProps) {
  const form = useForm({ password: '' });
  const { problem, isPrompting, show, finish } = usePasskeyPrompt(confirmationProblem, onDone);
  const submit = () =>
    form.submit(
      form.values.password === ''
        ? { errors: { password: t`Password is required` } }
        : { sent: form.values.password, errors: {} },
      async (password) => {
        assertOnline();
        await confirmByPassword(password);
        finish();
      },
      (error) => formFailure(error, t`Failed to confirm`, form.values),
    );

  if (!canUsePassword && hasPasskey)
    return <PasskeyDialog prompt={confirmationProblem} onDone={onDone} onClose={onClose} />;
  if (!canUsePassword)
    return (
      <Dialog title={t`Confirm that it is you`} onClose={onClose}>
        <p>{t`Sign out and sign in again, then repeat this.`}</p>
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <FormDialog
      title={t`Confirm that it is you`}
      submitText={t`Confirm`}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <input type="text" name="username" autoComplete="username" value={mobileNo} readOnly hidden />
      <PasswordField form={form} name="password" label={t`Your password`} autoComplete="current-password" required />
      {hasPasskey && (
        <Button busy={isPrompting} onClick={() => void show()}>
          {t`Use your passkey`}
        </Button>
      )}
      <ErrorText text={problem} />
    </FormDialog>
  );
}

/** New recovery codes, shown once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => showToast({ text: t`The codes are copied` }),
      () => showToast({ text: t`The codes could not be copied. Write them down or download them.` }),
    );
  return (
    <Dialog title={t`Your recovery codes`} onClose={onClose} isForm>
      <p>
        {t`Keep them where only you find them, not on this device alone. If you lose your passkey, each code signs you in once, after your password. They are not shown again.`}
      </p>
      <ul className={css.codes}>
        {codes.map((code) => (
          <li key={code} translate="no">
            {code}
          </li>
        ))}
      </ul>
      <DialogActions>
        {'clipboard' in navigator && <Button onClick={() => void copy()}>{t`Copy`}</Button>}
        <Button
          onClick={() => saveFile('nivida-recovery-codes.txt', new Blob([`${text}\n`], { type: 'text/plain' }))}
        >{t`Download`}</Button>
        <Button look="main" onClick={onClose}>{t`I have kept them`}</Button>
      </DialogActions>
    </Dialog>
  );
}
