import { Body, Controller, Get, Header, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { DocumentHits } from '@nivida/contract/documents/document-hits';
import { ListedTendersQuery, TenderQuery, TenderSearchQuery } from '@nivida/contract/filter/tender-query';
import type { Language } from '@nivida/contract/languages';
import {
  ListedTendersResponse,
  RegionListResponse,
  TenderFacetsResponse,
  TenderListResponse,
  TenderResponse,
} from '@nivida/contract/tenders/tender';
import { TenderNumbersRequest } from '@nivida/contract/tenders/tender-list';
import type { FastifyReply } from 'fastify';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { sharedCache } from '../http/security/security-headers.ts';
import { DocumentsSearchService } from './in-documents/documents-search.service.ts';
import { TendersService } from './tenders.service.ts';

const JSON_HEADER = ['Content-Type', 'application/json; charset=utf-8'] as const;
/** Lists are the same for everyone, so a shared cache may answer for half a minute. */
const LIST_CACHE = ['Cache-Control', sharedCache(30)] as const;
/** Caches must revalidate each time; the ETag makes that cheap. */
const REVALIDATE_HEADER = ['Cache-Control', 'no-cache'] as const;

@Controller('api')
export class TendersController {
  constructor(
    private readonly tenders: TendersService,
    private readonly documents: DocumentsSearchService,
  ) {}

  @Get('tenders')
  @Header(...JSON_HEADER)
  @Header(...LIST_CACHE)
  @ApiOkResponse({ standardSchema: TenderListResponse })
  list(@Query({ schema: TenderQuery }) query: TenderQuery): Promise<string> {
    return this.tenders.list(query);
  }

  @Get('tenders/search')
  @Header(...JSON_HEADER)
  @Header(...LIST_CACHE)
  @ApiOkResponse({ standardSchema: TenderListResponse })
  search(@Query({ schema: TenderSearchQuery }) query: TenderQuery): Promise<string> {
    return this.tenders.list(query);
  }

  @Get('tenders/listed')
  @Header(...JSON_HEADER)
  @Header(...REVALIDATE_HEADER)
  @ApiOkResponse({ standardSchema: ListedTendersResponse })
  listed(@Query({ schema: ListedTendersQuery }) { ids }: ListedTendersQuery): Promise<string> {
    return this.tenders.listed(ids);
  }

  /** A POST, because references contain any sign and lists are long. It changes nothing. */
  @Post('tenders/by-number')
  @HttpCode(200)
  @Header(...JSON_HEADER)
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ standardSchema: ListedTendersResponse })
  byNumber(@Body({ schema: TenderNumbersRequest }) request: TenderNumbersRequest): Promise<string> {
    return this.tenders.byNumber(request);
  }

  @Get('tenders/in-documents')
  @Header(...JSON_HEADER)
  @Header(...LIST_CACHE)
  @ApiOkResponse({ standardSchema: DocumentHits })
  inDocuments(@Query({ schema: TenderQuery }) query: TenderQuery): Promise<string> {
    return this.documents.find(query);
  }

  @Get('tenders/:id')
  @Header(...JSON_HEADER)
  @Header(...REVALIDATE_HEADER)
  @ApiOkResponse({ standardSchema: TenderResponse })
  tender(@Param('id') id: string): Promise<string> {
    return this.tenders.tender(id);
  }

  @Get('tenders/:id.ics')
  @Header(...REVALIDATE_HEADER)
  @ApiProduces('text/calendar')
  @ApiOkResponse({ schema: { type: 'string' } })
  async calendar(
    @Param('id') id: string,
    @RequestLanguage() language: Language,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { name, text } = await this.tenders.calendar(id, language);
    reply.header('Content-Type', 'text/calendar; charset=utf-8');
    reply.header('Content-Disposition', `attachment; filename="${name}"`);
    return text;
  }

  @Get('facets')
  @Header(...LIST_CACHE)
  @ApiOkResponse({ standardSchema: TenderFacetsResponse })
  facets(@Query({ schema: TenderQuery }) query: TenderQuery): Promise<TenderFacetsResponse> {
    return this.tenders.facets(query);
  }

  @Get('regions')
  @Header(...LIST_CACHE)
  @ApiOkResponse({ standardSchema: RegionListResponse })
  regions(): Promise<RegionListResponse> {
    return this.tenders.regions();
  }
}
