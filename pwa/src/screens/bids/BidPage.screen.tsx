import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { statusAt } from '@nivida/contract/tenders/status';
import type { Tender } from '@nivida/contract/tenders/tender';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { ownEntryTender } from '../../data/bid-documents/own-entry.ts';
import { useNow } from '../../data/clock.ts';
import { storageProblem } from '../../data/device/database.ts';
import { firmOf, useRecordOwner } from '../../data/firms/space.ts';
import { useAward, useTenderOffice } from '../../features/awards/award-queries.ts';
import { BidClosingBadge, BidGauge } from '../../features/bids/BidCard.tsx';
import { BidHistory } from '../../features/bids/BidHistory.tsx';
import { BidNotes } from '../../features/bids/BidNotes.tsx';
import { BidOverview, BidSteps } from '../../features/bids/BidOverview.tsx';
import { BidReminder } from '../../features/bids/BidReminders.tsx';
import { BidResult, SourceResultNote } from '../../features/bids/BidResult.tsx';
import css from '../../features/bids/Bids.module.css';
import { moveBid, portalText, removeBid, saveBid, trySave } from '../../features/bids/bid-actions.ts';
import { type DeskBid, deskBids, useDesk } from '../../features/bids/desk.ts';
import { MoveDialog } from '../../features/bids/MoveDialog.tsx';
import { OwnBidDialog } from '../../features/bids/OwnBidDialog.tsx';
import type { DeskRows } from '../../features/bids/read-desk.ts';
import { closingMoveTexts, isReminderDue } from '../../features/bids/rules/bid.ts';
import { bidHistory, type ConfirmedAward, closingOf } from '../../features/bids/rules/bid-changes.ts';
import { missingText, nextStep } from '../../features/bids/rules/next-step.ts';
import { sourceResult } from '../../features/bids/rules/source-result.ts';
import { type BidStage, stageLabel } from '../../features/bids/rules/stages.ts';
import { kindLabel } from '../../features/deposits/deposit.ts';
import { letterName } from '../../features/letters/letter-kinds.ts';
import { useLookUp } from '../../offline/queries/useOfflineTender.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { StatusStamp } from '../../ui/display/Status.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { lazyPart, optionalPart } from '../../ui/lazy/lazy.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import { BidChecklist, BidReadingNotes } from '../lazy-tenders.tsx';
import { BidMoney } from './BidMoney.tsx';
import { depositNames, useBidLetters } from './bid-letter-rows.ts';
import { DeviceOnlyNote } from './DeviceOnlyNote.tsx';
import { OptionalSpaceOfLink } from './OptionalSpaceSwitch.tsx';
import { useDocumentStates } from './useDocumentStates.ts';

/**
 * Asks the server and the packs for the tender. The server's answer is stored, so that the live rows then
 * have it.
 */
function TenderRefresh({ id }: { id: string }) {
  useLookUp(id);
  return null;
}

/** The result at the source. It has the winner where the source names one. */
function SourceNews(props: {
  tender: Tender;
  stage: BidStage;
  firmNames: readonly string[];
  now: Date;
  onMove: (to: BidStage, award: ConfirmedAward) => void;
}) {
  const { tender, stage, firmNames, now, onMove } = props;
  const award = useTenderOffice(tender._id).answer?.award ?? null;
  const winner = useAward(award?.id ?? null).answer?.award.winner?.name ?? null;
  const result = sourceResult(stage, statusAt(tender, now), award && { value: award.awardedValue, winner }, firmNames);
  const confirmed: ConfirmedAward = {
    ...(award?.awardedValue && { awardedPaise: Math.round(award.awardedValue * 100) }),
    ...(winner !== null && { winner }),
    ...(award?.contractOn && { awardedOn: new Date(`${award.contractOn}T00:00:00+05:30`) }),
  };
  return result && <SourceResultNote result={result} onMove={(to) => onMove(to, confirmed)} />;
}

