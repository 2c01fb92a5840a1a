import { Body, Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { FormFieldsPost } from '../../http/routing/request-bodies.ts';
import { senderOf } from '../../http/security/client-address.ts';
import { type PageAddress, PayPageService } from './pay-page.service.ts';
import { payPageHtml, payPagePolicy } from './pay-page.ts';

/** Not cached, not indexed. Without 'no-referrer', because the provider must see which shop sends the buyer. */
const HEADERS = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' };

/** The page that opens a provider's page, and the ways back. They need no session: the address has a key. */
@ApiExcludeController()
@Controller('api/pay/:attempt/:key')
export class PayPageController {
  constructor(
    private readonly pages: PayPageService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  async open(@Param() address: PageAddress, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(address, senderOf(request, this.config.production));
    if (typeof page === 'string') return redirect(reply, page);
    const headers = { ...HEADERS, 'Content-Security-Policy': payPagePolicy(page) };
    void reply.headers(headers).type('text/html; charset=utf-8').send(payPageHtml(page));
  }

  /** The provider's page posts here across sites, after a payment and after a failed one. */
  @Post('return')
  @FormFieldsPost()
  async comeBack(
    @Param() address: PageAddress,
    @Body() fields: Record<string, string> | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    redirect(reply, await this.pages.comeBack(address, fields ?? {}, senderOf(request, this.config.production)));
  }

  /** The buyer cancelled. */
  @Get('left')
  async leave(
    @Param() address: PageAddress,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    redirect(reply, await this.pages.comeBack(address, {}, senderOf(request, this.config.production)));
  }
}

function redirect(reply: FastifyReply, address: string): void {
  void reply.code(303).headers(HEADERS).header('Location', address).send();
}
