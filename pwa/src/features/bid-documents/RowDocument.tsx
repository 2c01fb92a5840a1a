import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { type ChecklistRow, type ChecklistTender, documentsForRow } from '../../data/bid-documents/checklist-rows.ts';
import type { DocumentKind } from '../../data/bid-documents/match-kinds.ts';
import {
  documentName,
  documentValidity,
  englishName,
  type VaultDocument,
} from '../../data/bid-documents/vault-document.ts';
import { ACCEPTED_TYPES } from '../../data/files/file-type.ts';
import { Button } from '../../ui/Button.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import css from './bid-documents.module.css';
import { addDocument, addFiles } from './document-actions.ts';
import { VaultDocumentDialog } from './VaultDocumentDialog.tsx';

interface RowDocumentProps {
  row: ChecklistRow;
  tender: ChecklistTender;
  documents: readonly VaultDocument[];
  now: Date;
  /** Called when the user chooses a document for the row. */
  onChoose: (documentId: string) => void;
}

/**
 * The document that serves a row of a checklist, documents that could serve it, and a button that adds a
 * photo.
 */
export function RowDocument({ row, tender, documents, now, onChoose }: RowDocumentProps) {
  const [isEdited, setIsEdited] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const { document, name } = row;
  const others = documentsForRow(row.kind, documents, tender).filter(({ id }) => id !== document?.id);
  const add = async (files: File[]) => {
    setIsBusy(true);
    if (document) await addFiles(document, files);
    else {
      const named = row.kind ? { kind: row.kind.id } : { kind: 'other', title: row.name.slice(0, 200) };
      const id = await addDocument(
        { ...named, ...(row.kind?.life === 'per_bid' && { title: titleForBid(row.kind, tender) }) },
        files,
      );
      if (id) onChoose(id);
    }
    setIsBusy(false);
  };
  return (
    <div className={css.rowDocument}>
      {document && (
        <Button look="plain" onClick={() => setIsEdited(true)}>
          {documentName(document)}
          {document.files?.length ? ` · ${plural(document.files.length, { one: '# file', other: '# files' })}` : ''}
        </Button>
      )}
      {others.slice(0, MAX_CHOICES).map((other) => (
        <Button key={other.id} look="plain" onClick={() => onChoose(other.id)}>
          {t`Use ${{ name: documentName(other) }}, ${{ validity: documentValidity(other, now).text }}`}
        </Button>
      ))}
      {!document?.files?.length && (
        <>
          <FileButton accept={ACCEPTED_TYPES} isCamera look="plain" busy={isBusy} onFiles={(files) => void add(files)}>
            <Trans>
              Add photo<span className="sr"> of {name}</span>
            </Trans>
          </FileButton>
          <FileButton accept={ACCEPTED_TYPES} look="plain" busy={isBusy} onFiles={(files) => void add(files)}>
            <Trans>
              Add file<span className="sr"> of {name}</span>
            </Trans>
          </FileButton>
        </>
      )}
      {isEdited && document && <VaultDocumentDialog document={document} onClose={() => setIsEdited(false)} />}
    </div>
  );
}

const MAX_CHOICES = 3;
const MAX_TITLE_CHARACTERS = 200;

/** 'EMD / bid security proof, 2026_PWD_1_1', the stored title of a document that was made for this bid only. */
const titleForBid = (kind: DocumentKind, tender: ChecklistTender): string =>
  `${englishName(kind)}, ${tender.source_tender_id ?? tender.title}`.slice(0, MAX_TITLE_CHARACTERS);
