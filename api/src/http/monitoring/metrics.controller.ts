import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Header, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from '../errors/app-error.ts';
import { CONFIG } from '../injection-tokens.ts';
import { sha256Hex } from '../security/cookies.ts';
import { isLocalRequest } from '../security/loopback.ts';
import { Metrics } from './metrics.ts';

/**
 * For whoever watches the installation, with METRICS_TOKEN. Without it from this machine, but not in production: there a
 * proxy of this machine may pass on requests without a word about whose they are.
 */
@ApiExcludeController()
@Controller('api/metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async read(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const isOpen = !this.config.production && isLocalRequest(request);
    if (!isOpen && !this.hasToken(request.headers.authorization))
      throw new AppError('NOT_FOUND', 'There is nothing at this address');
    const { type, text } = await this.metrics.read();
    reply.header('Content-Type', type);
    return text;
  }

  private hasToken(authorization = ''): boolean {
    const { metricsToken } = this.config;
    if (metricsToken === undefined) return false;
    // Digests have the same length, so the time tells nothing.
    return timingSafeEqual(Buffer.from(sha256Hex(authorization)), Buffer.from(sha256Hex(`Bearer ${metricsToken}`)));
  }
}
