/** Explains how the words of a search were read. Each note links to another reading. */
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type TenderListQuery, tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import { formatTotal } from '@nivida/contract/format';
import { MAX_COUNTED } from '@nivida/contract/limits';
import { placeName } from '@nivida/contract/regions/states';
import type { NearestSearch, QueryPlace, TenderListResponse } from '@nivida/contract/tenders/tender';
import { Link } from 'react-router-dom';
import { ButtonLink } from '../../ui/Button.tsx';
import { eitherText } from '../search/search.ts';
import { markReasons } from './cards/marked-text.ts';
import css from './SearchNotes.module.css';

/** 'Mandi district', 'Hamirpur district of Himachal Pradesh or Uttar Pradesh', 'Odisha'. */
function placeText(place: QueryPlace): string {
  const { state, districts } = place;
  if (districts.length === 0) return placeName(state ?? '');
  const count = new Set(districts.map(({ district }) => district)).size;
  const names = eitherText(districts.map(({ district }) => placeName(district)));
  if (isInOneState(place)) return plural(count, { one: `${names} district`, other: `${names} districts` });
  const states = eitherText(districts.map((each) => placeName(each.state)));
  return plural(count, { one: `${names} district of ${states}`, other: `${names} districts of ${states}` });
}

/** 'Tenders in Mandi district for “road”'. */
function ReadPlace({ place, isOpen }: { place: QueryPlace; isOpen: boolean }) {
  const where = placeText(place);
  const { rest } = place;
  if (rest === '')
    return isOpen ? (
      <Trans>
        Tenders in <b>{where}</b>
      </Trans>
    ) : (
      <Trans>
        Closed tenders in <b>{where}</b>
      </Trans>
    );
  return isOpen ? (
    <Trans>
      Tenders in <b>{where}</b> for “{rest}”
    </Trans>
  ) : (
    <Trans>
      Closed tenders in <b>{where}</b> for “{rest}”
    </Trans>
  );
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
            <ReadPlace place={place} isOpen={search.open} /> ·{' '}
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
    return index_incomplete ? t`No tender found so far matches all your words` : t`No tender matches all your words`;
  return index_incomplete
    ? plural(full, {
        one: `At least ${full} tender matches all your words`,
        other: `At least ${full} tenders match all your words`,
      })
    : plural(full, { one: `${full} tender matches all your words`, other: `${full} tenders match all your words` });
}

/** 'No open tender', 'No closed tender found so far'. */
function noTenderText(isOpen: boolean, isIncomplete: boolean): string {
  if (isIncomplete) return isOpen ? t`No open tender found so far` : t`No closed tender found so far`;
  return isOpen ? t`No open tender` : t`No closed tender`;
}

/** 'No open tender in Kangra district for “bank”'. */
export function emptyText(search: TenderListQuery, list: TenderListResponse): string {
  const { place, showing_for, index_incomplete: isIncomplete = false } = list;
  const words = place ? place.rest : (showing_for ?? search.q);
  const where = place ? placeText(place) : '';
  const none = noTenderText(search.open, isIncomplete);
  if (where && words) return t`${none} in ${where} for “${words}”`;
  if (where) return t`${none} in ${where}`;
  return words ? t`${none} for “${words}”` : none;
}

/** '4 elsewhere in Himachal Pradesh', '12 closed tenders', '3 for “school building”'. */
function nearestText({ kind, name, total }: NearestSearch): string {
  const count = formatTotal(total > MAX_COUNTED ? { total: MAX_COUNTED, has_more: true } : { total });
  switch (kind) {
    case 'state':
      return t`${count} elsewhere in ${{ name: placeName(name) }}`;
    case 'anywhere':
      return t`${count} in other places`;
    case 'filters':
      return t`${count} without these filters`;
    case 'closed':
      return plural(total, { one: `${count} closed tender`, other: `${count} closed tenders` });
    case 'words':
      return t`${count} for “${name}”`;
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
