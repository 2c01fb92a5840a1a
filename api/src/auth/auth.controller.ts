import { Body, Controller, Header, Headers, HttpCode, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiHeader, ApiOkResponse } from '@nestjs/swagger';
import { ChangePassword, Registration, Renewal, Said, SessionStart, SignIn, SocialSignIn } from '@nivida/contract/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import type { Config } from '../config.ts';
import { AuthGuard } from '../http/auth.guard.ts';
import { requestOrigin } from '../http/client-address.ts';
import { CurrentUser } from '../http/current-user.ts';
import { CONFIG } from '../http/tokens.ts';
import { DevicesService } from './devices.service.ts';
import { ProviderGuard } from './google.ts';
import { OtpService } from './otp.service.ts';
import { PasswordChangeService } from './password-change.service.ts';
import { RefreshGuard } from './refresh.guard.ts';
import { RegistrationService } from './registration.service.ts';
import { SessionsService, type SignedInUser } from './sessions.service.ts';
import { SignInService } from './sign-in.service.ts';
import { toVisitor } from './visitor.ts';
import type { Welcome } from './welcome.service.ts';

const PRIVATE = ['Cache-Control', 'no-store'] as const;

@Controller('api/auth')
export class AuthController {
  constructor(
    @Inject(SignInService) private readonly signIns: SignInService,
    @Inject(RegistrationService) private readonly registrations: RegistrationService,
    @Inject(PasswordChangeService) private readonly passwordChanges: PasswordChangeService,
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(DevicesService) private readonly devices: DevicesService,
    @Inject(OtpService) private readonly otp: OtpService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SessionStart })
  async login(
    @Body({ schema: SignIn }) body: SignIn,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionStart> {
    const visitor = toVisitor(request, this.config.production);
    return this.open(request, reply, await this.signIns.byPassword(body, visitor));
  }

  @Post('register')
  @Header(...PRIVATE)
  @ApiHeader({ name: 'X-Terms-Version', required: false })
  @ApiCreatedResponse({ standardSchema: SessionStart })
  async register(
    @Body({ schema: Registration }) body: Registration,
    @Headers('x-terms-version') termsVersion: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionStart> {
    const visitor = toVisitor(request, this.config.production);
    const proof = { otpContext: this.otp.contextOf(request.cookies), termsVersion };
    return this.open(request, reply, await this.registrations.register(body, visitor, proof));
  }

  @Post('logout')
  @HttpCode(200)
  @ApiBearerAuth()
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Said })
  async logout(@Headers('authorization') authorization: string | undefined): Promise<Said> {
    await this.sessions.signOut(authorization);
    return { message: 'You are signed out' };
  }

  @Post('refresh')
  @HttpCode(200)
  @UseGuards(RefreshGuard)
  @ApiBearerAuth()
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Renewal })
  async refresh(@CurrentUser() user: SignedInUser): Promise<InferOutput<typeof Renewal>> {
    return { token: await this.sessions.renew(user) };
  }

  @Post('change-password')
  @HttpCode(200)
  @UseGuards(AuthGuard)
  @ApiBearerAuth()
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: Said })
  async changePassword(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: ChangePassword }) body: InferOutput<typeof ChangePassword>,
    @Req() request: FastifyRequest,
  ): Promise<Said> {
    await this.passwordChanges.change(user, body, requestOrigin(request, this.config.production));
    return { message: 'Your password is changed. All other sessions are signed out.' };
  }

  // The router prefers the paths that are written out, whatever the order (RESOLUTIONS R2).
  @Post(':provider')
  @HttpCode(200)
  @UseGuards(ProviderGuard)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SessionStart })
  async provider(
    @Body({ schema: SocialSignIn }) { token }: InferOutput<typeof SocialSignIn>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionStart> {
    const visitor = toVisitor(request, this.config.production);
    return this.open(request, reply, await this.signIns.byGoogle(token, visitor));
  }

  private open({ cookies }: FastifyRequest, reply: FastifyReply, { start, device }: Welcome): SessionStart {
    reply.setCookie(...this.devices.cookie(device));
    const outdated = this.devices.outdatedCookie;
    if (outdated !== undefined && cookies[outdated] !== undefined) reply.clearCookie(outdated, { path: '/' });
    return start;
  }
}
