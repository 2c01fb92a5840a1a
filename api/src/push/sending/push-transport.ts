/** Sends pushes. The library web-push encrypts and signs them. Our own connections reach push services only. */

import { request } from 'node:https';
import { isLoopbackHost, pushEndpointError, UNKNOWN_PUSH_SERVICE } from '@nivida/contract/push/push-endpoint';
import { HOUR_MS, HOUR_SECONDS } from '@nivida/contract/time';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import webpush, { type PushSubscription, type RequestOptions, type Urgency } from 'web-push';
import type { Config } from '../../base/config.ts';
import { type VapidKeys, vapidKeyId } from '../../base/vapid-keys.ts';
import type { PushDevice } from './delivery.ts';
import { type SealedBody, Sealer, SealThreadError } from './sealer.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** Response bodies are ignored. Up to this size they are read, so that the connection can be reused. */
const MAX_RESPONSE_BYTES = 65_536;
/** Shorter than push services keep idle connections. A push written to a connection that is being closed would fail and wait for a retry. */
const MAX_IDLE_MS = 2_000;
const TOKEN_SECONDS = 12 * HOUR_SECONDS;
const TOKEN_RENEWED_SECONDS = HOUR_SECONDS;
const MAX_RETRY_AFTER_MS = HOUR_MS;

/** Answer of a push service. */
export interface PushResponse {
  /** 0: no answer. */
  status: number;
  /** From Retry-After, at most an hour. */
  retryAfterMs?: number;
}

/** The endpoint or the keys of the row are invalid. */
export class InvalidSubscriptionError extends Error {
  override name = 'InvalidSubscriptionError';
}

/** Our settings lack a value that this row needs. The row is kept, because a wrong setting must not delete subscriptions. */
export class MissingSettingError extends Error {
  override name = 'MissingSettingError';
}

/** Headers for the push service. */
export interface PushEnvelope {
  ttl: number;
  urgency: Urgency;
  topic: string;
}

/** Encrypted and signed. */
export interface SealedPush extends SealedBody {
  url: URL;
}

/** Sends pushes over keep-alive connections, one for each push that waits for its answer. */
export class PushTransport {
  private readonly keys: ReadonlyMap<string, VapidKeys>;
  private readonly tokens = new Map<string, { header: string; renewAt: number }>();
  private readonly sealer = new Sealer();
  private readonly publicAgent: RequestFilteringHttpsAgent;
  /** For tests only. Outside of tests the settings refuse loopback hosts. */
  private readonly loopbackAgent: RequestFilteringHttpsAgent;

  constructor(private readonly config: Pick<Config, 'vapidKeys' | 'vapidSubject' | 'pushHosts' | 'pushWindow'>) {
    this.publicAgent = createAgent([], config.pushWindow);
    this.loopbackAgent = createAgent(['127.0.0.1', '::1'], config.pushWindow);
    this.keys = new Map(config.vapidKeys.map((keys) => [vapidKeyId(keys.publicKey), keys]));
  }

  /** Ends the connections and the threads. */
  close(): Promise<void> {
    this.publicAgent.destroy();
    this.loopbackAgent.destroy();
    return this.sealer.close();
  }

  /** Encrypts and signs a push. Throws InvalidSubscriptionError and MissingSettingError. */
  async seal(device: PushDevice, payload: string, envelope: PushEnvelope): Promise<SealedPush> {
    const url = this.endpointUrl(device);
    const Authorization = this.authorizationFor(url, device.vapidKid ?? '');
    const { headers, body } = await this.encrypt(device, payload, envelope);
    return { url, headers: { ...headers, Authorization }, body };
  }

  /** The endpoint, validated again. */
  private endpointUrl({ endpoint, host }: PushDevice): URL {
    const problem = pushEndpointError(endpoint ?? '', this.config.pushHosts);
    if (problem === UNKNOWN_PUSH_SERVICE) throw new MissingSettingError(`PUSH_ALLOWED_HOSTS lacks ${host}`);
    if (problem) throw new InvalidSubscriptionError(problem);
    return new URL(endpoint ?? '');
  }

  private async encrypt(
    device: PushDevice,
    payload: string,
    { ttl: TTL, urgency, topic }: PushEnvelope,
  ): Promise<SealedBody> {
    const { endpoint, p256dh, auth } = device;
    const subscription = { endpoint, keys: { p256dh, auth } } as PushSubscription;
    // Signed by authorizationFor, once for many pushes.
    const vapidDetails = null as unknown as RequestOptions['vapidDetails'];
    const options: RequestOptions = { vapidDetails, TTL, urgency, topic, contentEncoding: 'aes128gcm' };
    return this.sealer.seal(subscription, payload, options).catch((error: Error) => {
      throw error instanceof SealThreadError ? error : new InvalidSubscriptionError(error.message);
    });
  }

  /** The Authorization header of a push service, the same for all its devices until it is about to expire. */
  private authorizationFor({ origin }: URL, kid: string): string {
    const name = `${origin} ${kid}`;
    // Real time instead of the job's time, because push services check it.
    const seconds = Math.floor(Date.now() / 1_000);
    const cached = this.tokens.get(name);
    // A cached token that expires later than a new one was signed before the clock was set back. Push services refuse it.
    if (cached && cached.renewAt > seconds && cached.renewAt <= seconds + TOKEN_SECONDS) return cached.header;
    const keys = this.keys.get(kid);
    if (!keys) throw new MissingSettingError('VAPID_PUBLIC_KEY lacks a key that devices subscribed with');
    const { vapidSubject = '' } = this.config;
    const expires = seconds + TOKEN_SECONDS;
    const { Authorization: header } = webpush.getVapidHeaders(
      origin,
      vapidSubject,
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
      expires,
    );
    this.tokens.set(name, { header, renewAt: expires - TOKEN_RENEWED_SECONDS });
    return header;
  }

  /** Sends a push. The status is 0 when the push service does not answer. */
  post({ url, headers, body }: SealedPush): Promise<PushResponse> {
    const agent = isLoopbackHost(url.hostname) ? this.loopbackAgent : this.publicAgent;
    return new Promise((done) => {
      const sent = request(url, { method: 'POST', headers, agent }, (reply) => {
        // Only status and Retry-After are used. Redirects are not followed.
        done({ status: reply.statusCode ?? 0, retryAfterMs: parseRetryAfter(reply.headers['retry-after']) });
        let bytes = 0;
        reply.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > MAX_RESPONSE_BYTES) reply.destroy();
        });
        reply.on('error', () => {});
      });
      const deadline = setTimeout(() => {
        sent.destroy();
        // A request that waits for a connection does not report its end.
        done({ status: 0 });
      }, REQUEST_TIMEOUT_MS);
      sent.on('close', () => {
        clearTimeout(deadline);
        done({ status: 0 });
      });
      sent.on('error', () => done({ status: 0 }));
      sent.end(body);
    });
  }
}

/** Refuses private addresses at each connection. */
function createAgent(allowIPAddressList: string[], maxSockets: number): RequestFilteringHttpsAgent {
  return new RequestFilteringHttpsAgent({
    keepAlive: true,
    maxSockets,
    maxFreeSockets: maxSockets,
    timeout: MAX_IDLE_MS,
    allowIPAddressList,
  });
}

/** Milliseconds of a Retry-After: seconds or a date. */
function parseRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), MAX_RETRY_AFTER_MS) : undefined;
}
