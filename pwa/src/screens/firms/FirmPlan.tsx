import { t } from '@lingui/core/macro';
import { type Firm, FirmPlanOffer } from '@nivida/contract/firms/firms';
import { formatDate, formatRupees } from '@nivida/contract/format';
import { PLANS } from '@nivida/contract/orders/plans';
import { useState } from 'react';
import { apiOf, errorMessage } from '../../data/server/api.ts';
import { createQueryCache, useQuery } from '../../data/server/query-cache.ts';
import { useSite } from '../../data/server/site.ts';
import { useCheckout } from '../../features/orders/checkout/useCheckout.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import css from './FirmPlan.module.css';

/** Offers by user and firm. */
const offers = createQueryCache((key) => {
  const [userId = '', firmId = ''] = key.split(' ');
  return apiOf(userId).get(`api/firms/${firmId}/plan-offer`).json(FirmPlanOffer);
});

const rupees = (paise: number): string => formatRupees(paise / 100);

/** The price line by line, the invoice's address, and the button that opens the payment page. */
function Offer({ firm, offer, onClose }: { firm: Firm; offer: FirmPlanOffer; onClose: () => void }) {
  const { form, pay } = useCheckout({
    item: { product: 'yearly-subscription', planId: 'enterprise', states: [], firmId: firm.id },
    pricePaise: offer.totalPaise,
    returnPath: '/payment-status',
    billingState: '',
    onEntitled: onClose,
  });
  const { firm: name, address, gstin } = offer.invoice;
  return (
    <>
      <table className={css.prices}>
        <tbody>
          <tr>
            <th scope="row">{t`Firm plan, one year`}</th>
            <td>{rupees(offer.pricePaise)}</td>
          </tr>
          {offer.credits.map(({ planId, unusedDays, paise }) => (
            <tr key={`${planId} ${unusedDays}`}>
              <th scope="row">
                {t`Credit: ${{ plan: PLANS[planId].name }} plan, ${{ days: unusedDays }} unused days`}
              </th>
              <td>-{rupees(paise)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              <b>{t`To pay, tax included`}</b>
            </th>
            <td>
              <b>{rupees(offer.totalPaise)}</b>
            </td>
          </tr>
        </tbody>
      </table>
      {offer.credits.length > 0 && <p className="s muted">{t`Your own plan ends when the plan of the firm begins.`}</p>}
      <p className="s muted">
        {t`Invoice to:`} {[name, address, gstin && t`GSTIN ${gstin}`].filter(Boolean).join(', ')}
      </p>
      <ul className={`${css.terms} s muted`}>
        <li>{t`Alerts in all of India and document downloads for each of up to five members, and shared records.`}</li>
        <li>{t`One payment for one year. Nothing renews by itself.`}</li>
        <li>{t`All payments are non-refundable, except duplicate debits.`}</li>
      </ul>
      <ErrorText text={form.failure || Object.values(form.errors)[0]} />
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button look="main" busy={form.isBusy} onClick={() => void pay()}>
          {t`Pay ${{ price: rupees(offer.totalPaise) }}`}
        </Button>
      </DialogActions>
    </>
  );
}

function FirmPlanDialog({ firm, userId, onClose }: { firm: Firm; userId: string; onClose: () => void }) {
  const { answer, error, isLoading } = useQuery(offers, `${userId} ${firm.id}`);
  return (
    <Dialog title={t`Plan for ${firm.name}`} onClose={onClose} isForm>
      {isLoading && <Spinner label={t`Loading the price`} />}
      {error !== undefined && <ErrorText text={errorMessage(error, t`The price could not be loaded`)} />}
      {answer && <Offer firm={firm} offer={answer} onClose={onClose} />}
    </Dialog>
  );
}

/** The plan of a firm, until when it lasts, and the button with which an owner buys a year. */
export function FirmPlan({ firm, userId, isMain }: { firm: Firm; userId: string; isMain: boolean }) {
  const site = useSite();
  const [isBuying, setIsBuying] = useState(false);
  const isSold = site !== undefined && site.payments !== 'none';
  const open = () => {
    // The price falls with the days of the buyer's own plan.
    void offers.refresh(`${userId} ${firm.id}`);
    setIsBuying(true);
  };
  return (
    <>
      {firm.planEndsAt !== null && <p>{t`Firm plan until ${{ day: formatDate(firm.planEndsAt) }}`}</p>}
      {!firm.canWrite && <p>{t`No plan: the records of the firm can be read and exported, not changed.`}</p>}
      {isSold && firm.role === 'owner' && (
        <div className="row">
          <Button look={isMain && !firm.canWrite ? 'main' : undefined} aria-haspopup="dialog" onClick={open}>
            {firm.canWrite ? t`Add a year to the plan` : t`Plan for the firm`}
          </Button>
        </div>
      )}
      {isBuying && <FirmPlanDialog firm={firm} userId={userId} onClose={() => setIsBuying(false)} />}
    </>
  );
}
