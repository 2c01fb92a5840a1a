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

/** What is bought, its price, and where the buyer comes back to. */
export interface Purchase {
  item: OrderItem;
  pricePaise: number;
  /** Path of one of this app's own pages. */
  returnPath: string;
  /** The State for the invoice while the profile names none. */
  billingState: string;
  /** Errors of the item itself, by field; empty when it can be ordered. */
  itemErrors?: FieldErrors;
  /** Called with the id of the order that has paid for it before. */
  onEntitled: (orderId: string) => void;
}

/** The state of a payment form. */
export interface CheckoutState {
  form: Form<BuyerFormValues>;
  /** The name, number and address are the account's and read-only. */
  isLocked: boolean;
  /** The buyer was warned; the next submit buys the same again. */
  isAgain: boolean;
  pay: () => Promise<void>;
}

/** The payment form of one purchase. Closing it gives up the intent to pay; a call under way is then not followed. */
export function useCheckout(purchase: Purchase): CheckoutState {
  const session = useSession();
  const { home: _, state, ...billing } = useProfileBilling(session);
  const closing = useRef<AbortController>(undefined);
  // the server has warned that these documents were bought before
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
    // back from the payment page without a reload
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
