import { t } from '@lingui/core/macro';
import { resultsTitle } from '@nivida/contract/filter/filter-texts';
import { PAGE_SIZE, type TenderListQuery, tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import { placeName } from '@nivida/contract/regions/states';
import { CLOSED_RETENTION_DAYS } from '@nivida/contract/sync/sync';
import type { ListedTender, TenderListResponse, TenderSummary } from '@nivida/contract/tenders/tender';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { useShallow } from 'zustand/react/shallow';
import { errorMessage } from '../../data/server/api.ts';
import { useSession } from '../../data/session.ts';
import { scopeName, scopeOfState, searchableScopes, stateOfScope, usePacks } from '../../offline/packs/pack-status.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useMinWidth } from '../../ui/browser-state.ts';
import { WhenNear } from '../../ui/display/WhenNear.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { optionalPart } from '../../ui/lazy/lazy.tsx';
import { NoNetwork, useHasNoNetwork } from '../on-this-phone/NoNetwork.tsx';
import { OfflineListNote } from '../on-this-phone/OfflineListNote.tsx';
import { PackOffer } from '../on-this-phone/PackOffer.tsx';
import { PackProgressLine } from '../on-this-phone/PackProgressLine.tsx';
import { CardList, CardListSkeleton } from './cards/CardList.tsx';
import { FilterDialog } from './filters/FilterButton.tsx';
import { FilterChips } from './filters/FilterChips.tsx';
import { FILTERS_FROM_WIDTH, Filters } from './filters/Filters.tsx';
import { LastFilterOfList } from './filters/LastFilter.tsx';
import { NoTenders } from './NoTenders.tsx';
import { NoticeWorks, useOpenWorks } from './notices/NoticeWorks.tsx';
import { Pagination } from './pagination/Pagination.tsx';
import { pageCount } from './pagination/pagination.ts';
import css from './Results.module.css';
import { ResultsBar } from './ResultsBar.tsx';
import { fullMatchesText, SearchNotes } from './SearchNotes.tsx';
import { PREVIEW_FROM_WIDTH, TenderPreview } from './TenderPreview.tsx';
import type { ResultsState } from './useResults.ts';

const InDocuments = optionalPart(async () => (await import('./in-documents/InDocuments.tsx')).InDocuments);

/** Notes on a list of closed tenders that comes from the device and is incomplete. */
const closedListNotes = () => ({
  loading: t`Closed in the last ${CLOSED_RETENTION_DAYS} days. Loading older ones…`,
  unreachable: t`Only the last ${CLOSED_RETENTION_DAYS} days are on this phone. Older ones need a connection.`,
});

/** The note on a list for all states when only the device's states were searched. */
function SavedStatesNote() {
  const names = usePacks(useShallow(searchableScopes)).map(scopeName).join(', ');
  return <p className={css.sentence}>{t`Only the states on this phone were searched. Saved here: ${names}.`}</p>;
}

interface ResultsProps {
  results: ResultsState;
  now: Date;
  /** Renders the bookmark button of a card. */
  renderBookmark: (tender: TenderSummary) => ReactNode;
  /** The button that saves the search. */
  save: ReactNode;
  /** The button that copies the list as a message. */
  renderCopy: (list: TenderListResponse) => ReactNode;
  /** The user's own marks of cards. Undefined while the device is read. */
  marks?: CardMarks | undefined;
}

/** What the device knows about the user and a tender. */
export interface CardMarks {
  /** A few words for the card, or null. */
  markOf: (tender: TenderSummary) => ReactNode;
  isHidden: (tender: TenderSummary) => boolean;
  /** Renders a line over the cards that says which are hidden, with the switch that shows them. */
  renderLine: (tenders: readonly TenderSummary[]) => ReactNode;
}

/**
 * True when the entry stands for one tender. The user's limit never hides an entry of several works, because
 * their values differ.
 */
const isAlone = ({ works }: ListedTender) => !works?.length;

/** The results: filters, list and preview. The list is loading, an error, empty or cards. */
export function Results({ results, now, renderBookmark, save, renderCopy, marks }: ResultsProps) {
  const { search, answer: list, receivedAt, error, isLoading, reload, change } = results;
  const hasFilters = useMinWidth(FILTERS_FROM_WIDTH);
  const hasPreview = useMinWidth(PREVIEW_FROM_WIDTH);
  const heading = useRef<HTMLHeadingElement>(null);
  // The open works add to the page's height, so that the page can be scrolled to its earlier place before the
  // list has loaded.
  const openWorks = useOpenWorks();
  const [pointedAt, setPointedAt] = useState<TenderSummary>();
  // A work of an open notice is not an entry of the list.
  const isOfList = list?.tenders.some(({ _id, works = [] }) => [_id, ...works].includes(pointedAt?._id ?? ''));
  const preview =
    (list?.tenders.find(({ _id }) => _id === pointedAt?._id) ?? (isOfList && pointedAt)) || list?.tenders[0];
  const hasNoNetwork =
    useHasNoNetwork(isLoading && !results.isSearching ? tenderFilterParams(search).toString() : null, error) && !list;
  const isOfSavedStates =
    search.state === '' &&
    (results.isIdLookup ? results.missingPart === 'unreachable' && search.open : results.missingPart !== undefined);
  const pages = pageCount(list?.notices ?? list?.total ?? 0, PAGE_SIZE);

  // An old address may have a page after the last one, because tenders have closed since.
  if (list && list.total > 0 && list.tenders.length === 0 && search.page > pages) {
    return <Navigate to={{ search: `?${tenderFilterParams({ ...search, page: pages })}` }} replace />;
  }
  return (
    <div className={css.columns} data-preview={isLoading || preview !== undefined || undefined}>
      {hasFilters && <Filters search={search} here={results} onChange={change} />}
      <div className={css.list}>
        <h1 ref={heading} className="sr" tabIndex={-1}>
          {resultsTitle(search)}
        </h1>
        <FilterChips search={search} conditions={list?.conditions} now={now} onEmpty={() => heading.current?.focus()} />
        <LastFilterOfList key={search.state} search={search} />
        {(list || isLoading) && (
          <ResultsBar
            search={search}
            list={list}
            hasNoNetwork={hasNoNetwork}
            savedAt={error === undefined ? null : receivedAt}
            now={now}
            onChange={change}
            save={save}
          >
            {results.local && <OfflineListNote local={results.local} hasWords={search.q !== ''} now={now} />}
            <PackProgressLine scope={scopeOfState(search.state)} now={now} isHidden={results.local !== undefined} />
          </ResultsBar>
        )}
        {isLoading && !hasNoNetwork && <CardListSkeleton count={PAGE_SIZE + openWorks} />}
        {!list && hasNoNetwork && (
          <NoNetwork
            missing={placeName(search.state) || t`This search`}
            search={search}
            error={error}
            onRetry={reload}
          />
        )}
        {!list && !hasNoNetwork && error !== undefined && (
          <ResultsError error={error} search={search} reload={reload} />
        )}
        {results.local && results.missingPart && !search.open && (
          <p className={css.sentence}>{closedListNotes()[results.missingPart]}</p>
        )}
        {results.local && isOfSavedStates && <SavedStatesNote />}
        {list && <SearchNotes search={search} list={list} />}
        {list?.total === 0 && <NoTenders search={search} list={list} isPartial={results.missingPart !== undefined} />}
        {list && list.total > 0 && (
          <>
            {marks?.renderLine(list.tenders.filter(isAlone))}
            <Suspense>
              <MatchedLists
                list={
                  marks
                    ? { ...list, tenders: list.tenders.filter((tender) => !isAlone(tender) || !marks.isHidden(tender)) }
                    : list
                }
                renderCards={(tenders, heading) => {
                  const shared = {
                    ...{ now, renderBookmark, words: list.words },
                    ...{ previewId: preview?._id, onPreview: setPointedAt, renderMark: marks?.markOf },
                  };
                  return (
                    <CardList
                      {...shared}
                      tenders={tenders}
                      {...(heading && { heading })}
                      renderBelow={(tender: ListedTender) =>
                        !isAlone(tender) && (
                          <NoticeWorks
                            first={tender}
                            scope={results.local?.scope}
                            renderCards={(works) => <CardList {...shared} tenders={works} heading="h3" isNested />}
                          />
                        )
                      }
                    />
                  );
                }}
              />
            </Suspense>
            <Suspense>
              {pages > 1 && <Pagination search={search} count={pages} />}
              <div className="under-list">{renderCopy(list)}</div>
            </Suspense>
            {list.demonstration && <Note tone="amber">{t`Demonstration data: sample tenders, not real dates.`}</Note>}
          </>
        )}
        {list && search.q !== '' && search.page === 1 && !results.isIdLookup && (
          <WhenNear>
            <InDocuments
              search={{ ...search, q: list.showing_for ?? search.q }}
              now={now}
              renderBookmark={renderBookmark}
            />
          </WhenNear>
        )}
        <PackOffer state={search.state} isListShown={list !== undefined} />
      </div>
      {hasPreview && preview && <TenderPreview tender={preview} now={now} />}
      <FilterDialog results={results} />
    </div>
  );
}

interface MatchedListsProps {
  list: TenderListResponse;
  renderCards: (tenders: readonly ListedTender[], heading?: 'h3') => ReactNode;
}

/**
 * The cards under two headings: tenders that match all words of the search, then tenders that match most of
 * them.
 */
export function MatchedLists({ list, renderCards }: MatchedListsProps) {
  const { tenders, total, total_full: full } = list;
  if (full === total) return renderCards(tenders);
  const [all, most] = [true, false].map((isFull) => tenders.filter(({ matches }) => (matches !== 'most') === isFull));
  return (
    <>
      {full === 0 && <p className={css.none}>{fullMatchesText(list)}</p>}
      {all && all.length > 0 && (
        <>
          <h2 className={css.matches}>{fullMatchesText(list)}</h2>
          {renderCards(all, 'h3')}
        </>
      )}
      {most && most.length > 0 && (
        <>
          <h2 className={css.matches}>{t`Match most of your words`}</h2>
          {renderCards(most, 'h3')}
        </>
      )}
    </>
  );
}

interface ResultsErrorProps {
  error: unknown;
  search: TenderListQuery;
  reload: () => void;
}

/**
 * The error instead of a list. It links to the bookmarks, which are on the device. A search of all states can
 * be repeated in a state on the device.
 */
function ResultsError({ error, search, reload }: ResultsErrorProps) {
  const scopes = usePacks(useShallow(searchableScopes));
  const bookmarks = useSession() ? '/bookmarks' : '/tenders#saved';
  // A search with words has its own error text (SPEC section 8).
  const failed = search.q ? t`Failed to search tenders` : t`Failed to fetch tenders. Please try again later.`;
  const [stateOnDevice] = search.state === '' ? scopes.flatMap((scope) => stateOfScope(scope) ?? []) : [];
  return (
    <EmptyState
      title={t`Error Loading Tenders`}
      alert
      actions={
        <>
          <Button look="main" onClick={reload}>
            {t`Try Again`}
          </Button>
          {stateOnDevice && (
            <ButtonLink to={{ search: `?${tenderFilterParams({ ...search, state: stateOnDevice, page: 1 })}` }}>
              {t`Search in ${{ scopeOnDevice: placeName(stateOnDevice) }}, on this phone`}
            </ButtonLink>
          )}
          <ButtonLink to={bookmarks}>{t`Bookmarked tenders`}</ButtonLink>
        </>
      }
    >
      {errorMessage(error, failed, t`No tenders data received from server`)}
    </EmptyState>
  );
}
