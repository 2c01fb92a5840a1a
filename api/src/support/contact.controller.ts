import { t } from '@lingui/core/macro';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { ContactRequest, ContactResponse } from '@nivida/contract/site/contact';
import type { FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import { SessionsService } from '../auth/sessions/sessions.service.ts';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { senderOf } from '../http/security/client-address.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { SupportService } from './support.service.ts';

@Controller('api')
export class ContactController {
  constructor(
    private readonly support: SupportService,
    private readonly sessions: SessionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('contact')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: ContactResponse })
  async send(
    @Body({ schema: ContactRequest }) message: ContactRequest,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<v.InferOutput<typeof ContactResponse>> {
    // A message is not refused because its session has ended: it is then a visitor's.
    const userId = await this.sessions.findUserId(request.headers.authorization);
    await this.support.receiveContact(message, {
      userId,
      sender: senderOf(request, this.config.production),
      language,
    });
    const text = () => t`Thank you for your message! We'll get back to you soon.`;
    return { success: true, message: inLanguage(language, text) };
  }
}
