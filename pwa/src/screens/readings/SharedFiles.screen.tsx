import { t } from '@lingui/core/macro';
import { READING_ACCEPT } from '@nivida/contract/documents/own-readings';
import { boqSummary, tenderReadingOf } from '@nivida/contract/documents/tender-reading';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { storageProblem } from '../../data/device/database.ts';
import type { SharedFileRow } from '../../data/device/schema.ts';
import { useSession } from '../../data/session.ts';
import { sendSharedFilesSoon } from '../../data/shared-files/send-shared-files.ts';
import { openAuthDialog } from '../../features/auth/dialogs.ts';
import { addDocument } from '../../features/bid-documents/document-actions.ts';
import { OTHER_KIND } from '../../features/bid-documents/document-form.ts';
import { DocumentFacts } from '../../features/document-facts/DocumentFacts.tsx';
import { BoqSummaryView } from '../../features/shared-files/BoqSummaryView.tsx';
import { SharedFileCard } from '../../features/shared-files/SharedFileCard.tsx';
import { addOwnFiles, removeSharedFile } from '../../features/shared-files/shared-file-actions.ts';
import { useSharedFiles } from '../../features/shared-files/useSharedFiles.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { FileButton } from '../../ui/form/FileButton.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { useOpenedFiles } from './useOpenedFiles.ts';

/** Why the shared file is not here. The address names the problem. */
function problemText(problem: string | null): string | null {
  if (problem === 'storage')
    return t`The shared file could not be saved on this phone. Free some storage, open Nivida once, then share it again.`;
  if (problem === 'lost') return t`The shared file did not arrive. Share it again, or choose it here.`;
  return null;
}

/** `/shared-files`: files that were shared into the app, what is done with them, and what they say. Works offline. */
export function SharedFiles() {
  const isSignedIn = useSession() !== null;
  const { rows, error } = useSharedFiles();
  const [params] = useSearchParams();
  const problem = problemText(params.get('problem'));
  // A file of before a restart goes on at once.
  useEffect(sendSharedFilesSoon, []);
  useOpenedFiles();
  const choose = (
    <FileButton accept={READING_ACCEPT} onFiles={(files) => void addOwnFiles(files, null)}>
      {t`Choose a file`}
    </FileButton>
  );
  return (
    <div className="page">
      <PageMeta {...pageText(PAGES['/shared-files'])} />
      <div className="column stack">
        <h1>{t`Shared file`}</h1>
        {problem !== null && (
          <Note tone="red" icon="warning" alert>
            {problem}
          </Note>
        )}
        {error !== undefined && (
          <Note tone="red" icon="warning" alert>
            {t`${{ problem: storageProblem() }}, so files cannot be read here.`}
          </Note>
        )}
        {!isSignedIn && <SignInNote isWaiting={(rows?.length ?? 0) > 0} />}
        {isSignedIn && !rows && error === undefined && <Spinner label={t`Loading your files`} isScreen />}
        {isSignedIn && rows?.length === 0 && (
          <EmptyState title={t`No shared file.`} actions={choose}>
            {t`Share a PDF or a BOQ from WhatsApp or Files to Nivida, or choose it here. It is read for you alone; the file is deleted at once.`}
          </EmptyState>
        )}
        {isSignedIn && rows?.map((row) => <FileCard key={row.id} row={row} />)}
        {isSignedIn && rows && rows.length > 0 && <div className="row">{choose}</div>}
      </div>
    </div>
  );
}

function SignInNote({ isWaiting }: { isWaiting: boolean }) {
  return (
    <>
      <Note icon="user">
        {isWaiting
          ? t`Your file is saved on this phone. Sign in to have it read for you alone.`
          : t`Sign in to have a document read for you alone.`}
      </Note>
      <div className="row">
        <Button look="main" onClick={() => openAuthDialog('sign-in')}>
          {t`Sign in`}
        </Button>
      </div>
    </>
  );
}

function FileCard({ row }: { row: SharedFileRow }) {
  const navigate = useNavigate();
  const now = useNow();
  async function addToDocuments({ name, file }: SharedFileRow): Promise<void> {
    if (!file) return;
    const picture = new File([file], name, { type: file.type });
    const id = await addDocument({ kind: OTHER_KIND, title: name.replace(/\.\w+$/, '').slice(0, 200) }, [picture]);
    if (id === null) return;
    await removeSharedFile(row);
    void navigate('/dashboard/documents');
  }
  return (
    <SharedFileCard
      row={row}
      onAddToDocuments={(picture) => void addToDocuments(picture)}
      renderReading={(reading) => (
        <>
          {reading.boq && <BoqSummaryView summary={boqSummary(reading.boq)} />}
          <DocumentFacts
            reading={tenderReadingOf([reading])}
            savedAt={null}
            now={now}
            target={null}
            renderActions={() => null}
          />
        </>
      )}
    />
  );
}
