import { Transform } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { CLOCK, READ_POOL } from '../injection-tokens.ts';
import { STATE_METRICS, type StateMetric } from './state-metrics.sql.ts';

const STATE_TTL_MS = 15_000;
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SIZE_BUCKETS = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

const SYNC_KINDS: Readonly<Record<string, string>> = {
  '/api/sync/:scope': 'manifest',
  '/api/sync/:scope/delta': 'delta',
  '/api/sync/segments/:hash': 'segment',
};

/**
 * Metrics of this process and of the installation for Prometheus. Labels are routes, states and portal names: their number
 * is bounded, and they contain no personal data.
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
    help: '1 when the state of the installation could be read from the database, else 0',
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

  /** Measures answers. Call it after compression is registered, so that it counts compressed bytes. */
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

  /** The text of a scrape. The state of the installation is read from the database at most every 15 seconds. */
  async read(): Promise<{ type: string; text: string }> {
    // Event loop and garbage collector are observed from the first scrape on: without a scraper this costs nothing.
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
    // A failed read removes the values: missing is better than outdated.
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

/** The route template, never the URL. Pages and files of the app share '/*'; 'none' is for unknown routes. */
function routeTemplate({ routeOptions }: FastifyRequest): string {
  if (routeOptions.url === undefined) return 'none';
  return /^\/(?:api|d|dev)\//.test(routeOptions.url) ? routeOptions.url : '/*';
}
