import { t } from '@lingui/core/macro';
import { Body, Controller, Headers, HttpCode, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiHeader, ApiOkResponse } from '@nestjs/swagger';
import {
  ChangePasswordRequest,
  MessageResponse,
  NonceResponse,
  RegistrationRequest,
  SessionStartResponse,
  SignInRequest,
  SignInResponse,
  SocialSignInRequest,
  TokenRefreshResponse,
} from '@nivida/contract/account/auth';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { requestOrigin } from '../http/security/client-address.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { AuthGuard, CurrentUser } from './auth.guard.ts';
import { OtpService } from './otp/otp.service.ts';
import { PasswordChangeService } from './passwords/password-change.service.ts';
import { RegistrationService } from './registration/registration.service.ts';
import { RefreshGuard } from './sessions/refresh.guard.ts';
import { SessionsService, type SignedInUser } from './sessions/sessions.service.ts';
import { GoogleIdentityService, ProviderGuard } from './sign-in/google-identity.service.ts';
import { KnownBrowsersService } from './sign-in/known-browsers.service.ts';
import { SignInService } from './sign-in/sign-in.service.ts';
import type { SignInOutcome, SignInResult } from './sign-in/sign-in-completion.service.ts';
import { toVisitor } from './sign-in/visitor.ts';

@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly signInService: SignInService,
    private readonly registrationService: RegistrationService,
    private readonly passwordChangeService: PasswordChangeService,
    private readonly sessions: SessionsService,
    private readonly knownBrowsers: KnownBrowsersService,
    private readonly google: GoogleIdentityService,
    private readonly otp: OtpService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('login')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: SignInResponse })
  async login(
    @Body({ schema: SignInRequest }) body: SignInRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInResponse> {
    const visitor = toVisitor(request, this.config);
    return this.answer(reply, await this.signInService.byPassword(body, visitor));
  }

  @Post('register')
  @NoStore()
  @ApiHeader({ name: 'X-Terms-Version', required: false })
  @ApiCreatedResponse({ standardSchema: SessionStartResponse })
  async register(
    @Body({ schema: RegistrationRequest }) body: RegistrationRequest,
    @Headers('x-terms-version') termsVersion: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionStartResponse> {
    const visitor = toVisitor(request, this.config);
    const proof = { otpContext: this.otp.contextOf(request.cookies), termsVersion };
    return this.startSession(reply, await this.registrationService.register(body, visitor, proof));
  }

  @Post('logout')
  @HttpCode(200)
  @ApiBearerAuth()
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async logout(
    @Headers('authorization') authorization: string | undefined,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    await this.sessions.signOut(authorization);
    return { message: inLanguage(language, () => t`You are signed out`) };
  }

  @Post('refresh')
  @HttpCode(200)
  @UseGuards(RefreshGuard)
  @ApiBearerAuth()
  @NoStore()
  @ApiOkResponse({ standardSchema: TokenRefreshResponse })
  async refresh(@CurrentUser() user: SignedInUser): Promise<InferOutput<typeof TokenRefreshResponse>> {
    return { token: await this.sessions.renew(user) };
  }

  @Post('change-password')
  @HttpCode(200)
  @UseGuards(AuthGuard)
  @ApiBearerAuth()
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async changePassword(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: ChangePasswordRequest }) body: InferOutput<typeof ChangePasswordRequest>,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    await this.passwordChangeService.change(user, body, requestOrigin(request, this.config.production));
    return { message: inLanguage(language, () => t`Your password is changed. All other sessions are signed out.`) };
  }

  @Post(':provider/nonce')
  @HttpCode(200)
  @UseGuards(ProviderGuard)
  @NoStore()
  @ApiOkResponse({ standardSchema: NonceResponse })
  beginProvider(@Res({ passthrough: true }) reply: FastifyReply): NonceResponse {
    const { nonce, cookie } = this.google.begin();
    reply.setCookie(...cookie);
    return { nonce };
  }

  // The router prefers static paths to this one, in any order of declaration (R2).
  @Post(':provider')
  @HttpCode(200)
  @UseGuards(ProviderGuard)
  @NoStore()
  @ApiOkResponse({ standardSchema: SignInResponse })
  async provider(
    @Body({ schema: SocialSignInRequest }) { token }: InferOutput<typeof SocialSignInRequest>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignInResponse> {
    const visitor = toVisitor(request, this.config);
    const nonceSecret = this.google.nonceSecretOf(request.cookies);
    return this.answer(reply, await this.signInService.byGoogle(token, nonceSecret, visitor));
  }

  private answer(reply: FastifyReply, outcome: SignInOutcome): SignInResponse {
    return 'session' in outcome ? this.startSession(reply, outcome) : outcome;
  }

  private startSession(
    reply: FastifyReply,
    { session: start, deviceToken: device }: SignInResult,
  ): SessionStartResponse {
    reply.setCookie(...this.knownBrowsers.cookie(device));
    return start;
  }
}
