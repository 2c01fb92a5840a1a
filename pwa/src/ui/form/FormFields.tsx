/**
 * The element and the fields of a `useForm` form. Each field shows its value and its error, and changes the value. During
 * a call texts are read-only and selects are disabled.
 */
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ChoiceField, Field, Input, type Select, TextArea } from './Field.tsx';
import { PasswordInput } from './PasswordInput.tsx';
import type { Form } from './useForm.ts';

type FormFieldProps<N extends string, Control extends 'input' | 'textarea' | typeof Select> = Omit<
  ComponentProps<Control>,
  'form'
> & {
  form: Form<Record<NoInfer<N>, string>>;
  name: N;
  label: string;
  /** A few words after the label, such as 'optional'. */
  hint?: string | undefined;
};

type TextFieldProps<N extends string> = FormFieldProps<N, 'input'> & {
  /** Corrects the text as it is typed or pasted. */
  normalise?: (text: string) => string;
  /** Says what `normalise` has removed from a text; '' for nothing. */
  leftOut?: (text: string) => string;
  /** Renders the input together with another control. */
  renderInput?: (input: ReactNode) => ReactNode;
};

type FormElementProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  form: Pick<Form<object>, 'ref'>;
  onSubmit: () => unknown;
};

/** The `form` element of a form. Its fields are below each other without a `className`. */
export function FormElement({ form, onSubmit, ...rest }: FormElementProps) {
  return (
    <form
      className="stack"
      ref={form.ref}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      {...rest}
    />
  );
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
export function PasswordField<N extends string>({ form, name, label, hint, ...rest }: FormFieldProps<N, 'input'>) {
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

/** Several lines of text. */
export function TextAreaField<N extends string>({ form, name, label, hint, ...rest }: FormFieldProps<N, 'textarea'>) {
  return (
    <Field label={label} hint={hint} error={form.errors[name]}>
      {(control) => (
        <TextArea
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

/** One of several choices. */
export function SelectField<N extends string>({ form, name, ...rest }: FormFieldProps<N, typeof Select>) {
  return (
    <ChoiceField
      onChange={({ target }) => form.change({ [name]: target.value } as Record<N, string>)}
      {...rest}
      name={name}
      error={form.errors[name]}
      disabled={form.isBusy}
      value={form.values[name]}
    />
  );
}
