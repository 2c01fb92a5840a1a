/** The state of a form: values, errors by field, the running call and the error of the last call. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import * as v from 'valibot';

/** The message for each wrong field, by the field's name. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Result of a validation: the valid values, or the first message of each wrong field. */
export interface CheckedForm<T> {
  sent?: T;
  errors: FieldErrors;
}

/** Validates the values of a form with a schema. */
export function validateForm<S extends v.GenericSchema>(schema: S, values: unknown): CheckedForm<v.InferOutput<S>> {
  const { success, output, issues } = v.safeParse(schema, values);
  if (success) return { sent: output, errors: {} };
  const errors: Record<string, string> = {};
  for (const issue of issues) errors[v.getDotPath(issue) ?? ''] ??= issue.message;
  return { errors };
}

/** The errors, except those of the named fields. */
export function withoutFields(errors: FieldErrors, names: readonly string[]): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)));
}

/** Why a call failed: a text for the form. '' when the errors at the fields are enough. */
interface FormFailure {
  text: string;
  errors?: FieldErrors | undefined;
}

/** A call resolves to this value when the browser leaves the page. The form then stays busy. */
export const LEAVES_PAGE = 'leaves page';

/** The state of one form. */
export interface Form<V extends object> {
  /** The ref for the `form` element. */
  ref: RefObject<HTMLFormElement | null>;
  /** The initial values, overridden by the typed values. */
  values: V;
  typed: Partial<V>;
  errors: FieldErrors;
  failure: string;
  /** Name of the running call; null for none. */
  busy: string | null;
  isBusy: boolean;
  /** Changes values. Removes the errors of these fields and the failure. */
  change(changed: Partial<V>): void;
  /**
   * Replaces all typed values. Removes all errors and the failure. The function is the same at each render.
   */
  reset(typed?: Partial<V>): void;
  /** Removes the failure, and the errors of fields that are not part of `values`. */
  edited(...names: string[]): void;
  /** Shows the result of validating one field. Does not move the focus. */
  showError(name: string, message: string | undefined): void;
  /** Replaces all errors. Focuses the first wrong field, or the submit button when there is none. */
  showErrors(errors: FieldErrors): void;
  /**
   * Shows the errors of a validation, or makes the call and shows its failure. Does nothing while a call is
   * running.
   */
  submit<T>(
    checked: CheckedForm<T>,
    send: (sent: T) => Promise<unknown>,
    onError: (error: unknown) => FormFailure,
    name?: string,
  ): Promise<void>;
  /** Ends the busy state, for a page that the browser has left and restored. */
  release(): void;
}

interface FormOptions<V> {
  /** Reads earlier values, for example from a draft. */
  typed?: () => Partial<V>;
  /**
   * The form's current step. The first empty field is focused when the form appears and at each new step.
   * Without this function no field is focused.
   */
  stepOf?: (values: V) => number;
  /** Called after each change of a value. */
  onChange?: () => void;
}

/** The state of a form. Its initial values may change while the form is open. */
export function useForm<V extends object>(initial: V, options: FormOptions<V> = {}): Form<V> {
  const ref = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Partial<V>>(() => options.typed?.() ?? {});
  const [errors, setErrors] = useState<FieldErrors>({});
  const [shownCount, setShownCount] = useState(0);
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState<string | null>(null);
  const values = { ...initial, ...typed };
  const step = options.stepOf?.(values);

  useEffect(() => {
    if (step === undefined) return;
    const fields = [...(ref.current?.querySelectorAll('input') ?? [])].filter((field) => !field.readOnly);
    (fields.find((field) => field.value === '') ?? fields[0])?.focus();
  }, [step]);

  // Runs after the fields are marked as wrong and after the focus of a new step: a disabled button has lost
  // the focus.
  useEffect(() => {
    const wrong = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (shownCount > 0) (wrong ?? ref.current?.querySelector<HTMLElement>('[type="submit"]'))?.focus();
  }, [shownCount]);

  const edited = (...names: string[]) => {
    setErrors((present) => withoutFields(present, names));
    setFailure('');
  };
  const clear = useCallback(() => {
    setErrors({});
    setFailure('');
  }, []);
  const reset = useCallback(
    (next: Partial<V> = {}) => {
      setTyped(next);
      clear();
    },
    [clear],
  );
  const showErrors = (next: FieldErrors) => {
    setErrors(next);
    setShownCount((count) => count + 1);
  };

  return {
    ref,
    values,
    typed,
    errors,
    failure,
    busy,
    isBusy: busy !== null,
    change(changed) {
      setTyped((present) => ({ ...present, ...changed }));
      edited(...Object.keys(changed));
      options.onChange?.();
    },
    reset,
    edited,
    showError: (name, message) =>
      setErrors((present) => ({ ...withoutFields(present, [name]), ...(message && { [name]: message }) })),
    showErrors,
    async submit(checked, send, onError, name = 'submit') {
      if (busy !== null) return;
      clear();
      if (checked.sent === undefined) return showErrors(checked.errors);
      setBusy(name);
      try {
        if ((await send(checked.sent)) !== LEAVES_PAGE) setBusy(null);
      } catch (error) {
        const { text, errors: refused } = onError(error);
        setFailure(text);
        showErrors(refused ?? {});
        setBusy(null);
      }
    },
    release: () => setBusy(null),
  };
}
