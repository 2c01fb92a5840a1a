import { Body, Controller, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import { TenderReportRequest, TenderReportResponse } from '@nivida/contract/tenders/tender-report';
import type { FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import { SessionsService } from '../../auth/sessions/sessions.service.ts';
import { tenderNotFound } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { senderOf } from '../../http/security/client-address.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { TenderReportsService } from './tender-reports.service.ts';

@Controller('api')
export class TenderReportsController {
  constructor(
    private readonly reports: TenderReportsService,
    private readonly sessions: SessionsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('tenders/:id/reports')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: TenderReportResponse })
  async send(
    @Param('id') id: string,
    @Body({ schema: TenderReportRequest }) report: TenderReportRequest,
    @Req() request: FastifyRequest,
  ): Promise<v.InferOutput<typeof TenderReportResponse>> {
    if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > MAX_INTEGER_ID) throw tenderNotFound();
    const userId = await this.sessions.findUserId(request.headers.authorization);
    await this.reports.receive(Number(id), report, { userId, sender: senderOf(request, this.config.production) });
    return { success: true };
  }
}
