import type { Place, TenderSearch } from '@nivida/contract/list-address';
import { useState } from 'react';
import { NarrowFields } from './NarrowFields.tsx';
import { PlaceSelects, WordsField } from './PlaceFields.tsx';
import type { LocalShown } from './packs/useLocalList.ts';
import css from './Results.module.css';
import { showOpen } from './search.ts';
import { useFacets } from './useFacets.ts';

interface FiltersProps {
  search: TenderSearch;
  onChange: (search: TenderSearch) => void;
}

interface FilterFormProps extends FiltersProps {
  /** What the device answers to the search. */
  here: LocalShown;
}

/** The filters of a list: choices act at once, words on Enter. */
export function FilterForm({ search, here, onChange }: FilterFormProps) {
  const [words, setWords] = useState(search.q);
  const [asked, setAsked] = useState(search.q);
  const facets = useFacets(search, here);
  // the address may change by itself, on going back
  if (asked !== search.q) {
    setAsked(search.q);
    setWords(search.q);
  }
  const change = (part: Partial<TenderSearch>) => onChange({ ...search, q: words.trim(), ...part, page: 1 });
  const changePlace = ({ state, district, department }: Place) => change({ state, district, department });
  return (
    <search>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (search.state || words.trim()) change({});
        }}
      >
        <WordsField
          label="Keyword"
          placeholder="Work, place or tender ID"
          value={words}
          within={search}
          onChange={setWords}
        />
        <PlaceSelects
          place={search}
          anyState="All states"
          pairClass="stack"
          facets={facets}
          onChange={(place) => {
            if (place.state || words.trim()) changePlace(place);
          }}
        />
        <NarrowFields search={search} onChange={change} />
        <ClosedSwitch search={search} onChange={onChange} />
      </form>
    </search>
  );
}

/** The filters beside the list on wide screens. */
export function Filters(props: FilterFormProps) {
  return (
    <aside className={css.side} aria-label="Filters">
      <FilterForm {...props} />
    </aside>
  );
}

/** The switch between open tenders and closed ones. */
export function ClosedSwitch({ search, onChange }: FiltersProps) {
  return (
    <label className={css.check}>
      <input
        type="checkbox"
        checked={!search.open}
        onChange={(event) => onChange(showOpen(search, !event.target.checked))}
      />
      Show closed tenders
    </label>
  );
}
