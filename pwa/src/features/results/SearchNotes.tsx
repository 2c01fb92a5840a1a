/** Explains how the words of a search were read. Each note links to another reading. */
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type TenderListQuery, tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import { formatTotal } from '@nivida/contract/format';
import { MAX_COUNTED } from '@nivida/contract/limits';
import type { NearestSearch, QueryPlace, TenderListResponse } from '@nivida/contract/tenders/tender';
import { Link } from 'react-router-dom';
import { ButtonLink } from '../../ui/Button.tsx';
import { markReasons } from './cards/marked-text.ts';
import css from './SearchNotes.module.css';

/** 'Mandi district', 'Hamirpur district of Himachal Pradesh or Uttar Pradesh', 'Odisha'. */
function placeText({ state, districts }: QueryPlace): string {
  const names = [...new Set(districts.map(({ district }) => district))];
  const states = [...new Set(districts.map((each) => each.state))];
  if (names.length === 0) return state ?? '';
  const of = states.length > 1 ? ` of ${states.join(' or ')}` : '';
  return `${names.join(' or ')} district${names.length > 1 ? 's' : ''}${of}`;
}

/** True when all districts are in one state. Then a phone's page header already names the place. */
const isInOneState = ({ districts }: QueryPlace) => new Set(districts.map(({ state }) => state)).size <= 1;

/** Maximum number of marks that are explained over the list. */
const MAX_REASONS = 3;

interface SearchNotesProps {
  search: TenderListQuery;
  list: TenderListResponse;
}

/**
 * Notes on the place, the conditions and the correction that were read in the words, and on missing terms in
 * the server's index. Renders nothing without any.
 */
export function SearchNotes({ search, list }: SearchNotesProps) {
  const { place = null, conditions = [], showing_for: showingFor, index_incomplete: isIncomplete = false } = list;
  const literal = (part: 'place' | 'conditions' | 'words') => ({
    search: `?${tenderFilterParams({ ...search, literal: search.literal === null ? part : 'all', page: 1 })}`,
  });
  // A mark shows its reason only to a mouse pointer, so reasons are listed here too.
  const reasons = markReasons(list.tenders, list.words).slice(0, MAX_REASONS);
  return (
    <>
      {place && (
        <p className={css.note}>
          <span className={isInOneState(place) ? css.said : undefined}>
            {search.open ? t`Tenders` : t`Closed tenders`} in <b>{placeText(place)}</b>
            {place.rest !== '' && <> {t`for “${place.rest}”`}</>} ·{' '}
          </span>
          <span className={css.way}>
            <Link to={literal('place')} replace>
              {t`Search the word ${place.text} instead`}
            </Link>
          </span>
        </p>
      )}
      {conditions.length > 0 && (
        <p className={css.note}>
          <span className={css.said}>{t`Read as filters ·`} </span>
          <span className={css.way}>
            <Link to={literal('conditions')} replace>
              {t`Search the words ${conditions.map(({ text }) => text).join(', ')} instead`}
            </Link>
          </span>
        </p>
      )}
      {showingFor !== null && (
        <p className={css.note}>
          <span className={css.said}>
            <Trans>
              Showing results for <b>“{showingFor}”</b> ·
            </Trans>{' '}
          </span>
          <span className={css.way}>
            <Link to={literal('words')} replace>
              {t`Search “${search.q}” instead`}
            </Link>
          </span>
        </p>
      )}
      {reasons.length > 0 && <p className={css.reasons}>{t`Also found for your words · ${reasons.join(' · ')}`}</p>}
      {isIncomplete && (
        <p className={css.note}>
          <Trans>
            The server is renewing its search index. Until it is done, tenders with these words may be missing.
          </Trans>
        </p>
      )}
    </>
  );
}

/** '3 tenders match all your words'. It is the heading over these tenders when others match most words. */
export function fullMatchesText({ total_full: full, index_incomplete }: TenderListResponse): string {
  if (full === 0)
    return index_incomplete ? 'No tender found so far matches all your words' : 'No tender matches all your words';
  const count = index_incomplete ? `At least ${full}` : `${full}`;
  return full === 1 ? `${count} tender matches all your words` : `${count} tenders match all your words`;
}

/** 'No open tender in Kangra district for “bank”'. */
export function emptyText(search: TenderListQuery, list: TenderListResponse): string {
  const { place, showing_for, index_incomplete: isIncomplete } = list;
  const words = place ? place.rest : (showing_for ?? search.q);
  const where = place ? placeText(place) : '';
  return `No ${search.open ? 'open' : 'closed'} tender${isIncomplete ? ' found so far' : ''}${where && ` in ${where}`}${words && ` for “${words}”`}`;
}

/** '4 elsewhere in Himachal Pradesh', '12 closed tenders', '3 for “school building”'. */
function nearestText({ kind, name, total }: NearestSearch): string {
  const count = formatTotal(total > MAX_COUNTED ? { total: MAX_COUNTED, has_more: true } : { total });
  switch (kind) {
    case 'state':
      return `${count} elsewhere in ${name}`;
    case 'anywhere':
      return `${count} in other places`;
    case 'filters':
      return `${count} without these filters`;
    case 'closed':
      return total === 1 ? '1 closed tender' : `${count} closed tenders`;
    case 'words':
      return `${count} for “${name}”`;
  }
}

/** Similar searches for a search that found nothing, each with its number of tenders. */
export function NearestLinks({ nearest }: { nearest: readonly NearestSearch[] }) {
  return nearest.map((search) => (
    <ButtonLink key={search.kind} to={`/tenders/results?${search.query}`}>
      {nearestText(search)}
    </ButtonLink>
  ));
}
