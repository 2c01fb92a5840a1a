import { useState } from 'react';
import { PlaceSelects, WordsField } from './PlaceFields.tsx';
import css from './Results.module.css';
import { type Place, showOpen, type TenderSearch } from './search.ts';

interface FiltersProps {
  search: TenderSearch;
  onChange: (search: TenderSearch) => void;
}

/** Filters beside the list on wide screens: choices act at once, words on Enter. */
export function Filters({ search, onChange }: FiltersProps) {
  const [words, setWords] = useState(search.q);
  const [asked, setAsked] = useState(search.q);
  // the address may change by itself, on going back
  if (asked !== search.q) {
    setAsked(search.q);
    setWords(search.q);
  }
  const change = (place: Place) => onChange({ ...search, ...place, q: words.trim(), page: 1 });
  return (
    <aside className={css.side} aria-label="Filters">
      <search>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (search.state || words.trim()) change(search);
          }}
        >
          <WordsField label="Keyword" placeholder="Work, place or tender ID" value={words} onChange={setWords} />
          <PlaceSelects
            place={search}
            anyState="All states"
            pairClass="stack"
            onChange={(place) => {
              if (place.state || words.trim()) change(place);
            }}
          />
          <ClosedSwitch search={search} onChange={onChange} />
        </form>
      </search>
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
