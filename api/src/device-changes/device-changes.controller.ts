import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import type { Language } from '@nivida/contract/languages';
import { OutboxRequest, OutboxResponse, SendTokensResponse } from '@nivida/contract/sync/outbox';
import type { InferOutput } from 'valibot';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import { DeviceChangesGuard } from '../auth/sessions/device-changes.guard.ts';
import { SendTokensService } from '../auth/sessions/send-tokens.service.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { BodyLimit } from '../http/routing/request-bodies.ts';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { DeviceChangesService } from './device-changes.service.ts';

const MAX_CHANGES_BYTES = 131_072;

/** Pending changes of devices, and the tokens with which they are sent while the app is closed. */
@Controller('api/outbox')
export class DeviceChangesController {
  constructor(
    private readonly changes: DeviceChangesService,
    private readonly tokens: SendTokensService,
  ) {}

  @Post('tokens')
  @HttpCode(200)
  @UseGuards(AuthGuard, accountLimit('outbox-tokens'))
  @ApiBearerAuth()
  @NoStore()
  @ApiOkResponse({ standardSchema: SendTokensResponse })
  async issue(@CurrentUser() user: SignedInUser): Promise<InferOutput<typeof SendTokensResponse>> {
    return { tokens: await this.tokens.issue(user) };
  }

  @Post()
  @HttpCode(200)
  @UseGuards(DeviceChangesGuard, accountLimit('outbox'))
  @ApiBearerAuth()
  @BodyLimit(MAX_CHANGES_BYTES)
  @NoStore()
  @ApiOkResponse({ standardSchema: OutboxResponse })
  send(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: OutboxRequest }) changes: OutboxRequest,
    @RequestLanguage() language: Language,
  ): Promise<OutboxResponse> {
    return this.changes.apply(user.id, changes, language);
  }
}
