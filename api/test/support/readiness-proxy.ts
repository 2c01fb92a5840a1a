/** A proxy in front of several web processes, and a load at a steady rate. */
import { Agent, createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** Sends requests to a ready process; a request refused before its first byte goes to the other process. */
export class ReadinessProxy {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly ready = new Set<string>();
  private readonly server: Server;
  private readonly probing: NodeJS.Timeout;
  private turn = 0;

  constructor(private readonly ports: string[]) {
    this.server = createServer((request, response) => {
      this.ask(request.url ?? '')
        .then((answer) => pipeline(answer, response.writeHead(answer.statusCode ?? 0, answer.headers)))
        .catch(() => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    });
    // The test does not cover the proxy's own connections.
    this.server.keepAliveTimeout = 0;
    this.probing = setInterval(() => void this.probe(), 100);
  }

  async listen(): Promise<string> {
    await this.probe();
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  isReady(port: string): boolean {
    return this.ready.has(port);
  }

  async close(): Promise<void> {
    clearInterval(this.probing);
    this.agent.destroy();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async probe(): Promise<void> {
    for (const port of this.ports) {
      const { ok } = await fetch(`http://127.0.0.1:${port}/api/ready`).catch(() => ({ ok: false }));
      if (ok) this.ready.add(port);
      else this.ready.delete(port);
    }
  }

  private async ask(path: string): Promise<IncomingMessage> {
    const ports = [...this.ready];
    this.turn += 1;
    for (let tried = 0; ; tried += 1) {
      const port = ports[(this.turn + tried) % ports.length];
      try {
        return await new Promise((done, fail) => {
          const headers = { accept: 'application/json' };
          httpRequest({ port, host: '127.0.0.1', path, agent: this.agent, headers }, done).on('error', fail).end();
        });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || tried + 1 >= ports.length) throw error;
      }
    }
  }
}

/** Requests that read the database. */
const PATHS = ['/api/tenders?limit=10', '/api/sync/himachal-pradesh', '/api/regions', '/api/tenders/1'];

/** Requests that continue until they are stopped. */
export interface RequestLoad {
  /** Number of finished requests. */
  answered(): number;
  /** Number of requests by status or error. */
  stop(): Promise<Record<string, number>>;
}

/** Sends this many requests a second from now on. */
export function startLoad(origin: string, perSecond: number): RequestLoad {
  const counts: Record<string, number> = {};
  const asking: Promise<void>[] = [];
  const began = performance.now();
  const agent = new Agent({ keepAlive: true });
  const ask = (path: string) =>
    new Promise<string>((done) => {
      httpRequest(`${origin}${path}`, { agent }, (answer) => {
        answer.resume();
        answer.on('end', () => done(String(answer.statusCode)));
        answer.on('error', ({ message }) => done(message));
      })
        .on('error', ({ message }) => done(message))
        .end();
    });
  const timer = setInterval(() => {
    while (asking.length < ((performance.now() - began) / 1_000) * perSecond)
      asking.push(
        ask(PATHS[asking.length % PATHS.length] as string).then((status) => {
          counts[status] = (counts[status] ?? 0) + 1;
        }),
      );
  }, 5);
  return {
    answered: () => Object.values(counts).reduce((sum, count) => sum + count, 0),
    async stop() {
      clearInterval(timer);
      await Promise.all(asking);
      agent.destroy();
      return counts;
    },
  };
}
