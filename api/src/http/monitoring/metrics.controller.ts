import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nothingHere } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { sha256Hex } from '../security/cookies.ts';
import { isLocalRequest } from '../security/loopback.ts';
import { NoStore } from '../security/security-headers.ts';
import { Metrics } from './metrics.ts';

/**
 * Metrics for monitoring, with METRICS_TOKEN. Outside of production requests from this machine need no token. In
 * production they do: a proxy on the same machine may forward requests without forwarding headers.
 */
@ApiExcludeController()
@Controller('api/metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @NoStore()
  async read(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const isOpen = !this.config.production && isLocalRequest(request);
    if (!isOpen && !this.hasToken(request.headers.authorization)) throw nothingHere();
    const { type, text } = await this.metrics.read();
    reply.header('Content-Type', type);
    return text;
  }

  private hasToken(authorization = ''): boolean {
    const { metricsToken } = this.config;
    if (metricsToken === undefined) return false;
    // timingSafeEqual needs equal lengths, and digests have one length.
    return timingSafeEqual(Buffer.from(sha256Hex(authorization)), Buffer.from(sha256Hex(`Bearer ${metricsToken}`)));
  }
}
