import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { SessionStartResponse } from '@nivida/contract/account/auth';
import {
  BeginPasskeySignInRequest,
  PasskeySignInRequest,
  RecoveryCodeRequest,
  RequestOptionsResponse,
} from '@nivida/contract/account/passkeys';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { KnownBrowsersService } from '../sign-in/known-browsers.service.ts';
import type { SignInResult } from '../sign-in/sign-in-completion.service.ts';
import { toVisitor } from '../sign-in/visitor.ts';
import { PasskeySignInService } from './passkey-sign-in.service.ts';
import { relyingPartyOf } from './relying-party.ts';

/** Sign-in by passkey, and the second step by passkey or recovery code. */
@Controller('api/auth/passkey')
export class PasskeySignInController {
  constructor(
    private readonly signIns: PasskeySignInService,
    private readonly knownBrowsers: KnownBrowsersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('begin')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: RequestOptionsResponse })
  begin(
    @Body({ schema: BeginPasskeySignInRequest })
    { secondFactorToken }: InferOutput<typeof BeginPasskeySignInRequest>,
    @Req() request: FastifyRequest,
  ): Promise<RequestOptionsResponse> {
    return this.signIns.begin(secondFactorToken, this.siteOf(request), toVisitor(request, this.config));
  }

  @Post('finish')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: SessionStartResponse })
  async finish(
    @Body({ schema: PasskeySignInRequest }) body: PasskeySignInRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionStartResponse> {
    const visitor = toVisitor(request, this.config);
    return this.startSession(reply, await this.signIns.finish(body, this.siteOf(request), visitor));
  }

  @Post('recovery-code')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: SessionStartResponse })
  async recoveryCode(
    @Body({ schema: RecoveryCodeRequest }) body: RecoveryCodeRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionStartResponse> {
    return this.startSession(reply, await this.signIns.byRecoveryCode(body, toVisitor(request, this.config)));
  }

  private startSession(reply: FastifyReply, { session, deviceToken }: SignInResult): SessionStartResponse {
    reply.setCookie(...this.knownBrowsers.cookie(deviceToken));
    return session;
  }

  private siteOf(request: FastifyRequest) {
    return relyingPartyOf(this.config, request.headers.origin);
  }
}
