import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Req,
  UseGuards,
} from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import {
  EmailAlerts,
  HeldSubscription,
  NewSubscription,
  PreferenceChange,
  PushEvent,
  PushKey,
  SubscriptionStart,
  SubscriptionState,
  WatchedTenders,
} from '@nivida/contract/push';
import type { FastifyRequest } from 'fastify';
import type { SignedInUser } from '../auth/sessions.service.ts';
import type { Config } from '../config.ts';
import { AuthGuard } from '../http/auth.guard.ts';
import { clientAddress } from '../http/client-address.ts';
import { CurrentUser } from '../http/current-user.ts';
import { LimitsService } from '../http/limits.service.ts';
import { CONFIG } from '../http/tokens.ts';
import { Caller, CallerGuard, type PushCaller } from './caller.guard.ts';
import { NoticesService } from './notices.service.ts';
import { SubscriptionsService } from './subscriptions.service.ts';

const PRIVATE = ['Cache-Control', 'no-store'] as const;
const HOURLY = [{ most: 20, perSeconds: 3_600 }];
/** Thousands of phones share an address, so this is only a brake. */
const HOURLY_AT_ADDRESS = [{ most: 300, perSeconds: 3_600 }];

@Controller('api/push')
@UseGuards(CallerGuard)
@ApiBearerAuth()
export class PushController {
  constructor(
    @Inject(SubscriptionsService) private readonly subscriptions: SubscriptionsService,
    @Inject(NoticesService) private readonly notices: NoticesService,
    @Inject(LimitsService) private readonly limits: LimitsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('key')
  @Header('Cache-Control', 'no-cache')
  @ApiOkResponse({ standardSchema: PushKey })
  key(): PushKey {
    return { publicKey: this.subscriptions.publicKey() };
  }

  @Post('subscriptions')
  @HttpCode(200)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SubscriptionStart })
  async add(
    @Caller() caller: PushCaller,
    @Body({ schema: NewSubscription }) body: NewSubscription,
    @Req() request: FastifyRequest,
  ): Promise<SubscriptionStart> {
    await this.limits.take('push-subscribe', caller.user?.id ?? body.endpoint, HOURLY);
    if (!caller.user)
      await this.limits.takeFor('push-subscribe', clientAddress(request, this.config.production), HOURLY_AT_ADDRESS);
    return this.subscriptions.add(caller, body);
  }

  @Get('subscriptions/:id')
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SubscriptionState })
  read(@Caller() caller: PushCaller, @Param('id') id: string): Promise<SubscriptionState> {
    return this.subscriptions.read(caller, id);
  }

  @Put('subscriptions/:id')
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SubscriptionState })
  replace(
    @Caller() caller: PushCaller,
    @Param('id') id: string,
    @Body({ schema: HeldSubscription }) body: HeldSubscription,
  ): Promise<SubscriptionState> {
    return this.subscriptions.replace(caller, id, body);
  }

  @Patch('subscriptions/:id')
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SubscriptionState })
  change(
    @Caller() caller: PushCaller,
    @Param('id') id: string,
    @Body({ schema: PreferenceChange }) change: PreferenceChange,
  ): Promise<SubscriptionState> {
    return this.subscriptions.change(caller, id, change);
  }

  @Put('subscriptions/:id/tenders')
  @HttpCode(204)
  @ApiNoContentResponse()
  watch(
    @Caller() caller: PushCaller,
    @Param('id') id: string,
    @Body({ schema: WatchedTenders }) { tenderIds }: WatchedTenders,
  ): Promise<void> {
    return this.subscriptions.watch(caller, id, tenderIds);
  }

  @Delete('subscriptions/:id')
  @HttpCode(204)
  @ApiNoContentResponse()
  remove(@Caller() caller: PushCaller, @Param('id') id: string): Promise<void> {
    return this.subscriptions.remove(caller, id);
  }

  @Post('events')
  @HttpCode(204)
  @ApiNoContentResponse()
  count(@Body({ schema: PushEvent }) event: PushEvent): Promise<void> {
    return this.notices.count(event);
  }

  @Get('email')
  @UseGuards(AuthGuard)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: EmailAlerts })
  email(@CurrentUser() { id }: SignedInUser): Promise<EmailAlerts> {
    return this.subscriptions.email(id);
  }

  @Put('email')
  @UseGuards(AuthGuard)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: EmailAlerts })
  turnEmailOn(
    @CurrentUser() { id }: SignedInUser,
    @Body({ schema: PreferenceChange }) change: PreferenceChange,
  ): Promise<EmailAlerts> {
    return this.subscriptions.turnEmailOn(id, change);
  }

  @Delete('email')
  @UseGuards(AuthGuard)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: EmailAlerts })
  turnEmailOff(@CurrentUser() { id }: SignedInUser): Promise<EmailAlerts> {
    return this.subscriptions.turnEmailOff(id);
  }
}
