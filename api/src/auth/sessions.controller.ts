import { Controller, Delete, Get, Header, Inject, Param, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { Said, SessionList } from '@nivida/contract/auth';
import { DataSource } from 'typeorm';
import type { InferOutput } from 'valibot';
import { AuthGuard } from '../http/auth.guard.ts';
import { CurrentUser } from '../http/current-user.ts';
import { SessionsService, type SignedInUser } from './sessions.service.ts';

const PRIVATE = ['Cache-Control', 'no-store'] as const;

@Controller('api/sessions')
@UseGuards(AuthGuard)
@ApiBearerAuth()
export class SessionsController {
  constructor(
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(DataSource) private readonly dataSource: DataSource,
  ) {}

  @Get()
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SessionList })
  async list(@CurrentUser() user: SignedInUser): Promise<InferOutput<typeof SessionList>> {
    return { sessions: await this.sessions.list(user) };
  }

  /** Ends all but the one that asks. */
  @Delete()
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Said })
  async endOthers(@CurrentUser() { id, sessionId }: SignedInUser): Promise<Said> {
    await this.sessions.endAll(this.dataSource.manager, id, sessionId);
    return { message: 'All other sessions are signed out' };
  }

  @Delete(':id')
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Said })
  async end(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<Said> {
    await this.sessions.end(user.id, id);
    return { message: 'The session is signed out' };
  }
}
