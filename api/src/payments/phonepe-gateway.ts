/**
 * PhonePe Standard Checkout v2, without its SDK. Amounts are paise. Source: developer.phonepe.com, "Standard Checkout",
 * API reference (authorization, create payment, order status, refund, webhook).
 */
import { createHash } from 'node:crypto';
import { HOUR_SECONDS } from '@nivida/contract/time';
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

// Tokens are renewed this long before they expire.
const TOKEN_MARGIN_MS = 60_000;
const [MIN_PAGE_SECONDS, MAX_PAGE_SECONDS] = [300, HOUR_SECONDS];

const TokenResponse = v.object({ access_token: v.string(), expires_at: v.number() });
const CheckoutResponse = v.object({ orderId: v.string(), redirectUrl: v.string() });
const PaymentDetail = v.object({
  transactionId: v.string(),
  state: v.string(),
  amount: v.number(),
  paymentMode: v.optional(v.string()),
});
const StatusResponse = v.object({
  state: v.picklist(['PENDING', 'COMPLETED', 'FAILED']),
  errorCode: v.optional(v.string()),
  paymentDetails: v.optional(v.array(PaymentDetail), []),
});
const RefundResponse = v.object({ state: v.string() });
const FailureResponse = v.object({ code: v.string() });
const WebhookBody = v.object({
  payload: v.object({
    merchantOrderId: v.optional(v.string()),
    originalMerchantOrderId: v.optional(v.string()),
    merchantRefundId: v.optional(v.string()),
  }),
});

// Rate limits and wrong credentials are temporary; other 4xx reject this order.
const parseResponse = responseParser('PhonePe', [401, 403, 408, 429]);

/** A merchant account at PhonePe. */
export interface PhonePeAccount {
  clientId: string;
  clientSecret: string;
  clientVersion: number;
  /** As set in the dashboard: `username:password` for basic authentication, or the shared key for HMAC. */
  webhookSecret: string;
  live: boolean;
  hosts: PhonePeHosts;
  timeoutMs?: number;
}

/** The addresses of one PhonePe environment. */
export interface PhonePeHosts {
  tokenUrl: string;
  /** Without a slash at the end. */
  api: string;
  /** Whether the browser may be redirected to this page. */
  isPage(url: URL): boolean;
}

const isPhonePe = ({ protocol, hostname }: URL) => protocol === 'https:' && /(?:^|\.)phonepe\.com$/.test(hostname);

/** PhonePe's own addresses. */
export const PHONEPE_HOSTS: Readonly<Record<'sandbox' | 'production', PhonePeHosts>> = {
  sandbox: {
    tokenUrl: 'https://api-preprod.phonepe.com/apis/pg-sandbox/v1/oauth/token',
    api: 'https://api-preprod.phonepe.com/apis/pg-sandbox',
    isPage: isPhonePe,
  },
  production: {
    tokenUrl: 'https://api.phonepe.com/apis/identity-manager/v1/oauth/token',
    api: 'https://api.phonepe.com/apis/pg',
    isPage: isPhonePe,
  },
};

export class PhonePeGateway extends PaymentGateway {
  readonly name = 'phonepe';
  readonly live: boolean;
  private token: { text: string; endsAt: number } | undefined;

  constructor(
    private readonly account: PhonePeAccount,
    private readonly now: () => Date,
  ) {
    super();
    this.live = account.live;
  }

  async createCheckout({ attemptRef, amountPaise, description, returnUrl, expiresAt }: CheckoutRequest) {
    const left = Math.round((expiresAt.getTime() - this.now().getTime()) / 1_000);
    const answer = await this.send('/checkout/v2/pay', {
      merchantOrderId: attemptRef,
      amount: amountPaise,
      expireAfter: Math.min(Math.max(left, MIN_PAGE_SECONDS), MAX_PAGE_SECONDS),
      // No personal data: PhonePe asks the buyer for what it needs.
      paymentFlow: { type: 'PG_CHECKOUT', message: description, merchantUrls: { redirectUrl: returnUrl } },
    });
    const { orderId, redirectUrl } = parseResponse(CheckoutResponse, answer);
    const page = URL.parse(redirectUrl);
    if (!page || !this.account.hosts.isPage(page))
      throw new GatewayError('The payment page is not on a host of PhonePe');
    return { url: page.href, providerRef: orderId } satisfies StartedCheckout;
  }

