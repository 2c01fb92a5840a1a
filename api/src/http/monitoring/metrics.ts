import { Transform } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { CLOCK, READ_POOL } from '../injection-tokens.ts';
import { STATE_METRICS, type StateMetric } from './state-metrics.ts';

const STATE_TTL_MS = 15_000;
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SIZE_BUCKETS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

const SYNC_KINDS: Readonly<Record<string, string>> = {
  '/api/sync/:scope': 'manifest',
  '/api/sync/:scope/delta': 'delta',
  '/api/sync/segments/:hash': 'segment',
};

/**
 * What this process did, and how the installation stands, for Prometheus. Labels are routes, states and names of portals:
 * nothing of a person, and no more of them than there are routes.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly requestDurations = new Histogram({
    name: 'nivida_http_request_seconds',
    help: 'Answered requests by route template and class of status',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });
  private readonly syncBytes = new Histogram({
    name: 'nivida_sync_answer_bytes',
    help: 'Bytes of the bodies of manifests, segments and deltas as they were sent',
    labelNames: ['kind'],
    buckets: SIZE_BUCKETS,
    registers: [this.registry],
  });
  /** Webhooks whose signature was refused. */
  readonly refusedWebhooks = new Counter({
    name: 'nivida_webhooks_refused_total',
    help: 'Webhooks of payments whose signature was refused',
    registers: [this.registry],
  });
  private readonly databaseUp = new Gauge({
    name: 'nivida_database_up',
    help: '1 when the database told how the installation stands, else 0',
    registers: [this.registry],
  });
  private readonly states = STATE_METRICS.map((metric) => ({
    metric,
    gauge: new Gauge({ name: metric.name, help: metric.help, labelNames: metric.labels, registers: [this.registry] }),
  }));
  private stateReadAt = Number.NEGATIVE_INFINITY;
  private isRegistered = false;

  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Counts what the server answers. Call it after compression is registered, so that bytes are those of the wire. */
  register(server: FastifyInstance): void {
    server.addHook('onSend', async (request, _reply, payload) => {
      const kind = SYNC_KINDS[request.routeOptions.url ?? ''];
      return kind === undefined ? payload : this.measurePayload(kind, payload);
    });
    server.addHook('onResponse', async (request, reply) => {
      const status = `${Math.floor(reply.statusCode / 100)}xx`;
      const labels = { method: request.method, route: routeTemplate(request), status };
      this.requestDurations.observe(labels, reply.elapsedTime / 1_000);
    });
  }

  /** The text of a scrape. How the installation stands is read from the database at most every 15 seconds. */
  async read(): Promise<{ type: string; text: string }> {
    // It watches the event loop and the garbage collector from the first scrape on, so not where nobody asks.
    if (!this.isRegistered) collectDefaultMetrics({ register: this.registry });
    this.isRegistered = true;
    const now = performance.now();
    if (now - this.stateReadAt > STATE_TTL_MS) {
      this.stateReadAt = now;
      const known = await Promise.all(this.states.map(({ metric, gauge }) => this.refresh(metric, gauge)));
      this.databaseUp.set(known.every(Boolean) ? 1 : 0);
    }
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  private async refresh({ query, labels }: StateMetric, gauge: Gauge): Promise<boolean> {
    const rows = await this.pool.query(query, query.includes('$1') ? [this.now()] : []).then(
      (result) => result.rows as Record<string, string | number>[],
      () => undefined,
    );
    // What is not known is better missing than old.
    gauge.reset();
    for (const { value, ...row } of rows ?? [])
      gauge.set(Object.fromEntries(labels.map((label) => [label, String(row[label])])), Number(value));
    return rows !== undefined;
  }

  private measurePayload(kind: string, payload: unknown): unknown {
    const isStream = typeof payload === 'object' && payload !== null && 'pipe' in payload;
    if (!isStream) {
      if (typeof payload === 'string' || payload instanceof Buffer)
        this.syncBytes.observe({ kind }, Buffer.byteLength(payload));
      return payload;
    }
    let bytes = 0;
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        done(null, chunk);
      },
      flush: (done) => {
        this.syncBytes.observe({ kind }, bytes);
        done();
      },
    });
    const source = payload as NodeJS.ReadableStream;
    source.on('error', (error) => counter.destroy(error));
    return source.pipe(counter);
  }
}

/** The template of an address, never the address: pages and files of the app together, and what no route has. */
function routeTemplate({ routeOptions }: FastifyRequest): string {
  if (routeOptions.url === undefined) return 'none';
  return /^\/(?:api|d|dev)\//.test(routeOptions.url) ? routeOptions.url : '/*';
}
