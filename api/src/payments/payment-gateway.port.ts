/** The port to a payment provider. A provider is asked; what it says unasked (a webhook, a return) only means "look again". */

/** What the buyer pays for, as a provider is told. */
export interface CheckoutRequest {
  /** Ours, new for every try: at most 38 of A-Z a-z 0-9 _ -. */
  attemptRef: string;
  amountPaise: number;
  /** What is bought, without personal data. */
  description: string;
  /** `mobile` with +91. */
  buyer: { name: string; email: string; mobile: string };
  /** Absolute address of this app. */
  returnUrl: string;
  expiresAt: Date;
}

/** Where the browser goes; `url` is https (or the sandbox on loopback) and of a host that the adapter knows. */
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

/** How a try stands at the provider. `captures`, oldest first, has more than one entry when the buyer was debited twice. */
export interface ProviderStatus {
  state: 'PENDING' | 'PAID' | 'FAILED' | 'EXPIRED' | 'NOT_FOUND';
  captures: Capture[];
  /** The provider's code for why it failed; not for buyers. */
  errorCode: string | null;
}

/** What goes back of a capture. */
export interface RefundRequest {
  attemptRef: string;
  /** Ours, the same in every try: at most 40 of A-Z a-z 0-9 _ -. */
  refundRef: string;
  amountPaise: number;
}

/** How a refund stands. */
export type RefundState = 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'NOT_FOUND';

/** What a webhook is about; it says nothing about the outcome. `eventId` is the provider's, or made from its content. */
export interface WebhookHint {
  eventId: string;
  attemptRef: string | null;
  refundRef: string | null;
}

/** The provider did not answer in time, or not as its documents say; nothing is known. */
export class GatewayError extends Error {
  override name = 'GatewayError';
}

/** The provider refused the checkout or refund for good. */
export class GatewayRejectedError extends Error {
  override name = 'GatewayRefusal';
}

/** A webhook that was not signed by the provider, or too long ago. */
export class InvalidSignatureError extends Error {
  override name = 'BadSignature';
}

/** A payment provider. Every call ends within 10 s; it throws GatewayError or GatewayRefusal and nothing else. */
export abstract class PaymentGateway {
  abstract readonly name: 'sandbox' | 'phonepe';
  /** False: no money moves, and nothing of it may enter the real series or grants. */
  abstract readonly live: boolean;
  /** Idempotent by attemptRef, as far as the provider is. */
  abstract createCheckout(checkout: CheckoutRequest): Promise<StartedCheckout>;
  abstract fetchStatus(attemptRef: string): Promise<ProviderStatus>;
  /** Idempotent by refundRef. */
  abstract refund(refund: RefundRequest): Promise<RefundState>;
  abstract fetchRefund(refundRef: string): Promise<RefundState>;
  /** Reads a webhook from its raw body. Throws BadSignature. */
  abstract readWebhook(raw: Buffer, headers: Readonly<Record<string, string | undefined>>, now: Date): WebhookHint;
}
