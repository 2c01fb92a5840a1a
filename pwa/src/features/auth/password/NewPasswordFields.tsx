import { Field } from '../../../ui/form/Field.tsx';
import { PasswordInput } from '../../../ui/form/PasswordInput.tsx';
import type { NewPasswordValues } from '../registration/registration.ts';
import type { FieldErrors } from '../useForm.ts';
import { StrengthHint } from './StrengthHint.tsx';

interface NewPasswordFieldsProps {
  label: string;
  secrets: NewPasswordValues;
  errors: FieldErrors;
  isDisabled: boolean;
  /** What is known of the person, of which a password should not be made. */
  known: readonly string[];
  /** Gets what is typed then, and the field that was edited. */
  onChange: (secrets: NewPasswordValues, edited: keyof NewPasswordValues) => void;
}

/** A new password with a word about its strength, and the same once more. */
export function NewPasswordFields({ label, secrets, errors, isDisabled, known, onChange }: NewPasswordFieldsProps) {
  const { password, confirmPassword } = secrets;
  return (
    <>
      <div>
        <Field label={label} hint="at least 8 characters" error={errors.password}>
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="new-password"
              readOnly={isDisabled}
              value={password}
              onChange={(event) => onChange({ ...secrets, password: event.target.value }, 'password')}
            />
          )}
        </Field>
        <StrengthHint password={password} known={known} />
      </div>
      <Field label="Confirm password" error={errors.confirmPassword}>
        {(control) => (
          <PasswordInput
            {...control}
            name="confirmPassword"
            autoComplete="new-password"
            readOnly={isDisabled}
            value={confirmPassword}
            onChange={(event) => onChange({ ...secrets, confirmPassword: event.target.value }, 'confirmPassword')}
          />
        )}
      </Field>
    </>
  );
}
