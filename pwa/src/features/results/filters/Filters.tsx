import { t } from '@lingui/core/macro';
import type { PlaceFilter, TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { useState } from 'react';
import { useHref } from 'react-router-dom';
import type { LocalListState } from '../../../offline/queries/useLocalList.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { KeywordsField } from '../../search/KeywordsField.tsx';
import { PlaceFields } from '../../search/places/PlaceFields.tsx';
import { useFacets } from '../../search/places/useFacets.ts';
import { withOpenState } from '../../search/search.ts';
import css from '../Results.module.css';
import { LastFilter } from './LastFilter.tsx';
import { RangeFields } from './RangeFields.tsx';

interface FiltersProps {
  search: TenderListQuery;
  onChange: (search: TenderListQuery) => void;
}

interface FilterFormProps extends FiltersProps {
  /** The device's answer to the search. */
  here: LocalListState;
}

/** The filters of a list. Choices and suggestions apply at once; typed and spoken words apply on Enter. */
export function FilterForm({ search, here, onChange }: FilterFormProps) {
  const [words, setWords] = useState(search.q);
  const [asked, setAsked] = useState(search.q);
  const results = useHref('/tenders/results');
  const facets = useFacets(search, here);
  // The address changes when the user goes back.
  if (asked !== search.q) {
    setAsked(search.q);
    setWords(search.q);
  }
  const change = (changedFields: Partial<TenderListQuery>) =>
    onChange({ ...search, q: words.trim(), ...changedFields, page: 1 });
  const changePlace = ({ state, districts, departments }: PlaceFilter) => change({ state, districts, departments });
  return (
    <search>
      <form
        className="stack"
        action={results}
        onSubmit={(event) => {
          event.preventDefault();
          if (search.state || words.trim()) change({});
        }}
      >
        <KeywordsField
          label={t`Keyword`}
          placeholder={t`Work, place or ID`}
          value={words}
          within={search}
          onChange={setWords}
          onChoose={(q) => change({ q })}
        />
        <PlaceFields
          place={search}
          anyState={t`All states`}
          pairClass="stack"
          facets={facets}
          onChange={(place) => {
            if (place.state || words.trim()) changePlace(place);
          }}
        />
        {/* It appears when a state is chosen. The fields that are chosen next must not move. */}
        <LastFilter search={search} />
        <OpenClosedSwitch search={search} onChange={onChange} />
        <RangeFields search={search} onChange={change} />
        <noscript>
          <Button type="submit">{t`Show tenders`}</Button>
        </noscript>
      </form>
    </search>
  );
}

/** From this width on, screens have the filters beside the list. */
export const FILTERS_FROM_WIDTH = '60rem';

/** The filters beside the list on wide screens. */
export function Filters(props: FilterFormProps) {
  return (
    <aside className={css.side} aria-label={t`Filters`} data-from-width={FILTERS_FROM_WIDTH}>
      <FilterForm {...props} />
    </aside>
  );
}

/** The switch between open tenders and closed ones. */
export function OpenClosedSwitch({ search, onChange }: FiltersProps) {
  return (
    <Checkbox
      name="open"
      value="0"
      checked={!search.open}
      onChange={(event) => onChange(withOpenState(search, !event.target.checked))}
    >
      {t`Show closed tenders`}
    </Checkbox>
  );
}
