import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import { FILE_KINDS, type FileKind } from '@nivida/contract/orders/document-package';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { ChoiceField } from '../../../ui/form/Field.tsx';
import { FormElement } from '../../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../../ui/form/useForm.ts';
import { ReasonField, ReasonForm } from '../act/ReasonField.tsx';
import type { DroppedFile } from './desk-documents.ts';
import css from './documents.module.css';
import { sendFiles } from './uploads.ts';

/** The name of a kind of file. */
export const fileKindLabel = (kind: FileKind): string =>
  ({ nit: t`Notice (NIT)`, boq: t`Bill of quantities (BOQ)`, other: t`Other file` })[kind];

const problemText = ({ problem, tender }: DroppedFile): string => {
  if (problem === 'no-id') return t`Left out: begin its name with the tender ID, or put it in a folder of that name.`;
  if (problem === 'ambiguous')
    return t`Left out: several portals have a tender ${tender}. Attach it on the page of the tender.`;
  return t`Left out: no tender is called ${tender}.`;
};

interface AttachDialogProps {
  staged: readonly DroppedFile[];
  /** What the dialog says first. */
  note?: string | undefined;
  /** Whether the tender is one of several works of a notice. */
  hasOtherWorks: boolean;
  /** Whether the files belong to all of them, to begin with. */
  isForAllWorks?: boolean;
  onClose: () => void;
}

/** Asks for the kind of each chosen file and for the reason, and sends them. */
export function AttachDialog({ staged, note, hasOtherWorks, isForAllWorks = false, onClose }: AttachDialogProps) {
  const [kinds, setKinds] = useState<Readonly<Record<number, FileKind>>>({});
  const [allWorks, setAllWorks] = useState(isForAllWorks);
  const form = useForm({ reason: t`Files from the portal` });
  const count = staged.filter(({ tenderId }) => tenderId !== null).length;
  const submit = () =>
    count > 0 &&
    form.submit(
      validateForm(ReasonForm, form.values),
      async ({ reason }) => {
        sendFiles(
          staged.flatMap(({ tenderId, tender, name, kind, file }, index) =>
            tenderId === null ? [] : [{ tenderId, tender, name, kind: kinds[index] ?? kind, allWorks, reason, file }],
          ),
        );
        onClose();
      },
      () => ({ text: '' }),
    );
  return (
    <Dialog title={t`Attach files`} onClose={onClose} isForm>
      <FormElement form={form} onSubmit={submit}>
        <ErrorText text={note} />
        <ul className={css.files} aria-label={t`Files`}>
          {staged.map(({ file, name, tender, tenderId, kind, ...rest }, index) => (
            // Two folders may hold files of one name.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
            <li key={index}>
              <p className={css.name}>
                {name} <span className="s muted">{formatBytes(file.size)}</span>
              </p>
              {tenderId === null ? (
                <p className="s">{problemText({ file, name, tender, tenderId, kind, ...rest })}</p>
              ) : (
                <>
                  <p className="s muted">{tender}</p>
                  <ChoiceField
                    label={t`Kind of ${name}`}
                    value={kinds[index] ?? kind}
                    options={FILE_KINDS.map((each) => [each, fileKindLabel(each)] as const)}
                    onChange={({ target }) => setKinds((before) => ({ ...before, [index]: target.value as FileKind }))}
                  />
                </>
              )}
            </li>
          ))}
        </ul>
        {hasOtherWorks && (
          <Checkbox checked={allWorks} onChange={({ target }) => setAllWorks(target.checked)}>
            {t`They belong to all works of this NIT`}
          </Checkbox>
        )}
        <ReasonField form={form} onSubmit={submit} />
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button look="main" type="submit" busy={form.isBusy} disabled={count === 0}>
            {t`Attach`}
          </Button>
        </DialogActions>
      </FormElement>
    </Dialog>
  );
}
