import { t } from '@lingui/core/macro';
import { COMPANY_TYPES } from '@nivida/contract/account/auth';
import { i18n } from '@nivida/contract/i18n';
import { glossedDepartment } from '@nivida/contract/regions/department-gloss';
import { placeName, stateOptions } from '@nivida/contract/regions/states';
import { useEffect } from 'react';
import { useRegion } from '../../../data/regions.ts';
import { CheckboxList } from '../../../ui/form/Checkbox.tsx';
import { SelectField, TextAreaField, TextField } from '../../../ui/form/FormFields.tsx';
import type { Form } from '../../../ui/form/useForm.ts';
import { type FirmDraft, withinState } from './registration-draft.ts';

/**
 * The company, and the places and departments whose tenders it looks for. The profile uses these fields too.
 */
export function FirmFields({ form }: { form: Form<FirmDraft> }) {
  const { values, errors, change } = form;
  const region = useRegion(values.state);
  const empty = values.state === '' ? t`Choose a state first` : t`Loading… The first time this needs a network.`;

  // Runs when the lists of a newly chosen state have loaded.
  useEffect(() => {
    const chosenWithin = region && withinState(values, region);
    if (chosenWithin) change(chosenWithin);
  }, [region, values, change]);

  return (
    <>
      <TextField form={form} name="companyName" label={t`Company name`} autoComplete="organization" maxLength={200} />
      <SelectField
        form={form}
        name="companyType"
        label={t`Company type`}
        empty={t`Choose a type`}
        options={Object.entries(COMPANY_TYPES).map(([type, label]) => [type, i18n._(label)])}
      />
      <SelectField
        form={form}
        name="state"
        label={t`State`}
        empty={t`Choose a state`}
        options={stateOptions()}
        onChange={({ target: { value: state } }) =>
          change(state ? { state } : { state, districts: [], departments: [] })
        }
      />
      <CheckboxList
        legend={t`Districts`}
        all={t`All districts`}
        options={region?.districts.map(({ name }) => name) ?? []}
        nameOf={placeName}
        chosen={values.districts}
        error={errors.districts}
        empty={empty}
        onChange={(districts) => change({ districts })}
      />
      <CheckboxList
        legend={t`Departments`}
        all={t`All departments`}
        options={region?.departments.map(({ name }) => name) ?? []}
        nameOf={glossedDepartment}
        chosen={values.departments}
        error={errors.departments}
        empty={empty}
        onChange={(departments) => change({ departments })}
      />
      <TextAreaField
        form={form}
        name="address"
        label={t`Address`}
        hint={t`optional`}
        autoComplete="street-address"
        rows={2}
        maxLength={500}
      />
    </>
  );
}
