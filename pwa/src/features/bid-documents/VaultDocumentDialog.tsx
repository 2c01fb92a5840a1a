import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import { currentLanguage, i18n } from '@nivida/contract/i18n';
import { MAX_DOCUMENT_FILES } from '@nivida/contract/limits';
import { stateOptions } from '@nivida/contract/regions/states';
import { useState } from 'react';
import { DOCUMENT_KINDS, findKind } from '../../data/bid-documents/match-kinds.ts';
import type { VaultDocument } from '../../data/bid-documents/vault-document.ts';
import { ACCEPTED_TYPES } from '../../data/files/file-type.ts';
import { FileRefusedError, prepareFile } from '../../data/files/prepare-file.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { SelectField, TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import css from './bid-documents.module.css';
import { type EditedFile, saveDocument, saveErrorText } from './document-actions.ts';
import { DocumentForm, documentFields, documentValues, OTHER_KIND } from './document-form.ts';

interface VaultDocumentDialogProps {
  /** The document to edit; undefined for a new one. */
  document?: VaultDocument | undefined;
  onClose: () => void;
}

const withHindi = (text: string, hindi: string) => (currentLanguage() === 'en' ? `${text} · ${hindi}` : text);

const kindOptions = () => [
  ...DOCUMENT_KINDS.map(({ id, name, hindi }) => [id, withHindi(i18n._(name), hindi)] as const),
  [OTHER_KIND, withHindi(t`Another document`, 'अन्य दस्तावेज़')] as const,
];

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
        refused.push(error instanceof FileRefusedError ? error.message : t`“${{ name: file.name }}” was not added.`);
      }
    }
    setFiles((before) => distinctFiles([...before, ...added]).slice(0, MAX_DOCUMENT_FILES));
    if (distinctFiles([...files, ...added]).length > MAX_DOCUMENT_FILES)
      refused.push(t`At most ${MAX_DOCUMENT_FILES} files.`);
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
    <FormDialog
      title={document ? t`Edit document` : t`Add a document`}
      form={{ ...form, isBusy: form.isBusy || isPreparing }}
      onSubmit={save}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="kind"
        label={t`Kind of document`}
        empty={t`Choose the kind`}
        options={kindOptions()}
      />
      {kind && <p className="s muted">{i18n._(kind.texts.what)}</p>}
      <fieldset className={css.files}>
        <legend>{t`Photos and PDFs`}</legend>
        {files.length > 0 && (
          <ul>
            {files.map(({ hash, name, bytes }) => (
              <li key={hash}>
                <span>
                  {name} <small className="muted">{formatBytes(bytes)}</small>
                </span>
                <Button look="icon" aria-label={t`Remove ${name}`} onClick={() => remove(hash)}>
                  <Icon name="close" />
                </Button>
              </li>
            ))}
          </ul>
        )}
        {refusals.map((text) => (
          <ErrorText key={text} text={text} />
        ))}
        <div className="row">
          <FileButton accept={ACCEPTED_TYPES} isCamera busy={isPreparing} onFiles={(chosen) => void add(chosen)}>
            {t`Take a photo`}
          </FileButton>
          <FileButton accept={ACCEPTED_TYPES} busy={isPreparing} onFiles={(chosen) => void add(chosen)}>
            {t`Choose files`}
          </FileButton>
        </div>
      </fieldset>
      <TextField
        form={form}
        name="validUntil"
        label={t`Valid until`}
        hint={kind?.life === 'expires' ? t`read it on the document` : t`if it has a date`}
        type="date"
      />
      <TextField form={form} name="number" label={t`Number`} hint={t`optional`} autoComplete="off" maxLength={60} />
      <TextField form={form} name="title" label={t`Name`} hint={t`optional`} autoComplete="off" maxLength={200} />
      <TextField form={form} name="issuer" label={t`Issued by`} hint={t`optional`} autoComplete="off" maxLength={200} />
      <SelectField
        form={form}
        name="forState"
        label={t`For tenders of`}
        hint={t`optional`}
        empty={t`All states`}
        options={stateOptions()}
      />
    </FormDialog>
  );
}
