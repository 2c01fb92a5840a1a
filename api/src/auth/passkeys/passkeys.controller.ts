import { t } from '@lingui/core/macro';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { MessageResponse } from '@nivida/contract/account/auth';
import {
  ConfirmPasskeyRequest,
  ConfirmPasswordRequest,
  CreationOptionsResponse,
  FinishRegistrationRequest,
  PasskeyListResponse,
  PasskeySummary,
  RecoveryCodesResponse,
  RenamePasskeyRequest,
  RequestOptionsResponse,
  SecondFactorRequest,
} from '@nivida/contract/account/passkeys';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import type { FastifyRequest } from 'fastify';
import type { InferOutput } from 'valibot';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { accountLimit } from '../../http/limits/account-limit.guard.ts';
import { RequestLanguage } from '../../http/routing/request-language.ts';
import { requestOrigin } from '../../http/security/client-address.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { AuthGuard, CurrentUser } from '../auth.guard.ts';
import type { SignedInUser } from '../sessions/sessions.service.ts';
import { PasskeyConfirmationService } from './passkey-confirmation.service.ts';
import { PasskeysService } from './passkeys.service.ts';
import { RecoveryCodesService } from './recovery-codes.service.ts';
import { relyingPartyOf } from './relying-party.ts';
import { SecondFactorService } from './second-factor.service.ts';

const PasskeysLimitGuard = accountLimit('passkeys');

/** Passkeys of a signed-in user. */
@Controller('api/passkeys')
@UseGuards(AuthGuard, PasskeysLimitGuard)
@ApiBearerAuth()
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly confirmation: PasskeyConfirmationService,
    private readonly secondFactor: SecondFactorService,
    private readonly recoveryCodes: RecoveryCodesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: PasskeyListResponse })
  list(@CurrentUser() user: SignedInUser): Promise<PasskeyListResponse> {
    return this.passkeys.list(user);
  }

  @Post('registration/begin')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: CreationOptionsResponse })
  beginRegistration(
    @CurrentUser() user: SignedInUser,
    @Req() request: FastifyRequest,
  ): Promise<CreationOptionsResponse> {
    return this.passkeys.beginRegistration(user, this.siteOf(request));
  }

  @Post('registration/finish')
  @NoStore()
  @ApiCreatedResponse({ standardSchema: PasskeySummary })
  finishRegistration(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: FinishRegistrationRequest }) body: FinishRegistrationRequest,
    @Req() request: FastifyRequest,
  ): Promise<PasskeySummary> {
    const origin = requestOrigin(request, this.config.production);
    return this.passkeys.finishRegistration(user, body, this.siteOf(request), origin);
  }

  @Post('confirm/begin')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: RequestOptionsResponse })
  beginConfirmation(
    @CurrentUser() user: SignedInUser,
    @Req() request: FastifyRequest,
  ): Promise<RequestOptionsResponse> {
    return this.confirmation.begin(user, this.siteOf(request));
  }

  @Post('confirm/finish')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async finishConfirmation(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: ConfirmPasskeyRequest }) { passkey }: ConfirmPasskeyRequest,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    const origin = requestOrigin(request, this.config.production);
    await this.confirmation.finish(user, passkey, this.siteOf(request), origin);
    return confirmed(language);
  }

  @Post('confirm/password')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async confirmByPassword(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: ConfirmPasswordRequest }) { password }: InferOutput<typeof ConfirmPasswordRequest>,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    await this.confirmation.byPassword(user, password, requestOrigin(request, this.config.production));
    return confirmed(language);
  }

  @Put('second-factor')
  @NoStore()
  @ApiOkResponse({ standardSchema: RecoveryCodesResponse })
  async setSecondFactor(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: SecondFactorRequest }) { isOn }: InferOutput<typeof SecondFactorRequest>,
    @Req() request: FastifyRequest,
  ): Promise<RecoveryCodesResponse> {
    return { codes: await this.secondFactor.set(user, isOn, request.id) };
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: RecoveryCodesResponse })
  async renewRecoveryCodes(
    @CurrentUser() user: SignedInUser,
    @Req() request: FastifyRequest,
  ): Promise<RecoveryCodesResponse> {
    return { codes: await this.recoveryCodes.renew(user, request.id) };
  }

  @Put(':id')
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async rename(
    @CurrentUser() user: SignedInUser,
    @Param('id') id: string,
    @Body({ schema: RenamePasskeyRequest }) { name }: InferOutput<typeof RenamePasskeyRequest>,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    await this.passkeys.rename(user, id, name);
    return { message: inLanguage(language, () => t`The passkey has its new name`) };
  }

  @Delete(':id')
  @NoStore()
  @ApiOkResponse({ standardSchema: MessageResponse })
  async remove(
    @CurrentUser() user: SignedInUser,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @RequestLanguage() language: Language,
  ): Promise<MessageResponse> {
    await this.passkeys.remove(user, id, requestOrigin(request, this.config.production));
    return { message: inLanguage(language, () => t`The passkey is removed`) };
  }

  private siteOf(request: FastifyRequest) {
    return relyingPartyOf(this.config, request.headers.origin);
  }
}

const confirmed = (language: Language): MessageResponse => ({
  message: inLanguage(language, () => t`You have confirmed that it is you`),
});
