import { t } from '@lingui/core/macro';
import { formatDate } from '@nivida/contract/format';
import * as v from 'valibot';
import { typedDay } from '../../../data/typed-values.ts';
import { FormDialog } from '../../../ui/form/FormDialog.tsx';
import { TextField } from '../../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../../ui/form/useForm.ts';
import { type Deposit, kindLabel } from '../deposit.ts';
import { changeDeposit } from '../deposit-actions.ts';

const renewForm = (validUntil: string) =>
  v.pipe(
    v.object({
      validUntil: v.pipe(
        typedDay,
        v.check(
          (day) => day !== null && day > validUntil,
          () => t`Choose a day after ${{ day: formatDate(validUntil) }}`,
        ),
      ),
      claimUntil: typedDay,
    }),
    v.forward(
      v.check(
        ({ validUntil: end, claimUntil }) => claimUntil === null || end === null || claimUntil >= end,
        () => t`Claims end with the guarantee or later`,
      ),
      ['claimUntil'],
    ),
  );

/** Asks until when a guarantee was renewed. Its reminders then follow the new day. */
export function RenewDialog({ deposit, onClose }: { deposit: Deposit & { validUntil: string }; onClose: () => void }) {
  const { id, validUntil, claimUntil } = deposit;
  const form = useForm({ validUntil: '', claimUntil: '' });
  const submit = () =>
    form.submit(
      validateForm(renewForm(validUntil), form.values),
      async (renewed) => {
        const kind = kindLabel(deposit);
        const day = formatDate(renewed.validUntil);
        await changeDeposit(
          id,
          renewed,
          { validUntil, claimUntil: claimUntil ?? null },
          t`${kind}: renewed until ${day}.`,
        );
        onClose();
      },
      () => ({ text: '' }),
    );
  return (
    <FormDialog title={t`Guarantee renewed`} form={form} onSubmit={submit} onClose={onClose}>
      <p className="s muted">{t`Until now it is valid until ${{ day: formatDate(validUntil) }}.`}</p>
      <TextField form={form} name="validUntil" label={t`Renewed until`} type="date" />
      <TextField form={form} name="claimUntil" label={t`Claims until`} hint={t`optional`} type="date" />
    </FormDialog>
  );
}
