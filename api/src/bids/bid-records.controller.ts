import { Body, Controller, Get, HttpCode, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import {
  RecordChangesPage,
  RecordChangesRequest,
  RecordChangesResponse,
  RecordsExport,
} from '@nivida/contract/bids/records';
import type { Language } from '@nivida/contract/languages';
import { MAX_RECORD_CHANGES_BYTES } from '@nivida/contract/limits';
import type { FastifyReply } from 'fastify';
import { AuthGuard } from '../auth/auth.guard.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { BodyLimit } from '../http/routing/request-bodies.ts';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { BidRecordsService } from './bid-records.service.ts';
import { FIRM_QUERY, type RecordSpace, SpaceOfRequest } from './record-space.ts';

@Controller('api/bids')
@UseGuards(AuthGuard, accountLimit('bids'))
@ApiBearerAuth()
export class BidRecordsController {
  constructor(private readonly records: BidRecordsService) {}

  @Post('changes')
  @HttpCode(200)
  @BodyLimit(MAX_RECORD_CHANGES_BYTES)
  @NoStore()
  @ApiQuery(FIRM_QUERY)
  @ApiOkResponse({ standardSchema: RecordChangesResponse })
  apply(
    @SpaceOfRequest() space: RecordSpace,
    @Body({ schema: RecordChangesRequest }) { records }: RecordChangesRequest,
    @RequestLanguage() language: Language,
  ): Promise<RecordChangesResponse> {
    return this.records.applyChanges(space, records, language);
  }

  @Get('changes')
  @NoStore()
  @ApiQuery(FIRM_QUERY)
  @ApiQuery({ name: 'after', required: false, description: 'The cursor of the last answer; all records without it' })
  @ApiOkResponse({ standardSchema: RecordChangesPage })
  @ApiNoContentResponse()
  async changes(
    @SpaceOfRequest() space: RecordSpace,
    @Query('after') after: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecordChangesPage | undefined> {
    const page = await this.records.readChanges(space, typeof after === 'string' ? after : '');
    if (page) return page;
    reply.code(204);
    return undefined;
  }

  /** All records of a firm, for its owners. Records of an account are in the account export. */
  @Get('export')
  @NoStore()
  @ApiQuery({ ...FIRM_QUERY, required: true })
  @ApiOkResponse({ standardSchema: RecordsExport })
  export(@SpaceOfRequest() space: RecordSpace): Promise<RecordsExport> {
    return this.records.exportFirm(space);
  }
}
