import { t } from '@lingui/core/macro';
import type { BidPartner } from '@nivida/contract/rules/joint-bid';
import { turnoverYears } from '@nivida/contract/rules/may-i-bid';
import { useState } from 'react';
import * as v from 'valibot';
import entries from '../../../ui/display/entries.module.css';
import { Field, Input } from '../../../ui/form/Field.tsx';
import { FormDialog } from '../../../ui/form/FormDialog.tsx';
import { useForm, validateForm } from '../../../ui/form/useForm.ts';
import { FigureFields } from '../FigureFields.tsx';
import { firmName, optionalRupees, pastDay } from '../profile-forms.ts';
import { savePartner } from './joint-actions.ts';

/** The usual rule asks for three works at most. */
const WORKS = [0, 1, 2] as const;

const partnerForm = (now: Date) => {
  const work = v.object({
    value: optionalRupees,
    completedOn: v.union([v.literal(''), pastDay(now)]),
  });
  return v.object({
    name: firmName,
    turnover: v.record(v.string(), optionalRupees),
    commitments: optionalRupees,
    works: v.tuple([work, work, work]),
  });
};

function partnerTexts(partner: BidPartner | null, years: readonly string[]) {
  const work = (index: number) => {
    const { value = null, completedOn = '' } = partner?.works[index] ?? {};
    return { value: value === null ? '' : String(value), completedOn };
  };
  return {
    name: partner?.name ?? '',
    turnover: Object.fromEntries(years.map((year) => [year, String(partner?.turnover[year] ?? '')])),
    commitments: String(partner?.commitments ?? ''),
    works: WORKS.map(work),
  };
}

/** The form of a partner: name, turnover, works in hand and similar works. */
export function PartnerDialog(props: { partner: BidPartner | null; now: Date; onClose: () => void }) {
  const { partner, now, onClose } = props;
  const years = turnoverYears(now);
  const form = useForm(partnerTexts(partner, years));
  const [id] = useState(() => partner?.id ?? crypto.randomUUID());
  const { works } = form.values;
  const changeWork = (index: number, change: object) =>
    form.change({ works: works.map((work, at) => (at === index ? { ...work, ...change } : work)) });
  const submit = () =>
    form.submit(
      validateForm(partnerForm(now), form.values),
      async ({ name, ...entered }) => {
        const known = Object.entries(entered.turnover).flatMap(([year, value]) =>
          value === null ? [] : [[year, value] as const],
        );
        const isSaved = await savePartner({
          ...{ id, name, commitments: entered.commitments },
          turnover: { ...partner?.turnover, ...Object.fromEntries(known) },
          works: entered.works.flatMap((work, index) =>
            work.value === null && work.completedOn === '' ? [] : [{ ...work, id: `${id} ${index}`, name }],
          ),
        });
        if (isSaved) onClose();
      },
      () => ({ text: '' }),
    );
  return (
    <FormDialog
      title={partner ? t`Change partner` : t`Add partner`}
      form={form}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p className="xs muted">{t`These figures stay on this phone and are never sent.`}</p>
      <Field label={t`Name of the firm`} error={form.errors.name}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={200}
            value={form.values.name}
            onChange={({ target }) => form.change({ name: target.value })}
          />
        )}
      </Field>
      <FigureFields form={form} years={years} />
      {WORKS.map((index) => {
        const number = index + 1;
        return (
          <div key={index} className={entries.pair}>
            <Field label={t`Similar work ${number}`} hint={t`rupees`} error={form.errors[`works.${index}.value`]}>
              {(control) => (
                <Input
                  {...control}
                  inputMode="decimal"
                  autoComplete="off"
                  value={works[index]?.value ?? ''}
                  onChange={({ target }) => changeWork(index, { value: target.value })}
                />
              )}
            </Field>
            <Field label={t`Completed, work ${number}`} error={form.errors[`works.${index}.completedOn`]}>
              {(control) => (
                <Input
                  {...control}
                  type="date"
                  value={works[index]?.completedOn ?? ''}
                  onChange={({ target }) => changeWork(index, { completedOn: target.value })}
                />
              )}
            </Field>
          </div>
        );
      })}
    </FormDialog>
  );
}
