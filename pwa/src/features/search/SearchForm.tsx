import { plural, t } from '@lingui/core/macro';
import { type PlaceFilter, parseListQuery, placeFilterParams } from '@nivida/contract/filter/tender-filter';
import { STATES } from '@nivida/contract/regions/states';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useHref, useNavigate } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { canonicalPlace } from '../../data/regions.ts';
import { useStateCounts } from '../../data/server/state-counts.ts';
import { useLocalList } from '../../offline/queries/useLocalList.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { KeywordsField } from './KeywordsField.tsx';
import { PlaceFields } from './places/PlaceFields.tsx';
import { useFacets } from './places/useFacets.ts';
import { useLastState } from './recent-searches.ts';
import css from './SearchForm.module.css';
import { searchExamples } from './search.ts';

/** Clears an unknown state, so that the form asks for one. */
function withKnownState(place: PlaceFilter): PlaceFilter {
  const isListed = STATES.some(({ name }) => name === place.state);
  return isListed ? place : { ...place, state: '', districts: [], departments: [] };
}

/** The search form, filled with `initial`. It opens the results of a state, or of words alone. */
export function SearchForm({ initial }: { initial: PlaceFilter }) {
  const [place, setPlace] = useState(initial);
  const [error, setError] = useState<string>();
  const state = useRef<HTMLSelectElement>(null);
  const navigate = useNavigate();
  const counts = useStateCounts().answer?.states;

  // Words are ignored, because otherwise the counts would change with each letter.
  const search = parseListQuery(placeFilterParams({ ...place, q: '' }));
  const results = useHref('/tenders/results');
  const facets = useFacets(search, useLocalList(place.state ? search : null, useNow()));

  // The address may have slugs or aliases, which are replaced by listed names. Fields that the user has
  // changed in the meantime stay.
  useEffect(() => {
    if (!initial.state) return;
    canonicalPlace(initial).then(
      (listed) => setPlace((current) => (current === initial ? withKnownState(listed) : current)),
      () => undefined, // without the lists the names stay
    );
  }, [initial]);

  // An empty form starts with the state of the last search.
  const lastState = useLastState();
  useEffect(() => {
    if (initial.state || initial.q || !lastState) return;
    setPlace((current) => (current === initial ? withKnownState({ ...initial, state: lastState }) : current));
  }, [initial, lastState]);

  const hasPlaces = place.districts.length > 0 || place.departments.length > 0;
  const isWholeState = place.state && !hasPlaces && !place.q.trim();
  const open = isWholeState ? counts?.find((count) => count.state === place.state)?.open : undefined;

  function change(changed: PlaceFilter) {
    setPlace(changed);
    setError(undefined);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const target = { ...place, q: place.q.trim() };
    if (!target.state && !target.q) {
      setError(t`State is required`);
      state.current?.focus();
      return;
    }
    void navigate(`/tenders/results?${placeFilterParams(target)}`);
  }

  return (
    <Panel>
      <search>
        <form className="stack" action={results} noValidate onSubmit={submit}>
          <KeywordsField
            label={t`Work, place or tender ID`}
            hint={t`(optional)`}
            placeholder={searchExamples().join(', ')}
            value={place.q}
            within={place}
            onChange={(q) => change({ ...place, q, literal: null })}
          />
          <PlaceFields
            place={place}
            onChange={change}
            anyState={place.q.trim() ? t`All states` : t`Choose a state`}
            hint={t`(optional)`}
            error={error}
            stateRef={state}
            pairClass={css.pair}
            facets={facets}
          />
          <Button type="submit" look="main">
            <Icon name="search" />{' '}
            {open ? plural(open, { one: `Show ${open} tender`, other: `Show ${open} tenders` }) : t`Show tenders`}
          </Button>
        </form>
      </search>
    </Panel>
  );
}
