/**
 * Fields of a `useForm` form. Each shows its value and its error, changes the value, and is read-only during
 * a call.
 */
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Field, Input } from './Field.tsx';
import { PasswordInput } from './PasswordInput.tsx';
import type { Form } from './useForm.ts';

interface FormFieldProps<N extends string> extends Omit<ComponentProps<'input'>, 'form'> {
  form: Form<Record<NoInfer<N>, string>>;
  name: N;
  label: string;
  /** A few words after the label, such as 'optional'. */
  hint?: string | undefined;
}

interface TextFieldProps<N extends string> extends FormFieldProps<N> {
  /** Corrects the text as it is typed or pasted. */
  normalise?: (text: string) => string;
  /** Says what `normalise` has removed from a text; '' for nothing. */
  leftOut?: (text: string) => string;
  /** Renders the input together with another control. */
  renderInput?: (input: ReactNode) => ReactNode;
}

/** One line of text. */
export function TextField<N extends string>(props: TextFieldProps<N>) {
  const { form, name, label, hint, normalise = String, leftOut, readOnly, ...others } = props;
  const { renderInput = (input) => input, ...rest } = others;
  const [note, setNote] = useState('');
  return (
    <Field label={label} hint={hint} error={form.errors[name]} note={leftOut && note}>
      {(control) =>
        renderInput(
          <Input
            onChange={({ target }) => {
              setNote(leftOut?.(target.value) ?? '');
              form.change({ [name]: normalise(target.value) } as Record<N, string>);
            }}
            {...rest}
            {...control}
            name={name}
            readOnly={readOnly || form.isBusy}
            value={form.values[name]}
          />,
        )
      }
    </Field>
  );
}

/** A password. */
export function PasswordField<N extends string>({ form, name, label, hint, ...rest }: FormFieldProps<N>) {
  return (
    <Field label={label} hint={hint} error={form.errors[name]}>
      {(control) => (
        <PasswordInput
          {...rest}
          {...control}
          name={name}
          readOnly={form.isBusy}
          value={form.values[name]}
          onChange={({ target }) => form.change({ [name]: target.value } as Record<N, string>)}
        />
      )}
    </Field>
  );
}
