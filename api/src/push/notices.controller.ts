import { Body, Controller, Get, Header, HttpCode, Inject, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { NoticeList, NoticeQuery, ReadNotices } from '@nivida/contract/push';
import { Caller, CallerGuard, type PushCaller } from './caller.guard.ts';
import { NoticesService } from './notices.service.ts';

@Controller('api/notices')
@UseGuards(CallerGuard)
@ApiBearerAuth()
export class NoticesController {
  constructor(@Inject(NoticesService) private readonly notices: NoticesService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ standardSchema: NoticeList })
  list(@Caller() caller: PushCaller, @Query({ schema: NoticeQuery }) { before }: NoticeQuery): Promise<NoticeList> {
    return this.notices.list(caller, before);
  }

  @Post('read')
  @HttpCode(204)
  @ApiNoContentResponse()
  read(@Caller() caller: PushCaller, @Body({ schema: ReadNotices }) body: ReadNotices): Promise<void> {
    return this.notices.read(caller, body);
  }
}
