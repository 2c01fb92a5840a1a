import { Controller, Get, Header, Inject, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OrderCheck, OrderQuery } from '@nivida/contract/order';
import type * as v from 'valibot';
import { StatusService } from './status.service.ts';

@Controller('api')
export class StatusController {
  constructor(@Inject(StatusService) private readonly statuses: StatusService) {}

  // Two names of one call (RESOLUTIONS R3).
  @Get(['status-check', 'payment-status'])
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ standardSchema: OrderCheck })
  check(@Query({ schema: OrderQuery }) { id }: v.InferOutput<typeof OrderQuery>): Promise<OrderCheck> {
    return this.statuses.check(id);
  }
}
