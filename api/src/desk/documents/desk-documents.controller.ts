import { Readable } from 'node:stream';
import { Body, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse } from '@nestjs/swagger';
import { ActRequest } from '@nivida/contract/desk/act';
import { DeskLines, LineCorrection, LineRequest } from '@nivida/contract/desk/document-lines';
import {
  AttachedFile,
  AttachQuery,
  DeskDocumentsQuery,
  DeskDocumentsResponse,
  DeskTenderFiles,
  FindTendersRequest,
  FindTendersResponse,
} from '@nivida/contract/desk/documents';
import type { FastifyRequest } from 'fastify';
import type * as v from 'valibot';
import type { OperatorAct } from '../../audit/record-act.ts';
import { CurrentStaff, type StaffMember, StaffOnly } from '../../auth/staff/staff.guard.ts';
import { AppError, forPrograms } from '../../base/app-error.ts';
import { StreamBody } from '../../http/routing/request-bodies.ts';
import { CurrentAct, DeskAct } from '../acts/act.interceptor.ts';
import { DeskController } from '../desk-controller.ts';
import { DeskDocumentsService } from './desk-documents.service.ts';
import { DocumentLinesService, type LineDecision } from './document-lines.service.ts';

/** The number of an address; 0, which is no row, for anything else. */
const numberOf = (text: string): number => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0);

interface LineAddress {
  id: string;
  lineId: string;
}

@DeskController('documents')
export class DeskDocumentsController {
  constructor(
    private readonly documents: DeskDocumentsService,
    private readonly lines: DocumentLinesService,
  ) {}

  @Get()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskDocumentsResponse })
  list(@Query({ schema: DeskDocumentsQuery }) { find }: DeskDocumentsQuery): Promise<DeskDocumentsResponse> {
    return this.documents.list(find);
  }

  /** Not an act: it finds the tenders of files by their names. */
  @Post('tenders')
  @HttpCode(200)
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: FindTendersResponse })
  findTenders(
    @Body({ schema: FindTendersRequest }) { names }: v.InferOutput<typeof FindTendersRequest>,
  ): Promise<FindTendersResponse> {
    return this.documents.findTenders(names);
  }

  @Get(':id')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskTenderFiles })
  read(@Param('id') id: string): Promise<DeskTenderFiles> {
    return this.documents.read(numberOf(id));
  }

  /** An act without a key: the same file is stored once under its name. The body is the file. */
  @Post(':id/files')
  @HttpCode(200)
  @StaffOnly('support')
  @StreamBody()
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiOkResponse({ standardSchema: AttachedFile })
  attach(
    @Param('id') id: string,
    @Query({ schema: AttachQuery }) query: AttachQuery,
    @CurrentStaff() staff: StaffMember,
    @Req() { body, id: requestId }: FastifyRequest,
  ): Promise<AttachedFile> {
    if (!(body instanceof Readable)) throw new AppError('INVALID', forPrograms('The body is empty; it is the file'));
    return this.documents.attach(numberOf(id), query, body, { actorId: staff.id, reason: query.reason, requestId });
  }

  /** Not an act: the package follows from the files, and would be built within a minute anyway. */
  @Post(':id/package')
  @HttpCode(200)
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskTenderFiles })
  build(@Param('id') id: string): Promise<DeskTenderFiles> {
    return this.documents.build(numberOf(id));
  }

  @DeskAct(':id/files/:fileId/remove')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskTenderFiles })
  remove(
    @Param() { id, fileId }: { id: string; fileId: string },
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<DeskTenderFiles> {
    return this.documents.remove(numberOf(id), String(numberOf(fileId)), act);
  }

  @Get(':id/lines')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskLines })
  readLines(@Param('id') id: string): Promise<DeskLines> {
    return this.lines.read(numberOf(id));
  }

  @DeskAct(':id/lines/:lineId/confirm')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskLines })
  confirm(
    @Param() line: LineAddress,
    @Body({ schema: LineRequest }) body: LineRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<DeskLines> {
    return this.decide(line, body, act, { state: 'confirmed' });
  }

  @DeskAct(':id/lines/:lineId/correct')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskLines })
  correct(
    @Param() line: LineAddress,
    @Body({ schema: LineCorrection }) body: LineCorrection,
    @CurrentAct() act: OperatorAct,
  ): Promise<DeskLines> {
    return this.decide(line, body, act, { state: 'corrected', value: body.value });
  }

  @DeskAct(':id/lines/:lineId/hide')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskLines })
  hide(
    @Param() line: LineAddress,
    @Body({ schema: LineRequest }) body: LineRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<DeskLines> {
    return this.decide(line, body, act, { state: 'hidden' });
  }

  @DeskAct(':id/lines/:lineId/restore')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskLines })
  restore(
    @Param() line: LineAddress,
    @Body({ schema: LineRequest }) body: LineRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<DeskLines> {
    return this.decide(line, body, act, { state: 'found' });
  }

  private decide(
    { id, lineId }: LineAddress,
    { decidedAt }: LineRequest,
    act: OperatorAct,
    decision: LineDecision,
  ): Promise<DeskLines> {
    return this.lines.decide(numberOf(id), String(numberOf(lineId)), decision, act, decidedAt);
  }
}
