import { Controller, Delete, Get, Param, Put, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { FollowedOfficesResponse } from '@nivida/contract/awards/awards';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { FollowedOfficesService } from './followed-offices.service.ts';

@Controller('api/followed-offices')
@UseGuards(AuthGuard, accountLimit('followed-offices'))
@ApiBearerAuth()
export class FollowedOfficesController {
  constructor(private readonly offices: FollowedOfficesService) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: FollowedOfficesResponse })
  list(@CurrentUser() user: SignedInUser): Promise<FollowedOfficesResponse> {
    return this.offices.list(user.id);
  }

  @Put(':id')
  @NoStore()
  @ApiOkResponse({ standardSchema: FollowedOfficesResponse })
  follow(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<FollowedOfficesResponse> {
    return this.offices.follow(user.id, id);
  }

  @Delete(':id')
  @NoStore()
  @ApiOkResponse({ standardSchema: FollowedOfficesResponse })
  unfollow(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<FollowedOfficesResponse> {
    return this.offices.unfollow(user.id, id);
  }
}
