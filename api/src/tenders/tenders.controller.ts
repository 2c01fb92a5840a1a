import { Controller, Get, Header, Inject, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import {
  RegionList,
  TenderAnswer,
  TenderFacets,
  TenderList,
  TenderQuery,
  TenderSearchQuery,
} from '@nivida/contract/tender';
import type { FastifyReply } from 'fastify';
import { TendersService } from './tenders.service.ts';

const JSON_TEXT = ['Content-Type', 'application/json; charset=utf-8'] as const;
/** Kept by whoever likes, but asked for again each time; the ETag makes that cheap. */
const REVALIDATE = ['Cache-Control', 'no-cache'] as const;

@Controller('api')
export class TendersController {
  constructor(@Inject(TendersService) private readonly tenders: TendersService) {}

  @Get('tenders')
  @Header(...JSON_TEXT)
  @Header(...REVALIDATE)
  @ApiOkResponse({ standardSchema: TenderList })
  list(@Query({ schema: TenderQuery }) query: TenderQuery): Promise<string> {
    return this.tenders.list(query);
  }

  @Get('tenders/search')
  @Header(...JSON_TEXT)
  @Header(...REVALIDATE)
  @ApiOkResponse({ standardSchema: TenderList })
  search(@Query({ schema: TenderSearchQuery }) query: TenderQuery): Promise<string> {
    return this.tenders.list(query);
  }

  @Get('tenders/:id')
  @Header(...JSON_TEXT)
  @Header(...REVALIDATE)
  @ApiOkResponse({ standardSchema: TenderAnswer })
  tender(@Param('id') id: string): Promise<string> {
    return this.tenders.tender(id);
  }

  @Get('tenders/:id.ics')
  @Header(...REVALIDATE)
  @ApiProduces('text/calendar')
  @ApiOkResponse({ schema: { type: 'string' } })
  async calendar(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { name, text } = await this.tenders.calendar(id);
    reply.header('Content-Type', 'text/calendar; charset=utf-8');
    reply.header('Content-Disposition', `attachment; filename="${name}"`);
    return text;
  }

  @Get('facets')
  @Header(...REVALIDATE)
  @ApiOkResponse({ standardSchema: TenderFacets })
  facets(@Query({ schema: TenderQuery }) query: TenderQuery): Promise<TenderFacets> {
    return this.tenders.facets(query);
  }

  @Get('regions')
  @Header(...REVALIDATE)
  @ApiOkResponse({ standardSchema: RegionList })
  regions(): Promise<RegionList> {
    return this.tenders.regions();
  }
}
