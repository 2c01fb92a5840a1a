import { setTimeout as wait } from 'node:timers/promises';
import { Controller, Get, HttpStatus, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import type { Config } from '../base/config.ts';
import { CONFIG, HEALTH_POOL } from '../base/injection-tokens.ts';
import { ReplicaReader, type ReplicaState } from '../database/replica-reader.ts';
import { PING } from '../database/server.sql.ts';
import { Readiness } from '../http/monitoring/readiness.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';

const DATABASE_TIMEOUT_MS = 5_000;

@Controller('api')
export class HealthController {
  constructor(
    @Inject(HEALTH_POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: Config,
    private readonly gateway: PaymentGateway,
    private readonly reader: ReplicaReader,
    private readonly readiness: Readiness,
  ) {}

  /** 200 when the database answers, else 503. */
  @Get('health')
  @NoStore()
  async health(@Res({ passthrough: true }) reply: FastifyReply) {
    const database = await poolState(this.pool);
    if (database === 'down') reply.code(HttpStatus.SERVICE_UNAVAILABLE);
    return {
      status: database,
      database,
      payments: this.gateway.mode,
      version: this.config.version,
    };
  }

  /**
   * 200 when this process accepts requests; 503 while it starts or stops, and without a database. With only the replica
   * the status is 'read-only': tenders can be read.
   */
  @Get('ready')
  @NoStore()
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const [database, replica] = await Promise.all([poolState(this.pool), this.reader.replicaState()]);
    // Read after the database checks: the shutdown may have begun during them.
    const { phase } = this.readiness;
    const status = readinessStatus(phase, database, replica);
    if (status !== 'ready' && status !== 'read-only') reply.code(HttpStatus.SERVICE_UNAVAILABLE);
    return { status, database, ...(replica && { replica }) };
  }
}

/** The status of a process. A replica that is behind still counts as readable. */
export function readinessStatus(
  phase: Readiness['phase'],
  database: 'ok' | 'down',
  replica: ReplicaState | undefined,
): Readiness['phase'] | 'read-only' | 'down' {
  const canRead = replica === 'ok' || replica === 'behind';
  return phase !== 'ready' || database === 'ok' ? phase : canRead ? 'read-only' : 'down';
}

async function poolState(pool: Pool): Promise<'ok' | 'down'> {
  const answer = pool.query(PING).then(
    () => 'ok' as const,
    () => 'down' as const,
  );
  return Promise.race([answer, wait(DATABASE_TIMEOUT_MS, 'down' as const, { ref: false })]);
}
