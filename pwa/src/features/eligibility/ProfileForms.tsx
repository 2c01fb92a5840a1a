import { formatDate, formatRupees } from '@nivida/contract/format';
import {
  AUTHORITIES,
  type BidProfile,
  ENLISTMENT_TRADES,
  type EnlistmentTrade,
  MULTIPLIERS,
  profileYears,
  tableSource,
} from '@nivida/contract/rules/may-i-bid';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { Field, Input, Select } from '../../ui/form/Field.tsx';
import { type Form, useForm, validateForm } from '../../ui/form/useForm.ts';
import { saveBidProfile } from './bid-profile.ts';
import css from './Eligibility.module.css';
import { EnlistmentForm, FiguresForm, workForm } from './profile-forms.ts';

class NotSavedError extends Error {}

/** Stores a change. When that fails, a toast says why. */
async function save(change: (profile: BidProfile) => BidProfile): Promise<void> {
  if (!(await saveBidProfile(change))) throw new NotSavedError();
}
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
          <Button look="icon" aria-label={`Remove ${text}`} onClick={() => onRemove(id)}>
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
    <form
      ref={form.ref}
      className={css.form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <div>
        <Button type="submit" busy={form.isBusy}>
          {title}
        </Button>
      </div>
    </form>
  );
}

export const TRADE_LABELS: Record<EnlistmentTrade, string> = { civil: 'Civil works', electrical: 'Electrical works' };

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
        await save((present) => ({ ...present, enlistments: [...present.enlistments, enlistment] }));
        form.reset();
      },
      noText,
    );
  return (
    <section className={css.group}>
      <h3>Enlistments</h3>
      <EntryList
        entries={profile.enlistments.map(({ id, authority: office, trade, className, ownLimit, validUntil }) => ({
          id,
          text: [
            authorityName(office),
            trade && TRADE_LABELS[trade],
            className && `class ${className}`,
            ownLimit !== null && `up to ${formatRupees(ownLimit)}`,
            validUntil && `until ${formatDate(validUntil)}`,
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
      <AddForm form={form} title="Add enlistment" onSubmit={() => void add()}>
        <Field label="Enlisted at" error={form.errors.authority}>
          {(control) => (
            <Select
              {...control}
              value={form.values.authority}
              onChange={({ target }) => form.change({ authority: target.value, className: '' })}
            >
              <option value="">Choose the office</option>
              {AUTHORITIES.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="For" hint="as in the certificate">
          {(control) => (
            <Select
              {...control}
              value={form.values.trade}
              onChange={({ target }) => form.change({ trade: target.value })}
            >
              <option value="">Not entered</option>
              {ENLISTMENT_TRADES.map((trade) => (
                <option key={trade} value={trade}>
                  {TRADE_LABELS[trade]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {authority && classes.length > 0 && (
          <Field label="Class" hint={`limits ${tableSource(authority)}`}>
            {(control) => (
              <Select
                {...control}
                value={form.values.className}
                onChange={({ target }) => form.change({ className: target.value })}
              >
                <option value="">Not chosen</option>
                {classes.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Amount form={form} name="ownLimit" label="Limit in my certificate" hint="rupees; counts before any table" />
        <Field label="Valid until" hint="optional" error={form.errors.validUntil}>
          {(control) => (
            <Input
              {...control}
              type="date"
              value={form.values.validUntil}
              onChange={({ target }) => form.change({ validUntil: target.value })}
            />
          )}
        </Field>
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
        await save((present) => ({ ...present, works: [...present.works, work] }));
        form.reset();
      },
      noText,
    );
  return (
    <section className={css.group}>
      <h3>Works done in the last 7 years</h3>
      <EntryList
        entries={profile.works.map(({ id, name, client, value, completedOn }) => ({
          id,
          text: [
            name,
            client && `for ${client}`,
            value === null ? 'value not entered' : formatRupees(value),
            completedOn ? `completed ${formatDate(completedOn)}` : 'day not entered',
          ]
            .filter(Boolean)
            .join(', '),
        }))}
        onRemove={(id) =>
          void saveBidProfile((present) => ({ ...present, works: present.works.filter((each) => each.id !== id) }))
        }
      />
      <AddForm form={form} title="Add work" onSubmit={() => void add()}>
        <Field label="Work" error={form.errors.name}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={form.values.name}
              onChange={({ target }) => form.change({ name: target.value })}
            />
          )}
        </Field>
        <Field label="Client" hint="optional" error={form.errors.client}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={form.values.client}
              onChange={({ target }) => form.change({ client: target.value })}
            />
          )}
        </Field>
        <Amount form={form} name="value" label="Value" hint="rupees" />
        <Field label="Completed on" error={form.errors.completedOn}>
          {(control) => (
            <Input
              {...control}
              type="date"
              value={form.values.completedOn}
              onChange={({ target }) => form.change({ completedOn: target.value })}
            />
          )}
        </Field>
      </AddForm>
    </section>
  );
}

/** An amount in rupees. */
function Amount<Name extends string, V extends Record<Name, string>>(props: {
  form: Form<V>;
  name: Name;
  label: string;
  hint: string;
}) {
  const { form, name, label, hint } = props;
  return (
    <Field label={label} hint={hint} error={form.errors[name]}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          autoComplete="off"
          value={form.values[name]}
          onChange={({ target }) => form.change({ [name]: target.value } as unknown as Partial<V>)}
        />
      )}
    </Field>
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
        await save((present) => ({
          ...present,
          ...figures,
          // The years of earlier entries stay.
          turnover: {
            ...Object.fromEntries(Object.entries(present.turnover).filter(([year]) => !years.includes(year))),
            ...Object.fromEntries(known),
          },
        }));
        showToast({ text: 'Saved on this phone.', passing: true });
      },
      noText,
    );
  return (
    <section className={css.group}>
      <h3>Turnover and works in hand</h3>
      <AddForm form={form} title="Save figures" onSubmit={() => void store()}>
        {years.map((year) => (
          <Field key={year} label={`Turnover from works ${year}`} hint="rupees" error={form.errors[`turnover.${year}`]}>
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                autoComplete="off"
                value={form.values.turnover[year] ?? ''}
                onChange={({ target }) => form.change({ turnover: { ...form.values.turnover, [year]: target.value } })}
              />
            )}
          </Field>
        ))}
        <Field label="Works in hand" hint="rupees due while this work runs" error={form.errors.commitments}>
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              value={form.values.commitments}
              onChange={({ target }) => form.change({ commitments: target.value })}
            />
          )}
        </Field>
        <Field label="M of the bid capacity" hint="in the NIT">
          {(control) => (
            <Select
              {...control}
              value={form.values.multiplier}
              onChange={({ target }) => form.change({ multiplier: target.value })}
            >
              {MULTIPLIERS.map((multiplier) => (
                <option key={multiplier} value={`${multiplier}`}>
                  {multiplier}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Checkbox
          checked={form.values.raisesValues}
          onChange={({ target }) => form.change({ raisesValues: target.checked })}
        >
          Raise the values of past works by 7 % a year (CPWD)
        </Checkbox>
      </AddForm>
    </section>
  );
}
