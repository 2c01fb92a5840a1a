import { t } from '@lingui/core/macro';
import { Body, Controller, Delete, Get, Inject, Put, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { AccountExportResponse, ExportQuery } from '@nivida/contract/account/account-export';
import { CompanyRequest, MessageResponse } from '@nivida/contract/account/auth';
import { DeleteAccountRequest, MeResponse } from '@nivida/contract/account/user';
import { formatDate } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { requestOrigin } from '../http/security/client-address.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { AccountExportService } from './account-export.service.ts';
import { accountExportCsv } from './account-export-csv.ts';
import { UsersService } from './users.service.ts';

const ExportLimitGuard = accountLimit('export');

@Controller('api/me')
@UseGuards(AuthGuard)
@ApiBearerAuth()
export class MeController {
  constructor(
    private readonly users: UsersService,
    private readonly exports: AccountExportService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: MeResponse })
  me(@CurrentUser() { id }: SignedInUser): Promise<MeResponse> {
    return this.users.me(id);
  }

  @Put('company')
  @NoStore()
  @ApiOkResponse({ standardSchema: MeResponse })
  changeCompany(
    @CurrentUser() { id }: SignedInUser,
    @Body({ schema: CompanyRequest }) company: CompanyRequest,
    @Req() request: FastifyRequest,
  ): Promise<MeResponse> {
    return this.users.changeCompany(id, company, request.id);
  }

  @Get('export')
  @UseGuards(ExportLimitGuard)
  @NoStore()
  @ApiOkResponse({ standardSchema: AccountExportResponse })
  async export(
    @CurrentUser() { id }: SignedInUser,
    @Query({ schema: ExportQuery }) { format }: ExportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const accountData = await this.exports.exportAccount(id);
    const type = format === 'csv' ? 'text/csv' : 'application/json';
    reply.header('Content-Type', `${type}; charset=utf-8`);
    reply.header('Content-Disposition', `attachment; filename="nivida-account.${format}"`);
    return format === 'csv' ? accountExportCsv(accountData) : JSON.stringify(accountData, null, 2);
  }

  @Delete()
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async delete(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: DeleteAccountRequest }) { password }: InferOutput<typeof DeleteAccountRequest>,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    const erasedOn = await this.users.delete(user, password, requestOrigin(request, this.config.production));
    const text = () =>
      t`Your account is closed. Sign in before ${{ day: formatDate(erasedOn) }} if you want to keep it`;
    return { message: inLanguage(language, text) };
  }
}
