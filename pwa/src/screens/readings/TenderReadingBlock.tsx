import { t } from '@lingui/core/macro';
import type { ReadFile, TenderFact } from '@nivida/contract/documents/tender-reading';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useNow } from '../../data/clock.ts';
import { useTenderReading } from '../../data/readings/readings.ts';
import { errorMessage } from '../../data/server/api.ts';
import { useOwner } from '../../data/session.ts';
import css from '../../features/document-facts/DocumentFacts.module.css';
import { DocumentFacts } from '../../features/document-facts/DocumentFacts.tsx';
import { factOfHash } from '../../features/document-facts/fact-groups.ts';
import { openPackagePage, useIsPackageHere } from '../../features/documents/package-page.ts';
import { ReportLine } from '../../features/reports/ReportMistake.tsx';
import type { DocumentsAvailability } from '../../features/tender/documents/DocumentActions.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useShownLocation } from '../../ui/browser-state.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { showToast } from '../../ui/feedback/toast.ts';

interface TenderReadingBlockProps {
  tender: Tender;
  /** How the user gets the documents. */
  way: DocumentsAvailability;
  /** Opens the access dialog or requests the documents. */
  onDocuments: () => void;
}

/** "What the documents say": the lines, or why there are none. */
export function TenderReadingBlock({ tender, way, onDocuments }: TenderReadingBlockProps) {
  return (
    <section className={css.block} aria-labelledby="documents-say">
      <h2 id="documents-say">{t`What the documents say`}</h2>
      <Reading {...{ tender, way, onDocuments }} />
    </section>
  );
}

function Reading({ tender, way, onDocuments }: TenderReadingBlockProps) {
  const { state, reading, savedAt, error, reload } = useTenderReading(tender._id);
  const now = useNow();
  const { hash } = useShownLocation();
  const owner = useOwner();
  const nit = tender.nit_id ?? `tender-${tender._id}`;
  const isHere = useIsPackageHere(owner, nit);

  if (reading && reading.files.length === 0)
    return <p className="s muted">{t`No document of this tender has been read. Read the documents at the portal.`}</p>;
  if (reading)
    return (
      <DocumentFacts
        reading={reading}
        savedAt={savedAt}
        now={now}
        target={factOfHash(hash)}
        renderActions={(fact, file) => (
          <>
            {file && !file.isOwn && <PageButton {...{ owner, nit, fact, file, isHere, way, onDocuments }} />}
            <ReportLine tenderId={tender._id} line={`${file?.name ?? ''}, p. ${fact.page}: “${fact.quote}”`} />
          </>
        )}
      />
    );
  if (state === 'loading') return <Spinner label={t`Loading what the documents say`} />;
  if (state === 'offline')
    return (
      <Note tone="amber" icon="offline">
        {t`What the documents say is not on this phone yet. It loads when there is a connection.`}
      </Note>
    );
  return (
    <Note tone="red" icon="warning" alert>
      <p>{errorMessage(error, t`What the documents say could not be loaded.`)}</p>
      <Button onClick={reload}>{t`Try Again`}</Button>
    </Note>
  );
}

interface PageButtonProps {
  owner: string;
  nit: string;
  fact: TenderFact;
  file: ReadFile;
  /** The package is on this device. */
  isHere: boolean;
  way: DocumentsAvailability;
  onDocuments: () => void;
}

/** Opens the page in the package on this device. Without it, leads to the documents. */
function PageButton({ owner, nit, fact: { page }, file, isHere, way, onDocuments }: PageButtonProps) {
  async function open(): Promise<void> {
    const opening = await openPackagePage(owner, nit, file, page).catch(() => 'missing' as const);
    if (opening === 'saved') showToast({ text: t`${{ name: file.name }} is saved. Turn to page ${page}.` });
    if (opening === 'missing')
      showToast({ text: t`This document is not in your saved package. Download the documents again.` });
  }
  if (isHere)
    return (
      <Button onClick={() => void open()}>
        <Icon name="document" small /> {t`Open page ${page}`}
      </Button>
    );
  if (way === 'owned' && owner !== '')
    return <ButtonLink to="/dashboard/payments">{t`Save the documents on this phone to open page ${page}`}</ButtonLink>;
  if (way === 'owned' || way === 'sold' || way === 'free')
    return <Button onClick={onDocuments}>{t`Get the documents to open page ${page}`}</Button>;
  return <p className="muted">{t`Page ${page} of ${{ name: file.name }}, at the portal.`}</p>;
}
