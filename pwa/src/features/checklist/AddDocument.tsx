import { t } from '@lingui/core/macro';
import { maxLength, minLength, object, pipe, string, trim } from 'valibot';
import { Button } from '../../ui/Button.tsx';
import { FormElement, TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import css from './Checklist.module.css';
import { addOwnRow } from './check-actions.ts';

const MAX_TEXT_CHARACTERS = 200;
const OwnRow = object({
  text: pipe(
    string(),
    trim(),
    minLength(1, () => t`Name the document`),
    maxLength(MAX_TEXT_CHARACTERS, () => t`At most ${MAX_TEXT_CHARACTERS} letters`),
  ),
});

/** Adds a document to a checklist. It is for documents that only the tender document names. */
export function AddDocument({ tenderId }: { tenderId: string }) {
  const form = useForm({ text: '' });
  const add = async ({ text }: { text: string }) => {
    if (await addOwnRow(tenderId, text)) form.reset();
  };
  return (
    <FormElement
      form={form}
      className={css.add}
      onSubmit={() => {
        // A toast has said why.
        void form.submit(validateForm(OwnRow, form.values), add, () => ({ text: '' }));
      }}
    >
      <TextField
        form={form}
        name="text"
        label={t`Add a document`}
        hint={t`from the tender document`}
        maxLength={MAX_TEXT_CHARACTERS}
        autoComplete="off"
      />
      <Button type="submit" busy={form.isBusy}>
        {t`Add`}
      </Button>
    </FormElement>
  );
}
