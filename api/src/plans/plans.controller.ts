import { Body, Controller, Put, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { PlanState, PlanStatesRequest } from '@nivida/contract/orders/order';
import type { FastifyRequest } from 'fastify';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { PlansService } from './plans.service.ts';

@Controller('api/plan')
@UseGuards(AuthGuard, accountLimit('plan'))
@ApiBearerAuth()
export class PlansController {
  constructor(private readonly plans: PlansService) {}

  @Put('states')
  @NoStore()
  @ApiOkResponse({ standardSchema: PlanState })
  chooseStates(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: PlanStatesRequest }) { states }: PlanStatesRequest,
    @Req() { id }: FastifyRequest,
  ): Promise<PlanState> {
    return this.plans.chooseStates(user.id, states, id);
  }
}
