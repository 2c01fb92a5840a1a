import { Body, Controller, Get, Header, Headers, HttpCode, Inject, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse } from '@nestjs/swagger';
import { NewOrder, OrderList, OrderStarted } from '@nivida/contract/order';
import type { FastifyRequest } from 'fastify';
import { SessionsService, type SignedInUser } from '../auth/sessions.service.ts';
import type { Config } from '../config.ts';
import { AuthGuard } from '../http/auth.guard.ts';
import { clientAddress } from '../http/client-address.ts';
import { CurrentUser } from '../http/current-user.ts';
import { CONFIG } from '../http/tokens.ts';
import { PlansService } from '../plans/plans.service.ts';
import { OrderListService } from './list.service.ts';
import { PlaceService } from './place.service.ts';

@Controller('api')
export class OrdersController {
  constructor(
    @Inject(PlaceService) private readonly placing: PlaceService,
    @Inject(OrderListService) private readonly orders: OrderListService,
    @Inject(PlansService) private readonly plans: PlansService,
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Anybody may order; who sends a token must be signed in by it, or what he buys would not be his. */
  @Post('create-order')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: 'A UUID, the same in every try of one purchase' })
  @ApiOkResponse({ standardSchema: OrderStarted })
  async place(
    @Body({ schema: NewOrder }) wish: NewOrder,
    @Headers('idempotency-key') key: string | undefined,
    @Headers('authorization') authorization: string | undefined,
    @Req() request: FastifyRequest,
  ): Promise<OrderStarted> {
    const userId = authorization ? (await this.sessions.recognise(authorization)).id : undefined;
    const address = clientAddress(request, this.config.production);
    return this.placing.place(wish, { userId, address, key });
  }

  @Get('orders')
  @UseGuards(AuthGuard)
  @ApiBearerAuth()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ standardSchema: OrderList })
  async list(@CurrentUser() { id }: SignedInUser): Promise<OrderList> {
    const [orders, plan] = await Promise.all([this.orders.list(id), this.plans.current(id)]);
    return { orders, plan };
  }
}
