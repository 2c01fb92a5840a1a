import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A trickle sends this many bytes, then pauses: 200 bytes a second. */
const TRICKLE_BYTES = 20;
const TRICKLE_MS = 100;

/** A response that is held back. */
export interface HeldAnswer {
  path: string;
  bytes: number;
  /** Sends the body up to this byte. The rest stays held back. */
  sendUpTo: (byte: number) => void;
  /** Sends the next `bytes` of the body at 200 bytes a second. */
  trickle: (bytes: number) => Promise<void>;
  /** Sends everything. */
  release: () => void;
  /** Breaks the connection. */
  cut: () => void;
}

/**
 * A weak network between a browser and the server. It holds back, cuts and counts responses; it can go silent
 * and break connections.
 */
export class WeakProxy {
  /** Bytes of bodies that were forwarded, by path. */
  readonly sentBytes = new Map<string, number>();
  /** Responses of these paths are held back. */
  holds: (path: string) => boolean = () => false;
  /** The browser's own cache must not store responses of these paths. */
  keepsOut: (path: string) => boolean = () => false;
  /** Decides about each held response at once. Without it, `nextHeld` returns them. */
  onHeld: ((answer: HeldAnswer) => void) | undefined;
  private readonly held: HeldAnswer[] = [];
  private waiting: ((answer: HeldAnswer) => void) | undefined;
  private carries: 'all' | 'no answers' | 'nothing' = 'all';

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(target: string): Promise<WeakProxy> {
    const server = createServer().listen(0, 'localhost');
    await once(server, 'listening');
    const proxy = new WeakProxy(server, `http://localhost:${(server.address() as AddressInfo).port}`);
    server.on('request', (asked, response) => proxy.forward(new URL(target), asked, response));
    return proxy;
  }

  /** The next response that is held back. */
  nextHeld(): Promise<HeldAnswer> {
    const first = this.held.shift();
    if (first) return Promise.resolve(first);
    return new Promise((resolve) => {
      this.waiting = resolve;
    });
  }

  /** From now on connections are accepted, but no byte of a response is sent. */
  goSilent(): void {
    this.carries = 'no answers';
  }

  /** From now on every connection breaks, including those that wait for a response. */
  dropConnections(): void {
    this.carries = 'nothing';
    this.server.closeAllConnections();
  }

  private forward({ host }: URL, asked: IncomingMessage, response: ServerResponse): void {
    if (this.carries === 'nothing') response.destroy();
    if (this.carries !== 'all') return;
    const path = asked.url ?? '/';
    const headers = { ...asked.headers, host };
    const [hostname, port] = host.split(':');
    const call = request({ hostname, port, path, method: asked.method, headers }, async (answer) => {
      const body = Buffer.concat(await answer.toArray());
      // The network may have gone silent while the server was answering.
      if (response.destroyed || this.carries !== 'all') return;
      if (this.keepsOut(path)) answer.headers['cache-control'] = 'no-store';
      const send = (from: number, to: number) => {
        this.sentBytes.set(path, (this.sentBytes.get(path) ?? 0) + to - from);
        response.write(body.subarray(from, to));
      };
      if (!this.holds(path)) {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        send(0, body.length);
        response.end();
        return;
      }
      let sent = 0;
      const sendUpTo = (byte: number) => {
        if (!response.headersSent) response.writeHead(answer.statusCode ?? 500, answer.headers);
        send(sent, byte);
        sent = byte;
      };
      const release = () => {
        sendUpTo(body.length);
        response.end();
      };
      const trickle = async (bytes: number) => {
        for (const end = Math.min(sent + bytes, body.length); sent < end; await wait(TRICKLE_MS))
          sendUpTo(Math.min(sent + TRICKLE_BYTES, end));
      };
      const held = { path, bytes: body.length, sendUpTo, trickle, release, cut: () => response.destroy() };
      if (this.onHeld) this.onHeld(held);
      else if (this.waiting) this.waiting(held);
      else this.held.push(held);
      this.waiting = undefined;
    });
    call.on('error', () => response.destroy());
    asked.pipe(call);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
