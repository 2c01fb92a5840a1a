/**
 * Razorpay Orders with Hosted Checkout, without its SDK and without its script. Amounts are paise. Source: razorpay.com/docs,
 * "Hosted Checkout", "Orders", "Capture settings", "Payments", "Refunds" and "Webhooks".
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import {
  callProvider,
  hmac,
  isEqualDigest,
  OPERATION_TIMEOUT_MS,
  type ProviderResponse,
  responseParser,
} from './call.ts';
import {
  type AttemptPage,
  type Capture,
  type CheckoutForm,
  type CheckoutFormRequest,
  type CheckoutRequest,
  GatewayError,
  InvalidSignatureError,
  PaymentGateway,
  type ProviderStatus,
  type RefundReference,
  type RefundRequest,
  type RefundState,
  type StartedCheckout,
  type WebhookHint,
} from './payment-gateway.port.ts';

/** Razorpay captures a payment that a bank confirms late for this long, then it refunds it. The longest time allowed. */
const CAPTURE_MINUTES = 7_200;
// The most that one call lists. An attempt has one order, and a few payments and refunds.
const MAX_LISTED = 100;
const PAGE_KEY_BYTES = 16;

const RazorpayOrder = v.object({
  id: v.pipe(v.string(), v.regex(/^order_\w+$/)),
  receipt: v.nullable(v.string()),
  amount: v.number(),
  currency: v.string(),
});
type RazorpayOrder = v.InferOutput<typeof RazorpayOrder>;
const RazorpayPayment = v.object({
  id: v.pipe(v.string(), v.regex(/^pay_\w+$/)),
  status: v.picklist(['created', 'authorized', 'captured', 'refunded', 'failed']),
  captured: v.nullable(v.boolean()),
  amount: v.number(),
  currency: v.string(),
  method: v.nullish(v.string(), null),
  error_code: v.nullish(v.string(), null),
  error_reason: v.nullish(v.string(), null),
  created_at: v.number(),
});
type RazorpayPayment = v.InferOutput<typeof RazorpayPayment>;
const RazorpayRefund = v.object({
  receipt: v.nullable(v.string()),
  status: v.picklist(['pending', 'processed', 'failed']),
});
const listOf = <Schema extends v.GenericSchema>(item: Schema) => v.object({ items: v.array(item) });
const OrderList = listOf(RazorpayOrder);
const PaymentList = listOf(RazorpayPayment);
const RefundList = listOf(RazorpayRefund);

const WebhookBody = v.object({
  payload: v.object({
    order: v.optional(v.object({ entity: v.object({ receipt: v.nullish(v.string()) }) })),
    payment: v.optional(
      v.object({ entity: v.object({ order_id: v.nullish(v.string()), status: v.nullish(v.string()) }) }),
    ),
    refund: v.optional(v.object({ entity: v.object({ receipt: v.nullish(v.string()) }) })),
  }),
});

// Wrong credentials, rate limits and a call that is still being processed are temporary; other 4xx reject this order.
const parseResponse = responseParser('Razorpay', [401, 403, 408, 409, 429]);

/** A merchant account at Razorpay. */
export interface RazorpayAccount {
  /** `rzp_live_…` moves money, `rzp_test_…` does not. */
  keyId: string;
  keySecret: string;
  /** The current secret first; a webhook that is repeated is signed with the secret of its first attempt. */
  webhookSecrets: readonly string[];
  /** Name of the seller on Razorpay's page. */
  sellerName: string;
  /** Origin of this app, which has the page with the form. */
  publicOrigin: string;
  /** Without a slash at the end. */
  api: string;
  timeoutMs?: number;
}

/** The address of Razorpay for both kinds of keys. */
export const RAZORPAY_API = 'https://api.razorpay.com/v1';

export class RazorpayGateway extends PaymentGateway {
  readonly name = 'razorpay';
  readonly live: boolean;
  override readonly form: CheckoutForm;

  constructor(
    private readonly account: RazorpayAccount,
    private readonly now: () => Date,
  ) {
    super();
    this.live = account.keyId.startsWith('rzp_live_');
    this.form = {
      // Razorpay may redirect the form to another of its hosts.
      sources: [new URL(account.api).origin, 'https://*.razorpay.com'],
      build: (request) => this.buildForm(request),
      namesPayment: (fields, providerRef) => this.namesPayment(fields, providerRef),
    };
  }

  /** The page is one of our own. Its address has a key that only this server can make, because the page has an e-mail address. */
  async createCheckout({ attemptRef, amountPaise }: CheckoutRequest): Promise<StartedCheckout> {
    const signal = this.startTimeout();
    const [earlier] = await this.findOrders(attemptRef, signal);
    const order = earlier ?? (await this.createOrder(attemptRef, amountPaise, signal));
    if (order.receipt !== attemptRef || order.amount !== amountPaise || order.currency !== 'INR')
      throw new GatewayError('Razorpay made another order than it was asked for');
    return {
      url: `${this.account.publicOrigin}/api/pay/${attemptRef}/${this.pageKey(attemptRef)}`,
      providerRef: order.id,
    };
  }

