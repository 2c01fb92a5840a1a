import { t } from '@lingui/core/macro';
import { formatCount, formatRupees } from '@nivida/contract/format';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { taxNote, useSite } from '../../../data/server/site.ts';
import { Button } from '../../../ui/Button.tsx';
import { useOnline } from '../../../ui/browser-state.ts';
import { DialogActions } from '../../../ui/Dialog.tsx';
import { StatusStamp } from '../../../ui/display/Status.tsx';
import { ErrorText } from '../../../ui/feedback/Note.tsx';
import { FormElement } from '../../../ui/form/FormFields.tsx';
import { BuyerFields, InvoiceFields } from './BuyerFields.tsx';
import css from './Checkout.module.css';
import { type CheckoutState, type Purchase, useCheckout } from './useCheckout.ts';

interface CheckoutProps extends Purchase {
  priceLabel: string;
  /** Renders the fields of the item between the buyer's fields and the invoice's. */
  renderFields?: (form: CheckoutState['form']) => ReactNode;
  /** What the price includes, and what it does not. */
  terms: ReactNode;
  /** The terms in one line beside the button. */
  brief: string;
  /** Why the item cannot be paid yet, apart from a missing connection. */
  waitsFor?: string | undefined;
  onCancel: () => void;
}

/** The payment form of a dialog: buyer, item, invoice, price, terms and Pay. */
export function Checkout({ priceLabel, renderFields, terms, brief, waitsFor, onCancel, ...purchase }: CheckoutProps) {
  const checkout = useCheckout(purchase);
  const isOnline = useOnline();
  const site = useSite();
  const taxes = taxNote(site);
  const blockedReasonText = useId();
  const blockedReason = isOnline ? waitsFor : t`You are offline`;
  const rupees = purchase.pricePaise / 100;
  const amount = formatCount(rupees);

  const submit = () => {
    if (!blockedReason) void checkout.pay();
  };
  return (
    <FormElement form={checkout.form} onSubmit={submit}>
      <BuyerFields checkout={checkout} />
      {renderFields?.(checkout.form)}
      <InvoiceFields checkout={checkout} />
      <dl className={css.tally}>
        <dt>
          {priceLabel} {site.payments === 'sandbox' && <StatusStamp tone="amber" label={t`Test payments`} />}
          {taxes && <small>{taxes}</small>}
        </dt>
        <dd>{formatRupees(rupees)}</dd>
      </dl>
      {terms}
      <DialogActions>
        <div className={css.foot}>
          {checkout.form.failure && (
            <div className={css.failure}>
              <ErrorText text={checkout.form.failure} />
            </div>
          )}
          <p className={css.reason} id={blockedReasonText} role="status">
            {blockedReason ?? brief}
          </p>
          <Button onClick={onCancel}>{t`Cancel`}</Button>
          <Button
            type="submit"
            look="main"
            busy={checkout.form.isBusy}
            disabled={blockedReason !== undefined}
            aria-describedby={blockedReasonText}
          >
            {checkout.isAgain ? t`Pay ₹${amount} again` : t`Pay ₹${amount}`}
          </Button>
        </div>
      </DialogActions>
    </FormElement>
  );
}
