import { t } from '@lingui/core/macro';
import { formatFullRupees } from '@nivida/contract/format';
import * as v from 'valibot';
import { currentTime } from '../../../data/clock.ts';
import { typedDay, typedPaise } from '../../../data/typed-values.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { FormDialog } from '../../../ui/form/FormDialog.tsx';
import { TextField } from '../../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../../ui/form/useForm.ts';
import { type Deposit, dayOf, kindLabel, leftPaise } from '../deposit.ts';
import { depositFailureText, saveRelease } from '../deposit-actions.ts';

const releaseForm = (left: number) =>
  v.object({
    amountPaise: v.pipe(
      typedPaise,
      v.check(
        (paise): paise is number => paise !== null && paise > 0,
        () => t`Enter the amount that came back`,
      ),
      v.check(
        (paise) => paise !== null && paise <= left,
        () => t`Only ${{ amount: formatFullRupees(left / 100) }} is left`,
      ),
    ),
    releasedOn: typedDay,
  });

/** Asks which part of a deposit came back, and when. */
export function ReleaseDialog({ deposit, onClose }: { deposit: Deposit; onClose: () => void }) {
  const left = leftPaise(deposit) ?? 0;
  const form = useForm({ amountPaise: '', releasedOn: dayOf(currentTime()) });
  const submit = () =>
    form.submit(
      validateForm(releaseForm(left), form.values),
      async ({ amountPaise, releasedOn }) => {
        await saveRelease(deposit.id, amountPaise ?? 0, releasedOn);
        showToast({ text: t`Saved.` });
        onClose();
      },
      (error) => ({ text: depositFailureText(error) }),
    );
  return (
    <FormDialog title={t`A part came back`} form={form} onSubmit={submit} onClose={onClose}>
      <p className="s muted">
        {t`${{ kind: kindLabel(deposit) }}: the office holds ${{ amount: formatFullRupees(left / 100) }}.`}
      </p>
      <TextField
        form={form}
        name="amountPaise"
        label={t`Amount that came back`}
        hint="₹"
        inputMode="decimal"
        autoComplete="off"
      />
      <TextField form={form} name="releasedOn" label={t`Came back on`} type="date" />
    </FormDialog>
  );
}
