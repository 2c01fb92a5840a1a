/** The port to payment providers. Their webhooks and returns are hints only: the status always comes from fetchStatus. */

import type { PaymentProviderName } from '../base/config.ts';

/** The checkout that is sent to the provider. */
export interface CheckoutRequest {
  /** Our reference, new for every attempt: at most 38 of A-Z a-z 0-9 _ -. */
  attemptRef: string;
  amountPaise: number;
  /** The product, without personal data. */
  description: string;
  /** `mobile` with +91. */
  buyer: { name: string; email: string; mobile: string };
  /** Absolute address of this app. */
  returnUrl: string;
  expiresAt: Date;
}

/** An attempt as this app stores it. */
export interface AttemptPage {
  /** The provider's reference; null when its answer was lost. */
  providerRef: string | null;
  /** End of the payment page. */
  expiresAt: Date;
  /** When the buyer came back without having paid; null when that is not known. */
  leftAt: Date | null;
}

/** The payment page: `url` is https (or the sandbox on loopback) on a host that the adapter knows. */
export interface StartedCheckout {
  url: string;
  providerRef: string;
}

/** One capture of money. */
export interface Capture {
  paymentId: string;
  amountPaise: number;
  currency: string;
  method: string | null;
}

/** Status of an attempt. `captures`, oldest first, has more than one entry when the buyer was debited twice. */
export interface ProviderStatus {
  state: 'PENDING' | 'PAID' | 'FAILED' | 'EXPIRED' | 'NOT_FOUND';
  captures: Capture[];
  /** The provider's error code; not shown to buyers. */
  errorCode: string | null;
}

/** The refund of a capture. */
export interface RefundReference {
  /** Our reference, the same in every attempt: 10 to 40 of A-Z a-z 0-9 _ -. */
  refundRef: string;
  /** The provider's id of the capture. */
  paymentId: string;
}

export interface RefundRequest extends RefundReference {
  attemptRef: string;
  amountPaise: number;
}

export type RefundState = 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'NOT_FOUND';

/** The references in a webhook. The outcome is not read. `eventId` is the provider's, or a hash of the body. */
export interface WebhookHint {
  eventId: string;
  attemptRef: string | null;
  /** The provider's reference of the attempt, in webhooks that do not have ours. */
  providerRef?: string | null;
  /** The message says that the attempt is paid. A provider whose attempts take one payment may leave it out. */
  isPaid?: boolean;
  refundRef: string | null;
}

/** What the form of a payment page says. */
export interface CheckoutFormRequest {
  providerRef: string;
  amountPaise: number;
  /** The product, without personal data. */
  description: string;
  /** Empty after the buyer's account was erased. */
  buyer: { email: string; mobile: string };
  /** Absolute address of our page, without a slash at the end. */
  pageUrl: string;
}

/** Opens a provider's page by a form that the buyer's browser posts. The form is on a page of our own. */
export interface CheckoutForm {
  /** Where the form leads, as sources of the security policy of our page. */
  readonly sources: readonly string[];
  /** Address and hidden fields of the form. */
  build(request: CheckoutFormRequest): { action: string; fields: Record<string, string> };
  /** Whether the fields of the way back name a payment. Throws InvalidSignatureError. */
  namesPayment(fields: Readonly<Record<string, string>>, providerRef: string): boolean;
}

/** The provider did not answer in time or answered with an unknown shape; the outcome is unknown. */
export class GatewayError extends Error {
  override name = 'GatewayError';
}

/** The provider rejected the checkout or refund permanently. */
export class GatewayRejectedError extends Error {
  override name = 'GatewayRejectedError';
}

/** The webhook's signature is wrong or too old. */
export class InvalidSignatureError extends Error {
  override name = 'InvalidSignatureError';
}

/** A payment provider. Every call ends within 10 s; it throws GatewayError or GatewayRejectedError and nothing else. */
export abstract class PaymentGateway {
  abstract readonly name: PaymentProviderName;
  /** False when no money moves. Such orders do not use the real invoice series and grant test entitlements only. */
  abstract readonly live: boolean;
  /** Set when `createCheckout` returns a page of our own, which has this form. */
  readonly form: CheckoutForm | undefined = undefined;
  /** The mode that the app shows. */
  get mode(): 'sandbox' | 'live' | 'none' {
    if (this.name === 'none') return 'none';
    return this.live ? 'live' : 'sandbox';
  }
  /** Opens the payment page. Idempotent by attemptRef if the provider supports it. */
  abstract createCheckout(checkout: CheckoutRequest): Promise<StartedCheckout>;
  abstract fetchStatus(attemptRef: string, page: AttemptPage): Promise<ProviderStatus>;
  /** Requests a refund. Idempotent by refundRef. */
  abstract refund(refund: RefundRequest): Promise<RefundState>;
  abstract fetchRefund(refund: RefundReference): Promise<RefundState>;
  /** Reads a webhook from its raw body. Throws InvalidSignatureError. */
  abstract readWebhook(raw: Buffer, headers: Readonly<Record<string, string | undefined>>, now: Date): WebhookHint;
}
