import { isHTTPError } from 'ky';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { fieldErrorsOf } from '../../../data/server/api.ts';
import { useSession } from '../../../data/session.ts';
import { storePendingOrder } from '../payment/pending-order.ts';
import { type BuyerErrors, type BuyerFormValues, buyerOfSession, useProfileBilling, validateBuyer } from './buyer.ts';
import { deletePaymentIntent } from './idempotency-key.ts';
import { readPaymentDraft, savePaymentDraft } from './payment-draft.ts';
import { type OrderItem, placeOrder, placeOrderFailureText, safePaymentUrl } from './place-order.ts';

/** What is bought, for how much, and where the buyer comes back to. */
export interface Purchase {
  item: OrderItem;
  pricePaise: number;
  /** Path of one of this app's own pages. */
  returnPath: string;
  /** The State for the invoice while the profile names none. */
  billingState: string;
  /** What is wrong with the item itself, by field; empty when it can be ordered. */
  itemErrors?: BuyerErrors;
  /** It has been paid before: shows that order. */
  onEntitled: (orderId: string) => void;
}

/** The state of a payment form. */
export interface CheckoutState {
  /** For the `form` element, among whose fields the first wrong one is focused. */
  form: RefObject<HTMLFormElement | null>;
  buyer: BuyerFormValues;
  /** The name, number and address of the account, which the form does not change. */
  isLocked: boolean;
  errors: BuyerErrors;
  failure: string;
  isBusy: boolean;
  /** The buyer was warned; the next press buys the same again. */
  isAgain: boolean;
  change: (changed: Partial<BuyerFormValues>) => void;
  /** Takes the errors of fields away that are being edited. */
  edited: (...names: string[]) => void;
  pay: () => Promise<void>;
}

/** The payment form of one purchase. Leaving it gives up the intent to pay; what is under way is then not followed. */
export function useCheckout(purchase: Purchase): CheckoutState {
  const session = useSession();
  const profile = useProfileBilling(session);
  const form = useRef<HTMLFormElement>(null);
  const given = useRef<AbortController>(undefined);
  const [typed, setTyped] = useState<Partial<BuyerFormValues>>(() => readPaymentDraft().buyer);
  const [errors, setErrors] = useState<BuyerErrors>({});
  const [shown, setShown] = useState(0);
  const [failure, setFailure] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  // The server has warned that these documents were bought before.
  const [isAgain, setIsAgain] = useState(false);

  useEffect(() => {
    const controller = new AbortController();
    given.current = controller;
    // back from the payment page without a reload: the form is as it was left
    const onPageShow = (event: PageTransitionEvent) => event.persisted && setIsBusy(false);
    window.addEventListener('pageshow', onPageShow);
    return () => {
      window.removeEventListener('pageshow', onPageShow);
      controller.abort();
      void deletePaymentIntent();
    };
  }, []);

  // after the fields have been drawn as wrong
  useEffect(() => {
    if (shown > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [shown]);

  const { home: _, state, ...billing } = profile;
  const billingState = typed.billingState ?? (state || purchase.billingState);
  const buyer: BuyerFormValues = {
    ...buyerOfSession(null),
    ...billing,
    ...typed,
    billingState,
    ...(session && buyerOfSession(session)),
  };

  const showErrors = (next: BuyerErrors) => {
    setErrors(next);
    setShown((count) => count + 1);
  };
  const edited = (...names: string[]) => {
    setErrors((present) => Object.fromEntries(Object.entries(present).filter(([name]) => !names.includes(name))));
    setFailure('');
  };

  async function send(checked: ReturnType<typeof validateBuyer>['buyer'] & object, signal: AbortSignal): Promise<void> {
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
    const { signal } = given.current ?? new AbortController();
    const checked = validateBuyer(buyer);
    const wrong = { ...checked.errors, ...purchase.itemErrors };
    setFailure('');
    if (isBusy) return;
    if (!checked.buyer || Object.keys(wrong).length > 0) return showErrors(wrong);
    setErrors({});
    setIsBusy(true);
    try {
      // it stays busy until the browser has left
      await send(checked.buyer, signal);
    } catch (error) {
      if (signal.aborted) return;
      const { again, ...fields } = fieldErrorsOf(error);
      if (again) setIsAgain(true);
      if (isHTTPError(error)) showErrors(fields);
      setFailure(placeOrderFailureText(error));
      setIsBusy(false);
    }
  }

  const change = (changed: Partial<BuyerFormValues>) => {
    setTyped({ ...typed, ...changed });
    setIsAgain(false);
    edited(...Object.keys(changed));
  };
  return { form, buyer, isLocked: session !== null, errors, failure, isBusy, isAgain, change, edited, pay };
}
