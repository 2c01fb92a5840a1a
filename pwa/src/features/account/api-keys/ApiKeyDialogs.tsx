import { t } from '@lingui/core/macro';
import { type ApiKey, MAX_KEY_NAME } from '@nivida/contract/data-out/api-keys';
import { assertOnline, formFailure } from '../../../data/server/api.ts';
import { useMutation } from '../../../data/useMutation.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { copyText } from '../../../ui/feedback/copy-text.ts';
import { ErrorText, Note } from '../../../ui/feedback/Note.tsx';
import { FormDialog } from '../../../ui/form/FormDialog.tsx';
import { TextField } from '../../../ui/form/FormFields.tsx';
import { type CheckedForm, useForm } from '../../../ui/form/useForm.ts';
import css from './api-keys.module.css';
import { addApiKey, revokeApiKey } from './api-keys.ts';

interface AddKeyProps {
  userId: string;
  onClose: () => void;
  onMade: (key: string) => void;
}

export function AddKeyDialog({ userId, onClose, onMade }: AddKeyProps) {
  const form = useForm({ name: '' });
  const name = form.values.name.trim();
  const checked: CheckedForm<string> =
    name === '' ? { errors: { name: t`Name is required` } } : { sent: name, errors: {} };
  const submit = () =>
    form.submit(
      checked,
      async (sent) => {
        assertOnline();
        onMade(await addApiKey(userId, sent));
      },
      (error) => formFailure(error, t`Failed to make the key`, form.values),
    );
  return (
    <FormDialog title={t`Make a key`} submitText={t`Make`} form={form} onSubmit={submit} onClose={onClose}>
      <TextField
        form={form}
        name="name"
        label={t`Name of the key`}
        hint={t`The program that uses it`}
        autoComplete="off"
        maxLength={MAX_KEY_NAME}
      />
    </FormDialog>
  );
}

/** Shows a new key, which is shown once. */
export function ShownKeyDialog({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <Dialog title={t`Your new key`} onClose={onClose}>
      <Note tone="amber">{t`Copy the key now: it is not shown again.`}</Note>
      <code className={css.key}>{apiKey}</code>
      <p className="s muted">
        {t`Your program sends it with each call:`} <code className={css.header}>Authorization: Key …</code>
      </p>
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
        <Button look="main" onClick={() => copyText(apiKey)}>
          {t`Copy the key`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function RevokeKeyDialog({ userId, apiKey, onClose }: { userId: string; apiKey: ApiKey; onClose: () => void }) {
  const action = useMutation(t`Failed to revoke the key`);
  const revoke = () =>
    void action.run(async () => {
      await revokeApiKey(userId, apiKey.id);
      onClose();
    });
  return (
    <Dialog title={t`Revoke the key?`} onClose={onClose}>
      <p>{t`Programs that use “${{ name: apiKey.name }}” are refused at once.`}</p>
      <ErrorText text={action.problem} />
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button look="main" busy={action.isBusy} onClick={revoke}>
          {t`Revoke`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