  async fetchStatus(attemptRef: string): Promise<ProviderStatus> {
    const answer = await this.send(`/checkout/v2/order/${attemptRef}/status?details=true`);
    if (isUnknownOrder(answer)) return { state: 'NOT_FOUND', captures: [], errorCode: null };
    const { state, errorCode = null, paymentDetails } = parseResponse(StatusResponse, answer);
    // Only the order's state is final. A payment of an open order may still change (PhonePe's documentation).
    if (state !== 'COMPLETED') return { state, captures: [], errorCode };
    const captures = paymentDetails
      .filter((payment) => payment.state === 'COMPLETED')
      .map(({ transactionId, amount, paymentMode = null }) => ({
        paymentId: transactionId,
        amountPaise: amount,
        currency: 'INR',
        method: paymentMode,
      }));
    if (captures.length === 0) throw new GatewayError('An order is completed without a payment');
    return { state: 'PAID', captures, errorCode };
  }

  async refund({ attemptRef, refundRef, amountPaise }: RefundRequest): Promise<RefundState> {
    const body = { merchantRefundId: refundRef, originalMerchantOrderId: attemptRef, amount: amountPaise };
    return toRefundState(parseResponse(RefundResponse, await this.send('/payments/v2/refund', body)).state);
  }

  async fetchRefund({ refundRef }: RefundReference): Promise<RefundState> {
    const answer = await this.send(`/payments/v2/refund/${refundRef}/status`);
    return isUnknownOrder(answer) ? 'NOT_FOUND' : toRefundState(parseResponse(RefundResponse, answer).state);
  }

  readWebhook(raw: Buffer, headers: Readonly<Record<string, string | undefined>>): WebhookHint {
    if (!this.isSigned(raw, headers)) throw new InvalidSignatureError('wrong signature');
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), WebhookBody), raw.toString('utf8'));
    if (!parsed.success) throw new InvalidSignatureError('not an event of PhonePe');
    const { merchantOrderId, originalMerchantOrderId, merchantRefundId = null } = parsed.output.payload;
    return {
      // PhonePe's events have no id.
      eventId: createHash('sha256').update(raw).digest('hex'),
      attemptRef: merchantOrderId ?? originalMerchantOrderId ?? null,
      refundRef: merchantRefundId,
    };
  }

  private isSigned(raw: Buffer, headers: Readonly<Record<string, string | undefined>>): boolean {
    const { webhookSecret } = this.account;
    if (webhookSecret.includes(':')) {
      // Basic authentication does not cover the body; the body is only a hint.
      const given = (headers.authorization ?? '').replace(/^SHA256\s+/i, '');
      return isEqualDigest(given, createHash('sha256').update(webhookSecret).digest());
    }
    // The operator sets the header's name in the dashboard, so any header with the right digest is accepted.
    const right = hmac(webhookSecret, raw);
    return Object.values(headers).some((value = '') => isEqualDigest(value, right));
  }

  private async send(path: string, body?: object): Promise<ProviderResponse> {
    const signal = AbortSignal.timeout(this.account.timeoutMs ?? OPERATION_TIMEOUT_MS);
    const ask = async (isRenewed: boolean) =>
      callProvider(`${this.account.hosts.api}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `O-Bearer ${await this.accessToken(signal, isRenewed)}`,
          'content-type': 'application/json',
        },
        body: body && JSON.stringify(body),
        signal,
      });
    const answer = await ask(false);
    // The token may have been revoked before it expired.
    return answer.status === 401 ? ask(true) : answer;
  }

  private async accessToken(signal: AbortSignal, isRenewed: boolean): Promise<string> {
    if (!isRenewed && this.token && this.token.endsAt - TOKEN_MARGIN_MS > this.now().getTime()) return this.token.text;
    const { hosts, clientId, clientSecret, clientVersion } = this.account;
    const body = new URLSearchParams({
      client_id: clientId,
      client_version: String(clientVersion),
      client_secret: clientSecret,
      grant_type: 'client_credentials',
    });
    const { status, json } = await callProvider(hosts.tokenUrl, { method: 'POST', body, signal });
    const token = v.safeParse(TokenResponse, json);
    if (status !== 200 || !token.success) throw new GatewayError(`PhonePe gave no token: ${status}`);
    this.token = { text: token.output.access_token, endsAt: token.output.expires_at * 1_000 };
    return this.token.text;
  }
}

/** True for an order or refund that PhonePe does not know. */
function isUnknownOrder({ status, json }: ProviderResponse): boolean {
  if (status === 404) return true;
  return status === 400 && v.is(FailureResponse, json) && /NOT_FOUND/.test(json.code);
}

function toRefundState(state: string): RefundState {
  // CONFIRMED means that PhonePe has accepted the refund, not that it was paid.
  return state === 'COMPLETED' ? 'SUCCEEDED' : state === 'FAILED' ? 'FAILED' : 'PENDING';
}
