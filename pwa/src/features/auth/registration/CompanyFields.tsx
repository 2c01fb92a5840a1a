import { COMPANY_TYPES } from '@nivida/contract/account/auth';
import { STATES } from '@nivida/contract/regions/states';
import { useEffect, useId } from 'react';
import { useRegion } from '../../../data/regions.ts';
import { Checkbox, CheckboxList } from '../../../ui/form/Checkbox.tsx';
import { Field, FieldError, Input, Select, TextArea } from '../../../ui/form/Field.tsx';
import type { FormState } from '../useForm.ts';
import { PrivacyNotice } from './PrivacyNotice.tsx';
import { type RegistrationDraft, withinState } from './registration-draft.ts';

interface CompanyFieldsProps {
  draft: RegistrationDraft;
  agreeToTerms: boolean;
  wizard: FormState;
  onChange: (draft: RegistrationDraft) => void;
  onAgree: (agreeToTerms: boolean) => void;
}

/** Step 3: the company and the places and departments whose tenders it looks for. */
export function CompanyFields({ draft, agreeToTerms, wizard, onChange, onAgree }: CompanyFieldsProps) {
  const { errors, edited } = wizard;
  const isBusy = wizard.busy !== null;
  const region = useRegion(draft.state);
  const agreeError = useId();
  const empty = draft.state === '' ? 'Choose a state first' : 'Loading… The first time this needs a network.';

  // as soon as the lists of a newly chosen state are there
  useEffect(() => {
    const validDraft = region ? withinState(draft, region) : draft;
    if (validDraft !== draft) onChange(validDraft);
  }, [region, draft, onChange]);

  const set = (changed: Partial<RegistrationDraft>) => {
    onChange({ ...draft, ...changed });
    edited(...Object.keys(changed));
  };
  return (
    <>
      <Field label="Company name" error={errors.companyName}>
        {(control) => (
          <Input
            {...control}
            name="companyName"
            autoComplete="organization"
            maxLength={200}
            readOnly={isBusy}
            value={draft.companyName}
            onChange={(event) => set({ companyName: event.target.value })}
          />
        )}
      </Field>
      <Field label="Company type" error={errors.companyType}>
        {(control) => (
          <Select
            {...control}
            name="companyType"
            disabled={isBusy}
            value={draft.companyType}
            onChange={(event) => set({ companyType: event.target.value })}
          >
            <option value="">Choose a type</option>
            {Object.entries(COMPANY_TYPES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="State" error={errors.state}>
        {(control) => (
          <Select
            {...control}
            name="state"
            disabled={isBusy}
            value={draft.state}
            onChange={({ target: { value: state } }) =>
              set(state ? { state } : { state, districts: [], departments: [] })
            }
          >
            <option value="">Choose a state</option>
            {STATES.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <CheckboxList
        legend="Districts"
        all="All districts"
        options={region?.districts.map(({ name }) => name) ?? []}
        chosen={draft.districts}
        error={errors.districts}
        empty={empty}
        onChange={(districts) => set({ districts })}
      />
      <CheckboxList
        legend="Departments"
        all="All departments"
        options={region?.departments.map(({ name }) => name) ?? []}
        chosen={draft.departments}
        error={errors.departments}
        empty={empty}
        onChange={(departments) => set({ departments })}
      />
      <Field label="Address" hint="optional" error={errors.address}>
        {(control) => (
          <TextArea
            {...control}
            name="address"
            autoComplete="street-address"
            rows={2}
            maxLength={500}
            readOnly={isBusy}
            value={draft.address}
            onChange={(event) => set({ address: event.target.value })}
          />
        )}
      </Field>
      <PrivacyNotice />
      <div>
        <Checkbox
          checked={agreeToTerms}
          disabled={isBusy}
          aria-invalid={errors.agreeToTerms ? true : undefined}
          aria-describedby={errors.agreeToTerms ? agreeError : undefined}
          onChange={(event) => {
            onAgree(event.target.checked);
            edited('agreeToTerms');
          }}
        >
          I agree to the{' '}
          <a href="/terms" target="_blank" rel="noopener">
            Terms
          </a>
        </Checkbox>
        <FieldError id={agreeError} text={errors.agreeToTerms} />
      </div>
    </>
  );
}
