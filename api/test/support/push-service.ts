/**
 * A local push service: accepts pushes (RFC 8030) with VAPID (RFC 8292) only, and decrypts them like a browser (RFC 8291).
 * The test chooses the answers for each browser.
 */
import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { PushPayload } from '@nivida/contract/push/push';
import { importJWK, jwtVerify } from 'jose';
import * as v from 'valibot';
import { createCertificate } from './certificate.ts';

/**
 * Answer to a push: accepted, or a status with headers. `silent` never answers, `reset` closes the connection, `endless`
 * accepts and sends slowly without an end, `huge` accepts and sends 100 MB. The answer waits for `before`; without a status
 * the push is accepted, and the browser has it at once.
 */
export type PushBehaviour =
  | 'ok'
  | 'silent'
  | 'reset'
  | 'endless'
  | 'huge'
  | { status: number; headers?: Record<string, string>; before?: () => Promise<unknown> }
  | { before: () => Promise<unknown> };

/** A push as the browser receives it. */
export interface ReceivedPush {
  payload: PushPayload;
  bytes: number;
  ttl: number;
  urgency: string | undefined;
  topic: string | undefined;
}

/** A browser with a subscription. `behaviours` are used in turn, then `ok`. */
export interface PushBrowser {
  /** As returned by `PushSubscription.toJSON()`. */
  subscription: { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } };
  received: ReceivedPush[];
  behaviours: PushBehaviour[];
  /** Number of requests. */
  tries: number;
}

export interface PushService {
  /** 'localhost:port', for PUSH_ALLOWED_HOSTS. */
  host: string;
  /** PEM. */
  certificate: string;
  /** A new browser that subscribed with the server's key. */
  subscribe(publicKey: string): PushBrowser;
  /** Removes all browsers. */
  forget(): void;
  /** Calls back for each new connection. */
  onConnection(call: () => void): void;
  /** Number of connections that the sender has closed. */
  closedBySender(): number;
  /** Bytes of `endless` and `huge` answers. */
  wasted(): number;
  /** Number of `endless` and `huge` answers that have ended, or whose connection was closed. */
  ended(): number;
  /** Requests without an answer that the sender has given up. */
  abandoned(): number;
  /** Closes the port until `resume`; subscriptions stay. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

interface StoredBrowser {
  browser: PushBrowser;
  curve: ECDH;
  publicKey: string;
}

/** Listens on a free port, with a certificate that this process trusts from now on. */
export async function startPushService(): Promise<PushService> {
  const { key, cert } = createCertificate();
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  const browsers = new Map<string, StoredBrowser>();
  let wasted = 0;
  let ended = 0;
  let abandoned = 0;
  let closedBySender = 0;
  const server = createServer({ key, cert }, (request, response) => {
    answer(request, response).catch((error) => {
      response.writeHead(500).end(String(error));
    });
  });
  server.on('secureConnection', (socket) => {
    socket.once('end', () => {
      closedBySender += 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = browsers.get(request.url ?? '');
    const body = await buffer(request);
    if (!at) return void response.writeHead(404).end();
    at.browser.tries += 1;
    const behaviour = at.browser.behaviours.shift() ?? 'ok';
    if (behaviour === 'silent') {
      response.on('close', () => {
        abandoned += 1;
      });
      return;
    }
    if (behaviour === 'reset') return void request.socket.destroy();
    if (typeof behaviour === 'object' && 'status' in behaviour) {
      await behaviour.before?.();
      return void response.writeHead(behaviour.status, behaviour.headers).end();
    }
    const refusal = await rejectionStatus(request, body, at, `https://${host}`);
    if (refusal) return void response.writeHead(refusal).end();
    at.browser.received.push({
      payload: v.parse(PushPayload, JSON.parse(decrypt(body, at).toString('utf8'))),
      bytes: decrypt(body, at).length,
      ttl: Number(request.headers.ttl),
      urgency: request.headers.urgency as string | undefined,
      topic: request.headers.topic as string | undefined,
    });
    if (typeof behaviour === 'object') await behaviour.before();
    response.writeHead(201, { location: `https://${host}/m/1` });
    if (behaviour === 'ok' || typeof behaviour === 'object') return void response.end();
    const chunk = Buffer.alloc(behaviour === 'huge' ? 1_048_576 : 16);
    let left = behaviour === 'huge' ? 100 : Number.POSITIVE_INFINITY;
    response.on('close', () => {
      ended += 1;
    });
    const more = () => {
      if (response.destroyed) return;
      if (left-- <= 0) return void response.end();
      wasted += chunk.length;
      if (behaviour === 'endless') setTimeout(() => response.write(chunk, more), 50).unref();
      else response.write(chunk, more);
    };
    more();
  }

  return {
    host,
    certificate: cert,
    subscribe(publicKey) {
      const curve = createECDH('prime256v1');
      const path = `/wpush/v2/${randomBytes(12).toString('base64url')}`;
      const keys = {
        p256dh: curve.generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      };
      const subscription = { endpoint: `https://${host}${path}`, expirationTime: null, keys };
      const browser: PushBrowser = { subscription, received: [], behaviours: [], tries: 0 };
      browsers.set(path, { browser, curve, publicKey });
      return browser;
    },
    forget: () => browsers.clear(),
    onConnection(call) {
      server.on('connection', call);
    },
    closedBySender: () => closedBySender,
    wasted: () => wasted,
    ended: () => ended,
    abandoned: () => abandoned,
    async pause() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
    async resume() {
      server.listen(Number(host.split(':')[1]), '127.0.0.1');
      await once(server, 'listening');
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** The status that refuses a push; undefined for a valid one. */
async function rejectionStatus(
  { method, headers }: IncomingMessage,
  body: Buffer,
  { publicKey }: StoredBrowser,
  origin: string,
): Promise<number | undefined> {
  if (method !== 'POST' || !/^\d+$/.test(String(headers.ttl)) || headers['content-encoding'] !== 'aes128gcm')
    return 400;
  if (headers.topic !== undefined && !/^[\w-]{1,32}$/.test(String(headers.topic))) return 400;
  if (body.length > 4_096) return 413;
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  if (key !== publicKey) return 403;
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  try {
    const { payload } = await jwtVerify(token, await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'), {
      audience: origin,
      algorithms: ['ES256'],
    });
    const isShort = (payload.exp ?? Number.POSITIVE_INFINITY) - Date.now() / 1_000 <= 86_400;
    return isShort && /^(?:mailto:|https:)/.test(String(payload.sub)) ? undefined : 403;
  } catch {
    return 403;
  }
}

/** Opens a body of one record. */
function decrypt(body: Buffer, { curve, browser }: StoredBrowser): Buffer {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const sealed = body.subarray(21 + sender.length);
  const auth = Buffer.from(browser.subscription.keys.auth, 'base64url');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync('sha256', curve.computeSecret(sender), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
  const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2));
}
