import { plural, t } from '@lingui/core/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { isOpenForBids } from '@nivida/contract/tenders/status';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { storageProblem } from '../../data/device/database.ts';
import { useSession } from '../../data/session.ts';
import { ListForm } from '../../features/added-list/ListForm.tsx';
import { ListLines, MissingLines } from '../../features/added-list/ListLines.tsx';
import { removeList, saveList } from '../../features/added-list/list-actions.ts';
import { type AddedListState, useAddedList } from '../../features/added-list/useAddedList.ts';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { ClosingBadge } from '../../features/results/cards/ClosingBadge.tsx';
import { findTenderOnDevice } from '../../offline/packs/local-engines.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Badge } from '../../ui/display/Badge.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import css from './AddTenders.module.css';

/** Adds the list that another page passed in the history's state, once. Returns why it was not added. */
function useReceivedList(): string | undefined {
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const received: unknown = state?.list;
  useEffect(() => {
    if (typeof received !== 'string') return;
    void saveList(received).then((reason) => {
      setProblem(reason);
      void navigate(pathname, { replace: true, state: null });
    });
  }, [received, pathname, navigate]);
  return problem;
}

/** `/add-tenders`: the tenders of a pasted or shared list, which become bookmarks. Works signed out and offline. */
export function AddTenders() {
  const problem = useReceivedList();
  const list = useAddedList();
  return (
    <div className="page">
      <PageMeta {...pageText(PAGES['/add-tenders'])} />
      <div className="column stack">
        <h1>{t`Add a list of tenders`}</h1>
        {problem !== undefined && (
          <Note tone="red" icon="warning" alert>
            {problem}
          </Note>
        )}
        {list.error !== undefined && (
          <Note tone="red" icon="warning" alert>
            {t`${{ problem: storageProblem() }}, so a list cannot be saved.`}
          </Note>
        )}
        {list.found === undefined && list.error === undefined && <Spinner label={t`Loading your list`} isScreen />}
        {list.found === null && (
          <Panel stack>
            <ListForm onSaved={() => undefined} />
          </Panel>
        )}
        {list.found && <FoundList {...list} found={list.found} />}
      </div>
    </div>
  );
}

/** '3 tenders found. 1 line not found.' */
function summaryText({ tenders, missing, unread }: NonNullable<AddedListState['found']>, isWaiting: boolean): string {
  const parts = [plural(tenders.length, { one: '# tender found.', other: '# tenders found.' })];
  if (missing.length > 0)
    parts.push(
      isWaiting
        ? plural(missing.length, { one: '# line waits for a connection.', other: '# lines wait for a connection.' })
        : plural(missing.length, { one: '# line not found.', other: '# lines not found.' }),
    );
  if (unread.length > 0)
    parts.push(
      plural(unread.length, { one: '# line without a tender number.', other: '# lines without a tender number.' }),
    );
  return parts.join(' ');
}

function FoundList({
  found,
  isWaiting,
  isSearching,
}: AddedListState & { found: NonNullable<AddedListState['found']> }) {
  const now = useNow();
  const isSignedIn = useSession() !== null;
  const bookmarked = useBookmarkStore(({ ids }) => ids);
  /** Ticks that the user has changed. Open tenders are ticked at first. */
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [isBusy, setIsBusy] = useState(false);
  const isTicked = (tender: TenderSummary) => changed.get(tender._id) ?? isOpenForBids(tender, now);
  const rest = found.tenders.filter(({ _id }) => !bookmarked.has(_id));
  const chosen = rest.filter(isTicked);
  const isAnyBookmarked = rest.length < found.tenders.length;

  async function bookmark() {
    setIsBusy(true);
    const { bookmarkAll } = await import('../../features/bookmarks/bookmark-sync.ts');
    await bookmarkAll(chosen, findTenderOnDevice);
    setIsBusy(false);
  }

  return (
    <>
      <p role="status">
        {isSearching && found.tenders.length === 0 ? t`Looking for the tenders` : summaryText(found, isWaiting)}
      </p>
      {found.tenders.length > 0 && (
        <ul className={css.found}>
          {found.tenders.map((tender) => (
            <FoundTender
              key={tender._id}
              tender={tender}
              now={now}
              isBookmarked={bookmarked.has(tender._id)}
              isTicked={isTicked(tender)}
              onTick={(isOn) => setChanged((before) => new Map(before).set(tender._id, isOn))}
            />
          ))}
        </ul>
      )}
      {(chosen.length > 0 || (rest.length > 0 && !isAnyBookmarked)) && (
        <div className="row">
          <Button look="main" busy={isBusy} disabled={chosen.length === 0} onClick={() => void bookmark()}>
            {plural(chosen.length, { one: 'Bookmark # tender', other: 'Bookmark # tenders' })}
          </Button>
        </div>
      )}
      {chosen.length === 0 && isAnyBookmarked && (
        <div className="row">
          <ButtonLink look="main" to={isSignedIn ? '/bookmarks' : '/tenders#saved'}>
            {t`Show the bookmarks`}
          </ButtonLink>
        </div>
      )}
      {!isSearching && <MissingLines lines={found.missing} isWaiting={isWaiting} />}
      <ListLines
        title={t`Without a tender number`}
        lines={found.unread}
        text={t`No tender id, NIT number or link was recognised in these lines.`}
      />
      <div className="row">
        <Button look="plain" onClick={() => void removeList()}>
          {t`Remove the list`}
        </Button>
      </div>
    </>
  );
}

interface FoundTenderProps {
  tender: TenderSummary;
  now: Date;
  isBookmarked: boolean;
  isTicked: boolean;
  onTick: (isOn: boolean) => void;
}

function FoundTender({ tender, now, isBookmarked, isTicked, onTick }: FoundTenderProps) {
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={isBookmarked || isTicked}
          disabled={isBookmarked}
          onChange={({ target }) => onTick(target.checked)}
        />
        <span className={css.text}>
          <strong lang={langOf(tender.title)}>{tender.title}</strong>
          <span className={css.id}>{tender.source_tender_id}</span>
          <span className={css.facts}>
            {isBookmarked && <Badge tone="green">{t`Bookmarked`}</Badge>}
            <ClosingBadge tender={tender} now={now} />
          </span>
        </span>
      </label>
    </li>
  );
}
