import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import { Icon } from '../display/Icon.tsx';
import css from './Field.module.css';

/** The attributes that connect a control with its label and error. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: string;
  /** A few words after the label, such as 'optional'. */
  hint?: string | undefined;
  error?: string | undefined;
  /**
   * A text below the control that is announced when it changes, in addition to the error. Undefined for a
   * field that never has one.
   */
  note?: string | undefined;
  /** Renders the control: `(control) => <Input {...control} />`. */
  children: (control: FieldControl) => ReactNode;
}

/** A control with its visible label above and its error below. */
export function Field({ label, hint, error, note, children }: FieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className={css.field}>
      <label htmlFor={id}>
        {label} {hint && <small>{hint}</small>}
      </label>
      {children({ id, 'aria-describedby': error ? errorId : undefined, 'aria-invalid': error ? true : undefined })}
      {note !== undefined && (
        <p className={css.note} aria-live="polite">
          {note}
        </p>
      )}
      <FieldError id={errorId} text={error} />
    </div>
  );
}

/** The error of a control whose `aria-describedby` names `id`. Renders nothing without a text. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  return (
    text && (
      <p className={css.error} id={id}>
        {text}
      </p>
    )
  );
}

/** A text input of full width. */
export function Input(props: ComponentProps<'input'>) {
  return <input {...props} className={css.input} />;
}

interface CodeInputProps extends ComponentProps<'input'> {
  code: string;
  /** Called with the text that was typed, pasted or filled in. */
  onCode: (text: string) => void;
}

/** An input for a one-time code of six digits. */
export function CodeInput({ code, onCode, ...rest }: CodeInputProps) {
  return (
    <Input
      {...rest}
      data-look="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      value={code}
      onChange={(event) => onCode(event.target.value)}
    />
  );
}

interface SelectProps extends ComponentProps<'select'> {
  /** Text of the choice of nothing. Undefined if there is none. */
  empty?: string;
  /** The values with their texts, or texts that are their values. They follow `empty`. */
  options?: readonly (string | readonly [value: string, text: string])[];
  /** Shown for the chosen option when its own text is too long. */
  short?: string;
}

/** The device's own select element, of full width. */
export function Select({ empty, options = [], short, children, ...props }: SelectProps) {
  return (
    <span className={css.select}>
      <select {...props} className={css.input} data-short={short && ''}>
        {empty !== undefined && <option value="">{empty}</option>}
        {options.map((option) => {
          const [value, text] = typeof option === 'string' ? [option, option] : option;
          return (
            <option key={value} value={value}>
              {text}
            </option>
          );
        })}
        {children}
      </select>
      {short && (
        <span className={css.short} aria-hidden="true">
          {short}
        </span>
      )}
      <Icon name="down" small />
    </span>
  );
}

/** A select with its visible label above and its error below. */
export function ChoiceField({ label, hint, error, ...select }: SelectProps & Omit<FieldProps, 'note' | 'children'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Select {...select} {...control} />}
    </Field>
  );
}

/** A text area of full width. */
export function TextArea(props: ComponentProps<'textarea'>) {
  return <textarea {...props} className={css.input} />;
}

/** A control with another control beside it, such as a button. They wrap on a narrow screen. */
export function ControlGroup({ children }: { children: ReactNode }) {
  return <div className={css.joined}>{children}</div>;
}
