import { plural, t } from '@lingui/core/macro';
import { namesText } from '@nivida/contract/filter/filter-texts';
import { placeFilterParams, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { formatTotal } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import type { QueryPlace } from '@nivida/contract/tenders/tender';
import { hasSeveralIds } from '@nivida/contract/tenders/tender-numbers';
import { Link } from 'react-router-dom';
import { Icon } from '../../ui/display/Icon.tsx';
import { eitherText } from '../search/search.ts';
import css from '../tender/PageHeader.module.css';
import { FilterButton } from './filters/FilterButton.tsx';
import { noticesText } from './pagination/pagination.ts';
import { type FoundList, useShownSearch } from './useResults.ts';

/**
 * A state whose name is at least this long has smaller letters and '&', so that two lines hold the longest
 * name.
 */
const LONG_STATE = 32;

/** 'Shimla', 'Odisha'. */
function readPlaceText({ state, districts }: QueryPlace): string {
  return eitherText(districts.map(({ district }) => placeName(district))) || placeName(state ?? '');
}

function whereText({ state, districts, departments, q }: TenderListQuery, found: FoundList | undefined): string {
  const chosen = [namesText(districts, 'districts'), q === '' ? '' : placeName(state)].filter(Boolean).join(', ');
  const read = found?.place ? readPlaceText(found.place) : '';
  const where = [read || chosen, namesText(departments, 'departments')].filter(Boolean).join(' · ');
  // Only the answer says whether the words name a place.
  return where || (found && q !== '' ? t`All states` : '');
}

/** The number, and the words after it. A narrow line omits words that the line above the cards has. */
function countTexts(found: FoundList, isBesidePlace: boolean): [number: string, words: string] {
  const notices = noticesText(found);
  const { total } = found;
  const count = formatTotal(found);
  if (isBesidePlace) return [count, ` ${notices || plural(total, { one: 'tender', other: 'tenders' })}`];
  return [plural(total, { one: `${count} tender`, other: `${count} tenders` }), notices && ` ${notices}`];
}

/**
 * The page header of a list on a phone: what is searched, and in one line the place and the number of
 * tenders. It has a link to the filled form and the filter button.
 */
export function ResultsPageHeader() {
  const shown = useShownSearch();
  const { search } = shown;
  const { q, state } = search;
  if (state === '' && q === '') return null;
  // Tenders that are named by their ids are no list of a search.
  const isNamed = hasSeveralIds(q);
  const found = isNamed ? undefined : shown.found;
  const where = whereText(search, found);
  const what = q === '' ? placeName(state) : found?.place?.rest || (found?.showing_for ?? q);
  const [number, words] = found ? countTexts(found, where !== '') : [];
  const isLong = q === '' && what.length >= LONG_STATE;
  return (
    <div className={css.lead}>
      <Link className={css.lead} to={`/tenders?${placeFilterParams(search)}`}>
        <Icon name="back" />
        <span className={css.words}>
          <span className="sr">{t`Change the search:`} </span>
          <b data-long={isLong || undefined} data-line={q !== '' || undefined}>
            {isLong ? what.replaceAll(' and ', ' & ') : what}
          </b>
          <span className={`xs muted ${css.below}`}>
            <span className={css.place}>
              {where && <span>{where}</span>}
              {number && (
                <span className={css.total}>
                  {where && '\u00a0· '}
                  {number}
                </span>
              )}
            </span>
            {words && <span className={css.unit}>{words}</span>}
          </span>
        </span>
      </Link>
      {!isNamed && <FilterButton search={search} />}
    </div>
  );
}
