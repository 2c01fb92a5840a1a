import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Language, languageOfLocale } from '@nivida/contract/languages';
import type { AlertPreferences } from '@nivida/contract/push/push';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { sendPrivatePage } from '../../http/html/plain-page.ts';
import { OneClickPost } from '../../http/routing/request-bodies.ts';
import { languageOfRequest } from '../../http/routing/request-language.ts';
import { SubscriptionsService } from '../subscriptions/subscriptions.service.ts';
import { UnsubscribeLinks } from './unsubscribe-links.ts';
import { type UnsubscribeState, unsubscribePage } from './unsubscribe-page.ts';

/**
 * The link in alert mails and in their `List-Unsubscribe` header (RFC 8058). Mail programs POST to it; users open the page
 * and submit its form. GET changes nothing, because mail scanners open every link.
 */
@Controller('api/unsubscribe')
@ApiExcludeController()
export class UnsubscribeController {
  private readonly links: UnsubscribeLinks;

  constructor(
    private readonly subscriptions: SubscriptionsService,
    @Inject(CONFIG) config: Config,
  ) {
    this.links = new UnsubscribeLinks(config.sessionKeys);
  }

  @Get(':token')
  async page(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const userId = this.links.userIdOf(token);
    if (userId === undefined) return sendPage(reply, 'unknown', languageOfRequest(request));
    const { preferences } = await this.subscriptions.email(userId);
    sendPage(reply, preferences ? 'asks' : 'off', pageLanguage(request, preferences));
  }

  @Post(':token')
  @OneClickPost()
  async unsubscribe(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const userId = this.links.userIdOf(token);
    if (userId === undefined) return sendPage(reply, 'unknown', languageOfRequest(request));
    const stopped = await this.subscriptions.unsubscribeEmail(userId, request.id);
    sendPage(reply, stopped ? 'stopped' : 'off', pageLanguage(request, stopped));
  }
}

/** The language of the mails, which is known while they are on. */
const pageLanguage = (request: FastifyRequest, preferences: AlertPreferences | null | undefined): Language =>
  preferences ? languageOfLocale(preferences.language) : languageOfRequest(request);

function sendPage(reply: FastifyReply, state: UnsubscribeState, language: Language): void {
  sendPrivatePage(reply, state === 'unknown' ? 404 : 200, language, unsubscribePage(state, language));
}
