import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { i18n } from '@nivida/contract/i18n';
import { useEffect, useState } from 'react';
import { DOCUMENT_KINDS } from '../../data/bid-documents/match-kinds.ts';
import { groupByKind } from '../../data/bid-documents/vault-document.ts';
import { storageProblem, useDatabaseState } from '../../data/device/database.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { HindiGloss } from '../../ui/words/HindiGloss.tsx';
import css from './bid-documents.module.css';
import { DocumentCard } from './DocumentCard.tsx';
import { FileBackupSwitch } from './FileBackupSwitch.tsx';
import { removeFilesOfDeletedDocuments } from './sync-files.ts';
import { useStoredHashes, useVaultDocuments } from './useVault.ts';
import { VaultDocumentDialog } from './VaultDocumentDialog.tsx';

/** The user's documents by kind, with their validity and files. Works offline. */
export function Vault({ now }: { now: Date }) {
  const documents = useVaultDocuments();
  const stored = useStoredHashes();
  const isBlocked = useDatabaseState(({ state }) => state === 'unavailable');
  const [isAdding, setIsAdding] = useState(false);
  useEffect(() => void removeFilesOfDeletedDocuments(), []);
  if (isBlocked)
    return (
      <Note tone="red" icon="warning" alert>
        {t`${{ problem: storageProblem() }}, so documents cannot be saved here.`}
      </Note>
    );
  if (!documents) return <Spinner label={t`Loading your documents`} isScreen />;
  const add = (
    <Button look="main" aria-haspopup="dialog" onClick={() => setIsAdding(true)}>
      {t`Add a document`}
    </Button>
  );
  return (
    <>
      {documents.length === 0 ? (
        <EmptyState title={t`No documents yet.`} actions={add}>
          <Trans>
            Add PAN, GST, enlistment and other documents once. Each tender's checklist then shows which of them it asks
            for, and which expire before it closes. Photos and PDFs stay on this phone, unless you back them up to your
            account.
          </Trans>
        </EmptyState>
      ) : (
        <>
          <div className="row">{add}</div>
          {groupByKind(documents, DOCUMENT_KINDS).map(({ kind, documents: group }) => (
            <Panel key={kind?.id ?? 'other'} aria-labelledby={`kind-${kind?.id ?? 'other'}`}>
              <h2 className={css.kind} id={`kind-${kind?.id ?? 'other'}`}>
                {kind ? i18n._(kind.name) : t`Other documents`}{' '}
                <HindiGloss as="span">{kind?.hindi ?? 'अन्य दस्तावेज़'}</HindiGloss>
              </h2>
              <ul className={css.cards}>
                {group.map((document) => (
                  <DocumentCard
                    key={document.id}
                    document={document}
                    stored={stored.isRead ? stored.hashes : undefined}
                    now={now}
                  />
                ))}
              </ul>
            </Panel>
          ))}
          <FileBackupSwitch documents={documents} />
        </>
      )}
      {isAdding && <VaultDocumentDialog onClose={() => setIsAdding(false)} />}
    </>
  );
}
