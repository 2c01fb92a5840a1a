import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FeedFormat } from '@nivida/contract/data-out/feed-addresses';
import { FeedLanguageQuery } from '@nivida/contract/data-out/feed-query';
import { TenderQuery } from '@nivida/contract/filter/tender-query';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { feedHeaders } from './feed-headers.ts';
import { ListFeedsService } from './list-feeds.service.ts';

/** Readers ask every few minutes to hours; a list changes with an import. */
const CACHED_MINUTES = 'public, max-age=300';

/** Feeds of any list of tenders. */
@Controller('feeds')
@ApiTags('data')
export class ListFeedsController {
  constructor(private readonly feeds: ListFeedsService) {}

  @Get('tenders.atom')
  @ApiProduces('application/atom+xml')
  @ApiOkResponse({ schema: { type: 'string' } })
  atom(
    @Query({ schema: TenderQuery }) query: TenderQuery,
    @Query({ schema: FeedLanguageQuery }) { lang }: FeedLanguageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.send('atom', query, lang, request, reply);
  }

  @Get('tenders.csv')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  csv(
    @Query({ schema: TenderQuery }) query: TenderQuery,
    @Query({ schema: FeedLanguageQuery }) { lang }: FeedLanguageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.send('csv', query, lang, request, reply);
  }

  @Get('tenders.ics')
  @ApiProduces('text/calendar')
  @ApiOkResponse({ schema: { type: 'string' } })
  calendar(
    @Query({ schema: TenderQuery }) query: TenderQuery,
    @Query({ schema: FeedLanguageQuery }) { lang }: FeedLanguageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return this.send('ics', query, lang, request, reply);
  }

  private async send(
    format: FeedFormat,
    query: TenderQuery,
    language: FeedLanguageQuery['lang'],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> {
    const text = await this.feeds.render({ format, query, language, self: request.url });
    reply.headers({ 'Cache-Control': CACHED_MINUTES, ...feedHeaders(format, 'nivida-tenders') });
    return text;
  }
}
