import { STATES } from '@nivida/contract/regions/states';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import { Field, Input, Select } from '../../../ui/form/Field.tsx';
import { normaliseBuyerMobile, normaliseTypedGstin } from './buyer.ts';
import css from './Checkout.module.css';
import type { CheckoutState } from './useCheckout.ts';

/** Name, mobile number and e-mail: typed by whoever is signed out, else those of the account, which are locked. */
export function BuyerFields({ checkout }: { checkout: CheckoutState }) {
  const { buyer, errors, isLocked, isBusy, change } = checkout;
  const isReadOnly = isLocked || isBusy;
  return (
    <>
      <Field label="Name" error={errors.name}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="name"
            required
            readOnly={isReadOnly}
            value={buyer.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
      </Field>
      <Field label="Mobile number" error={errors.mobileNo}>
        {(control) => (
          <span className={css.prefixed}>
            <span aria-hidden="true">+91</span>
            <Input
              {...control}
              name="mobileNo"
              type="tel"
              inputMode="numeric"
              autoComplete="tel-national"
              required
              readOnly={isReadOnly}
              value={buyer.mobileNo}
              onChange={({ target }) => change({ mobileNo: normaliseBuyerMobile(target.value) })}
            />
          </span>
        )}
      </Field>
      <div>
        <Field label="Email" error={errors.email}>
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              inputMode="email"
              autoComplete="email"
              required
              readOnly={isReadOnly}
              value={buyer.email}
              onChange={({ target }) => change({ email: target.value })}
            />
          )}
        </Field>
        {isLocked && (
          <p className={css.locked}>
            As in your <Link to="/dashboard/profile">profile</Link>.
          </p>
        )}
      </div>
    </>
  );
}

/** Who the tax invoice is made out to, beside a GSTIN. */
function CompanyFields({ checkout: { buyer, errors, isLocked, isBusy, change } }: { checkout: CheckoutState }) {
  return (
    <>
      <Field label="Name of the firm" error={errors.firm}>
        {(control) => (
          <Input
            {...control}
            name="firm"
            autoComplete="organization"
            required
            readOnly={isBusy}
            value={buyer.firm}
            onChange={({ target }) => change({ firm: target.value })}
          />
        )}
      </Field>
      <div>
        <Field label="Address of the firm" hint="with PIN code" error={errors.firmAddress}>
          {(control) => (
            <Input
              {...control}
              name="firmAddress"
              autoComplete="street-address"
              required
              readOnly={isBusy}
              value={buyer.firmAddress}
              onChange={({ target }) => change({ firmAddress: target.value })}
            />
          )}
        </Field>
        <p className="xs muted">
          As registered for GST; they are printed on the tax invoice
          {isLocked && ' and kept in your profile for the next one'}.
        </p>
      </div>
    </>
  );
}

/** The State, which the law wants on an invoice, and the GSTIN of a company; folded until it is asked for or wrong. */
export function InvoiceFields({ checkout }: { checkout: CheckoutState }) {
  const { buyer, errors, isBusy, change } = checkout;
  const [isOpen, setIsOpen] = useState(false);
  const isWrong = Boolean(errors.gstin || errors.billingState || errors.firm || errors.firmAddress);
  return (
    <details className={css.fold} open={isOpen || isWrong} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        GST invoice
        {buyer.billingState && !isOpen && <small>{[buyer.billingState, buyer.gstin].filter(Boolean).join(', ')}</small>}
        <Icon name="next" small />
      </summary>
      <div className="stack">
        <Field label="State" error={errors.billingState}>
          {(control) => (
            <Select
              {...control}
              name="billingState"
              disabled={isBusy}
              value={buyer.billingState}
              onChange={({ target }) => change({ billingState: target.value })}
            >
              <option value="">Choose a state</option>
              {STATES.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="GSTIN" hint="optional" error={errors.gstin}>
          {(control) => (
            <Input
              {...control}
              name="gstin"
              autoCapitalize="characters"
              autoComplete="off"
              spellCheck={false}
              readOnly={isBusy}
              value={buyer.gstin}
              onChange={({ target }) => change(normaliseTypedGstin(target.value))}
            />
          )}
        </Field>
        {buyer.gstin !== '' && <CompanyFields checkout={checkout} />}
      </div>
    </details>
  );
}
