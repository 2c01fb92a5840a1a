import { t } from '@lingui/core/macro';
import { formatDate, formatRupees } from '@nivida/contract/format';
import {
  AUTHORITIES,
  type BidProfile,
  type EnlistmentTrade,
  MULTIPLIERS,
  profileYears,
  tableSource,
} from '@nivida/contract/rules/may-i-bid';
import type { ReactNode } from 'react';
import { loadWord } from '../../data/words/load-word.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { FormElement, SelectField, TextField } from '../../ui/form/FormFields.tsx';
import { type Form, useForm, validateForm } from '../../ui/form/useForm.ts';
import { Term } from '../../ui/words/Term.tsx';
import { saveBidProfile } from './bid-profile.ts';
import css from './Eligibility.module.css';
import { FigureFields } from './FigureFields.tsx';
import { EnlistmentForm, FiguresForm, workForm } from './profile-forms.ts';

// When a change is not stored, a toast says why.
const noText = () => ({ text: '' });

/** The forms of the contractor's figures. */
export function ProfileForms({ profile, now }: { profile: BidProfile; now: Date }) {
  return (
    <>
      <Enlistments profile={profile} />
      <Works profile={profile} now={now} />
      <Figures key={JSON.stringify([profile.turnover, profile.commitments])} profile={profile} now={now} />
    </>
  );
}

