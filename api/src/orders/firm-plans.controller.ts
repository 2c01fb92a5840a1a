import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { FirmPlanOffer } from '@nivida/contract/firms/firms';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { FirmPlansService } from './firm-plans.service.ts';

@Controller('api/firms/:firm/plan-offer')
@UseGuards(AuthGuard, accountLimit('firms'))
@ApiBearerAuth()
export class FirmPlansController {
  constructor(private readonly firmPlans: FirmPlansService) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: FirmPlanOffer })
  offer(@CurrentUser() user: SignedInUser, @Param('firm') firmId: string): Promise<FirmPlanOffer> {
    return this.firmPlans.offer(user.id, firmId);
  }
}
