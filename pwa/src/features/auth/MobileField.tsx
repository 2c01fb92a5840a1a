import { COUNTRY_CODES } from '@nivida/contract/account/auth';
import { normaliseTypedMobile } from '../../data/mobile-number.ts';
import { ControlGroup, Field, Input, Select } from '../../ui/form/Field.tsx';

interface MobileFieldProps {
  /** Only India's code can sign in; registration shows them all. */
  codes: 'india' | 'all';
  countryCode: string;
  mobileNo: string;
  error: string | undefined;
  isDisabled: boolean;
  onChange: (changed: { countryCode: string; mobileNo: string }) => void;
}

/** A mobile number after its country code. */
export function MobileField({ codes, countryCode, mobileNo, error, isDisabled, onChange }: MobileFieldProps) {
  const countryCodes = codes === 'all' ? COUNTRY_CODES : COUNTRY_CODES.slice(0, 1);
  return (
    <Field label="Mobile number" error={error}>
      {(control) => (
        <ControlGroup>
          <Select
            aria-label="Country code"
            name="countryCode"
            autoComplete="tel-country-code"
            disabled={isDisabled}
            value={countryCode}
            onChange={(event) => onChange({ countryCode: event.target.value, mobileNo })}
          >
            {countryCodes.map(({ code, country }) => (
              <option key={code} value={code}>
                {code} {country}
              </option>
            ))}
          </Select>
          <Input
            {...control}
            type="tel"
            name="mobileNo"
            inputMode="numeric"
            autoComplete="tel-national"
            readOnly={isDisabled}
            value={mobileNo}
            onChange={(event) => onChange({ countryCode, mobileNo: normaliseTypedMobile(event.target.value) })}
          />
        </ControlGroup>
      )}
    </Field>
  );
}
