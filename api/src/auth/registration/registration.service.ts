import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { RegistrationRequest } from '@nivida/contract/account/auth';
import type { Language } from '@nivida/contract/languages';
import { DataSource } from 'typeorm';
import { invalidField } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import { AccountOpened } from '../account-opened.port.ts';
import { OtpService } from '../otp/otp.service.ts';
import { PasswordsService } from '../passwords/passwords.service.ts';
import { SignInCompletionService, type SignInResult } from '../sign-in/sign-in-completion.service.ts';
import { SignInThrottleService } from '../sign-in/sign-in-throttle.service.ts';
import type { Visitor } from '../sign-in/visitor.ts';
import { newAccountRow, UserEntity } from '../user.entity.ts';
import { type ListedPlaces, listedPlaces, toConflict } from '../user.ts';
import { ConsentsService } from './consents.service.ts';

const UNVERIFIED_EMAIL = invalidField('email', () => t`Please verify your email with OTP first`);

/** Proofs of a registration that are not in its body. */
export interface RegistrationProof {
  /** Cookie of the browser that verified the e-mail (R13). */
  otpContext: string | undefined;
  /** Header `X-Terms-Version`, unchecked (R12). */
  termsVersion: string | undefined;
}

@Injectable()
export class RegistrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    private readonly passwords: PasswordsService,
    private readonly otp: OtpService,
    private readonly consents: ConsentsService,
    private readonly signInCompletion: SignInCompletionService,
    private readonly signInThrottle: SignInThrottleService,
    private readonly accountOpened: AccountOpened,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Creates an account and signs it in for 12 hours. INVALID with a message per field, CONFLICT for a mobile number or an
   * e-mail that has an account, TOO_MANY. The e-mail's proof is used up only when the account is created.
   */
  async register(body: RegistrationRequest, visitor: Visitor, proof: RegistrationProof): Promise<SignInResult> {
    await this.limits.consume('register', { sender: visitor });
    const places = listedPlaces(body);
    if (body.maxPrice !== null && body.maxPrice < body.minPrice)
      throw invalidField('maxPrice', () => t`The highest price must not be below the lowest`);
    this.passwords.assertStrong(body.password, [body.name, body.email, body.mobileNo, body.companyName], 'password');
    if (!(await this.otp.isVerified(proof.otpContext, body.email))) throw UNVERIFIED_EMAIL;
    // Each attempt reveals whether a mobile number has an account, so it needs a verified e-mail address.
    await this.limits.consume('register', { email: body.email });
    const user = this.createAccount(body, visitor.language, places, await this.passwords.hash(body.password));
    return this.storeAccount(user, visitor, proof);
  }

  private async storeAccount(user: UserEntity, visitor: Visitor, proof: RegistrationProof): Promise<SignInResult> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        if (!(await this.otp.consume(manager, proof.otpContext, user.email))) throw UNVERIFIED_EMAIL;
        await manager.getRepository(UserEntity).insert(user);
        // Earlier failures were no guesses at the password of this account.
        await this.signInThrottle.clearAll(manager, user.mobileNo);
        await this.consents.record(manager, user.id, {
          purpose: 'account',
          termsVersion: parseTermsVersion(proof.termsVersion),
          address: visitor.ip,
        });
        await this.accountOpened.afterRegistration(manager, user);
        return this.signInCompletion.complete(manager, user, visitor, { way: 'registration', remembered: false });
      });
    } catch (error) {
      // The unique index decides between parallel registrations.
      throw toConflict(error);
    }
  }

  private createAccount(
    body: RegistrationRequest,
    language: Language,
    places: ListedPlaces,
    passwordHash: string,
  ): UserEntity {
    return newAccountRow({
      username: body.name,
      email: body.email,
      mobileNo: body.mobileNo,
      passwordHash,
      companyName: body.companyName,
      companyType: body.companyType,
      ...places,
      address: body.address,
      language,
      minPrice: body.minPrice.toFixed(2),
      maxPrice: body.maxPrice === null ? null : body.maxPrice.toFixed(2),
      createdAt: this.now(),
    });
  }
}

/** A version is a date. Clients that only know the payload of SPEC send none; the time of the consent identifies the terms. */
function parseTermsVersion(header: string | undefined): string {
  return header !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(header) ? header : 'not stated';
}
