import { Transform } from 'node:stream';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG, READ_POOL } from '../../base/injection-tokens.ts';
import { forEachConcurrently } from '../../base/task-runners.ts';
import { ReplicaReader } from '../../database/replica-reader.ts';
import { checkFileStore } from '../../storage/file-store.ts';
import { readDiskSpace } from './disk.ts';
import { observePoolWaits } from './pool-waits.ts';
import { STATE_METRICS, type StateMetric } from './state-metrics.sql.ts';

const STATE_TTL_MS = 15_000;
/** Low, so that most connections of the read pool stay free for requests. */
const CONCURRENT_STATE_READS = 3;
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const JOB_BUCKETS = [0.01, 0.1, 1, 10, 60, 600, 3_600];
/** The objectives are two minutes for a reminder and one for a payment. */
const OBJECTIVE_BUCKETS = [5, 15, 60, 120, 300, 900, 3_600];
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
export class Metrics implements OnApplicationBootstrap {
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
  private readonly refusals = new Counter({
    name: 'nivida_refused_total',
    help: 'Calls that a limit has refused',
    labelNames: ['limit'],
    registers: [this.registry],
  });
  /** Mailed codes that were requested and not refused by a limit. */
  readonly requestedCodes = new Counter({
    name: 'nivida_codes_total',
    help: 'Codes by mail that visitors have asked for, without those that a limit refused',
    registers: [this.registry],
  });
  /** Seconds from the minute of a reminder until a push service or the mail queue has accepted it. */
  readonly reminderDelays = new Histogram({
    name: 'nivida_reminder_delay_seconds',
    help: 'Time from the minute of a reminder until it was accepted for delivery, in this process',
    buckets: OBJECTIVE_BUCKETS,
    registers: [this.registry],
  });
  /** Seconds from the first message of a provider about a payment until its order is paid. */
  readonly settlementDelays = new Histogram({
    name: 'nivida_payment_settle_seconds',
    help: "Time from a provider's first message about an order until it was paid; orders that were paid before one are not counted",
    buckets: OBJECTIVE_BUCKETS,
    registers: [this.registry],
  });
  private readonly jobRuns = new Histogram({
    name: 'nivida_job_run_seconds',
    help: 'Runs of recurring jobs and mails in this process, by outcome',
    labelNames: ['name', 'outcome'],
    buckets: JOB_BUCKETS,
    registers: [this.registry],
  });
  private readonly poolWaits = new Histogram({
    name: 'nivida_pool_wait_seconds',
    help: 'Waits for a connection of a pool of this process',
    labelNames: ['pool'],
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });
  private readonly poolConnections = new Gauge({
    name: 'nivida_pool_connections',
    help: 'Connections of a pool of this process by state, and callers that wait for one',
    labelNames: ['pool', 'state'],
    registers: [this.registry],
  });
  private readonly diskFree = new Gauge({
    name: 'nivida_disk_free_bytes',
    help: 'Free space of the file system of DATA_DIR (data) and FILES_URL (files)',
    labelNames: ['folder'],
    registers: [this.registry],
  });
  private readonly diskSize = new Gauge({
    name: 'nivida_disk_size_bytes',
    help: 'Size of the file system of DATA_DIR (data) and FILES_URL (files)',
    labelNames: ['folder'],
    registers: [this.registry],
  });
  private readonly filesUp = new Gauge({
    name: 'nivida_files_up',
    help: '1 when the object store of FILES_URL answers, else 0; absent with a folder',
    labelNames: [],
    registers: [this.registry],
  });
  private readonly replicaUp = new Gauge({
    name: 'nivida_replica_up',
    help: '1 when the replica of this number in DATABASE_URL_READ answers, else 0; absent without a replica',
    labelNames: ['replica'],
    registers: [this.registry],
  });
  private readonly replicaLag = new Gauge({
    name: 'nivida_replica_lag_seconds',
    help: 'Seconds that the replica is behind the primary; absent while it does not answer',
    labelNames: ['replica'],
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
    @Inject(CONFIG) private readonly config: Config,
    private readonly reader: ReplicaReader,
    private readonly dataSource: DataSource,
  ) {}

  onApplicationBootstrap(): void {
    for (const [pool, each] of this.pools())
      observePoolWaits(each, (seconds) => this.poolWaits.observe({ pool }, seconds));
  }

  /** Counts a call that a limit has refused; `limit` is a `RefusedLimit`. */
  countRefusal(limit: string): void {
    this.refusals.inc({ limit });
  }

  /** Counts a run of a job in this process. */
  observeJobRun({ job, outcome, seconds }: { job: string; outcome: 'succeeded' | 'failed'; seconds: number }): void {
    // Prometheus itself gives each series the label `job`.
    this.jobRuns.observe({ name: job, outcome }, seconds);
  }

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
    // Observing the event loop and the garbage collector begins with the first scrape, so it costs nothing without monitoring.
    if (!this.isRegistered) {
      collectDefaultMetrics({ register: this.registry });
      // promtool refuses these gauges because of their suffix, which is that of a counter. The gauges by type have the same values.
      for (const type of ['handles', 'requests', 'resources'])
        this.registry.removeSingleMetric(`nodejs_active_${type}_total`);
    }
    this.isRegistered = true;
    const now = performance.now();
    if (now - this.stateReadAt > STATE_TTL_MS) {
      this.stateReadAt = now;
      let isUp = true;
      await forEachConcurrently(this.states, CONCURRENT_STATE_READS, async ({ metric, gauge }) => {
        if (!(await this.refresh(metric, gauge))) isUp = false;
      });
      this.databaseUp.set(isUp ? 1 : 0);
      await this.readReplica();
      await this.readFileStore();
    }
    this.readPools();
    await this.readDisks();
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  private async refresh({ query, labels }: StateMetric, gauge: Gauge): Promise<boolean> {
    const rows = await this.pool.query(query, query.includes('$1') ? [this.now()] : []).then(
      (result) => result.rows as Record<string, string | number>[],
      () => undefined,
    );
    // After a failed read the values are missing, which is better than outdated ones.
    gauge.reset();
    // A reset gauge without labels shows 0.
    if (labels.length === 0) gauge.remove();
    for (const { value, ...row } of rows ?? [])
      gauge.set(Object.fromEntries(labels.map((label) => [label, String(row[label])])), Number(value));
    return rows !== undefined;
  }

  private async readReplica(): Promise<void> {
    this.replicaLag.reset();
    for (const [at, lag] of (await this.reader.replicaLags()).entries()) {
      const replica = String(at + 1);
      this.replicaUp.set({ replica }, lag === null ? 0 : 1);
      if (lag !== null) this.replicaLag.set({ replica }, lag);
    }
  }

  private async readFileStore(): Promise<void> {
    this.filesUp.remove();
    if (this.config.files.kind === 'folder') return;
    this.filesUp.set(
      await checkFileStore(this.config).then(
        () => 1,
        () => 0,
      ),
    );
  }

  private async readDisks(): Promise<void> {
    const { dataDir, files } = this.config;
    for (const [folder, path] of Object.entries({
      data: dataDir,
      ...(files.kind === 'folder' && { files: files.path }),
    })) {
      const space = await readDiskSpace(path).catch(() => undefined);
      if (space) this.diskFree.set({ folder }, space.freeBytes);
      else this.diskFree.remove({ folder });
      if (space) this.diskSize.set({ folder }, space.sizeBytes);
      else this.diskSize.remove({ folder });
    }
  }

  private pools(): Map<string, Pool> {
    const { master } = this.dataSource.driver as unknown as { master: Pool };
    return new Map([
      ['write', master],
      ['read', this.pool],
      ...this.reader.replicaPools.map((pool, at) => [`replica-${at + 1}`, pool] as const),
    ]);
  }

  private readPools(): void {
    for (const [pool, { totalCount, idleCount, waitingCount }] of this.pools()) {
      this.poolConnections.set({ pool, state: 'idle' }, idleCount);
      this.poolConnections.set({ pool, state: 'busy' }, totalCount - idleCount);
      this.poolConnections.set({ pool, state: 'waiting' }, waitingCount);
    }
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

/** The route template, never the URL. Pages and files of the app share '/*'. Unknown routes are 'none'. */
export function routeTemplate({ routeOptions }: FastifyRequest): string {
  if (routeOptions.url === undefined) return 'none';
  return /^\/(?:api|d|dev)\//.test(routeOptions.url) ? routeOptions.url : '/*';
}
