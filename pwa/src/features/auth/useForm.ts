/** The common part of these forms: checking by the contract's schema, errors at their fields, the first one focused. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import * as v from 'valibot';

/** One message per wrong field, by the field's name. */
export type FieldErrors = Readonly<Record<string, string>>;

type Schema = v.GenericSchema<unknown, unknown>;

/** Checks what a form holds: its values as they are sent, or the first message of each wrong field. */
export function validateForm<S extends Schema>(
  schema: S,
  values: unknown,
): { sent?: v.InferOutput<S>; errors: FieldErrors } {
  const { success, output, issues } = v.safeParse(schema, values);
  if (success) return { sent: output, errors: {} };
  const errors: Record<string, string> = {};
  for (const issue of issues) errors[v.getDotPath(issue) ?? ''] ??= issue.message;
  return { errors };
}

/** The errors without those of the fields that are being edited. */
export function withoutFields(errors: FieldErrors, fields: readonly string[]): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !fields.includes(name)));
}

/** What `useForm` gives to a form. */
export interface FormState {
  /** For the `form` element, among whose fields the first wrong one is focused. */
  form: RefObject<HTMLFormElement | null>;
  errors: FieldErrors;
  /** Why the last call failed, for the red box; '' when it did not. */
  failure: string;
  /** The name of the call that is under way; null for none. */
  busy: string | null;
  /** Shows these errors instead of the present ones and focuses the first field that is wrong, else the main button. */
  show: (errors: FieldErrors) => void;
  /** Takes the errors of edited fields away. */
  edited: (...fields: string[]) => void;
  /** Takes all errors away. */
  clear: () => void;
  /** Makes a call by its name; `failed` shows what the failure means for the fields and returns the box's text. */
  run: (name: string, call: () => Promise<void>, failed: (error: unknown) => string) => Promise<void>;
}

/** A form's errors, its failure and its call. The first empty field of each `step` is focused as it appears. */
export function useForm(step = 1): FormState {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [shown, setShown] = useState(0);
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState<string | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each step has a first field of its own
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll('input') ?? [])].filter((field) => !field.readOnly);
    (fields.find((field) => field.value === '') ?? fields[0])?.focus();
  }, [step]);

  // After the fields have been drawn as wrong, and after the step's first field has taken the focus. The main button
  // has lost it while it was disabled.
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (shown > 0) (wrong ?? form.current?.querySelector<HTMLElement>('[type="submit"]'))?.focus();
  }, [shown]);

  const show = (next: FieldErrors) => {
    setErrors(next);
    setShown((count) => count + 1);
  };
  const clear = () => {
    setErrors({});
    setFailure('');
  };
  const run: FormState['run'] = async (name, call, failed) => {
    clear();
    setBusy(name);
    try {
      await call();
    } catch (error) {
      setFailure(failed(error));
    } finally {
      setBusy(null);
    }
  };
  const edited = (...fields: string[]) => setErrors((present) => withoutFields(present, fields));
  return { form, errors, failure, busy, show, edited, clear, run };
}
