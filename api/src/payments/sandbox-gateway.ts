/** The adapter of the payment sandbox (api/sandbox/server.ts). No money moves there. */
import { hkdfSync } from 'node:crypto';
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

/** Default port of the sandbox. */
export const SANDBOX_PORT = 4010;

const TOLERANCE_SECONDS = 300;
const SECRET_BYTES = 32;

const CheckoutResponse = v.object({ providerRef: v.string(), url: v.string() });
const StatusResponse = v.object({
  state: v.picklist(['PENDING', 'PAID', 'FAILED', 'EXPIRED']),
  errorCode: v.nullable(v.string()),
  payments: v.array(
    v.object({ paymentId: v.string(), amountPaise: v.number(), currency: v.string(), method: v.nullable(v.string()) }),
  ),
});
const RefundResponse = v.object({ state: v.picklist(['PENDING', 'SUCCEEDED', 'FAILED']) });
const WebhookBody = v.object({ eventId: v.string(), attemptRef: v.string(), refundRef: v.nullable(v.string()) });

// 401 means that the sandbox of another installation listens on the port.
const parseResponse = responseParser('The sandbox', [401]);

/**
 * The secret that API and sandbox share, derived from a session key and the app's origin. A sandbox redirects buyers to
 * one origin only.
 */
export function sandboxSecret(sessionKey: string, publicOrigin: string): string {
  return Buffer.from(hkdfSync('sha256', sessionKey, publicOrigin, 'payment sandbox', SECRET_BYTES)).toString(
    'base64url',
  );
}

export interface SandboxAddress {
  port: number;
  /** The current secret first; webhooks may be signed with any of them. */
  secrets: readonly string[];
  timeoutMs?: number;
}

export class SandboxGateway extends PaymentGateway {
  readonly name = 'sandbox';
  readonly live = false;
  private readonly origin: string;

  constructor(private readonly address: SandboxAddress) {
    super();
    this.origin = `http://127.0.0.1:${address.port}`;
  }

  async createCheckout({ buyer, expiresAt, ...checkout }: CheckoutRequest): Promise<StartedCheckout> {
    const { name, email, mobile } = buyer;
    const answer = await this.send('/v1/checkouts', {
      ...checkout,
      currency: 'INR',
      buyer: { name, email, phoneE164: mobile },
      expiresAt: expiresAt.toISOString(),
    });
    const started = parseResponse(CheckoutResponse, answer);
    // The browser is redirected to this address, so it must be a page of the sandbox.
    if (URL.parse(started.url)?.origin !== this.origin)
      throw new GatewayError('The payment page is not on the sandbox');
    return started;
  }

  async fetchStatus(attemptRef: string): Promise<ProviderStatus> {
    const answer = await this.send(`/v1/checkouts/${attemptRef}`);
    if (answer.status === 404) return { state: 'NOT_FOUND', captures: [], errorCode: null };
    const { state, errorCode, payments } = parseResponse(StatusResponse, answer);
    if ((state === 'PAID') !== payments.length > 0) throw new GatewayError('Paid without a payment, or the reverse');
    return { state, errorCode, captures: payments };
  }

  async refund({ attemptRef, refundRef, amountPaise }: RefundRequest): Promise<RefundState> {
    const body = { attemptRef, refundRef, amountPaise };
    return parseResponse(RefundResponse, await this.send('/v1/refunds', body)).state;
  }

  async fetchRefund({ refundRef }: RefundReference): Promise<RefundState> {
    const answer = await this.send(`/v1/refunds/${refundRef}`);
    return answer.status === 404 ? 'NOT_FOUND' : parseResponse(RefundResponse, answer).state;
  }

  readWebhook(raw: Buffer, headers: Readonly<Record<string, string | undefined>>, now: Date): WebhookHint {
    const [, t = '', v1 = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers['x-sandbox-signature'] ?? '') ?? [];
    const isSigned = this.address.secrets.some((secret) => isEqualDigest(v1, hmac(secret, `${t}.`, raw)));
    if (!isSigned) throw new InvalidSignatureError('wrong signature');
    if (Math.abs(now.getTime() / 1_000 - Number(t)) > TOLERANCE_SECONDS)
      throw new InvalidSignatureError('too old or too new');
    const event = v.safeParse(v.pipe(v.string(), v.parseJson(), WebhookBody), raw.toString('utf8'));
    if (!event.success || event.output.eventId !== headers['x-sandbox-event-id'])
      throw new InvalidSignatureError('not an event of the sandbox');
    return event.output;
  }

  private send(path: string, body?: object): Promise<ProviderResponse> {
    return callProvider(`${this.origin}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${this.address.secrets[0]}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(this.address.timeoutMs ?? OPERATION_TIMEOUT_MS),
    });
  }
}
