import { Controller, Get, Header, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import {
  AwardGroupQuery,
  AwardGroupResponse,
  AwardPack,
  AwardResponse,
  AwardStatesResponse,
  AwardWorksPack,
  OfficeResponse,
  SimilarWorksResponse,
  TenderOfficeResponse,
} from '@nivida/contract/awards/awards';
import type { FastifyReply } from 'fastify';
import { AwardsService } from './awards.service.ts';

/** Statistics change once a day. */
const SHORT_CACHE = ['Cache-Control', 'public, max-age=600'] as const;

@Controller('api')
export class AwardsController {
  constructor(private readonly awards: AwardsService) {}

  @Get('tenders/:id/office')
  @Header(...SHORT_CACHE)
  @ApiOkResponse({ standardSchema: TenderOfficeResponse })
  tenderOffice(@Param('id') id: string): Promise<TenderOfficeResponse> {
    return this.awards.tenderOffice(id);
  }

  @Get('tenders/:id/similar-works')
  @Header(...SHORT_CACHE)
  @ApiOkResponse({ standardSchema: SimilarWorksResponse })
  similarWorks(@Param('id') id: string): Promise<SimilarWorksResponse> {
    return this.awards.similarWorks(id);
  }

  @Get('awards')
  @Header(...SHORT_CACHE)
  @ApiOkResponse({ standardSchema: AwardStatesResponse })
  states(): Promise<AwardStatesResponse> {
    return this.awards.states();
  }

  @Get('awards/states/:state.csv')
  @Header(...SHORT_CACHE)
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  async stateCsv(
    @Param('state') state: string,
    @Query({ schema: AwardGroupQuery }) query: AwardGroupQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return sendCsv(reply, await this.awards.stateCsv(state, query));
  }

  @Get('awards/states/:state')
  @Header(...SHORT_CACHE)
  @ApiOkResponse({ standardSchema: AwardGroupResponse })
  group(
    @Param('state') state: string,
    @Query({ schema: AwardGroupQuery }) query: AwardGroupQuery,
  ): Promise<AwardGroupResponse> {
    return this.awards.group(state, query);
  }

  @Get('awards/offices/:id.csv')
  @Header(...SHORT_CACHE)
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  async officeCsv(@Param('id') id: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return sendCsv(reply, await this.awards.officeCsv(id));
  }

  @Get('awards/offices/:id')
  @Header(...SHORT_CACHE)
  @ApiOkResponse({ standardSchema: OfficeResponse })
  office(@Param('id') id: string): Promise<OfficeResponse> {
    return this.awards.office(id);
  }

  @Get('awards/packs/:state')
  @Header('Cache-Control', 'no-cache')
  @Header('Vary', 'accept-encoding')
  @ApiOkResponse({ standardSchema: AwardPack })
  async pack(
    @Param('state') state: string,
    @Headers('accept-encoding') encodings: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | Buffer> {
    const { json, brotli } = await this.awards.pack(state);
    reply.header('Content-Type', 'application/json; charset=utf-8');
    if (!/\bbr\b/.test(encodings ?? '')) return json;
    reply.header('Content-Encoding', 'br');
    return brotli;
  }

  @Get('awards/packs/:state/works')
  @Header('Cache-Control', 'no-cache')
  @ApiOkResponse({ standardSchema: AwardWorksPack })
  packWorks(@Param('state') state: string): Promise<AwardWorksPack> {
    return this.awards.packWorks(state);
  }

  @Get('awards/:id')
  @Header(...SHORT_CACHE)
  @ApiOkResponse({ standardSchema: AwardResponse })
  award(@Param('id') id: string): Promise<AwardResponse> {
    return this.awards.award(id);
  }
}

function sendCsv(reply: FastifyReply, text: string): string {
  reply.header('Content-Type', 'text/csv; charset=utf-8');
  reply.header('Content-Disposition', 'attachment; filename="awards.csv"');
  return text;
}
