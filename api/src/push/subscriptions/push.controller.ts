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
  AlertPreferencesChange,
  CreateSubscriptionRequest,
  CreateSubscriptionResponse,
  EmailAlertsResponse,
  PushEventRequest,
  PushKeyResponse,
  SubscriptionResponse,
  UpdateSubscriptionRequest,
  WatchedTendersRequest,
} from '@nivida/contract/push/push';
import type { FastifyRequest } from 'fastify';
import { AuthGuard, CurrentUser } from '../../auth/auth.guard.ts';
import type { SignedInUser } from '../../auth/sessions/sessions.service.ts';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import { senderOf } from '../../http/security/client-address.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { NoticesService } from '../notices/notices.service.ts';
import { CurrentPushCaller, type PushCaller, PushCallerGuard } from './push-caller.guard.ts';
import { SubscriptionsService } from './subscriptions.service.ts';

@Controller('api/push')
@UseGuards(PushCallerGuard)
@ApiBearerAuth()
export class PushController {
  constructor(
    private readonly subscriptions: SubscriptionsService,
    private readonly notices: NoticesService,
    private readonly limits: RateLimitsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('key')
  @Header('Cache-Control', 'no-cache')
  @ApiOkResponse({ standardSchema: PushKeyResponse })
  key(): PushKeyResponse {
    return { publicKey: this.subscriptions.publicKey() };
  }

  @Post('subscriptions')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: CreateSubscriptionResponse })
  async add(
    @CurrentPushCaller() caller: PushCaller,
    @Body({ schema: CreateSubscriptionRequest }) body: CreateSubscriptionRequest,
    @Req() request: FastifyRequest,
  ): Promise<CreateSubscriptionResponse> {
    const { user } = caller;
    const sender = senderOf(request, this.config.production);
    // A signed-out device is counted by its address at the push service too.
    await this.limits.consume('push-subscribe', user ? { account: user.id } : { account: body.endpoint, sender });
    return this.subscriptions.add(caller, body);
  }

  @Get('subscriptions/:id')
  @NoStore()
  @ApiOkResponse({ standardSchema: SubscriptionResponse })
  read(@CurrentPushCaller() caller: PushCaller, @Param('id') id: string): Promise<SubscriptionResponse> {
    return this.subscriptions.read(caller, id);
  }

  @Put('subscriptions/:id')
  @NoStore()
  @ApiOkResponse({ standardSchema: SubscriptionResponse })
  replace(
    @CurrentPushCaller() caller: PushCaller,
    @Param('id') id: string,
    @Body({ schema: UpdateSubscriptionRequest }) body: UpdateSubscriptionRequest,
  ): Promise<SubscriptionResponse> {
    return this.subscriptions.replace(caller, id, body);
  }

  @Patch('subscriptions/:id')
  @NoStore()
  @ApiOkResponse({ standardSchema: SubscriptionResponse })
  change(
    @CurrentPushCaller() caller: PushCaller,
    @Param('id') id: string,
    @Body({ schema: AlertPreferencesChange }) change: AlertPreferencesChange,
  ): Promise<SubscriptionResponse> {
    return this.subscriptions.change(caller, id, change);
  }

  @Put('subscriptions/:id/tenders')
  @HttpCode(204)
  @ApiNoContentResponse()
  watch(
    @CurrentPushCaller() caller: PushCaller,
    @Param('id') id: string,
    @Body({ schema: WatchedTendersRequest }) { tenderIds }: WatchedTendersRequest,
  ): Promise<void> {
    return this.subscriptions.watch(caller, id, tenderIds);
  }

  @Delete('subscriptions/:id')
  @HttpCode(204)
  @ApiNoContentResponse()
  remove(@CurrentPushCaller() caller: PushCaller, @Param('id') id: string): Promise<void> {
    return this.subscriptions.remove(caller, id);
  }

  @Post('events')
  @HttpCode(204)
  @ApiNoContentResponse()
  count(@Body({ schema: PushEventRequest }) event: PushEventRequest): Promise<void> {
    return this.notices.recordPushEvent(event);
  }

  @Get('email')
  @UseGuards(AuthGuard)
  @NoStore()
  @ApiOkResponse({ standardSchema: EmailAlertsResponse })
  email(@CurrentUser() { id }: SignedInUser): Promise<EmailAlertsResponse> {
    return this.subscriptions.email(id);
  }

  @Put('email')
  @UseGuards(AuthGuard)
  @NoStore()
  @ApiOkResponse({ standardSchema: EmailAlertsResponse })
  turnEmailOn(
    @CurrentUser() { id }: SignedInUser,
    @Body({ schema: AlertPreferencesChange }) change: AlertPreferencesChange,
  ): Promise<EmailAlertsResponse> {
    return this.subscriptions.turnEmailOn(id, change);
  }

  @Delete('email')
  @UseGuards(AuthGuard)
  @NoStore()
  @ApiOkResponse({ standardSchema: EmailAlertsResponse })
  turnEmailOff(@CurrentUser() { id }: SignedInUser): Promise<EmailAlertsResponse> {
    return this.subscriptions.turnEmailOff(id);
  }
}
