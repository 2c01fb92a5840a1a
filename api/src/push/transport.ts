/** How a push leaves: encrypted and signed by web-push, sent by connections of our own that reach push services only. */
import { request } from 'node:https';
import { endpointProblem, isLoopbackHost, UNKNOWN_SERVICE } from '@nivida/contract/push-endpoint';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import webpush, { type PushSubscription, type RequestOptions, type Urgency } from 'web-push';
import type { Config } from '../config.ts';
import type { Device } from './due.ts';
import { SealBroken, type Sealed, Sealer } from './sealer.ts';
import { kidOf, type VapidKeys } from './vapid-keys.ts';

const DEADLINE_MS = 10_000;
/** Nothing that a push service says is read; so much is let through to keep the connection. */
const MOST_REPLY_BYTES = 65_536;
const MOST_CONNECTIONS = 20;
const TOKEN_SECONDS = 12 * 3_600;
const TOKEN_RENEWED_SECONDS = 3_600;
const LONGEST_WAIT_MS = 3_600_000;

/** How a push service answered; 0 when it did not. */
export interface Reply {
  status: number;
  /** Of a Retry-After, at most an hour. */
  waitMs?: number;
}

/** Nothing can ever be sent to this row: its endpoint or keys are not acceptable. */
export class BadSubscription extends Error {
  override name = 'BadSubscription';
}

/** Our settings lack what this row needs. It may be right all the same: one wrong setting must not cost subscriptions. */
export class MissingSetting extends Error {
  override name = 'MissingSetting';
}

/** What the push service is told beside the text. */
export interface Envelope {
  ttl: number;
  urgency: Urgency;
  topic: string;
}

/** Encrypted and signed. */
export interface SealedPush extends Sealed {
  url: URL;
}

/** Sends pushes over kept connections, at most 20 to each push service. */
export class PushTransport {
  private readonly keys: ReadonlyMap<string, VapidKeys>;
  private readonly tokens = new Map<string, { header: string; renewAt: number }>();
  private readonly sealer = new Sealer();
  private readonly outside = createAgent([]);
  /** Of tests: the settings refuse such hosts anywhere else. */
  private readonly inside = createAgent(['127.0.0.1', '::1']);

  constructor(private readonly config: Pick<Config, 'vapidKeys' | 'vapidSubject' | 'pushHosts'>) {
    this.keys = new Map(config.vapidKeys.map((keys) => [kidOf(keys.publicKey), keys]));
  }

  /** Ends the kept connections and the threads. */
  close(): Promise<void> {
    this.outside.destroy();
    this.inside.destroy();
    return this.sealer.close();
  }

  /** A push that is ready to go. Throws BadSubscription and MissingSetting. */
  async seal(device: Device, payload: string, envelope: Envelope): Promise<SealedPush> {
    const url = this.addressOf(device);
    const Authorization = this.tokenFor(url, device.vapidKid ?? '');
    const { headers, body } = await this.encrypt(device, payload, envelope);
    return { url, headers: { ...headers, Authorization }, body };
  }

  /** The endpoint, judged once more: the row may have been written by other hands. */
  private addressOf({ endpoint, host }: Device): URL {
    const problem = endpointProblem(endpoint ?? '', this.config.pushHosts);
    if (problem === UNKNOWN_SERVICE) throw new MissingSetting(`PUSH_ALLOWED_HOSTS lacks ${host}`);
    if (problem) throw new BadSubscription(problem);
    return new URL(endpoint ?? '');
  }

  private async encrypt(device: Device, payload: string, { ttl: TTL, urgency, topic }: Envelope): Promise<Sealed> {
    const { endpoint, p256dh, auth } = device;
    const subscription = { endpoint, keys: { p256dh, auth } } as PushSubscription;
    // Signed here, once for many.
    const vapidDetails = null as unknown as RequestOptions['vapidDetails'];
    const options: RequestOptions = { vapidDetails, TTL, urgency, topic, contentEncoding: 'aes128gcm' };
    return this.sealer.seal(subscription, payload, options).catch((error: Error) => {
      throw error instanceof SealBroken ? error : new BadSubscription(error.message);
    });
  }

  /** The Authorization of a push service; the same for all devices there, until it is about to expire. */
  private tokenFor({ origin }: URL, kid: string): string {
    const name = `${origin} ${kid}`;
    // Push services go by the real time, whatever instant is worked for.
    const seconds = Math.floor(Date.now() / 1_000);
    const held = this.tokens.get(name);
    // One that ends later was signed by a clock that has been set back since, and push services refuse it.
    if (held && held.renewAt > seconds && held.renewAt <= seconds + TOKEN_SECONDS) return held.header;
    const keys = this.keys.get(kid);
    if (!keys) throw new MissingSetting('VAPID_PUBLIC_KEY lacks a key that devices subscribed with');
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

  /** Sends it; of a push service that does not answer the status is 0. */
  post({ url, headers, body }: SealedPush): Promise<Reply> {
    const agent = isLoopbackHost(url.hostname) ? this.inside : this.outside;
    return new Promise((done) => {
      const sent = request(url, { method: 'POST', headers, agent }, (reply) => {
        // The status says all; the rest may trickle in behind, up to its limits. Redirects are not followed.
        done({ status: reply.statusCode ?? 0, waitMs: waitOf(reply.headers['retry-after']) });
        let bytes = 0;
        reply.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > MOST_REPLY_BYTES) reply.destroy();
        });
        reply.on('error', () => {});
      });
      const deadline = setTimeout(() => sent.destroy(), DEADLINE_MS);
      sent.on('close', () => {
        clearTimeout(deadline);
        done({ status: 0 });
      });
      sent.on('error', () => done({ status: 0 }));
      sent.end(body);
    });
  }
}

/** Checks where a name really leads, at each connection. */
function createAgent(allowIPAddressList: string[]): RequestFilteringHttpsAgent {
  return new RequestFilteringHttpsAgent({
    keepAlive: true,
    maxSockets: MOST_CONNECTIONS,
    maxFreeSockets: MOST_CONNECTIONS,
    allowIPAddressList,
  });
}

/** Milliseconds of a Retry-After: seconds or a date. */
function waitOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), LONGEST_WAIT_MS) : undefined;
}
