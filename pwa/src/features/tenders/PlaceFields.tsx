import { STATES } from '@nivida/contract/states';
import { MAX_QUERY_CHARACTERS } from '@nivida/contract/tender';
import type { ReactNode, Ref } from 'react';
import { useRegion } from '../../data/regions.ts';
import { Field, Input, Select } from '../../ui/Field.tsx';
import type { Place } from './search.ts';

interface PlaceSelectsProps {
  place: Place;
  onChange: (place: Place) => void;
  /** What the empty choice of the state says. */
  anyState: string;
  hint?: string;
  error?: string | undefined;
  stateRef?: Ref<HTMLSelectElement>;
  /** Stands around district and department. */
  pairClass?: string | undefined;
}

function options(names: readonly string[]): ReactNode {
  return names.map((name) => (
    <option key={name} value={name}>
      {name}
    </option>
  ));
}

/** State, district and department; the last two wait for a state and start anew with another one. */
export function PlaceSelects({ place, onChange, anyState, hint, error, stateRef, pairClass }: PlaceSelectsProps) {
  const region = useRegion(place.state);
  const empty = (all: string) => (!place.state ? 'Choose a state first' : region ? all : 'Loading…');
  return (
    <>
      <Field label="State" error={error}>
        {(control) => (
          <Select
            {...control}
            ref={stateRef}
            name="state"
            value={place.state}
            onChange={(event) => onChange({ ...place, state: event.target.value, district: '', department: '' })}
          >
            <option value="">{anyState}</option>
            {options(STATES.map(({ name }) => name))}
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
              value={region ? place.district : ''}
              onChange={(event) => onChange({ ...place, district: event.target.value })}
            >
              <option value="">{empty('All districts')}</option>
              {options(region?.districts.map(({ name }) => name) ?? [])}
            </Select>
          )}
        </Field>
        <Field label="Department" {...(hint && { hint })}>
          {(control) => (
            <Select
              {...control}
              name="department"
              disabled={!region}
              value={region ? place.department : ''}
              onChange={(event) => onChange({ ...place, department: event.target.value })}
            >
              <option value="">{empty('All departments')}</option>
              {options(region?.departments.map(({ name }) => name) ?? [])}
            </Select>
          )}
        </Field>
      </div>
    </>
  );
}

interface WordsFieldProps {
  label: string;
  hint?: string;
  placeholder: string;
  value: string;
  onChange: (q: string) => void;
}

/** The box for words of the work, a place or a tender ID. */
export function WordsField({ label, hint, placeholder, value, onChange }: WordsFieldProps) {
  return (
    <Field label={label} {...(hint && { hint })}>
      {(control) => (
        <Input
          {...control}
          type="search"
          name="q"
          placeholder={placeholder}
          maxLength={MAX_QUERY_CHARACTERS}
          enterKeyHint="search"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
