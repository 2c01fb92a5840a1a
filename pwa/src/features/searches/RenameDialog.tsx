import { t } from '@lingui/core/macro';
import type { SavedSearchRow } from '../../data/device/schema.ts';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { TextField } from '../../ui/form/FormFields.tsx';
import { type CheckedForm, useForm } from '../../ui/form/useForm.ts';

const MAX_NAME_CHARACTERS = 80;

export function RenameDialog({ search, onClose }: { search: SavedSearchRow; onClose: () => void }) {
  const form = useForm({ name: search.name });

  async function rename(name: string): Promise<void> {
    const { renameSearchAndSend } = await import('./search-actions.ts');
    await renameSearchAndSend(search, name);
    onClose();
  }

  function submit() {
    const name = form.values.name.trim();
    const checked: CheckedForm<string> =
      name === '' ? { errors: { name: t`Name is required` } } : { sent: name, errors: {} };
    void form.submit(checked, rename, () => ({
      text: '',
      errors: { name: t`Failed to save the name. Please try again.` },
    }));
  }

  return (
    <FormDialog title={t`Rename saved search`} form={form} onSubmit={submit} onClose={onClose}>
      <TextField form={form} name="name" label={t`Name`} required maxLength={MAX_NAME_CHARACTERS} autoComplete="off" />
    </FormDialog>
  );
}
