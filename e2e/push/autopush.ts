/**
 * A push service as Firefox uses it. Browsers connect by WebSocket (autopush's protocol). Senders post to an
 * HTTPS endpoint and identify themselves by VAPID (RFC 8292).
 */
import { createPublicKey, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { jwtVerify } from 'jose';
import { type WebSocket, WebSocketServer } from 'ws';
import { createCertificate } from '../../api/test/support/certificate.ts';

/** One subscription of a browser. */
interface Channel {
  id: string;
  /** base64url of the public key whose pushes it accepts. */
  key: string;
}

interface Hello {
  messageType?: string;
  channelID?: string;
  key?: string;
  updates?: { channelID: string; code?: number }[];
}

/** The push service, for one browser. */
export class Autopush {
  /** Statuses of the responses to senders, in order. */
  readonly answers: number[] = [];
  /** Codes with which the browser has acknowledged pushes. 100 means decrypted and delivered. */
  readonly acknowledged: (number | undefined)[] = [];
  private readonly channels = new Map<string, Channel>();
  private uaid: string = randomUUID();
  private socket: WebSocket | undefined;

  private constructor(
    private readonly sockets: WebSocketServer,
    private readonly endpoints: Server,
    /** The certificate that senders must trust, as PEM. */
    readonly certificate: string,
  ) {
    sockets.on('connection', (socket) => {
      this.socket = socket;
      socket.on('message', (data) =>
        socket.send(JSON.stringify(this.replyTo(JSON.parse(String(data)))), () => undefined),
      );
    });
    endpoints.on('request', (request, response) => void this.receivePush(request, response));
  }

  /** Listens on two free ports. */
  static async start(): Promise<Autopush> {
    const { key, cert } = createCertificate();
    const sockets = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      handleProtocols: () => 'push-notification',
    });
    const endpoints = createServer({ key, cert }).listen(0, '127.0.0.1');
    await Promise.all([once(sockets, 'listening'), once(endpoints, 'listening')]);
    return new Autopush(sockets, endpoints, cert);
  }

  /** The WebSocket address for the browser. */
  get url(): string {
    return `ws://127.0.0.1:${(this.sockets.address() as AddressInfo).port}/`;
  }

  /** Host of the endpoints: 'localhost:port'. */
  get host(): string {
    return `localhost:${(this.endpoints.address() as AddressInfo).port}`;
  }

  /** The addresses of the browser's current subscriptions. */
  get endpointsNow(): string[] {
    return [...this.channels.keys()].map((token) => this.endpointOf(token));
  }

  /** Forgets the browser. It gets a new id, and its subscriptions are lost. */
  forgetBrowser(): void {
    this.uaid = randomUUID();
    this.channels.clear();
    this.socket?.terminate();
  }

  async close(): Promise<void> {
    for (const client of this.sockets.clients) client.terminate();
    this.endpoints.closeAllConnections();
    await Promise.all([
      new Promise((done) => this.sockets.close(done)),
      new Promise((done) => this.endpoints.close(done)),
    ]);
  }

  private endpointOf(token: string): string {
    return `https://${this.host}/wpush/v2/${token}`;
  }

  private replyTo({ messageType, channelID = '', key = '', updates = [] }: Hello): object {
    switch (messageType) {
      case 'hello':
        return { messageType, status: 200, uaid: this.uaid, use_webpush: true, broadcasts: {} };
      case 'register': {
        const token = randomUUID();
        this.channels.set(token, { id: channelID, key: key.replace(/=+$/, '') });
        return { messageType, status: 200, channelID, pushEndpoint: this.endpointOf(token) };
      }
      case 'unregister':
        for (const [token, { id }] of this.channels) if (id === channelID) this.channels.delete(token);
        return { messageType, status: 200, channelID };
      case 'ack':
        this.acknowledged.push(...updates.map(({ code }) => code));
        return {};
      default:
        return {};
    }
  }

  private async receivePush(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const channel = this.channels.get(request.url?.split('/').at(-1) ?? '');
    const status = channel ? await this.rejectionStatus(request, channel) : 410;
    this.answers.push(status ?? 201);
    response.writeHead(status ?? 201).end();
    if (status !== undefined || !channel) return;
    this.socket?.send(
      JSON.stringify({
        messageType: 'notification',
        channelID: channel.id,
        version: randomUUID(),
        ttl: Number(request.headers.ttl),
        data: body.toString('base64url'),
        headers: { encoding: request.headers['content-encoding'] },
      }),
    );
  }

  /** The status with which a push is refused. Undefined for a valid push. */
  private async rejectionStatus({ headers }: IncomingMessage, channel: Channel): Promise<number | undefined> {
    if (headers.ttl === undefined || headers['content-encoding'] !== 'aes128gcm') return 400;
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    if (key !== channel.key) return 403;
    const point = Buffer.from(key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const jwk = { kty: 'EC', crv: 'P-256', x, y };
    return jwtVerify(token, createPublicKey({ key: jwk, format: 'jwk' }), { audience: `https://${this.host}` }).then(
      () => undefined,
      () => 403,
    );
  }
}
