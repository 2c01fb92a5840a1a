import { Controller, Get, Header, Param, Query, Req, Res } from '@nestjs/common';
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
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding, etagFor } from '../http/body-cache.ts';
import { type AwardFileKind, AwardsService } from './awards.service.ts';

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
  @ApiOkResponse({ standardSchema: AwardPack })
  async pack(@Param('state') state: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.sendFile(state, 'offices', request, reply);
  }

  @Get('awards/packs/:state/works')
  @ApiOkResponse({ standardSchema: AwardWorksPack })
  async packWorks(
    @Param('state') state: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sendFile(state, 'works', request, reply);
  }

  /** Sends a file that is compressed once per version. Nest's serializer is bypassed. */
  private async sendFile(state: string, kind: AwardFileKind, request: FastifyRequest, reply: FastifyReply) {
    const encoding = acceptedEncoding(request);
    const { tag, body } = await this.awards.file(state, kind, encoding);
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    await reply
      .headers({
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-cache',
        Vary: 'Accept-Encoding',
        ETag: etagFor(tag, encoding),
      })
      .send(body);
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
