import { Controller, Get, Header, HttpStatus, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import { PaymentGateway } from '../payments/gateway.service.ts';
import { CONFIG, READ_POOL } from './tokens.ts';

@Controller('api')
export class HealthController {
  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PaymentGateway) private readonly gateway: PaymentGateway,
  ) {}

  /** 200 when the database answers, else 503. */
  @Get('health')
  @Header('Cache-Control', 'no-store')
  async health(@Res({ passthrough: true }) reply: FastifyReply) {
    const database = await this.pool.query('SELECT 1').then(
      () => 'ok' as const,
      () => 'down' as const,
    );
    if (database === 'down') reply.code(HttpStatus.SERVICE_UNAVAILABLE);
    return {
      status: database,
      database,
      payments: this.gateway.live ? 'live' : 'sandbox',
      version: this.config.version,
    };
  }
}
