import { Body, Controller, Header, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { OutboxAnswer, OutboxChanges, SendTokens } from '@nivida/contract/outbox';
import type { InferOutput } from 'valibot';
import type { SignedInUser } from '../auth/sessions.service.ts';
import { accountLimit } from '../http/account-limit.guard.ts';
import { AuthGuard } from '../http/auth.guard.ts';
import { BodyLimit } from '../http/bodies.ts';
import { CurrentUser } from '../http/current-user.ts';
import { OutboxService } from './outbox.service.ts';
import { SendTokenGuard } from './send-token.guard.ts';
import { SendTokens as TokensOfSessions } from './send-tokens.service.ts';

const PRIVATE = ['Cache-Control', 'no-store'] as const;
const CHANGES_BYTES = 131_072;

/** Changes of a device whose app is closed. */
@Controller('api/outbox')
export class OutboxController {
  constructor(
    @Inject(OutboxService) private readonly outbox: OutboxService,
    @Inject(TokensOfSessions) private readonly tokens: TokensOfSessions,
  ) {}

  @Post('tokens')
  @HttpCode(200)
  @UseGuards(AuthGuard, accountLimit('outbox tokens', { most: 30, perSeconds: 3_600 }))
  @ApiBearerAuth()
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SendTokens })
  async issue(@CurrentUser() user: SignedInUser): Promise<InferOutput<typeof SendTokens>> {
    return { tokens: await this.tokens.issue(user) };
  }

  @Post()
  @HttpCode(200)
  @UseGuards(SendTokenGuard, accountLimit('outbox', { most: 60, perSeconds: 3_600 }))
  @BodyLimit(CHANGES_BYTES)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: OutboxAnswer })
  send(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: OutboxChanges }) changes: OutboxChanges,
  ): Promise<OutboxAnswer> {
    return this.outbox.apply(user.id, changes);
  }
}
