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

/** A refund of a capture. */
export interface RefundRequest {
  attemptRef: string;
  /** Our reference, the same in every attempt: at most 40 of A-Z a-z 0-9 _ -. */
  refundRef: string;
  amountPaise: number;
}

export type RefundState = 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'NOT_FOUND';

/** The references in a webhook. The outcome is not read. `eventId` is the provider's, or a hash of the body. */
export interface WebhookHint {
  eventId: string;
  attemptRef: string | null;
  refundRef: string | null;
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
  /** The mode that the app shows. */
  get mode(): 'sandbox' | 'live' | 'none' {
    if (this.name === 'none') return 'none';
    return this.live ? 'live' : 'sandbox';
  }
  /** Opens the payment page. Idempotent by attemptRef if the provider supports it. */
  abstract createCheckout(checkout: CheckoutRequest): Promise<StartedCheckout>;
  abstract fetchStatus(attemptRef: string): Promise<ProviderStatus>;
  /** Requests a refund. Idempotent by refundRef. */
  abstract refund(refund: RefundRequest): Promise<RefundState>;
  abstract fetchRefund(refundRef: string): Promise<RefundState>;
  /** Reads a webhook from its raw body. Throws InvalidSignatureError. */
  abstract readWebhook(raw: Buffer, headers: Readonly<Record<string, string | undefined>>, now: Date): WebhookHint;
}
