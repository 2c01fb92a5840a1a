import { t } from '@lingui/core/macro';
import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import css from './Checkbox.module.css';
import { FieldError } from './Field.tsx';

/** A checkbox with its label. Both are one touch target of full height. */
export function Checkbox({ children, ...rest }: ComponentProps<'input'> & { children: ReactNode }) {
  return (
    <label className={css.check}>
      <input {...rest} type="checkbox" />
      <span>{children}</span>
    </label>
  );
}

interface CheckboxListProps {
  legend: string;
  /** Label of the checkbox that selects all options. Without a label there is no such checkbox. */
  all?: string;
  options: readonly string[];
  /** The text of an option; without it the option itself. */
  nameOf?: (option: string) => string;
  chosen: readonly string[];
  error?: string | undefined;
  /** The message that is shown when there are no options. */
  empty: ReactNode;
  /** Called with the chosen options, in their order. */
  onChange: (chosen: string[]) => void;
}

/** A multiple choice: a list of checkboxes that scrolls in its own frame. */
export function CheckboxList({ legend, all, options, nameOf, chosen, error, empty, onChange }: CheckboxListProps) {
  const errorId = useId();
  const isInvalid = error ? true : undefined;
  const isChosen = new Set(chosen);
  const toggle = (name: string) => onChange(options.filter((each) => (each === name) !== isChosen.has(each)));
  return (
    <fieldset className={css.list} aria-describedby={error ? errorId : undefined}>
      <legend>
        {legend} {chosen.length > 0 && <small>{t`${chosen.length} chosen`}</small>}
      </legend>
      {options.length === 0 ? (
        <p className={css.empty}>{empty}</p>
      ) : (
        <ul className={css.options} data-invalid={isInvalid}>
          {all && (
            <li>
              <Checkbox
                checked={options.every((name) => isChosen.has(name))}
                aria-invalid={isInvalid}
                onChange={(event) => onChange(event.target.checked ? [...options] : [])}
              >
                {all}
              </Checkbox>
            </li>
          )}
          {options.map((name) => (
            <li key={name}>
              <Checkbox checked={isChosen.has(name)} aria-invalid={isInvalid} onChange={() => toggle(name)}>
                {nameOf?.(name) ?? name}
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
      <FieldError id={errorId} text={error} />
    </fieldset>
  );
}
