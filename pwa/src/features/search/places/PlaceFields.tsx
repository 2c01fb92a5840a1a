import { t } from '@lingui/core/macro';
import type { PlaceFilter } from '@nivida/contract/filter/tender-filter';
import { STATE_NAMES, stateOptions } from '@nivida/contract/regions/states';
import type { Ref } from 'react';
import { useRegion } from '../../../data/regions.ts';
import { ChoiceField } from '../../../ui/form/Field.tsx';
import { PlaceChoices } from './PlaceChoices.tsx';
import { placeChoices } from './place-choices.ts';
import type { Facets } from './useFacets.ts';

interface PlaceFieldsProps {
  place: PlaceFilter;
  onChange: (place: PlaceFilter) => void;
  /** The label of the empty choice of the state. */
  anyState: string;
  hint?: string;
  error?: string | undefined;
  stateRef?: Ref<HTMLSelectElement>;
  /** Class of the element around district and department. */
  pairClass?: string | undefined;
  /** Number of tenders of each district and department. */
  facets: Facets;
}

/**
 * State, districts and departments. Districts and departments are disabled without a state, and reset when
 * the state changes.
 */
export function PlaceFields(props: PlaceFieldsProps) {
  const { place, onChange, anyState, hint, error, stateRef, pairClass } = props;
  const { counts, isLoading } = props.facets;
  const region = useRegion(place.state);
  // The address may have an unknown state, which has no districts to load.
  const isListed = STATE_NAMES.includes(place.state);
  const empty = (all: string) => (!isListed ? t`Choose a state first` : region ? all : t`Loading…`);
  const namesOf = (listed: readonly { name: string }[] = []) => listed.map(({ name }) => name);
  return (
    <>
      <ChoiceField
        label={t`State`}
        error={error}
        ref={stateRef}
        name="state"
        value={isListed ? place.state : ''}
        onChange={(event) => onChange({ ...place, state: event.target.value, districts: [], departments: [] })}
        empty={anyState}
        options={stateOptions()}
      />
      <div className={pairClass}>
        <PlaceChoices
          label={t`District`}
          hint={hint}
          name="district"
          all={empty(t`All districts`)}
          choices={placeChoices(namesOf(region?.districts), counts?.districts, place.districts)}
          chosen={place.districts}
          isDisabled={!region}
          onChange={(districts) => onChange({ ...place, districts })}
        />
        <PlaceChoices
          label={t`Department`}
          hint={hint}
          name="department"
          all={empty(isLoading ? t`Loading…` : t`All departments`)}
          choices={placeChoices(namesOf(region?.departments), counts?.departments, place.departments)}
          chosen={place.departments}
          isDisabled={!region || isLoading}
          onChange={(departments) => onChange({ ...place, departments })}
        />
      </div>
    </>
  );
}
