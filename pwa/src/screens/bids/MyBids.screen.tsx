import { plural, t } from '@lingui/core/macro';
import { formatCount } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { currentTime, useNow } from '../../data/clock.ts';
import { storageProblem } from '../../data/device/database.ts';
import { bidPath } from '../../features/bids/BidCard.tsx';
import { BidReminders } from '../../features/bids/BidReminders.tsx';
import { moveBid, portalText } from '../../features/bids/bid-actions.ts';
import { BidBoard } from '../../features/bids/board/BidBoard.tsx';
import { BidFilters } from '../../features/bids/board/BidFilters.tsx';
import { EmptyBids } from '../../features/bids/board/EmptyBids.tsx';
import { type DeskBid, deskBids, useDesk } from '../../features/bids/desk.ts';
import { OwnBidDialog } from '../../features/bids/OwnBidDialog.tsx';
import type { DeskRows } from '../../features/bids/read-desk.ts';
import { bidsCsv } from '../../features/bids/rules/bid-csv.ts';
import { type BidFilter, filterBids, firstStage, groupByStage } from '../../features/bids/rules/bid-list.ts';
import { type BidStage, isBidStage, stageLabel } from '../../features/bids/rules/stages.ts';
import { DepositNotes } from '../../features/deposits/DepositNotes.tsx';
import { dayOf } from '../../features/deposits/deposit.ts';
import { moneyOfBid } from '../../features/deposits/ledger.ts';
import { LetterNotes } from '../../features/letters/LetterNotes.tsx';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';
import { closesText, type ListedWork, tenderAsWork, worksText } from '../../features/share/list-text.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { DeviceOnlyNote } from './DeviceOnlyNote.tsx';
import { OptionalSpaceSwitch } from './OptionalSpaceSwitch.tsx';
import { useDocumentStates } from './useDocumentStates.ts';

function exportCsv(bids: readonly DeskBid[]): void {
  const csv = bidsCsv(bids, (id) => moneyOfBid(bids.find(({ bid }) => bid.id === id)?.deposits ?? []));
  saveFile(`nivida-bids-${dayOf(currentTime())}.csv`, new Blob([csv], { type: 'text/csv;charset=utf-8' }));
}

/**
 * A bid as a work of a shared list. When the tender is not on the device, the work has only what the bid
 * stores. It has no link: the tender may be a demonstration, and the message could not say so.
 */
function bidAsWork({ bid, facts }: DeskBid, tenders: DeskRows['tenders'], now: Date): ListedWork {
  const tender = tenders.get(bid.tenderId ?? '');
  if (tender) return tenderAsWork(tender, now);
  return {
    title: facts.title,
    facts: facts.closing ? closesText(facts.closing, now) : '',
    isDemonstration: false,
    path: null,
  };
}

interface BidsProps {
  bids: readonly DeskBid[];
  tenders: DeskRows['tenders'];
  now: Date;
}

function Bids({ bids, tenders, now }: BidsProps) {
  const [search, setSearch] = useSearchParams();
  const filter: BidFilter = { month: search.get('month') ?? '', office: search.get('office') ?? '' };
  const shown = filterBids(bids, filter) as DeskBid[];
  const asked = search.get('stage') ?? '';
  const stage = isBidStage(asked) ? asked : firstStage(groupByStage(shown));
  const change = (values: Partial<Record<'month' | 'office' | 'stage', string>>) =>
    setSearch(
      (present) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === '') present.delete(name);
          else present.set(name, value);
        }
        return present;
      },
      { replace: true, preventScrollReset: true },
    );
  const total = formatCount(bids.length);
  const move = (listed: DeskBid, to: BidStage) => void moveBid(listed.bid, to, listed.deposits);
  return (
    <>
      <p className="xs muted" role="status">
        {shown.length < bids.length
          ? plural(shown.length, { one: `# bid of ${total}.`, other: `# bids of ${total}.` })
          : plural(shown.length, { one: '# bid.', other: '# bids.' })}{' '}
        {portalText()}
      </p>
      <BidBoard
        bids={shown}
        now={now}
        stage={stage}
        onStage={(each) => change({ stage: each })}
        onMove={move}
        renderCopy={(each, listed) => (
          <CopyListButton
            makeText={(origin) => {
              const works = listed.map((one) => bidAsWork(one, tenders, now));
              return worksText(
                { title: t`My bids: ${{ stage: stageLabel(each) }}`, works, total: works.length, path: null },
                origin,
              );
            }}
          />
        )}
      />
      <BidFilters bids={bids} filter={filter} onChange={change} />
    </>
  );
}

/**
 * `/dashboard/applications`: the user's bids by stage. Works offline, signed out, and without the tenders'
 * pack.
 */
export function MyBids() {
  const now = useNow();
  const navigate = useNavigate();
  const { rows, error } = useDesk();
  const documentsOf = useDocumentStates(rows);
  const [isAdding, setIsAdding] = useState(false);
  const bids = rows && deskBids(rows, documentsOf, now);
  return (
    <div className="page">
      <PageMeta {...pageText(PAGES['/dashboard/applications'])} />
      <div className="stack">
        <h1>{t`My Applications`}</h1>
        <OptionalSpaceSwitch />
        <DeviceOnlyNote />
        {error !== undefined && (
          <Note tone="amber" icon="warning">
            {t`${{ problem: storageProblem() }}, so bids cannot be saved.`}
          </Note>
        )}
        {!bids && error === undefined && <Spinner label={t`Loading your bids`} isScreen />}
        <BidReminders now={now} />
        <DepositNotes now={now} />
        <LetterNotes now={now} />
        {bids?.length === 0 && <EmptyBids />}
        {bids && bids.length > 0 && <Bids bids={bids} tenders={rows.tenders} now={now} />}
        {bids && (
          <div className="row">
            <Button onClick={() => setIsAdding(true)}>{t`Add a bid by hand`}</Button>
            <ButtonLink to="/dashboard/rates">{t`Rate book`}</ButtonLink>
            {bids.length > 0 && (
              <Button look="plain" onClick={() => exportCsv(bids)}>
                <Icon name="download" small /> {t`Export as CSV`}
              </Button>
            )}
          </div>
        )}
      </div>
      {isAdding && <OwnBidDialog onClose={() => setIsAdding(false)} onSaved={(id) => void navigate(bidPath(id))} />}
    </div>
  );
}