/** Says that the closing has moved since the bid stored it. One tap confirms it. */
function ClosingMoveNote({ listed, tender }: { listed: DeskBid; tender: Tender }) {
  const move = closingMoveTexts(listed.bid, tender);
  if (!move) return null;
  const { was, now } = move;
  return (
    <Note tone="amber" icon="change">
      <p>
        <Trans>
          Closing moved from {was} to <strong>{now}</strong>. While the tender is bookmarked, its reminders follow the
          new closing.
        </Trans>
      </p>
      <Button onClick={() => void trySave(() => saveBid(listed.bid.id, closingOf(tender)))}>{t`Seen`}</Button>
    </Note>
  );
}

const PARTS = ['overview', 'documents', 'money', 'result', 'letters', 'notes', 'comments', 'history'] as const;

const LettersPart = lazyPart(async () => (await import('./LettersPart.tsx')).LettersPart, {
  loading: () => t`Loading the letters`,
  failed: () => t`The letters cannot be loaded now.`,
});

const BidComments = optionalPart(async () => (await import('../../features/firms/BidComments.tsx')).BidComments);

const partOfHash = (hash: string): string => PARTS.find((part) => `#${part}` === hash) ?? 'overview';

function Bid({
  listed,
  rows,
  tender,
  now,
}: {
  listed: DeskBid;
  rows: DeskRows;
  tender: Tender | undefined;
  now: Date;
}) {
  const { bid, facts, state, deposits } = listed;
  const isFirm = firmOf(useRecordOwner()) !== undefined;
  const navigate = useNavigate();
  const { hash } = useLocation();
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    if (hash !== '') tabs.current?.scrollIntoView({ block: 'nearest' });
  }, [hash]);
  const [isMoving, setIsMoving] = useState(false);
  const [isChanging, setIsChanging] = useState(false);
  const closeChange = () => setIsChanging(false);
  const move = (to: BidStage, award?: ConfirmedAward) => void moveBid(bid, to, deposits, award);
  const select = (part: string) => void navigate({ hash: part }, { replace: true, preventScrollReset: true });
  const checklistTender = bid.tenderId === undefined ? ownEntryTender(bid) : tender;
  const step = nextStep(state, now);
  const missing = missingText(state);
  const letters = useBidLetters(bid.id);
  const events = bidHistory(
    bid,
    tender,
    deposits.map((deposit) => ({ ...deposit, name: kindLabel(deposit) })),
    letters.map((letter) => ({ ...letter, name: letterName(letter, depositNames(deposits)) })),
  );
  const remove = async () => {
    if (await removeBid(bid.id)) void navigate('/dashboard/applications');
  };
  return (
    <div className="stack">
      <Panel stack>
        <header className={css.head}>
          <BidGauge facts={facts} now={now} />
          <h1 lang={langOf(facts.title)}>{facts.title}</h1>
          <p className={css.meta}>
            <StatusStamp tone={state.stage === 'won' ? 'green' : 'blue'} label={stageLabel(state.stage)} />
            <BidClosingBadge facts={facts} now={now} />
          </p>
        </header>
        <BidSteps stage={state.stage} />
        {missing && <p className={css.missing}>{missing}</p>}
        <div className="row">
          {step &&
            ('moveTo' in step ? (
              <Button look="main" onClick={() => move(step.moveTo)}>
                {step.label}
              </Button>
            ) : (
              partOfHash(hash) !== step.open && (
                <Button look="main" onClick={() => select(step.open)}>
                  {step.label}
                </Button>
              )
            ))}
          <Button aria-haspopup="dialog" onClick={() => setIsMoving(true)}>
            {t`Move to`}
          </Button>
        </div>
        <p className="xs muted">{portalText()}</p>
        {isReminderDue(bid, now) && (
          <div className={css.screenOnly}>
            <BidReminder bid={bid} now={now} />
          </div>
        )}
        {tender && <ClosingMoveNote listed={listed} tender={tender} />}
        {tender && <BidReadingNotes tender={tender} stage={state.stage} deposits={deposits} />}
        {tender && (
          <SourceNews tender={tender} stage={state.stage} firmNames={rows.firmNames} now={now} onMove={move} />
        )}
      </Panel>
      <Panel ref={tabs}>
        <Tabs
          label={t`Bid`}
          selected={partOfHash(hash)}
          onSelect={select}
          tabs={[
            {
              id: 'overview',
              label: t`Overview`,
              panel: (
                <div className={`${css.panel} stack`}>
                  <BidOverview bid={bid} facts={facts} hasTender={tender !== undefined} />
                  <div className="row">
                    {bid.tenderId === undefined && (
                      <Button aria-haspopup="dialog" onClick={() => setIsChanging(true)}>
                        {t`Change name, office or closing`}
                      </Button>
                    )}
                    <Button look="plain" onClick={() => void remove()}>
                      {t`Remove this bid`}
                    </Button>
                  </div>
                </div>
              ),
            },
            {
              id: 'documents',
              label: t`Documents`,
              panel: checklistTender ? (
                <BidChecklist tender={checklistTender} deposits={deposits} now={now} />
              ) : (
                <p className={css.panel}>
                  <Trans>
                    The checklist loads with the tender when you are online, unless the tender was withdrawn.
                  </Trans>
                </p>
              ),
            },
            {
              id: 'money',
              label: t`Money`,
              panel: inPanel(<BidMoney bid={bid} facts={facts} tender={tender} deposits={deposits} now={now} />),
            },
            {
              id: 'result',
              label: t`Result`,
              panel: inPanel(
                <BidResult
                  key={bid.id}
                  bid={bid}
                  stage={state.stage}
                  isClosed={!state.isOpen}
                  firmNames={rows.firmNames}
                  onMove={move}
                />,
              ),
            },
            {
              id: 'letters',
              label: t`Letters`,
              panel: inPanel(<LettersPart listed={listed} rows={rows} tender={tender} now={now} />),
            },
            { id: 'notes', label: t`Rate and notes`, panel: inPanel(<BidNotes key={bid.id} bid={bid} />) },
            ...(isFirm ? [{ id: 'comments', label: t`Comments`, panel: inPanel(<BidComments bidId={bid.id} />) }] : []),
            { id: 'history', label: t`History`, panel: inPanel(<BidHistory events={events} />) },
          ]}
        />
      </Panel>
      {isChanging && <OwnBidDialog bid={bid} onClose={closeChange} onSaved={closeChange} />}
      {isMoving && (
        <MoveDialog title={facts.title} stage={state.stage} onClose={() => setIsMoving(false)} onMove={move} />
      )}
    </div>
  );
}

