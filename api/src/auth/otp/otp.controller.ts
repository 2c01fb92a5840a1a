import { t } from '@lingui/core/macro';
import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { MessageResponse, OtpGenerateRequest, OtpVerifyRequest } from '@nivida/contract/account/auth';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { RequestLanguage } from '../../http/routing/request-language.ts';
import { requestOrigin, senderOf } from '../../http/security/client-address.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { OtpService } from './otp.service.ts';

@Controller('api/auth/otp')
export class OtpController {
  constructor(
    private readonly otp: OtpService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('generate')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async generate(
    @Body({ schema: OtpGenerateRequest }) { email }: InferOutput<typeof OtpGenerateRequest>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    const sender = senderOf(request, this.config.production);
    const context = await this.otp.generate(email, sender, {
      context: this.otp.contextOf(request.cookies),
      language,
    });
    reply.setCookie(...this.otp.cookie(context));
    return { message: inLanguage(language, () => t`If the address can receive mail, a code has been sent`) };
  }

  @Post('verify')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async verify(
    @Body({ schema: OtpVerifyRequest }) body: InferOutput<typeof OtpVerifyRequest>,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    const origin = requestOrigin(request, this.config.production);
    await this.otp.verify(this.otp.contextOf(request.cookies), body, origin);
    return { message: inLanguage(language, () => t`Email verified successfully!`) };
  }
}
