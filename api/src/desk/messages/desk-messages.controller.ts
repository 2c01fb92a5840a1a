import { Body, Get, HttpCode, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { ActRequest } from '@nivida/contract/desk/act';
import {
  AnsweringRequest,
  AnsweringResponse,
  AnswerThreadRequest,
  DeskThread,
  DeskThreadsQuery,
  DeskThreadsResponse,
  ThreadContactResponse,
  ThreadStateRequest,
} from '@nivida/contract/desk/messages';
import type { OperatorAct } from '../../audit/record-act.ts';
import { CurrentStaff, type StaffMember, StaffOnly } from '../../auth/staff/staff.guard.ts';
import { BodyLimit } from '../../http/routing/request-bodies.ts';
import { downloadOf } from '../../support/attachments.controller.ts';
import { ThreadId } from '../../support/thread-id.ts';
import { CurrentAct, DeskAct, OpensData } from '../acts/act.interceptor.ts';
import { DeskController } from '../desk-controller.ts';
import { DeskMessagesService } from './desk-messages.service.ts';

const ANSWER_BYTES = 65_536;

@DeskController('messages')
export class DeskMessagesController {
  constructor(private readonly messages: DeskMessagesService) {}

  @Get()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskThreadsResponse })
  list(@Query({ schema: DeskThreadsQuery }) query: DeskThreadsQuery): Promise<DeskThreadsResponse> {
    return this.messages.list(query);
  }

  @Get(':id')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskThread })
  read(@ThreadId() id: string): Promise<DeskThread> {
    return this.messages.read(id);
  }

  @Get(':id/attachments/:attachmentId')
  @StaffOnly('support')
  @ApiProduces('application/octet-stream')
  async attachment(@ThreadId() id: string, @ThreadId('attachmentId') attachmentId: string): Promise<StreamableFile> {
    return downloadOf(await this.messages.readAttachment(id, attachmentId));
  }

  /** Not an act: it changes nothing that lasts. */
  @Post(':id/answering')
  @HttpCode(200)
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: AnsweringResponse })
  async answering(
    @CurrentStaff() staff: StaffMember,
    @ThreadId() id: string,
    @Body({ schema: AnsweringRequest }) { isAnswering }: AnsweringRequest,
  ): Promise<AnsweringResponse> {
    return { answeringBy: await this.messages.setAnswering(staff.id, id, isAnswering) };
  }

  @DeskAct(':id/answer')
  @BodyLimit(ANSWER_BYTES)
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskThread })
  answer(
    @CurrentAct() act: OperatorAct,
    @ThreadId() id: string,
    @Body({ schema: AnswerThreadRequest }) { messageId, text, attachmentIds, version }: AnswerThreadRequest,
  ): Promise<DeskThread> {
    return this.messages.answer(act, id, { messageId, text, attachmentIds, version });
  }

  @DeskAct(':id/close')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskThread })
  close(
    @CurrentAct() act: OperatorAct,
    @ThreadId() id: string,
    @Body({ schema: ThreadStateRequest }) { version }: ThreadStateRequest,
  ): Promise<DeskThread> {
    return this.messages.close(act, id, version);
  }

  @DeskAct(':id/reopen')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskThread })
  reopen(
    @CurrentAct() act: OperatorAct,
    @ThreadId() id: string,
    @Body({ schema: ThreadStateRequest }) { version }: ThreadStateRequest,
  ): Promise<DeskThread> {
    return this.messages.reopen(act, id, version);
  }

  @DeskAct(':id/contact')
  @OpensData()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: ThreadContactResponse })
  contact(
    @CurrentAct() act: OperatorAct,
    @ThreadId() id: string,
    @Body({ schema: ActRequest }) _request: ActRequest,
  ): Promise<ThreadContactResponse> {
    return this.messages.openContact(act, id);
  }
}
