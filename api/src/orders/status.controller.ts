import { Controller, Get, Header, Inject, Query, Req } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OrderCheck, OrderQuery } from '@nivida/contract/order';
import type { FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import type { Config } from '../config.ts';
import { clientAddress } from '../http/client-address.ts';
import { CONFIG } from '../http/tokens.ts';
import { StatusService } from './status.service.ts';

@Controller('api')
export class StatusController {
  constructor(
    @Inject(StatusService) private readonly statuses: StatusService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  // Two names of one call (RESOLUTIONS R3).
  @Get(['status-check', 'payment-status'])
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ standardSchema: OrderCheck })
  check(
    @Query({ schema: OrderQuery }) { id }: v.InferOutput<typeof OrderQuery>,
    @Req() request: FastifyRequest,
  ): Promise<OrderCheck> {
    return this.statuses.check(id, clientAddress(request, this.config.production));
  }
}
