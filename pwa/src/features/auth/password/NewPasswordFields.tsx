import { t } from '@lingui/core/macro';
import { PasswordField } from '../../../ui/form/FormFields.tsx';
import type { Form } from '../../../ui/form/useForm.ts';
import type { NewPasswordValues } from '../registration/registration.ts';
import { StrengthHint } from './StrengthHint.tsx';

interface NewPasswordFieldsProps {
  label: string;
  form: Form<NewPasswordValues>;
  /** Name, e-mail and similar data of the user. A password made of them is weak. */
  known: readonly string[];
}

/** A new password with a hint about its strength, and its confirmation. */
export function NewPasswordFields({ label, form, known }: NewPasswordFieldsProps) {
  return (
    <>
      <div>
        <PasswordField
          form={form}
          name="password"
          label={label}
          hint={t`at least 8 characters`}
          autoComplete="new-password"
        />
        <StrengthHint password={form.values.password} known={known} />
      </div>
      <PasswordField form={form} name="confirmPassword" label={t`Confirm password`} autoComplete="new-password" />
    </>
  );
}
