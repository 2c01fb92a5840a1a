import { t } from '@lingui/core/macro';
import type { EmdValidity } from '@nivida/contract/rules/emd';
import { useState } from 'react';
import { newRecordId } from '../../data/records/records.ts';
import { Button } from '../../ui/Button.tsx';
import entries from '../../ui/display/entries.module.css';
import { showToast } from '../../ui/feedback/toast.ts';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { SelectField, TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import { EmdValidityNote } from './CashNeeded.tsx';
import { type Deposit, emdReturnRule, kindLabels, modeLabels, stateLabels } from './deposit.ts';
import { continueDeposit, depositFailureText, removeDeposit, saveDeposit } from './deposit-actions.ts';
import {
  DepositForm,
  depositTexts,
  hasClaims,
  hasInstrument,
  hasObligation,
  shownDepositTexts,
} from './deposit-form.ts';

interface DepositDialogProps {
  bidId: string;
  /** The deposit to edit, with its id, or the known values of a new one, which may continue another one. */
  deposit: Omit<Deposit, 'id'> & { id?: string };
  /** Null for a bid without a tender. */
  emdValidity: EmdValidity | null;
  onClose: () => void;
}

/** The form of a deposit: kind, amount, instrument and dates, as on the receipt. */
export function DepositDialog({ bidId, deposit, emdValidity, onClose }: DepositDialogProps) {
  const form = useForm(depositTexts(deposit));
  // A second tap on a slow device saves the same deposit.
  const [id] = useState(() => deposit.id ?? newRecordId());
  const { kind, mode, state } = form.values;
  const from = deposit.id === undefined ? deposit.continues : undefined;
  const submit = () =>
    form.submit(
      validateForm(DepositForm, shownDepositTexts(form.values)),
      async (fields) => {
        await (from ? continueDeposit(id, { ...fields, bidId }, from) : saveDeposit(id, { ...fields, bidId }));
        showToast({ text: t`Saved.` });
        onClose();
      },
      (error) => ({ text: depositFailureText(error) }),
    );
  return (
    <FormDialog title={deposit.id ? t`Change deposit` : t`Add deposit`} form={form} onSubmit={submit} onClose={onClose}>
      <p className="xs muted">{t`Only your own record. Nothing is paid or sent here.`}</p>
      <div className={entries.pair}>
        <SelectField form={form} name="kind" label={t`Kind`} options={Object.entries(kindLabels())} />
        <TextField form={form} name="amountPaise" label={t`Amount`} hint="₹" inputMode="decimal" autoComplete="off" />
      </div>
      <div className={entries.pair}>
        <SelectField
          form={form}
          name="mode"
          label={t`Paid by`}
          empty={t`Choose`}
          options={Object.entries(modeLabels())}
        />
        <TextField form={form} name="paidOn" label={t`Paid on`} type="date" />
      </div>
      {mode !== 'exempt' && (
        <div className={entries.pair}>
          <TextField
            form={form}
            name="number"
            label={hasInstrument(mode) ? t`Number` : t`Reference number`}
            autoComplete="off"
            maxLength={60}
          />
          <TextField form={form} name="bank" label={t`Bank`} hint={t`and branch`} autoComplete="off" maxLength={120} />
        </div>
      )}
      {from && <p className="s">{t`The earlier deposit is then marked as adjusted in the work.`}</p>}
      {hasInstrument(mode) && <TextField form={form} name="validUntil" label={t`Valid until`} type="date" />}
      {hasClaims(form.values) && (
        <TextField form={form} name="claimUntil" label={t`Claims until`} hint={t`optional`} type="date" />
      )}
      {hasInstrument(mode) && emdValidity && kind === 'emd' && (
        <p className="muted">
          <EmdValidityNote validity={emdValidity} />
        </p>
      )}
      {hasObligation(kind) && (
        <TextField
          form={form}
          name="obligationUntil"
          label={t`Obligation ends on`}
          hint={t`completion or end of defect liability`}
          type="date"
        />
      )}
      <div className={entries.pair}>
        <SelectField form={form} name="state" label={t`Where is it?`} options={Object.entries(stateLabels())} />
        <TextField form={form} name="dueOn" label={t`Due back on`} type="date" />
      </div>
      {state === 'returned' && (
        <div className={entries.pair}>
          <TextField form={form} name="returnedOn" label={t`Returned on`} type="date" />
          <TextField form={form} name="returnedPaise" label={t`Amount returned`} hint="₹" inputMode="decimal" />
        </div>
      )}
      <p className="xs muted">{`${emdReturnRule()} ${t`Check the NIT.`}`}</p>
      {deposit.id && (
        <div>
          <Button
            look="plain"
            onClick={() => {
              void removeDeposit(id);
              onClose();
            }}
          >
            {t`Remove this deposit`}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}
