import { t } from '@lingui/core/macro';
import { Controller, Delete, Get, Param, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { MessageResponse, SessionListResponse } from '@nivida/contract/account/auth';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { DataSource } from 'typeorm';
import type { InferOutput } from 'valibot';
import { RequestLanguage } from '../../http/routing/request-language.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { AuthGuard, CurrentUser } from '../auth.guard.ts';
import { SessionsService, type SignedInUser } from './sessions.service.ts';

@Controller('api/sessions')
@UseGuards(AuthGuard)
@ApiBearerAuth()
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly dataSource: DataSource,
  ) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: SessionListResponse })
  async list(@CurrentUser() user: SignedInUser): Promise<InferOutput<typeof SessionListResponse>> {
    return { sessions: await this.sessions.list(user) };
  }

  /** Ends all sessions but the current one. */
  @Delete()
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async endOthers(
    @CurrentUser() { id, sessionId }: SignedInUser,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    await this.sessions.endAll(this.dataSource.manager, id, sessionId);
    return { message: inLanguage(language, () => t`All other sessions are signed out`) };
  }

  @Delete(':id')
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async end(
    @CurrentUser() user: SignedInUser,
    @Param('id') id: string,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    await this.sessions.end(user.id, id);
    return { message: inLanguage(language, () => t`The session is signed out`) };
  }
}
