import { Body, Controller, Get, HttpCode, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import { RecordChangesPage, RecordChangesRequest, RecordChangesResponse } from '@nivida/contract/bids/records';
import type { Language } from '@nivida/contract/languages';
import { MAX_RECORD_CHANGES_BYTES } from '@nivida/contract/limits';
import type { FastifyReply } from 'fastify';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { BodyLimit } from '../http/routing/request-bodies.ts';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { BidRecordsService } from './bid-records.service.ts';

@Controller('api/bids')
@UseGuards(AuthGuard, accountLimit('bids'))
@ApiBearerAuth()
export class BidRecordsController {
  constructor(private readonly records: BidRecordsService) {}

  @Post('changes')
  @HttpCode(200)
  @BodyLimit(MAX_RECORD_CHANGES_BYTES)
  @NoStore()
  @ApiOkResponse({ standardSchema: RecordChangesResponse })
  apply(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: RecordChangesRequest }) { records }: RecordChangesRequest,
    @RequestLanguage() language: Language,
  ): Promise<RecordChangesResponse> {
    return this.records.applyChanges(user.id, records, language);
  }

  @Get('changes')
  @NoStore()
  @ApiQuery({ name: 'after', required: false, description: 'The cursor of the last answer; all records without it' })
  @ApiOkResponse({ standardSchema: RecordChangesPage })
  @ApiNoContentResponse()
  async changes(
    @CurrentUser() user: SignedInUser,
    @Query('after') after: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecordChangesPage | undefined> {
    const page = await this.records.readChanges(user.id, typeof after === 'string' ? after : '');
    if (page) return page;
    reply.code(204);
    return undefined;
  }
}
