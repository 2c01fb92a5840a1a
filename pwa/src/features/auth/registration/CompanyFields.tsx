import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { FieldError } from '../../../ui/form/Field.tsx';
import type { Form } from '../../../ui/form/useForm.ts';
import { FirmFields } from './FirmFields.tsx';
import { PrivacyNotice } from './PrivacyNotice.tsx';
import type { RegistrationValues } from './registration.ts';

/** Step 3: the company, and the consent. */
export function CompanyFields({ form }: { form: Form<RegistrationValues> }) {
  const { values, errors, isBusy, change } = form;
  const agreeError = useId();

  return (
    <>
      <FirmFields form={form} />
      <PrivacyNotice />
      <div>
        <Checkbox
          checked={values.agreeToTerms}
          disabled={isBusy}
          aria-invalid={errors.agreeToTerms ? true : undefined}
          aria-describedby={errors.agreeToTerms ? agreeError : undefined}
          onChange={({ target }) => change({ agreeToTerms: target.checked })}
        >
          <Trans>
            I agree to the{' '}
            <Link to="/terms" target="_blank" rel="noopener">
              Terms
            </Link>
          </Trans>
        </Checkbox>
        <FieldError id={agreeError} text={errors.agreeToTerms} />
      </div>
    </>
  );
}
