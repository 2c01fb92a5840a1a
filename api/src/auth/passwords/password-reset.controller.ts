import { t } from '@lingui/core/macro';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ForgotPasswordRequest, MessageResponse, ResetPasswordRequest } from '@nivida/contract/account/auth';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import type { FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { RequestLanguage } from '../../http/routing/request-language.ts';
import { requestOrigin } from '../../http/security/client-address.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { PasswordResetService } from './password-reset.service.ts';

@Controller('api/auth')
export class PasswordResetController {
  constructor(
    private readonly resets: PasswordResetService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('forgot-password')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async forgot(
    @Body({ schema: ForgotPasswordRequest }) { email }: InferOutput<typeof ForgotPasswordRequest>,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    await this.resets.requestLink(email, requestOrigin(request, this.config.production));
    return {
      message: inLanguage(
        language,
        () => t`If an account uses this address, a link for a new password has been sent to it`,
      ),
    };
  }

  @Post('reset-password')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async reset(
    @Body({ schema: ResetPasswordRequest }) body: InferOutput<typeof ResetPasswordRequest>,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    await this.resets.reset(body, requestOrigin(request, this.config.production));
    return { message: inLanguage(language, () => t`Your password is changed. Please sign in.`) };
  }
}
