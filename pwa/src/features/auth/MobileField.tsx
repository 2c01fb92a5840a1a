import { t } from '@lingui/core/macro';
import { COUNTRY_CODES } from '@nivida/contract/account/auth';
import { leftOutOfMobile, normaliseTypedMobile } from '@nivida/contract/fields';
import { i18n } from '@nivida/contract/i18n';
import { ControlGroup, Select } from '../../ui/form/Field.tsx';
import { TextField } from '../../ui/form/FormFields.tsx';
import type { Form } from '../../ui/form/useForm.ts';

interface MobileFieldProps {
  /** Only an Indian number can sign in. Registration shows all country codes. */
  codes: 'india' | 'all';
  /** The browser offers passkeys in this field. */
  offersPasskeys?: boolean;
  form: Form<{ countryCode: string; mobileNo: string }>;
}

/** A mobile number after its country code. */
export function MobileField({ codes, offersPasskeys, form }: MobileFieldProps) {
  const countryCodes = codes === 'all' ? COUNTRY_CODES : COUNTRY_CODES.slice(0, 1);
  return (
    <TextField
      form={form}
      name="mobileNo"
      label={t`Mobile number`}
      type="tel"
      inputMode="numeric"
      autoComplete={offersPasskeys ? 'tel-national webauthn' : 'tel-national'}
      normalise={normaliseTypedMobile}
      leftOut={leftOutOfMobile}
      renderInput={(input) => (
        <ControlGroup>
          <Select
            aria-label={t`Country code`}
            name="countryCode"
            autoComplete="tel-country-code"
            disabled={form.isBusy}
            value={form.values.countryCode}
            short={form.values.countryCode}
            onChange={({ target }) => {
              form.change({ countryCode: target.value });
              form.edited('mobileNo');
            }}
            options={countryCodes.map(({ code, country }) => [code, `${code} ${i18n._(country)}`])}
          />
          {input}
        </ControlGroup>
      )}
    />
  );
}
