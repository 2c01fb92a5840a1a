import { Controller, Get, Logger, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Metrics } from '../../http/monitoring/metrics.ts';
import { RawBody } from '../../http/routing/request-bodies.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { InvalidSignatureError } from '../../payments/payment-gateway.port.ts';
import { WebhooksService } from './webhooks.service.ts';

const MAX_BODY_BYTES = 262_144;

/** Webhooks of payment providers. They need no session and no rate limit, because the signature authenticates the sender. */
@ApiExcludeController()
@Controller('api/webhooks/payments')
export class WebhooksController {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly webhooks: WebhooksService,
    private readonly metrics: Metrics,
  ) {}

  /** For a browser that opens the address. */
  @Get(':provider')
  async rejectGet(@Res() reply: FastifyReply): Promise<void> {
    await reply.code(405).header('Allow', 'POST').send();
  }

  @Post(':provider')
  @RawBody(MAX_BODY_BYTES)
  @NoStore()
  async receive(
    @Param('provider') provider: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const raw = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
    try {
      await this.webhooks.receive(provider, raw, singleValueHeaders(request.headers));
      await reply.code(200).send();
    } catch (error) {
      if (!(error instanceof InvalidSignatureError)) throw error;
      this.metrics.refusedWebhooks.inc();
      this.logger.warn(`A webhook of ${provider} was refused: ${error.message}`);
      await reply.code(401).send();
    }
  }
}

/** Only headers that occur once: a repeated signature proves nothing. */
function singleValueHeaders(headers: FastifyRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
