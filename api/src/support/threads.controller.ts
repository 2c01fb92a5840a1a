import { Body, Controller, Get, HttpCode, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import type { Language } from '@nivida/contract/languages';
import {
  CreateThreadRequest,
  ReadThreadRequest,
  SendMessageRequest,
  SupportThread,
  SupportThreadsPage,
} from '@nivida/contract/support/threads';
import type { FastifyReply } from 'fastify';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import { DeviceChangesGuard } from '../auth/sessions/device-changes.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { BodyLimit } from '../http/routing/request-bodies.ts';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { SupportService } from './support.service.ts';
import { ThreadId } from './thread-id.ts';

/** 5,000 characters of Devanagari as JSON, with the subject. */
const MESSAGE_BYTES = 65_536;

@Controller('api/support/threads')
@ApiBearerAuth()
export class ThreadsController {
  constructor(private readonly support: SupportService) {}

  @Get()
  @UseGuards(AuthGuard, accountLimit('support'))
  @NoStore()
  @ApiQuery({ name: 'after', required: false, description: 'The cursor of the last answer; all threads without it' })
  @ApiOkResponse({ standardSchema: SupportThreadsPage })
  @ApiNoContentResponse()
  async changes(
    @CurrentUser() user: SignedInUser,
    @Query('after') after: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SupportThreadsPage | undefined> {
    const page = await this.support.changes(user.id, typeof after === 'string' ? after : '');
    if (page) return page;
    reply.code(204);
    return undefined;
  }

  @Post()
  @UseGuards(DeviceChangesGuard, accountLimit('support'))
  @HttpCode(200)
  @BodyLimit(MESSAGE_BYTES)
  @NoStore()
  @ApiOkResponse({ standardSchema: SupportThread })
  create(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: CreateThreadRequest }) request: CreateThreadRequest,
    @RequestLanguage() language: Language,
  ): Promise<SupportThread> {
    return this.support.create(user.id, request, language);
  }

  @Post(':id/messages')
  @UseGuards(DeviceChangesGuard, accountLimit('support'))
  @HttpCode(200)
  @BodyLimit(MESSAGE_BYTES)
  @NoStore()
  @ApiOkResponse({ standardSchema: SupportThread })
  send(
    @CurrentUser() user: SignedInUser,
    @ThreadId() id: string,
    @Body({ schema: SendMessageRequest }) message: SendMessageRequest,
  ): Promise<SupportThread> {
    return this.support.send(user.id, id, message);
  }

  @Post(':id/read')
  @UseGuards(AuthGuard, accountLimit('support'))
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: SupportThread })
  read(
    @CurrentUser() user: SignedInUser,
    @ThreadId() id: string,
    @Body({ schema: ReadThreadRequest }) { messageId }: ReadThreadRequest,
  ): Promise<SupportThread> {
    return this.support.markRead(user.id, id, messageId);
  }

  @Post(':id/close')
  @UseGuards(AuthGuard, accountLimit('support'))
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: SupportThread })
  close(@CurrentUser() user: SignedInUser, @ThreadId() id: string): Promise<SupportThread> {
    return this.support.close(user.id, id);
  }
}
