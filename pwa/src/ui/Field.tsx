import { type ComponentProps, type ReactNode, useId } from 'react';
import css from './Field.module.css';
import { Icon } from './Icon.tsx';

/** What ties a control to its label, hint and error. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: string;
  /** A few words after the label, such as 'optional'. */
  hint?: string;
  error?: string | undefined;
  /** Draws the control: `(control) => <Input {...control} />`. */
  children: (control: FieldControl) => ReactNode;
}

/** A control under its visible label, with its error below. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className={css.field}>
      <label htmlFor={id}>
        {label} {hint && <small>{hint}</small>}
      </label>
      {children({ id, 'aria-describedby': error ? errorId : undefined, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p className={css.error} id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}

/** A text input of full width. */
export function Input(props: ComponentProps<'input'>) {
  return <input {...props} className={css.input} />;
}

/** The device's own select, of full width. */
export function Select(props: ComponentProps<'select'>) {
  return (
    <span className={css.select}>
      <select {...props} className={css.input} />
      <Icon name="down" small />
    </span>
  );
}