const inPanel = (content: ReactNode) => <div className={css.panel}>{content}</div>;

/** `/dashboard/applications/:id`: one bid. */
export function BidPage() {
  const { id = '' } = useParams();
  const now = useNow();
  const { rows, error } = useDesk();
  const documentsOf = useDocumentStates(rows);
  const listed = rows && deskBids(rows, documentsOf, now).find(({ bid }) => bid.id === id);
  const tenderId = listed?.bid.tenderId;
  return (
    <div className="page">
      <OptionalSpaceOfLink />
      <PageMeta
        title={listed?.facts.title ?? pageText(PAGES['/dashboard/applications/:id']).title}
        description={pageText(PAGES['/dashboard/applications/:id']).description}
      />
      <div className="stack">
        <p className={css.screenOnly}>
          <Link to="/dashboard/applications">{t`All my applications`}</Link>
        </p>
        <DeviceOnlyNote />
        {error !== undefined && (
          <Note tone="amber" icon="warning">
            {t`${{ problem: storageProblem() }}, so bids cannot be read.`}
          </Note>
        )}
        {!rows && error === undefined && <Spinner label={t`Loading the bid`} isScreen />}
        {rows && !listed && (
          <EmptyState
            title={t`Bid not found`}
            heading="h1"
            actions={<ButtonLink to="/dashboard/applications">{t`All my applications`}</ButtonLink>}
          >
            {t`It was removed, or it is on another device, of another account or firm.`}
          </EmptyState>
        )}
        {tenderId && <TenderRefresh key={tenderId} id={tenderId} />}
        {listed && rows && (
          <Bid
            key={id}
            listed={listed}
            rows={rows}
            tender={tenderId === undefined ? undefined : rows.tenders.get(tenderId)}
            now={now}
          />
        )}
      </div>
    </div>
  );
}
