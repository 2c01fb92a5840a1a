import { type Place, readSearch, writePlace } from '@nivida/contract/list-address';
import { STATES } from '@nivida/contract/states';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { listedPlace } from '../../data/regions.ts';
import { useStateCounts } from '../../data/states.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { PlaceSelects, WordsField } from './PlaceFields.tsx';
import { useLocalList } from './packs/useLocalList.ts';
import css from './SearchForm.module.css';
import { useFacets } from './useFacets.ts';

/** Without its state when that is none: the form then asks for one. */
function toListed(place: Place): Place {
  const isListed = STATES.some(({ name }) => name === place.state);
  return isListed ? place : { ...place, state: '', district: '', department: '' };
}

/** The search form; `initial` fills it. It goes to the results, by a state or by words alone. */
export function SearchForm({ initial }: { initial: Place }) {
  const [place, setPlace] = useState(initial);
  const [error, setError] = useState<string>();
  const state = useRef<HTMLSelectElement>(null);
  const navigate = useNavigate();
  const counts = useStateCounts().answer?.states;

  // Words are left out: the counts would change with each letter.
  const search = readSearch(writePlace({ ...place, q: '' }));
  const facets = useFacets(search, useLocalList(place.state ? search : null, useNow()));

  // an address may name its place by a slug or an alias; what has been changed meanwhile stays
  useEffect(() => {
    if (!initial.state) return;
    listedPlace(initial).then(
      (listed) => setPlace((current) => (current === initial ? toListed(listed) : current)),
      () => undefined, // without the lists the names stay as they came
    );
  }, [initial]);

  const isWholeState = place.state && !place.district && !place.department && !place.q.trim();
  const open = isWholeState ? counts?.find((count) => count.state === place.state)?.open : undefined;

  function change(changed: Place) {
    setPlace(changed);
    setError(undefined);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = { ...place, q: place.q.trim() };
    if (!wanted.state && !wanted.q) {
      setError('State is required');
      state.current?.focus();
      return;
    }
    void navigate(`/tenders/results?${writePlace(wanted)}`);
  }

  return (
    <Sheet>
      <search>
        <form className="stack" action="/tenders/results" noValidate onSubmit={submit}>
          <WordsField
            label="Work, place or tender ID"
            hint="(optional)"
            placeholder="bailey bridge, retaining wall"
            value={place.q}
            within={place}
            onChange={(q) => change({ ...place, q })}
          />
          <PlaceSelects
            place={place}
            onChange={change}
            anyState={place.q.trim() ? 'All states' : 'Choose a state'}
            hint="(optional)"
            error={error}
            stateRef={state}
            pairClass={css.pair}
            facets={facets}
          />
          <Button type="submit" look="main">
            <Icon name="search" /> {open ? `Show ${open} ${open === 1 ? 'tender' : 'tenders'}` : 'Show tenders'}
          </Button>
        </form>
      </search>
    </Sheet>
  );
}
