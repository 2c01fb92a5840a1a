import type { Region } from '@nivida/contract/regions/regions';
import { STATES } from '@nivida/contract/regions/states';
import type { PlaceFilter } from '@nivida/contract/search/tender-filter';
import { MAX_QUERY_CHARACTERS } from '@nivida/contract/tenders/tender';
import { type ReactNode, type Ref, useId } from 'react';
import { useRegion } from '../../../data/regions.ts';
import { Field, Input, Select } from '../../../ui/form/Field.tsx';
import { useSuggestions } from '../offline/useSuggestions.ts';
import type { Facets } from './useFacets.ts';

interface PlaceSelectsProps {
  place: PlaceFilter;
  onChange: (place: PlaceFilter) => void;
  /** The label of the empty choice of the state. */
  anyState: string;
  hint?: string;
  error?: string | undefined;
  stateRef?: Ref<HTMLSelectElement>;
  /** Class of the element around district and department. */
  pairClass?: string | undefined;
  /** Number of tenders beside each district and department. */
  facets: Facets;
}

function countedOptions(names: readonly string[], counts?: Record<string, number>): ReactNode {
  return names.map((name) => (
    <option key={name} value={name}>
      {counts ? `${name} (${counts[name] ?? 0})` : name}
    </option>
  ));
}

const selectValue = (names: readonly string[]) => names.join(', ');
const selectedNames = (value: string) => (value === '' ? [] : [value]);

/** The present choice when it is several names. */
function severalOption(names: readonly string[]): ReactNode {
  return names.length > 1 && <option value={selectValue(names)}>{selectValue(names)}</option>;
}

/**
 * The departments to choose from: those with tenders, listed ones first, and the chosen one. Without counts all listed
 * ones.
 */
function offeredDepartments(
  region: Region,
  counts: Record<string, number> | undefined,
  chosen: readonly string[],
): string[] {
  const listed = region.departments.map(({ name }) => name);
  if (!counts) return [...new Set([...listed, ...chosen])];
  const offered = new Set([...Object.keys(counts), ...chosen]);
  const others = [...offered].filter((name) => !listed.includes(name));
  const byName = (one: string, other: string) => one.localeCompare(other, 'en');
  return [...listed.filter((name) => offered.has(name)), ...others.sort(byName)];
}

/** State, district and department. The last two are disabled without a state and reset with another one. */
export function PlaceSelects(props: PlaceSelectsProps) {
  const { place, onChange, anyState, hint, error, stateRef, pairClass } = props;
  const { counts, isLoading } = props.facets;
  const region = useRegion(place.state);
  // The URL may have an unknown state: then there are no districts to load.
  const isListed = STATES.some(({ name }) => name === place.state);
  const empty = (all: string) => (!isListed ? 'Choose a state first' : region ? all : 'Loading…');
  return (
    <>
      <Field label="State" error={error}>
        {(control) => (
          <Select
            {...control}
            ref={stateRef}
            name="state"
            value={isListed ? place.state : ''}
            onChange={(event) => onChange({ ...place, state: event.target.value, districts: [], departments: [] })}
          >
            <option value="">{anyState}</option>
            {countedOptions(STATES.map(({ name }) => name))}
          </Select>
        )}
      </Field>
      <div className={pairClass}>
        <Field label="District" {...(hint && { hint })}>
          {(control) => (
            <Select
              {...control}
              name="district"
              disabled={!region}
              value={region ? selectValue(place.districts) : ''}
              onChange={(event) => onChange({ ...place, districts: selectedNames(event.target.value) })}
            >
              <option value="">{empty('All districts')}</option>
              {severalOption(place.districts)}
              {countedOptions(region?.districts.map(({ name }) => name) ?? [], counts?.districts)}
            </Select>
          )}
        </Field>
        <Field label="Department" {...(hint && { hint })}>
          {(control) => (
            <Select
              {...control}
              name="department"
              disabled={!region || isLoading}
              value={region ? selectValue(place.departments) : ''}
              onChange={(event) => onChange({ ...place, departments: selectedNames(event.target.value) })}
            >
              <option value="">{empty(isLoading ? 'Loading…' : 'All departments')}</option>
              {severalOption(place.departments)}
              {region &&
                countedOptions(offeredDepartments(region, counts?.departments, place.departments), counts?.departments)}
            </Select>
          )}
        </Field>
      </div>
    </>
  );
}

interface KeywordsFieldProps {
  label: string;
  hint?: string;
  placeholder: string;
  value: string;
  /** The place of the search. Completions come from its pack, if it is on the device. */
  within: PlaceFilter;
  onChange: (q: string) => void;
}

/** The input for words, a place or a tender ID, with completions from the tenders on the device. */
export function KeywordsField({ label, hint, placeholder, value, within, onChange }: KeywordsFieldProps) {
  const listId = useId();
  const suggestions = useSuggestions(value, within);
  return (
    <Field label={label} {...(hint && { hint })}>
      {(control) => (
        <>
          <Input
            {...control}
            type="search"
            name="q"
            placeholder={placeholder}
            maxLength={MAX_QUERY_CHARACTERS}
            enterKeyHint="search"
            autoComplete="off"
            list={listId}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={listId}>
            {suggestions.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
