import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { leftOutOfMobile, normaliseTypedMobile } from '@nivida/contract/fields';
import { placeName, stateOptions } from '@nivida/contract/regions/states';
import { type SyntheticEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import { SelectField, TextField } from '../../../ui/form/FormFields.tsx';
import { normaliseTypedGstin } from './buyer.ts';
import css from './Checkout.module.css';
import type { CheckoutState } from './useCheckout.ts';

/**
 * Name, mobile number and e-mail. A signed-out buyer types them; a signed-in buyer sees the account's,
 * read-only.
 */
export function BuyerFields({ checkout: { form, isLocked } }: { checkout: CheckoutState }) {
  return (
    <>
      <TextField form={form} name="name" label={t`Name`} autoComplete="name" required readOnly={isLocked} />
      <TextField
        form={form}
        name="mobileNo"
        label={t`Mobile number`}
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        required
        readOnly={isLocked}
        normalise={normaliseTypedMobile}
        leftOut={leftOutOfMobile}
        renderInput={(input) => (
          <span className={css.prefixed}>
            <span aria-hidden="true">+91</span>
            {input}
          </span>
        )}
      />
      <div>
        <TextField
          form={form}
          name="email"
          label={t`Email`}
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          readOnly={isLocked}
        />
        {isLocked && (
          <p className={css.locked}>
            <Trans>
              As in your <Link to="/dashboard/profile">profile</Link>.
            </Trans>
          </p>
        )}
      </div>
    </>
  );
}

/** The firm for the tax invoice. It is shown with a GSTIN. */
function CompanyFields({ checkout: { form, isLocked } }: { checkout: CheckoutState }) {
  return (
    <>
      <TextField form={form} name="firm" label={t`Name of the firm`} autoComplete="organization" required />
      <div>
        <TextField
          form={form}
          name="firmAddress"
          label={t`Address of the firm`}
          hint={t`with PIN code`}
          autoComplete="street-address"
          required
        />
        <p className="xs muted">
          {isLocked ? (
            <Trans>
              As registered for GST; they are printed on the tax invoice and saved in your profile for the next one.
            </Trans>
          ) : (
            t`As registered for GST; they are printed on the tax invoice.`
          )}
        </p>
      </div>
    </>
  );
}

/**
 * The State, which an invoice needs, and a company's GSTIN. Folded until the buyer opens it or it has an
 * error.
 */
export function InvoiceFields({ checkout }: { checkout: CheckoutState }) {
  const { form } = checkout;
  const { values: buyer, errors } = form;
  const [isOpen, setIsOpen] = useState(false);
  const isWrong = Boolean(errors.gstin || errors.billingState || errors.firm || errors.firmAddress);
  const onToggle = ({ currentTarget }: SyntheticEvent<HTMLDetailsElement>) => {
    setIsOpen(currentTarget.open);
    // It opens behind the buttons at the bottom of the dialog. After an error the first wrong field has the
    // focus instead.
    if (currentTarget.open && !isWrong) currentTarget.scrollIntoView({ block: 'nearest' });
  };
  return (
    <details className={css.fold} open={isOpen || isWrong} onToggle={onToggle}>
      <summary>
        {t`GST invoice`}
        {buyer.billingState && !isOpen && (
          <small>{[placeName(buyer.billingState), buyer.gstin].filter(Boolean).join(', ')}</small>
        )}
        <Icon name="next" small />
      </summary>
      <div className="stack">
        <SelectField
          form={form}
          name="billingState"
          label={t`State`}
          empty={t`Choose a state`}
          options={stateOptions()}
        />
        <TextField
          form={form}
          name="gstin"
          label={t`GSTIN`}
          hint={t`optional`}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck="false"
          onChange={({ target }) => form.change(normaliseTypedGstin(target.value))}
        />
        {buyer.gstin !== '' && <CompanyFields checkout={checkout} />}
      </div>
    </details>
  );
}
