import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { currentTime } from '../../data/clock.ts';
import { firmOf, useRecordOwner } from '../../data/firms/space.ts';
import { toTypedInstant, toTypedRupees } from '../../data/typed-values.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { FormElement, SelectField, TextAreaField, TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import css from './Bids.module.css';
import { bidFailureText, saveBid } from './bid-actions.ts';
import { notesForm } from './bid-forms.ts';
import type { Bid } from './rules/bid.ts';

const notesOf = (bid: Bid) => ({
  rateKind: bid.rateKind ?? 'percent',
  ratePaise: toTypedRupees(bid.ratePaise),
  ratePercent: bid.ratePercent === undefined ? '' : String(bid.ratePercent),
  submittedAt: toTypedInstant(bid.submittedAt),
  portalBidId: bid.portalBidId ?? '',
  reminderAt: toTypedInstant(bid.reminderAt),
  note: bid.note ?? '',
});

/** The user's rate, what the portal returned, and a note. */
export function BidNotes({ bid }: { bid: Bid }) {
  const form = useForm<Record<keyof ReturnType<typeof notesOf>, string>>(notesOf(bid));
  const isFirm = firmOf(useRecordOwner()) !== undefined;
  const submit = () =>
    form.submit(
      validateForm(notesForm(currentTime()), form.values),
      async (notes) => {
        await saveBid(bid.id, notes);
        form.reset();
        showToast({ text: t`Saved.` });
      },
      (error) => ({ text: bidFailureText(error) }),
    );
  return (
    <FormElement form={form} className={css.form} onSubmit={submit}>
      <p className="s muted">
        {isFirm
          ? t`My rate stays in the firm: only its members see it, and it is never sent to a portal.`
          : t`My rate stays with me: it is never shown to others or sent to a portal.`}
      </p>
      <div className={css.pair}>
        <SelectField
          form={form}
          name="rateKind"
          label={t`My rate as`}
          options={[
            ['percent', t`% of the estimate`],
            ['amount', t`Amount`],
          ]}
        />
        {form.values.rateKind === 'percent' ? (
          <TextField
            form={form}
            name="ratePercent"
            label={t`Percent`}
            hint={t`below: -`}
            inputMode="text"
            autoComplete="off"
          />
        ) : (
          <TextField form={form} name="ratePaise" label={t`Rupees`} inputMode="decimal" autoComplete="off" />
        )}
      </div>
      <TextField
        form={form}
        name="submittedAt"
        label={t`Submitted at the portal`}
        hint={t`Indian time`}
        type="datetime-local"
      />
      <TextField form={form} name="portalBidId" label={t`Bid ID of the portal`} autoComplete="off" maxLength={60} />
      <TextField form={form} name="reminderAt" label={t`Remind me`} hint={t`Indian time`} type="datetime-local" />
      <p className="xs muted">
        <Trans>
          From then on the app reminds you here, on the dashboard and among the notices. No notification is sent.
        </Trans>
      </p>
      <TextAreaField form={form} name="note" label={t`Note`} rows={4} />
      <ErrorText text={form.failure} />
      <div>
        <Button look="main" type="submit" busy={form.isBusy}>
          {t`Save`}
        </Button>
      </div>
    </FormElement>
  );
}
