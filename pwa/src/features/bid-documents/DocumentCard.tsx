import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { placeName } from '@nivida/contract/regions/states';
import { useState } from 'react';
import {
  documentName,
  documentValidity,
  type Validity,
  type VaultDocument,
} from '../../data/bid-documents/vault-document.ts';
import { Button } from '../../ui/Button.tsx';
import { Badge, type Tone } from '../../ui/display/Badge.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import css from './bid-documents.module.css';
import { deleteDocument } from './document-actions.ts';
import { FileDialog } from './FileDialog.tsx';
import { VaultDocumentDialog } from './VaultDocumentDialog.tsx';

const TONES: Record<Validity, Tone> = {
  expired: 'red',
  soon: 'amber',
  undated: 'amber',
  valid: 'green',
  lasting: 'gray',
};

interface DocumentCardProps {
  document: VaultDocument;
  /** The hashes of the files on this device; undefined until they are read. */
  stored: ReadonlySet<string> | undefined;
  now: Date;
}

/** A document with its validity and files, and buttons to edit and delete it. */
export function DocumentCard({ document, stored, now }: DocumentCardProps) {
  const [isEdited, setIsEdited] = useState(false);
  const { validity, text } = documentValidity(document, now);
  const name = documentName(document);
  const facts = [
    document.number && t`No. ${{ number: document.number }}`,
    document.issuer,
    placeName(document.forState ?? ''),
  ].filter(Boolean);
  return (
    <li className={css.card}>
      <div className={css.top}>
        {document.title && <b>{name}</b>}
        <Badge tone={TONES[validity]}>{text}</Badge>
      </div>
      {facts.length > 0 && <p className="s muted">{facts.join(' · ')}</p>}
      <DocumentFiles document={document} stored={stored} />
      <div className="row">
        <Button look="plain" onClick={() => setIsEdited(true)}>
          <Trans>
            Edit<span className="sr"> {name}</span>
          </Trans>
        </Button>
        <Button look="plain" onClick={() => void deleteDocument(document)}>
          <Trans>
            Delete<span className="sr"> {name}</span>
          </Trans>
        </Button>
      </div>
      {isEdited && <VaultDocumentDialog document={document} onClose={() => setIsEdited(false)} />}
    </li>
  );
}

/** The files of a document, each with a button that opens it. */
function DocumentFiles({ document, stored }: Pick<DocumentCardProps, 'document' | 'stored'>) {
  const [opened, setOpened] = useState<string | null>(null);
  const files = document.files ?? [];
  const listed = files.find(({ hash }) => hash === opened);
  if (files.length === 0) return <p className="s muted">{t`No photo or PDF yet.`}</p>;
  return (
    <>
      <ul className={css.fileLinks}>
        {files.map(({ hash, name }) => (
          <li key={hash}>
            <Button look="plain" onClick={() => setOpened(hash)}>
              <Icon name="document" small /> {name}
            </Button>
            {stored && !stored.has(hash) && <small className="muted">{t`not on this phone`}</small>}
          </li>
        ))}
      </ul>
      {listed && <FileDialog listed={listed} onClose={() => setOpened(null)} />}
    </>
  );
}
