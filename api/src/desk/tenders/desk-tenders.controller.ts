import { Body, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ActRequest } from '@nivida/contract/desk/act';
import {
  CloseReportRequest,
  CorrectTenderRequest,
  DeskTenderList,
  DeskTenderQuery,
  TenderStages,
  UncorrectTenderRequest,
} from '@nivida/contract/desk/tenders';
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import * as v from 'valibot';
import type { OperatorAct } from '../../audit/record-act.ts';
import { StaffOnly } from '../../auth/staff/staff.guard.ts';
import { nothingHere, tenderNotFound } from '../../base/app-error.ts';
import { CorrectionsService } from '../../ingest/corrections/corrections.service.ts';
import { HideTendersService } from '../../tenders/hide-tenders.service.ts';
import { TenderReportsService } from '../../tenders/reports/tender-reports.service.ts';
import { CurrentAct, DeskAct } from '../acts/act.interceptor.ts';
import { DeskController } from '../desk-controller.ts';
import { DeskTendersService } from './desk-tenders.service.ts';
import { ReportActsService } from './report-acts.service.ts';

/** A report's id in an address. NOT_FOUND for anything else. */
function readReportId(text: string): string {
  if (!v.UUID_REGEX.test(text)) throw nothingHere();
  return text;
}

/** The number of an address. NOT_FOUND for anything else. */
function readId(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > MAX_INTEGER_ID) throw tenderNotFound();
  return id;
}

@DeskController('tenders')
export class DeskTendersController {
  constructor(
    private readonly tenders: DeskTendersService,
    private readonly hiding: HideTendersService,
    private readonly corrections: CorrectionsService,
    private readonly reports: TenderReportsService,
    private readonly reportActs: ReportActsService,
  ) {}

  @Get()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskTenderList })
  list(@Query({ schema: DeskTenderQuery }) query: DeskTenderQuery): Promise<DeskTenderList> {
    return this.tenders.list(query);
  }

  @Get(':id')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: TenderStages })
  show(@Param('id') id: string): Promise<TenderStages> {
    return this.tenders.show(readId(id));
  }

  @DeskAct(':id/hide')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: TenderStages })
  async hide(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<TenderStages> {
    await this.hiding.hide(readId(id), act);
    return this.tenders.show(readId(id));
  }

  @DeskAct(':id/unhide')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: TenderStages })
  async unhide(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<TenderStages> {
    await this.hiding.unhide(readId(id), act);
    return this.tenders.show(readId(id));
  }

  @DeskAct(':id/correct')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: TenderStages })
  async correct(
    @Param('id') id: string,
    @Body({ schema: CorrectTenderRequest }) correction: CorrectTenderRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<TenderStages> {
    await this.corrections.correct(readId(id), correction, act);
    return this.tenders.show(readId(id));
  }

  @DeskAct(':id/uncorrect')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: TenderStages })
  async uncorrect(
    @Param('id') id: string,
    @Body({ schema: UncorrectTenderRequest }) { field }: UncorrectTenderRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<TenderStages> {
    await this.corrections.uncorrect(readId(id), field, act);
    return this.tenders.show(readId(id));
  }

  @DeskAct(':id/reports/:reportId/close')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: TenderStages })
  async closeReport(
    @Param('id') id: string,
    @Param('reportId') reportId: string,
    @Body({ schema: CloseReportRequest }) { answer }: CloseReportRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<TenderStages> {
    const tenderId = readId(id);
    await this.reportActs.close(act, { id: readReportId(reportId), tenderId, answer });
    return this.tenders.show(tenderId);
  }

  @DeskAct(':id/reports/:reportId/reopen')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: TenderStages })
  async reopenReport(
    @Param('id') id: string,
    @Param('reportId') reportId: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<TenderStages> {
    const tenderId = readId(id);
    await this.reports.reopen(readReportId(reportId), act, tenderId);
    return this.tenders.show(tenderId);
  }
}
