import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Boq } from '@nivida/contract/documents/boq';
import { billionths, paiseOf } from '@nivida/contract/documents/decimals';
import type { ReadFile, TenderBoq, TenderReading } from '@nivida/contract/documents/tender-reading';
import { formatAge } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import type { Tender } from '@nivida/contract/tenders/tender';
import { useMemo } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { useTenderReading } from '../../data/readings/readings.ts';
import { errorMessage } from '../../data/server/api.ts';
import { useSession } from '../../data/session.ts';
import { useTenderOffice } from '../../features/awards/award-queries.ts';
import { pricesSentence } from '../../features/awards/award-texts.ts';
import { useSavedTenderOffice } from '../../features/awards/saved/useSavedAwards.ts';
import css from '../../features/boq/Boq.module.css';
import { BoqDesk } from '../../features/boq/BoqDesk.tsx';
import { BoqSummaryPanel, type StatedEstimate } from '../../features/boq/BoqSummaryPanel.tsx';
import { unreadText } from '../../features/boq/boq-texts.ts';
import { useTenderRates } from '../../features/boq/rate-records.ts';
import { useLookUp, useOfflineTender } from '../../offline/queries/useOfflineTender.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { ChoiceField } from '../../ui/form/Field.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { langOf } from '../../ui/words/lang-of.ts';

/** The estimates of the portal and of the NIT. */
function estimatesOf(tender: Tender | undefined, { facts }: TenderReading): StatedEstimate[] {
  const stated = facts.find(({ topic, value }) => topic === 'estimate' && value?.unit === 'rupees')?.value;
  const ofDocument = stated?.unit === 'rupees' ? paiseOf(billionths(stated.amount)) : 0;
  const ofPortal = tender?.price ? Math.round(tender.price * 100) : 0;
  const estimates: StatedEstimate[] = [
    { source: 'portal', paise: ofPortal },
    { source: 'document', paise: ofDocument },
  ];
  return estimates.filter(({ paise }) => paise > 0);
}

/** The prices of the office's awards, or why they are not shown. Nothing when no award is known. */
function OfficePrices({ tender }: { tender: Tender }) {
  const { answer } = useTenderOffice(tender._id);
  const saved = useSavedTenderOffice(tender, answer !== undefined);
  const office = answer ? answer.office : (saved?.statistics ?? null);
  if (!office) return null;
  const sentence = pricesSentence(office.price, office.masses ?? []);
  return <p className="s">{t`Awards of this office: ${sentence}`}</p>;
}

const withItems = (shown: TenderBoq): shown is TenderBoq & { boq: Boq } => shown.boq !== null;

/** A file of the package that is a BOQ without readable items. */
function UnreadBoq({ file }: { file: ReadFile }) {
  const text = unreadText(file.state);
  return (
    text !== null && (
      <Note tone="amber" icon="document">
        {file.name}: {text}
      </Note>
    )
  );
}

function ShownBoq({ id, tender, reading }: { id: string; tender: Tender | undefined; reading: TenderReading }) {
  const [search, setSearch] = useSearchParams();
  const isSignedIn = useSession() !== null;
  const { rows } = useTenderRates(id);
  const { boqs, files } = reading;
  const shown = boqs.find(({ fileId }) => fileId === search.get('file')) ?? boqs[0];
  const file = files.find((each) => each.id === shown?.fileId);
  const hashes = useMemo(() => new Set(files.map(({ sha256 }) => sha256)), [files]);
  const unread = files.filter((each) => each.kind === 'boq' && !boqs.some(({ fileId }) => fileId === each.id));
  const estimates = estimatesOf(tender, reading);
  const nameOf = (fileId: string) => files.find((each) => each.id === fileId)?.name ?? fileId;
  if (!shown || !file)
    return (
      <>
        {unread.map((each) => (
          <UnreadBoq key={each.id} file={each} />
        ))}
        <EmptyState
          title={t`No BOQ to show`}
          actions={<ButtonLink to={`/tenders/${id}#documents`}>{t`Documents of the tender`}</ButtonLink>}
        >
          {t`No BOQ of this tender has been read.`}
        </EmptyState>
      </>
    );
  return (
    <>
      {boqs.length > 1 && (
        <ChoiceField
          label={t`File`}
          value={shown.fileId}
          options={boqs.map(({ fileId }) => [fileId, nameOf(fileId)])}
          onChange={({ target }) => setSearch({ file: target.value }, { replace: true, preventScrollReset: true })}
        />
      )}
      {boqs.length === 1 && <p className="xs muted">{file.name}</p>}
      {unread.map((each) => (
        <UnreadBoq key={each.id} file={each} />
      ))}
      <BoqSummaryPanel summary={shown.summary} estimates={estimates} />
      {!withItems(shown) && (
        <EmptyState
          title={t`The items are in the document package`}
          actions={<ButtonLink to={`/tenders/${id}#documents`}>{t`Documents of the tender`}</ButtonLink>}
        >
          {t`With the package of this tender you see each item here and can enter your rates.`}
        </EmptyState>
      )}
      {withItems(shown) && !rows && <Spinner label={t`Loading your rates`} />}
      {withItems(shown) && rows && (
        <BoqDesk
          key={file.sha256}
          shown={shown}
          ratedBoq={{ tenderId: id, source: tender?.title ?? '', file: file.sha256 }}
          rows={rows}
          files={hashes}
          estimatePaise={estimates[0]?.paise ?? null}
          awards={tender && <OfficePrices tender={tender} />}
          isSignedIn={isSignedIn}
        />
      )}
    </>
  );
}

/** `/tenders/:id/boq`: the BOQ of a tender with the user's rates. Works offline once it was opened. */
export function BoqPage() {
  const { id = '' } = useParams();
  useLookUp(id);
  const { tender } = useOfflineTender(id);
  const { state, reading, savedAt, error, reload } = useTenderReading(id);
  const now = useNow();
  const text = pageText(PAGES['/tenders/:id/boq']);
  return (
    <div className="page stack">
      <PageMeta title={tender ? t`BOQ: ${{ title: tender.title }}` : text.title} description={text.description} />
      <header>
        <p className={`s ${css.links}`}>
          <Link to={`/tenders/${id}`}>{t`Back to the tender`}</Link>
          {' · '}
          <Link to="/dashboard/rates">{t`Rate book`}</Link>
        </p>
        <h1>{t`Bill of quantities`}</h1>
        {tender && <p lang={langOf(tender.title)}>{tender.title}</p>}
        {error !== undefined && savedAt && (
          <p className="xs muted">{t`Saved on this phone ${{ age: formatAge(savedAt, now) }}.`}</p>
        )}
      </header>
      {state === 'loading' && <Spinner label={t`Loading the BOQ`} isScreen />}
      {state === 'offline' && (
        <EmptyState title={t`No connection`} alert actions={<Button onClick={reload}>{t`Try Again`}</Button>}>
          <Trans>This BOQ is not on this phone. Open it once with a connection, or bookmark the tender.</Trans>
        </EmptyState>
      )}
      {state === 'failed' && (
        <EmptyState title={t`The BOQ cannot be shown`} alert actions={<Button onClick={reload}>{t`Try Again`}</Button>}>
          {errorMessage(error, t`Failed to load the BOQ`)}
        </EmptyState>
      )}
      {reading && <ShownBoq id={id} tender={tender} reading={reading} />}
    </div>
  );
}
