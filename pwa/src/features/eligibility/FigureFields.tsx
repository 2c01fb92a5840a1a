import { t } from '@lingui/core/macro';
import { Field, Input } from '../../ui/form/Field.tsx';
import type { Form } from '../../ui/form/useForm.ts';

/** The fields of a firm's turnover by year, and of its works in hand. */
export function FigureFields(props: {
  form: Form<{ turnover: Record<string, string>; commitments: string }>;
  years: readonly string[];
}) {
  const { form, years } = props;
  const { turnover, commitments } = form.values;
  return (
    <>
      {years.map((year) => (
        <Field
          key={year}
          label={t`Turnover from works ${year}`}
          hint={t`rupees`}
          error={form.errors[`turnover.${year}`]}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={turnover[year] ?? ''}
              onChange={({ target }) => form.change({ turnover: { ...turnover, [year]: target.value } })}
            />
          )}
        </Field>
      ))}
      <Field label={t`Works in hand`} hint={t`rupees due while this work runs`} error={form.errors.commitments}>
        {(control) => (
          <Input
            {...control}
            inputMode="decimal"
            autoComplete="off"
            value={commitments}
            onChange={({ target }) => form.change({ commitments: target.value })}
          />
        )}
      </Field>
    </>
  );
}
