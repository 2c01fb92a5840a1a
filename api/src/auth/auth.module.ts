import { Module } from '@nestjs/common';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { RecurringJobs } from '../jobs/job.ts';
import { AuthController } from './auth.controller.ts';
import { authCleanupJob } from './auth-cleanup.job.ts';
import { OtpController } from './otp/otp.controller.ts';
import { OtpService } from './otp/otp.service.ts';
import { PasskeyChecksService } from './passkeys/passkey-checks.service.ts';
import { PasskeyConfirmationService } from './passkeys/passkey-confirmation.service.ts';
import { PasskeySignInController } from './passkeys/passkey-sign-in.controller.ts';
import { PasskeySignInService } from './passkeys/passkey-sign-in.service.ts';
import { PasskeyStateService } from './passkeys/passkey-state.service.ts';
import { PasskeysController } from './passkeys/passkeys.controller.ts';
import { PasskeysService } from './passkeys/passkeys.service.ts';
import { RecoveryCodesService } from './passkeys/recovery-codes.service.ts';
import { SecondFactorService } from './passkeys/second-factor.service.ts';
import { PasswordChangeService } from './passwords/password-change.service.ts';
import { PasswordResetController } from './passwords/password-reset.controller.ts';
import { PasswordResetService } from './passwords/password-reset.service.ts';
import { PasswordsService } from './passwords/passwords.service.ts';
import { ConsentsService } from './registration/consents.service.ts';
import { DemoAccountService } from './registration/demo-account.service.ts';
import { RegistrationService } from './registration/registration.service.ts';
import { SecurityEventsService } from './security-events.service.ts';
import { AccessTokens } from './sessions/access-token.ts';
import { SendTokensService } from './sessions/send-tokens.service.ts';
import { SessionsController } from './sessions/sessions.controller.ts';
import { SessionsService } from './sessions/sessions.service.ts';
import { GoogleIdentityService } from './sign-in/google-identity.service.ts';
import { KnownBrowsersService } from './sign-in/known-browsers.service.ts';
import { ProviderIdentitiesService } from './sign-in/provider-identities.service.ts';
import { SenderThrottleService } from './sign-in/sender-throttle.service.ts';
import { SignInService } from './sign-in/sign-in.service.ts';
import { SignInCompletionService } from './sign-in/sign-in-completion.service.ts';
import { SignInThrottleService } from './sign-in/sign-in-throttle.service.ts';
import { StaffService } from './staff/staff.service.ts';

@RecurringJobs([authCleanupJob])
@Module({
  controllers: [
    AuthController,
    SessionsController,
    OtpController,
    PasswordResetController,
    PasskeysController,
    PasskeySignInController,
  ],
  providers: [
    SessionsService,
    SendTokensService,
    PasswordsService,
    PasswordChangeService,
    PasswordResetService,
    OtpService,
    ConsentsService,
    RegistrationService,
    DemoAccountService,
    GoogleIdentityService,
    ProviderIdentitiesService,
    KnownBrowsersService,
    SignInService,
    SignInCompletionService,
    SignInThrottleService,
    SecurityEventsService,
    StaffService,
    PasskeysService,
    PasskeyChecksService,
    PasskeyConfirmationService,
    PasskeyStateService,
    PasskeySignInService,
    SecondFactorService,
    RecoveryCodesService,
    SenderThrottleService,
    {
      provide: AccessTokens,
      inject: [CONFIG],
      useFactory: (config: Config) => new AccessTokens(config.sessionKeys, config.publicOrigin),
    },
  ],
  exports: [
    SessionsService,
    SendTokensService,
    OtpService,
    PasswordsService,
    PasswordResetService,
    PasskeyStateService,
    ProviderIdentitiesService,
    SignInThrottleService,
    SecurityEventsService,
    StaffService,
  ],
})
export class AuthModule {}
