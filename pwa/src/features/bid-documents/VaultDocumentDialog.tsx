import { formatBytes } from '@nivida/contract/format';
import { MAX_DOCUMENT_FILES } from '@nivida/contract/limits';
import { STATES } from '@nivida/contract/regions/states';
import { useState } from 'react';
import { DOCUMENT_KINDS, findKind } from '../../data/bid-documents/match-kinds.ts';
import type { VaultDocument } from '../../data/bid-documents/vault-document.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Field, Input, Select } from '../../ui/form/Field.tsx';
import { TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import css from './bid-documents.module.css';
import { type EditedFile, saveDocument, saveErrorText } from './document-actions.ts';
import { DocumentForm, documentFields, documentValues, OTHER_KIND } from './document-form.ts';
import { FileButton } from './FileButton.tsx';
import { FileRefusedError, prepareFile } from './prepare-file.ts';

interface VaultDocumentDialogProps {
  /** The document to edit; undefined for a new one. */
  document?: VaultDocument | undefined;
  onClose: () => void;
}

/** Removes files with the same content; the first one stays. */
const distinctFiles = (files: readonly EditedFile[]): EditedFile[] =>
  files.filter(({ hash }, at) => files.findIndex((file) => file.hash === hash) === at);

/** The files of the form. Chosen files are checked and prepared one after the other. */
function useEditedFiles(present: readonly EditedFile[]) {
  const [files, setFiles] = useState<readonly EditedFile[]>(present);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const [isPreparing, setIsPreparing] = useState(false);
  const add = async (chosen: readonly File[]) => {
    setIsPreparing(true);
    const refused: string[] = [];
    const added: EditedFile[] = [];
    for (const file of chosen) {
      try {
        added.push(await prepareFile(file));
      } catch (error) {
        refused.push(error instanceof FileRefusedError ? error.message : `“${file.name}” was not added.`);
      }
    }
    setFiles((before) => distinctFiles([...before, ...added]).slice(0, MAX_DOCUMENT_FILES));
    if (distinctFiles([...files, ...added]).length > MAX_DOCUMENT_FILES)
      refused.push(`At most ${MAX_DOCUMENT_FILES} files.`);
    setRefusals(refused);
    setIsPreparing(false);
  };
  const remove = (hash: string) => setFiles((before) => before.filter((file) => file.hash !== hash));
  return { files, refusals, isPreparing, add, remove };
}

/** Adds a document to the vault, or edits one. */
export function VaultDocumentDialog({ document, onClose }: VaultDocumentDialogProps) {
  const form = useForm(documentValues(document));
  const { files, refusals, isPreparing, add, remove } = useEditedFiles(document?.files ?? []);
  const kind = findKind(form.values.kind);
  const save = () =>
    form.submit(
      validateForm(DocumentForm, form.values),
      async (values) => {
        await saveDocument(document, documentFields(values), files);
        onClose();
      },
      (error) => ({ text: saveErrorText(error) }),
    );
  return (
    <Dialog title={document ? 'Edit document' : 'Add a document'} onClose={onClose} isForm>
      <form
        ref={form.ref}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Kind of document" error={form.errors.kind}>
          {(control) => (
            <Select
              {...control}
              value={form.values.kind}
              onChange={({ target }) => form.change({ kind: target.value })}
            >
              <option value="">Choose the kind</option>
              {DOCUMENT_KINDS.map(({ id, en, hi }) => (
                <option key={id} value={id}>
                  {en} · {hi}
                </option>
              ))}
              <option value={OTHER_KIND}>Another document · अन्य दस्तावेज़</option>
            </Select>
          )}
        </Field>
        {kind && <p className="s muted">{kind.what}</p>}
        <fieldset className={css.files}>
          <legend>Photos and PDFs</legend>
          {files.length > 0 && (
            <ul>
              {files.map(({ hash, name, bytes }) => (
                <li key={hash}>
                  <span>
                    {name} <small className="muted">{formatBytes(bytes)}</small>
                  </span>
                  <Button look="icon" aria-label={`Remove ${name}`} onClick={() => remove(hash)}>
                    <Icon name="close" />
                  </Button>
                </li>
              ))}
            </ul>
          )}
          {refusals.map((text) => (
            <Note key={text} tone="red" icon="warning" alert>
              {text}
            </Note>
          ))}
          <div className="row">
            <FileButton isCamera busy={isPreparing} onFiles={(chosen) => void add(chosen)}>
              Take a photo
            </FileButton>
            <FileButton busy={isPreparing} onFiles={(chosen) => void add(chosen)}>
              Choose files
            </FileButton>
          </div>
        </fieldset>
        <Field
          label="Valid until"
          hint={kind?.life === 'expires' ? 'read it on the document' : 'if it has a date'}
          error={form.errors.validUntil}
        >
          {(control) => (
            <Input
              {...control}
              type="date"
              value={form.values.validUntil}
              onChange={({ target }) => form.change({ validUntil: target.value })}
            />
          )}
        </Field>
        <TextField form={form} name="number" label="Number" hint="optional" autoComplete="off" maxLength={60} />
        <TextField form={form} name="title" label="Name" hint="optional" autoComplete="off" maxLength={200} />
        <TextField form={form} name="issuer" label="Issued by" hint="optional" autoComplete="off" maxLength={200} />
        <Field label="For tenders of" hint="optional" error={form.errors.forState}>
          {(control) => (
            <Select
              {...control}
              value={form.values.forState}
              onChange={({ target }) => form.change({ forState: target.value })}
            >
              <option value="">All states</option>
              {STATES.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {form.failure && (
          <Note tone="red" icon="warning" alert>
            {form.failure}
          </Note>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={form.isBusy || isPreparing}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
