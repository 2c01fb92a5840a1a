import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import {
  Firm,
  FirmInvitation,
  FirmInvitationRequest,
  FirmListResponse,
  FirmRequest,
  FirmRoleRequest,
  InvitationTokenRequest,
} from '@nivida/contract/firms/firms';
import type { FastifyRequest } from 'fastify';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { requestOrigin } from '../http/security/client-address.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { FirmsService } from './firms.service.ts';

@Controller('api/firms')
@UseGuards(AuthGuard, accountLimit('firms'))
@ApiBearerAuth()
export class FirmsController {
  constructor(
    private readonly firms: FirmsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: FirmListResponse })
  async list(@CurrentUser() user: SignedInUser): Promise<FirmListResponse> {
    return { firms: await this.firms.list(user.id) };
  }

  @Post()
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: Firm })
  create(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: FirmRequest }) firm: FirmRequest,
    @Req() { id }: FastifyRequest,
  ): Promise<Firm> {
    return this.firms.create(user.id, firm, id);
  }

  @Post('invitations/read')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: FirmInvitation })
  readInvitation(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: InvitationTokenRequest }) { token }: InvitationTokenRequest,
    @Req() request: FastifyRequest,
  ): Promise<FirmInvitation> {
    return this.firms.readInvitation(user.id, token, this.originOf(request));
  }

  @Post('invitations/accept')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: Firm })
  accept(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: InvitationTokenRequest }) { token }: InvitationTokenRequest,
    @Req() request: FastifyRequest,
  ): Promise<Firm> {
    return this.firms.accept(user.id, token, this.originOf(request));
  }

  @Put(':firm')
  @NoStore()
  @ApiOkResponse({ standardSchema: Firm })
  change(
    @CurrentUser() user: SignedInUser,
    @Param('firm') firmId: string,
    @Body({ schema: FirmRequest }) firm: FirmRequest,
    @Req() { id }: FastifyRequest,
  ): Promise<Firm> {
    return this.firms.change(user.id, firmId, firm, id);
  }

  @Delete(':firm')
  @HttpCode(204)
  @NoStore()
  @ApiNoContentResponse()
  close(
    @CurrentUser() user: SignedInUser,
    @Param('firm') firmId: string,
    @Req() { id }: FastifyRequest,
  ): Promise<void> {
    return this.firms.close(user.id, firmId, id);
  }

  @Post(':firm/invitations')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: Firm })
  invite(
    @CurrentUser() user: SignedInUser,
    @Param('firm') firmId: string,
    @Body({ schema: FirmInvitationRequest }) invitation: FirmInvitationRequest,
    @Req() { id }: FastifyRequest,
  ): Promise<Firm> {
    return this.firms.invite(user.id, firmId, invitation, id);
  }

  @Delete(':firm/invitations/:invitation')
  @NoStore()
  @ApiOkResponse({ standardSchema: Firm })
  withdraw(
    @CurrentUser() user: SignedInUser,
    @Param('firm') firmId: string,
    @Param('invitation') invitationId: string,
  ): Promise<Firm> {
    return this.firms.withdraw(user.id, firmId, invitationId);
  }

  @Put(':firm/members/:member')
  @NoStore()
  @ApiOkResponse({ standardSchema: Firm })
  changeRole(
    @CurrentUser() user: SignedInUser,
    @Param('firm') firmId: string,
    @Param('member') memberId: string,
    @Body({ schema: FirmRoleRequest }) { role }: FirmRoleRequest,
    @Req() { id }: FastifyRequest,
  ): Promise<Firm> {
    return this.firms.changeRole(user.id, firmId, memberId, role, id);
  }

  /** Removes a member; with the own id the user leaves. */
  @Delete(':firm/members/:member')
  @HttpCode(204)
  @NoStore()
  @ApiNoContentResponse()
  remove(
    @CurrentUser() user: SignedInUser,
    @Param('firm') firmId: string,
    @Param('member') memberId: string,
    @Req() { id }: FastifyRequest,
  ): Promise<void> {
    return this.firms.remove(user.id, firmId, memberId, id);
  }

  private originOf(request: FastifyRequest) {
    return requestOrigin(request, this.config.production);
  }
}
