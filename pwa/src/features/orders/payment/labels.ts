/** Texts of a payment's state, for the status page, the dialog and the list of orders. */
import { t } from '@lingui/core/macro';
import { packageKindLabel } from '@nivida/contract/orders/document-package';
import type { OrderStatus, OrderStatusResponse } from '@nivida/contract/orders/order';
import type { Tone } from '../../../ui/display/Badge.tsx';
import type { IconName } from '../../../ui/display/Icon.tsx';
import type { OrderView } from './follow-order.ts';

/** A state of the payment: heading, text and further sentences. A state without an icon is still loading. */
export interface PaymentStatusText {
  tone: Tone;
  icon: IconName | null;
  title: string;
  text: string;
  more?: string;
}

/** 'Tender documents (NIT & BOQ)', 'Yearly subscription'. An unknown product is shown by its id. */
export function productLabel({ product, contents = 'nit-boq' }: OrderStatusResponse['order']): string {
  if (product === 'tender-documents') return t`Tender documents (${{ kind: packageKindLabel(contents) }})`;
  return product === 'yearly-subscription' ? t`Yearly subscription` : product;
}

/** An answer about a payment that has ended. */
interface PaymentEnd {
  status: string;
  error?: string | null | undefined;
  order: { product: string };
}

function successText({ order }: PaymentEnd, isSignedIn: boolean): PaymentStatusText {
  const common = { tone: 'green', icon: 'check', title: t`Payment Successful!` } as const;
  if (order.product === 'tender-documents') {
    return { ...common, text: t`Documents will be sent to your email shortly.` };
  }
  const text = t`Your receipt will be sent to your email shortly.`;
  if (isSignedIn) return { ...common, text };
  return { ...common, text, more: t`Register or sign in with the same email address, and the plan is yours to use.` };
}

const refundedText = (): PaymentStatusText => ({
  tone: 'purple',
  icon: 'back',
  title: t`Payment refunded`,
  text: t`The money goes back the way it came, to the card or account you paid with, within 5 working days.`,
});

/** The text for a payment that has ended. */
export function resultText(check: PaymentEnd, isSignedIn: boolean): PaymentStatusText {
  if (check.status === 'SUCCESS') return successText(check, isSignedIn);
  if (check.status === 'REFUNDED') return refundedText();
  return {
    tone: 'red',
    icon: 'close',
    title: t`Payment Failed`,
    text: check.error || t`Please try again.`,
    more: t`If money left your account, do not pay again. It is matched with your order as soon as the bank confirms it, or comes back by itself within 5 working days.`,
  };
}

/** The text for a payment whose page has ended without a result. */
export const unconfirmedText = (): PaymentStatusText => ({
  tone: 'amber',
  icon: 'clock',
  title: t`Not confirmed yet`,
  text: t`We have not received confirmation. If money left your account, do not pay again; we will email you.`,
  more: t`Some banks confirm hours later. We ask for up to 3 days, also while this page is closed.`,
});

/** The text for a state of the payment. */
export function paymentStatusText(view: OrderView, isSignedIn: boolean): PaymentStatusText {
  switch (view.kind) {
    case 'checking':
      return {
        tone: 'blue',
        icon: null,
        title: t`Checking your payment`,
        text: t`This takes a few seconds. You may close this page: we email you in any case.`,
      };
    case 'offline':
      return {
        tone: 'amber',
        icon: 'offline',
        title: t`Waiting for a connection`,
        text: t`You are offline. We check your payment when you are online again. Do not pay again.`,
      };
    case 'unconfirmed':
      return unconfirmedText();
    case 'error':
      return { tone: 'red', icon: 'warning', title: t`Error Checking Payment`, text: view.message };
    case 'known':
      return resultText(view.check, isSignedIn);
  }
}

/** The label of an order's status in the list. */
export function orderStatusLabel(status: OrderStatus): { label: string; tone: Tone } {
  switch (status) {
    case 'SUCCESS':
      return { label: t`Paid`, tone: 'green' };
    case 'PENDING':
      return { label: t`Not confirmed yet`, tone: 'amber' };
    case 'REFUNDED':
      return { label: t`Refunded`, tone: 'purple' };
    case 'FAILED':
      return { label: t`Not paid`, tone: 'red' };
  }
}
