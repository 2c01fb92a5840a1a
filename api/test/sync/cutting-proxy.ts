/** A proxy in front of a server that ends answers at a given byte of their bodies, and counts bytes. */
import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer that the proxy has sent on. */
export interface ProxiedAnswer {
  path: string;
  /** Bytes of the body that were sent on. */
  sentBytes: number;
}

/** An answer that has stopped. `end` breaks its connection. */
export interface StoppedAnswer {
  path: string;
  /** The body up to here, as it is on the wire. */
  body: Buffer;
  end: () => void;
}

/** Forwards to a server, as a client that accepts brotli. */
export class CuttingProxy {
  readonly answers: ProxiedAnswer[] = [];
  /** The byte after which an answer of `bytes` bytes stops; undefined for none. */
  stopAfter: (path: string, bytes: number) => number | undefined = () => undefined;
  onStop: (answer: StoppedAnswer) => void = () => undefined;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(target: string): Promise<CuttingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new CuttingProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', ({ url = '', headers }, response) => {
      const asked = request(target + url, { headers: { ...headers, 'accept-encoding': 'br' } }, async (answer) => {
        const body = Buffer.concat(await answer.toArray());
        proxy.send(url, body, response.writeHead(answer.statusCode ?? 500, answer.headers));
      });
      asked.on('error', () => response.destroy());
      asked.end();
    });
    return proxy;
  }

  private send(path: string, whole: Buffer, response: ServerResponse): void {
    const stopAfter = this.stopAfter(path, whole.length);
    const body = whole.subarray(0, stopAfter);
    this.answers.push({ path, sentBytes: body.length });
    if (stopAfter === undefined) response.end(body);
    else response.write(body, () => this.onStop({ path, body, end: () => response.destroy() }));
  }

  get sentBytes(): number {
    return this.answers.reduce((sum, each) => sum + each.sentBytes, 0);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
