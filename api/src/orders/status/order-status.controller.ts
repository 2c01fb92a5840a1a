import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Language } from '@nivida/contract/languages';
import { OrderStatusQuery, OrderStatusResponse } from '@nivida/contract/orders/order';
import type { FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { RequestLanguage } from '../../http/routing/request-language.ts';
import { senderOf } from '../../http/security/client-address.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { OrderStatusService } from './order-status.service.ts';

@Controller('api')
export class OrderStatusController {
  constructor(
    private readonly statuses: OrderStatusService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  // Two names of one call (R3).
  @Get(['status-check', 'payment-status'])
  @NoStore()
  @ApiOkResponse({ standardSchema: OrderStatusResponse })
  check(
    @Query({ schema: OrderStatusQuery }) { id }: v.InferOutput<typeof OrderStatusQuery>,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<OrderStatusResponse> {
    return this.statuses.check(id, senderOf(request, this.config.production), language);
  }
}
