import { isHTTPError } from 'ky';
import { useEffect, useRef, useState } from 'react';
import { fieldErrorsOf } from '../../../data/server/api.ts';
import { useSession } from '../../../data/session.ts';
import { type FieldErrors, type Form, LEAVES_PAGE, useForm } from '../../../ui/form/useForm.ts';
import { storePendingOrder } from '../payment/pending-order.ts';
import { type BuyerFormValues, buyerOfSession, useProfileBilling, validateBuyer } from './buyer.ts';
import { deletePaymentIntent } from './idempotency-key.ts';
import { readPaymentDraft, savePaymentDraft } from './payment-draft.ts';
import { type OrderItem, placeOrder, placeOrderFailureText, safePaymentUrl } from './place-order.ts';

/** What is bought, its price, and where the buyer returns to. */
export interface Purchase {
  item: OrderItem;
  pricePaise: number;
  /** Path of a page of this app. */
  returnPath: string;
  /** The State for the invoice, used when the profile names none. */
  billingState: string;
  /** Errors of the item, by field. Empty when the item can be ordered. */
  itemErrors?: FieldErrors;
  /** Called when an earlier order has already paid for the item, with the id of that order. */
  onEntitled: (orderId: string) => void;
}

/** The state of a payment form. */
export interface CheckoutState {
  form: Form<BuyerFormValues>;
  /** The name, number and address are the account's, and read-only. */
  isLocked: boolean;
  /** The server has warned that the item was bought before. The next submit buys it again. */
  isAgain: boolean;
  pay: () => Promise<void>;
}

/**
 * The payment form of one purchase. Closing the form gives up the intent to pay; a running call is then
 * ignored.
 */
export function useCheckout(purchase: Purchase): CheckoutState {
  const session = useSession();
  const { home: _, state, ...billing } = useProfileBilling(session);
  const closing = useRef<AbortController>(undefined);
  // The server has warned that these documents were bought before.
  const [isAgain, setIsAgain] = useState(false);
  const initial: BuyerFormValues = {
    ...buyerOfSession(null),
    ...billing,
    billingState: state || purchase.billingState,
  };
  const form = useForm(initial, { typed: () => readPaymentDraft().buyer, onChange: () => setIsAgain(false) });
  const { typed, release } = form;
  const buyer: BuyerFormValues = { ...form.values, ...(session && buyerOfSession(session)) };

  useEffect(() => {
    const controller = new AbortController();
    closing.current = controller;
    return () => {
      controller.abort();
      void deletePaymentIntent();
    };
  }, []);
  useEffect(() => {
    // The buyer returns from the payment page without a reload.
    const onPageShow = (event: PageTransitionEvent) => event.persisted && release();
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, [release]);

  async function send(checked: ReturnType<typeof validateBuyer>['sent'] & object, signal: AbortSignal): Promise<void> {
    const { item, pricePaise, returnPath, onEntitled } = purchase;
    const again = isAgain && item.product === 'tender-documents' ? { again: true } : {};
    const body = { ...checked, ...item, ...again, amount: pricePaise / 100, redirectUrl: returnPath };
    const { url, orderId, alreadyEntitled } = await placeOrder(body, signal);
    if (signal.aborted) return;
    if (alreadyEntitled) return onEntitled(orderId);
    const address = safePaymentUrl(url, window.location.href);
    if (!address) throw new Error('the payment page has no usable address');
    const plan = item.product === 'yearly-subscription' ? item : null;
    savePaymentDraft({ buyer: typed, planId: plan?.planId ?? null, states: plan?.states ?? [] });
    await storePendingOrder({ orderId, at: Date.now(), url: address.href });
    if (!signal.aborted) window.location.assign(address);
  }

  async function pay(): Promise<void> {
    const { signal } = closing.current ?? new AbortController();
    const { sent, errors } = validateBuyer(buyer);
    const hasItemErrors = Object.keys(purchase.itemErrors ?? {}).length > 0;
    await form.submit(
      sent && !hasItemErrors ? { sent, errors: {} } : { errors: { ...errors, ...purchase.itemErrors } },
      async (checked) => {
        await send(checked, signal);
        return LEAVES_PAGE;
      },
      (error) => {
        const { again, ...errors } = fieldErrorsOf(error);
        if (again) setIsAgain(true);
        return { text: placeOrderFailureText(error), errors: isHTTPError(error) ? errors : {} };
      },
    );
  }

  return { form: { ...form, values: buyer }, isLocked: session !== null, isAgain, pay };
}