  /**
   * Reads every order with our reference: when an answer was lost, a second one may exist. An order stays open at Razorpay for
   * ever, so its end is ours: the end of the page, or the way back without a payment.
   */
  async fetchStatus(attemptRef: string, { providerRef, expiresAt, leftAt }: AttemptPage): Promise<ProviderStatus> {
    const signal = this.startTimeout();
    const found = await this.findOrders(attemptRef, signal);
    const ids = new Set([...(providerRef === null ? [] : [providerRef]), ...found.map(({ id }) => id)]);
    if (ids.size === 0) return { state: 'NOT_FOUND', captures: [], errorCode: null };
    const lists = await Promise.all([...ids].map((id) => this.send(`/orders/${id}/payments`, signal)));
    const payments = lists
      .flatMap((list) => parseResponse(PaymentList, list).items)
      .sort((one, other) => one.created_at - other.created_at);
    const captures = payments.flatMap(toCapture);
    const errorCode = payments.findLast(({ status }) => status === 'failed')?.error_reason?.toUpperCase() ?? null;
    if (captures.length > 0) return { state: 'PAID', captures, errorCode };
    // Razorpay captures an authorized payment by itself, as the order asked.
    const isUndecided = payments.some(({ status }) => status === 'created' || status === 'authorized');
    if (isUndecided) return { state: 'PENDING', captures, errorCode };
    if (leftAt !== null) return { state: 'FAILED', captures, errorCode: errorCode ?? 'PAYMENT_CANCELLED' };
    return { state: expiresAt <= this.now() ? 'EXPIRED' : 'PENDING', captures, errorCode };
  }

  async refund({ refundRef, paymentId, amountPaise }: RefundRequest): Promise<RefundState> {
    const answer = await this.send(
      `/payments/${paymentId}/refund`,
      this.startTimeout(),
      { amount: amountPaise, speed: 'normal', receipt: refundRef },
      { 'x-refund-idempotency': refundRef },
    );
    return REFUND_STATES[parseResponse(RazorpayRefund, answer).status];
  }

  async fetchRefund({ refundRef, paymentId }: RefundReference): Promise<RefundState> {
    const answer = await this.send(`/payments/${paymentId}/refunds?count=${MAX_LISTED}`, this.startTimeout());
    const refund = parseResponse(RefundList, answer).items.find(({ receipt }) => receipt === refundRef);
    return refund ? REFUND_STATES[refund.status] : 'NOT_FOUND';
  }

  readWebhook(raw: Buffer, headers: Readonly<Record<string, string | undefined>>): WebhookHint {
    const given = headers['x-razorpay-signature'] ?? '';
    if (!this.account.webhookSecrets.some((secret) => isEqualDigest(given, hmac(secret, raw))))
      throw new InvalidSignatureError('wrong signature');
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), WebhookBody), raw.toString('utf8'));
    if (!parsed.success) throw new InvalidSignatureError('not an event of Razorpay');
    const { order, payment, refund } = parsed.output.payload;
    return {
      eventId: headers['x-razorpay-event-id'] || createHash('sha256').update(raw).digest('hex'),
      attemptRef: order?.entity.receipt ?? null,
      providerRef: payment?.entity.order_id ?? null,
      isPaid: payment?.entity.status === 'captured',
      refundRef: refund?.entity.receipt ?? null,
    };
  }

  private buildForm({ providerRef, amountPaise, description, buyer, pageUrl }: CheckoutFormRequest) {
    return {
      action: `${this.account.api}/checkout/embedded`,
      fields: {
        key_id: this.account.keyId,
        order_id: providerRef,
        amount: String(amountPaise),
        currency: 'INR',
        name: this.account.sellerName,
        description,
        // Razorpay requires both.
        'prefill[email]': buyer.email,
        'prefill[contact]': buyer.mobile,
        callback_url: `${pageUrl}/return`,
        cancel_url: `${pageUrl}/left`,
      },
    };
  }

  /** The signature is over our own stored order id: another order's payment does not fit. */
  private namesPayment(fields: Readonly<Record<string, string>>, providerRef: string): boolean {
    const { razorpay_payment_id: paymentId, razorpay_signature: signature } = fields;
    if (paymentId === undefined && signature === undefined) return false;
    if (!isEqualDigest(signature ?? '', hmac(this.account.keySecret, `${providerRef}|${paymentId}`)))
      throw new InvalidSignatureError('wrong signature');
    return true;
  }

  private pageKey(attemptRef: string): string {
    return hmac(this.account.keySecret, 'payment page ', attemptRef).subarray(0, PAGE_KEY_BYTES).toString('base64url');
  }

  private async findOrders(attemptRef: string, signal: AbortSignal): Promise<RazorpayOrder[]> {
    const answer = await this.send(`/orders?receipt=${attemptRef}&count=${MAX_LISTED}`, signal);
    return parseResponse(OrderList, answer).items.filter(({ receipt }) => receipt === attemptRef);
  }

  private async createOrder(attemptRef: string, amountPaise: number, signal: AbortSignal): Promise<RazorpayOrder> {
    const capture_options = { automatic_expiry_period: CAPTURE_MINUTES, refund_speed: 'normal' };
    const answer = await this.send('/orders', signal, {
      amount: amountPaise,
      currency: 'INR',
      receipt: attemptRef,
      payment: { capture: 'automatic', capture_options },
    });
    return parseResponse(RazorpayOrder, answer);
  }

  private startTimeout(): AbortSignal {
    return AbortSignal.timeout(this.account.timeoutMs ?? OPERATION_TIMEOUT_MS);
  }

  private send(path: string, signal: AbortSignal, body?: object, headers: Record<string, string> = {}) {
    const { api, keyId, keySecret } = this.account;
    return callProvider(`${api}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      signal,
    }) satisfies Promise<ProviderResponse>;
  }
}

const REFUND_STATES = { pending: 'PENDING', processed: 'SUCCEEDED', failed: 'FAILED' } as const;

/** A payment that Razorpay refunded without capturing it is no capture. One that was refunded later still is. */
function toCapture({ id, status, captured, amount, currency, method }: RazorpayPayment): Capture[] {
  return status === 'captured' || captured ? [{ paymentId: id, amountPaise: amount, currency, method }] : [];
}