/** The entered values, each with a button that removes it. */
function EntryList({ entries, onRemove }: { entries: { id: string; text: string }[]; onRemove: (id: string) => void }) {
  return (
    <ul>
      {entries.map(({ id, text }) => (
        <li key={id} className={css.entry}>
          <span>{text}</span>
          <Button look="icon" aria-label={t`Remove ${text}`} onClick={() => onRemove(id)}>
            <Icon name="close" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

function AddForm<V extends object>(props: { form: Form<V>; title: string; onSubmit: () => void; children: ReactNode }) {
  const { form, title, onSubmit, children } = props;
  return (
    <FormElement form={form} className={css.form} onSubmit={onSubmit}>
      {children}
      <div>
        <Button type="submit" busy={form.isBusy}>
          {title}
        </Button>
      </div>
    </FormElement>
  );
}

export const tradeLabels = (): Record<EnlistmentTrade, string> => ({
  civil: t`Civil works`,
  electrical: t`Electrical works`,
});

const authorityName = (id: string): string => AUTHORITIES.find((each) => each.id === id)?.name ?? id;

function Enlistments({ profile }: { profile: BidProfile }) {
  const form = useForm({ authority: '', trade: '', className: '', ownLimit: '', validUntil: '' });
  const authority = AUTHORITIES.find(({ id }) => id === form.values.authority);
  const classes = Object.keys(authority?.classLimits?.rupees ?? {});
  const add = () =>
    form.submit(
      validateForm(EnlistmentForm, form.values),
      async (entered) => {
        const { trade, ...facts } = entered;
        const enlistment = { ...facts, ...(trade && { trade }), id: crypto.randomUUID() };
        if (await saveBidProfile((present) => ({ ...present, enlistments: [...present.enlistments, enlistment] })))
          form.reset();
      },
      noText,
    );
  return (
    <section className={css.group}>
      <h3>
        <Term form={t`Enlistments`} load={() => loadWord('enlistment')} />
      </h3>
      <EntryList
        entries={profile.enlistments.map(({ id, authority: office, trade, className, ownLimit, validUntil }) => ({
          id,
          text: [
            authorityName(office),
            trade && tradeLabels()[trade],
            className && t`class ${className}`,
            ownLimit !== null && t`up to ${{ amount: formatRupees(ownLimit) }}`,
            validUntil && t`until ${{ day: formatDate(validUntil) }}`,
          ]
            .filter(Boolean)
            .join(', '),
        }))}
        onRemove={(id) =>
          void saveBidProfile((present) => ({
            ...present,
            enlistments: present.enlistments.filter((each) => each.id !== id),
          }))
        }
      />
      <AddForm form={form} title={t`Add enlistment`} onSubmit={() => void add()}>
        <SelectField
          form={form}
          name="authority"
          label={t`Enlisted at`}
          empty={t`Choose the office`}
          options={AUTHORITIES.map(({ id, name }) => [id, name])}
          onChange={({ target }) => form.change({ authority: target.value, className: '' })}
        />
        <SelectField
          form={form}
          name="trade"
          label={t({ message: 'For', context: 'label of the works of an enlistment' })}
          hint={t`as in the certificate`}
          empty={t`Not entered`}
          options={Object.entries(tradeLabels())}
        />
        {authority && classes.length > 0 && (
          <SelectField
            form={form}
            name="className"
            label={t`Class`}
            hint={t`limits ${{ source: tableSource(authority) ?? '' }}`}
            empty={t`Not chosen`}
            options={classes}
          />
        )}
        <TextField
          form={form}
          name="ownLimit"
          label={t`Limit in my certificate`}
          hint={t`rupees; counts before any table`}
          inputMode="decimal"
          autoComplete="off"
        />
        <TextField form={form} name="validUntil" label={t`Valid until`} hint={t`optional`} type="date" />
      </AddForm>
    </section>
  );
}

function Works({ profile, now }: { profile: BidProfile; now: Date }) {
  const form = useForm({ name: '', client: '', value: '', completedOn: '' });
  const add = () =>
    form.submit(
      validateForm(workForm(now), form.values),
      async (entered) => {
        const { client, ...facts } = entered;
        const work = { ...facts, ...(client && { client }), id: crypto.randomUUID() };
        if (await saveBidProfile((present) => ({ ...present, works: [...present.works, work] }))) form.reset();
      },
      noText,
    );
  return (
    <section className={css.group}>
      <h3>{t`Works done in the last 7 years`}</h3>
      <EntryList
        entries={profile.works.map(({ id, name, client, value, completedOn }) => ({
          id,
          text: [
            name,
            client && t`for ${client}`,
            value === null ? t`value not entered` : formatRupees(value),
            completedOn ? t`completed ${{ day: formatDate(completedOn) }}` : t`day not entered`,
          ]
            .filter(Boolean)
            .join(', '),
        }))}
        onRemove={(id) =>
          void saveBidProfile((present) => ({ ...present, works: present.works.filter((each) => each.id !== id) }))
        }
      />
      <AddForm form={form} title={t`Add work`} onSubmit={() => void add()}>
        <TextField form={form} name="name" label={t`Work`} autoComplete="off" />
        <TextField form={form} name="client" label={t`Client`} hint={t`optional`} autoComplete="off" />
        <TextField form={form} name="value" label={t`Value`} hint={t`rupees`} inputMode="decimal" autoComplete="off" />
        <TextField form={form} name="completedOn" label={t`Completed on`} type="date" />
      </AddForm>
    </section>
  );
}

function Figures({ profile, now }: { profile: BidProfile; now: Date }) {
  const years = profileYears(now);
  const form = useForm({
    turnover: Object.fromEntries(years.map((year) => [year, String(profile.turnover[year] ?? '')])),
    commitments: String(profile.commitments ?? ''),
    multiplier: String(profile.multiplier),
    raisesValues: profile.raisesValues,
  });
  const store = () =>
    form.submit(
      validateForm(FiguresForm, form.values),
      async ({ turnover, ...figures }) => {
        const known = Object.entries(turnover).flatMap(([year, value]) => (value === null ? [] : [[year, value]]));
        const isSaved = await saveBidProfile((present) => ({
          ...present,
          ...figures,
          // The years of earlier entries stay.
          turnover: {
            ...Object.fromEntries(Object.entries(present.turnover).filter(([year]) => !years.includes(year))),
            ...Object.fromEntries(known),
          },
        }));
        if (isSaved) showToast({ text: t`Saved on this phone.`, passing: true });
      },
      noText,
    );
  return (
    <section className={css.group}>
      <h3>{t`Turnover and works in hand`}</h3>
      <AddForm form={form} title={t`Save figures`} onSubmit={() => void store()}>
        <FigureFields form={form} years={years} />
        <SelectField
          form={form}
          name="multiplier"
          label={t`M of the bid capacity`}
          hint={t`in the NIT`}
          options={MULTIPLIERS.map(String)}
        />
        <Checkbox
          checked={form.values.raisesValues}
          onChange={({ target }) => form.change({ raisesValues: target.checked })}
        >
          {t`Raise the values of past works by 7 % a year (CPWD)`}
        </Checkbox>
      </AddForm>
    </section>
  );
}
