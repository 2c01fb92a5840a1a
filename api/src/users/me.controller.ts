import { Body, Controller, Delete, Get, Header, Inject, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { AccountExport, ExportQuery } from '@nivida/contract/account-export';
import { Said } from '@nivida/contract/auth';
import { formatDate } from '@nivida/contract/format';
import { DeleteAccount, Me } from '@nivida/contract/user';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import type { SignedInUser } from '../auth/sessions.service.ts';
import type { Config } from '../config.ts';
import { accountLimit } from '../http/account-limit.guard.ts';
import { AuthGuard } from '../http/auth.guard.ts';
import { requestOrigin } from '../http/client-address.ts';
import { CurrentUser } from '../http/current-user.ts';
import { CONFIG } from '../http/tokens.ts';
import { ExportService } from './export.service.ts';
import { toCsv } from './export-csv.ts';
import { UsersService } from './users.service.ts';

const PRIVATE = ['Cache-Control', 'no-store'] as const;
const ExportLimit = accountLimit('export', { most: 5, perSeconds: 3_600 });

@Controller('api/me')
@UseGuards(AuthGuard)
@ApiBearerAuth()
export class MeController {
  constructor(
    @Inject(UsersService) private readonly users: UsersService,
    @Inject(ExportService) private readonly exports: ExportService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Me })
  me(@CurrentUser() { id }: SignedInUser): Promise<Me> {
    return this.users.me(id);
  }

  @Get('export')
  @UseGuards(ExportLimit)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: AccountExport })
  async export(
    @CurrentUser() { id }: SignedInUser,
    @Query({ schema: ExportQuery }) { format }: ExportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const held = await this.exports.collect(id);
    const type = format === 'csv' ? 'text/csv' : 'application/json';
    reply.header('Content-Type', `${type}; charset=utf-8`);
    reply.header('Content-Disposition', `attachment; filename="nivida-account.${format}"`);
    return format === 'csv' ? toCsv(held) : JSON.stringify(held, null, 2);
  }

  @Delete()
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Said })
  async delete(
    @CurrentUser() who: SignedInUser,
    @Body({ schema: DeleteAccount }) { password }: InferOutput<typeof DeleteAccount>,
    @Req() request: FastifyRequest,
  ): Promise<Said> {
    const erasedOn = await this.users.delete(who, password, requestOrigin(request, this.config.production));
    return { message: `Your account is closed. Sign in before ${formatDate(erasedOn)} if you want to keep it` };
  }
}
