import { COMPANY_TYPES } from '@nivida/contract/account/auth';
import { STATES } from '@nivida/contract/regions/states';
import { useEffect } from 'react';
import { useRegion } from '../../../data/regions.ts';
import { CheckboxList } from '../../../ui/form/Checkbox.tsx';
import { Field, Select, TextArea } from '../../../ui/form/Field.tsx';
import { TextField } from '../../../ui/form/FormFields.tsx';
import type { Form } from '../../../ui/form/useForm.ts';
import { type FirmDraft, withinState } from './registration-draft.ts';

/**
 * The company, and the places and departments whose tenders it looks for. The profile uses these fields too.
 */
export function FirmFields({ form }: { form: Form<FirmDraft> }) {
  const { values, errors, isBusy, change } = form;
  const region = useRegion(values.state);
  const empty = values.state === '' ? 'Choose a state first' : 'Loading… The first time this needs a network.';

  // Runs when the lists of a newly chosen state have loaded.
  useEffect(() => {
    const chosenWithin = region && withinState(values, region);
    if (chosenWithin) change(chosenWithin);
  }, [region, values, change]);

  return (
    <>
      <TextField form={form} name="companyName" label="Company name" autoComplete="organization" maxLength={200} />
      <Field label="Company type" error={errors.companyType}>
        {(control) => (
          <Select
            {...control}
            name="companyType"
            disabled={isBusy}
            value={values.companyType}
            onChange={(event) => change({ companyType: event.target.value })}
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
            value={values.state}
            onChange={({ target: { value: state } }) =>
              change(state ? { state } : { state, districts: [], departments: [] })
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
        chosen={values.districts}
        error={errors.districts}
        empty={empty}
        onChange={(districts) => change({ districts })}
      />
      <CheckboxList
        legend="Departments"
        all="All departments"
        options={region?.departments.map(({ name }) => name) ?? []}
        chosen={values.departments}
        error={errors.departments}
        empty={empty}
        onChange={(departments) => change({ departments })}
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
            value={values.address}
            onChange={(event) => change({ address: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
