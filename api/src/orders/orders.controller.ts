import { Body, Controller, Get, Headers, HttpCode, Inject, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse } from '@nestjs/swagger';
import type { Language } from '@nivida/contract/languages';
import { CreateOrderRequest, CreateOrderResponse, OrderListResponse } from '@nivida/contract/orders/order';
import type { FastifyRequest } from 'fastify';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import { SessionsService, type SignedInUser } from '../auth/sessions/sessions.service.ts';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { languageOfRequest, RequestLanguage } from '../http/routing/request-language.ts';
import { senderOf } from '../http/security/client-address.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { PlansService } from '../plans/plans.service.ts';
import { OrderListService } from './order-list.service.ts';
import { OrderPlacementService } from './order-placement.service.ts';

@Controller('api')
export class OrdersController {
  constructor(
    private readonly orderPlacement: OrderPlacementService,
    private readonly orders: OrderListService,
    private readonly plans: PlansService,
    private readonly sessions: SessionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Guests may order. An invalid token is refused, because the order would not belong to the account. */
  @Post('create-order')
  @HttpCode(200)
  @NoStore()
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: 'A UUID, the same in every try of one purchase' })
  @ApiOkResponse({ standardSchema: CreateOrderResponse })
  async place(
    @Body({ schema: CreateOrderRequest }) body: CreateOrderRequest,
    @Headers('idempotency-key') key: string | undefined,
    @Headers('authorization') authorization: string | undefined,
    @Req() request: FastifyRequest,
  ): Promise<CreateOrderResponse> {
    if (authorization) request.signedInUser = await this.sessions.authenticate(authorization);
    const userId = request.signedInUser?.id;
    const sender = senderOf(request, this.config.production);
    return this.orderPlacement.placeOrder(body, {
      userId,
      sender,
      language: languageOfRequest(request),
      idempotencyKey: key,
    });
  }

  @Get('orders')
  @UseGuards(AuthGuard)
  @ApiBearerAuth()
  @NoStore()
  @ApiOkResponse({ standardSchema: OrderListResponse })
  async list(@CurrentUser() { id }: SignedInUser, @RequestLanguage() language: Language): Promise<OrderListResponse> {
    const [orders, plan] = await Promise.all([this.orders.list(id, language), this.plans.current(id)]);
    return { orders, plan };
  }
}
