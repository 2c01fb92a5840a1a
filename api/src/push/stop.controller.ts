import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { OneClickPost } from '../http/bodies.ts';
import { CONFIG } from '../http/tokens.ts';
import type { Language } from './grammar.ts';
import { StopLinks } from './stop-links.ts';
import { type StopState, stopPage } from './stop-page.ts';
import { SubscriptionsService } from './subscriptions.service.ts';

const PRIVATE = { 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };

/**
 * The link in alert mails and their `List-Unsubscribe` header (RFC 8058): mail programs POST to it by themselves, people
 * open the page and press its button. Opening the page changes nothing, since mail scanners open every link.
 */
@Controller('api/unsubscribe')
@ApiExcludeController()
export class StopController {
  private readonly links: StopLinks;

  constructor(
    @Inject(SubscriptionsService) private readonly subscriptions: SubscriptionsService,
    @Inject(CONFIG) config: Config,
  ) {
    this.links = new StopLinks(config.sessionKeys);
  }

  @Get(':token')
  async page(@Param('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const userId = this.links.userIdOf(token);
    if (userId === undefined) return send(reply, 'unknown');
    const { preferences } = await this.subscriptions.email(userId);
    send(reply, preferences ? 'asks' : 'off', preferences?.language);
  }

  @Post(':token')
  @OneClickPost()
  async stop(@Param('token') token: string, @Req() { id }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const userId = this.links.userIdOf(token);
    if (userId === undefined) return send(reply, 'unknown');
    const stopped = await this.subscriptions.stopEmail(userId, id);
    send(reply, stopped ? 'stopped' : 'off', stopped?.language);
  }
}

function send(reply: FastifyReply, state: StopState, language: Language = 'en-IN'): void {
  const html = stopPage(state, language);
  void reply
    .code(state === 'unknown' ? 404 : 200)
    .headers(PRIVATE)
    .type('text/html; charset=utf-8')
    .send(html);
}
