import {
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Param,
  Put,
  Query,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { FEED_FORMATS, FEED_MEDIA_TYPES } from '@nivida/contract/data-out/feed-addresses';
import { FeedLanguageQuery } from '@nivida/contract/data-out/feed-query';
import { SearchFeedListResponse, SearchFeedToken } from '@nivida/contract/data-out/search-feeds';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuthGuard, CurrentUser } from '../../auth/auth.guard.ts';
import type { SignedInUser } from '../../auth/sessions/sessions.service.ts';
import { nothingHere } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { accountLimit } from '../../http/limits/account-limit.guard.ts';
import { senderOf } from '../../http/security/client-address.ts';
import { NoStore, PrivateNoStore } from '../../http/security/security-headers.ts';
import { feedHeaders } from '../lists/feed-headers.ts';
import { SearchFeedsService } from './search-feeds.service.ts';

/** The private addresses of the user's saved searches. */
@Controller('api/search-feeds')
@ApiTags('data')
@ApiBearerAuth()
@UseGuards(AuthGuard, accountLimit('searches'))
export class SearchFeedAddressesController {
  constructor(private readonly feeds: SearchFeedsService) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: SearchFeedListResponse })
  async list(@CurrentUser() { id }: SignedInUser): Promise<SearchFeedListResponse> {
    return { feeds: await this.feeds.list(id) };
  }

  @Put(':searchId')
  @NoStore()
  @ApiOkResponse({ standardSchema: SearchFeedToken })
  make(
    @CurrentUser() { id }: SignedInUser,
    @Param('searchId') searchId: string,
    @Req() request: FastifyRequest,
  ): Promise<SearchFeedToken> {
    return this.feeds.make(id, searchId, request.id);
  }

  @Delete(':searchId')
  @HttpCode(204)
  @NoStore()
  @ApiNoContentResponse()
  end(
    @CurrentUser() { id }: SignedInUser,
    @Param('searchId') searchId: string,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.feeds.end(id, searchId, request.id);
  }
}

/** The feeds at these addresses. No session is read, because readers of feeds have none. */
@Controller('feeds/searches')
@ApiTags('data')
export class SearchFeedsController {
  constructor(
    private readonly feeds: SearchFeedsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** `token` is the secret with the ending of a format. The log knows parameters of this name as secrets. */
  @Get(':token')
  @PrivateNoStore()
  @Header('Referrer-Policy', 'no-referrer')
  @ApiProduces(...Object.values(FEED_MEDIA_TYPES))
  @ApiOkResponse({ schema: { type: 'string' } })
  async read(
    @Param('token') token: string,
    @Query({ schema: FeedLanguageQuery }) { lang }: FeedLanguageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const [secret = '', ending] = token.split('.', 2);
    const format = FEED_FORMATS.find((each) => each === ending);
    if (!format) throw nothingHere();
    const text = await this.feeds.read(secret, format, lang, senderOf(request, this.config.production));
    reply.headers(feedHeaders(format, 'nivida-search'));
    return text;
  }
}
