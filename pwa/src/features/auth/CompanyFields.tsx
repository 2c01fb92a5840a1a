import { COMPANY_TYPES } from '@nivida/contract/auth';
import { STATES } from '@nivida/contract/states';
import { useEffect, useId } from 'react';
import { useRegion } from '../../data/regions.ts';
import { Check, CheckList } from '../../ui/Check.tsx';
import { Field, FieldError, Input, Select, TextArea } from '../../ui/Field.tsx';
import { type Draft, withinState } from './draft.ts';
import type { FormState } from './form.ts';
import { Notice } from './Notice.tsx';

interface CompanyFieldsProps {
  draft: Draft;
  agreeToTerms: boolean;
  wizard: FormState;
  onChange: (draft: Draft) => void;
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
    const kept = region ? withinState(draft, region) : draft;
    if (kept !== draft) onChange(kept);
  }, [region, draft, onChange]);

  const set = (part: Partial<Draft>) => {
    onChange({ ...draft, ...part });
    edited(...Object.keys(part));
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
      <CheckList
        legend="Districts"
        all="All districts"
        options={region?.districts.map(({ name }) => name) ?? []}
        chosen={draft.districts}
        error={errors.districts}
        empty={empty}
        onChange={(districts) => set({ districts })}
      />
      <CheckList
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
      <Notice />
      <div>
        <Check
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
        </Check>
        <FieldError id={agreeError} text={errors.agreeToTerms} />
      </div>
    </>
  );
}
