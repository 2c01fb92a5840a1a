import { t } from '@lingui/core/macro';
import { Body, Controller, Inject, Param, Put, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { UserInfoRequest, UserInfoResponse } from '@nivida/contract/account/user';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import { OtpService } from '../auth/otp/otp.service.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { requestOrigin } from '../http/security/client-address.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { UsersService } from './users.service.ts';

@Controller('api/user-info')
@UseGuards(AuthGuard)
@ApiBearerAuth()
export class UserInfoController {
  constructor(
    private readonly users: UsersService,
    private readonly otp: OtpService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Put(':id')
  @NoStore()
  @ApiOkResponse({ standardSchema: UserInfoResponse })
  async change(
    @CurrentUser() user: SignedInUser,
    @Param('id') id: string,
    @Body({ schema: UserInfoRequest }) profile: UserInfoRequest,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserInfoResponse> {
    const { response: answer, otpContext: context } = await this.users.change(user, id, profile, {
      otpContext: this.otp.contextOf(request.cookies),
      origin: requestOrigin(request, this.config.production),
    });
    if (context !== undefined) reply.setCookie(...this.otp.cookie(context));
    return { ...answer, message: inLanguage(language, () => t`Profile updated successfully!`) };
  }
}
