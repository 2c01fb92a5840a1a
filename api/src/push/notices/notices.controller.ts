import { Body, Controller, Get, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Language } from '@nivida/contract/languages';
import { NoticeListResponse, NoticeQuery, ReadNoticesRequest } from '@nivida/contract/push/push';
import { RequestLanguage } from '../../http/routing/request-language.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { CurrentPushCaller, type PushCaller, PushCallerGuard } from '../subscriptions/push-caller.guard.ts';
import { NoticesService } from './notices.service.ts';

@Controller('api/notices')
@UseGuards(PushCallerGuard)
@ApiBearerAuth()
export class NoticesController {
  constructor(private readonly notices: NoticesService) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: NoticeListResponse })
  list(
    @CurrentPushCaller() caller: PushCaller,
    @Query({ schema: NoticeQuery }) { before }: NoticeQuery,
    @RequestLanguage() language: Language,
  ): Promise<NoticeListResponse> {
    return this.notices.list(caller, language, before);
  }

  @Post('read')
  @HttpCode(204)
  @ApiNoContentResponse()
  read(
    @CurrentPushCaller() caller: PushCaller,
    @Body({ schema: ReadNoticesRequest }) body: ReadNoticesRequest,
  ): Promise<void> {
    return this.notices.markRead(caller, body);
  }
}
