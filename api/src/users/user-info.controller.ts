import { Body, Controller, Header, Inject, Param, Put, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { UserInfo, UserInfoAnswer } from '@nivida/contract/user';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OtpService } from '../auth/otp.service.ts';
import type { SignedInUser } from '../auth/sessions.service.ts';
import type { Config } from '../config.ts';
import { AuthGuard } from '../http/auth.guard.ts';
import { clientAddress } from '../http/client-address.ts';
import { CurrentUser } from '../http/current-user.ts';
import { CONFIG } from '../http/tokens.ts';
import { UsersService } from './users.service.ts';

@Controller('api/user-info')
@UseGuards(AuthGuard)
@ApiBearerAuth()
export class UserInfoController {
  constructor(
    @Inject(UsersService) private readonly users: UsersService,
    @Inject(OtpService) private readonly otp: OtpService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Put(':id')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ standardSchema: UserInfoAnswer })
  async change(
    @CurrentUser() who: SignedInUser,
    @Param('id') id: string,
    @Body({ schema: UserInfo }) wanted: UserInfo,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserInfoAnswer> {
    const { answer, context } = await this.users.change(who, id, wanted, {
      context: this.otp.contextOf(request.cookies),
      address: clientAddress(request, this.config.production),
      requestId: request.id,
    });
    if (context !== undefined) reply.setCookie(...this.otp.cookie(context));
    return answer;
  }
}
