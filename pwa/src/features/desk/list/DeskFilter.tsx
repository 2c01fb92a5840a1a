/** Fields of a list's filter. Their values are in the address. */
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { ChoiceField, ControlGroup, Field, Input } from '../../../ui/form/Field.tsx';
import { useDeskParam } from './useDeskParam.ts';

/** A text to search for. The list is loaded with Enter or the button. */
export function DeskSearch({ label, name = 'find' }: { label: string; name?: string }) {
  const [value, set] = useDeskParam(name);
  // What is typed and not searched for yet, to a value of the address.
  const [typed, setTyped] = useState({ to: value, text: value });
  const text = typed.to === value ? typed.text : value;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        set(text.trim());
      }}
    >
      <Field label={label}>
        {(control) => (
          <ControlGroup>
            <Input
              {...control}
              type="search"
              data-desk-search=""
              value={text}
              onChange={({ target }) => setTyped({ to: value, text: target.value })}
            />
            <Button type="submit">{t`Search`}</Button>
          </ControlGroup>
        )}
      </Field>
    </form>
  );
}

interface DeskChoiceProps {
  label: string;
  name: string;
  /** The values with their texts. */
  options: readonly (readonly [value: string, text: string])[];
  /** Text of the choice of all. */
  all: string;
}

/** One of several values, or all. */
export function DeskChoice({ label, name, options, all }: DeskChoiceProps) {
  const [value, set] = useDeskParam(name);
  return (
    <ChoiceField
      label={label}
      name={name}
      value={value}
      empty={all}
      options={options}
      onChange={({ target }) => set(target.value)}
    />
  );
}

/** An Indian day. */
export function DeskDay({ label, name }: { label: string; name: string }) {
  const [value, set] = useDeskParam(name);
  return (
    <Field label={label}>
      {(control) => <Input {...control} type="date" value={value} onChange={({ target }) => set(target.value)} />}
    </Field>
  );
}
