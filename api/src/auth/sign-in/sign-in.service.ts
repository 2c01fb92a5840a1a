import { t } from '@lingui/core/macro';
import { Injectable } from '@nestjs/common';
import type { SignInRequest } from '@nivida/contract/account/auth';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import { type PendingSignIn, SecondFactorService } from '../passkeys/second-factor.service.ts';
import { PasswordsService } from '../passwords/passwords.service.ts';
import { maskMobile, SecurityEventsService } from '../security-events.service.ts';
import { UserEntity } from '../user.entity.ts';
import { type GoogleIdentity, GoogleIdentityService, googleRefused } from './google-identity.service.ts';
import { KnownBrowsersService } from './known-browsers.service.ts';
import { otherGoogleIdentity, ProviderIdentitiesService } from './provider-identities.service.ts';
import { SenderThrottleService } from './sender-throttle.service.ts';
import { SignInCompletionService, type SignInOutcome, wrongCredentials } from './sign-in-completion.service.ts';
import { LOCK_SECONDS, SignInThrottleService } from './sign-in-throttle.service.ts';
import type { Visitor } from './visitor.ts';

/** Sign-in by password or Google. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly senders: SenderThrottleService,
    private readonly signInThrottle: SignInThrottleService,
    private readonly knownBrowsers: KnownBrowsersService,
    private readonly passwords: PasswordsService,
    private readonly google: GoogleIdentityService,
    private readonly identities: ProviderIdentitiesService,
    private readonly signInCompletion: SignInCompletionService,
    private readonly secondFactor: SecondFactorService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Signs in by mobile number and password. UNAUTHENTICATED for an unknown number and for a wrong password: both take the
   * same work and get the same answer. TOO_MANY after too many failures, with or without an account.
   */
  async byPassword({ mobileNo, password, rememberMe }: SignInRequest, visitor: Visitor): Promise<SignInOutcome> {
    const counter = await this.knownBrowsers.failureCounter(visitor.deviceToken, mobileNo);
    const isKnown = counter !== '';
    await this.signInThrottle.assertOpen(mobileNo, counter);
    if (!isKnown) await this.senders.count(visitor);
    const lockSeconds = await this.signInThrottle.countAttempt(mobileNo, counter);
    const user = await this.findBy('user.mobileNo = :mobileNo', { mobileNo });
    const isRight = await this.passwords.verify(user?.passwordHash ?? null, password);
    if (!user || !isRight) {
      const event = { subject: user?.id ?? maskMobile(mobileNo), detail: { way: 'password' } };
      await this.events.record({ action: 'sign-in.failed', ...event }, visitor);
      if (lockSeconds >= LOCK_SECONDS)
        await this.events.record({ action: 'sign-in.locked', ...event, detail: { seconds: lockSeconds } }, visitor);
      throw wrongCredentials();
    }
    await this.signInThrottle.clearCounter(mobileNo, counter);
    if (!isKnown) await this.senders.clear(visitor);
    await this.rehashIfOutdated(user, password);
    return this.completeSignIn(user, visitor, { way: 'password', remembered: rememberMe, googleSubject: null });
  }

  /**
   * Signs in by an ID token of Google and the browser's nonce. The first sign-in finds the account by the verified address and
   * links Google's identity with it; later ones find it by the identity. INVALID for an invalid token. CONFLICT when no account
   * has the address, because registration needs more data than Google has, and when its account is linked with another identity.
   */
  async byGoogle(token: string, nonceSecret: string | undefined, visitor: Visitor): Promise<SignInOutcome> {
    await this.senders.count(visitor);
    const recordRefusal = async (error: unknown): Promise<never> => {
      if (error instanceof AppError && error.code === 'INVALID')
        await this.events.record({ action: 'sign-in.failed', subject: 'google', detail: { way: 'google' } }, visitor);
      throw error;
    };
    const identity = await this.google.verify(token, nonceSecret).catch(recordRefusal);
    const ownerId = await this.identities.ownerOf(identity.subject);
    const user = await (ownerId === undefined
      ? this.findLinkable(identity, visitor).catch(recordRefusal)
      : this.findBy('user.id = :ownerId', { ownerId }));
    if (!user) throw new AppError('CONFLICT', () => t`No account uses this Google address yet. Please register first.`);
    const googleSubject = ownerId === undefined ? identity.subject : null;
    const start = (manager: EntityManager) => this.google.consume(manager, identity);
    const way = { way: 'google', remembered: false, googleSubject } as const;
    const outcome = await this.completeSignIn(user, visitor, way, start).catch(recordRefusal);
    await this.senders.clear(visitor);
    return outcome;
  }

  /**
   * The account of a verified address, to be linked with the identity. INVALID without one, CONFLICT when its account is linked
   * with another identity.
   */
  private async findLinkable({ subject, email }: GoogleIdentity, visitor: Visitor): Promise<UserEntity | null> {
    if (email === undefined) throw googleRefused();
    const user = await this.findBy('lower(user.email) = lower(:email)', { email });
    if (!user || !(await this.identities.isLinkedElsewhere(user.id, subject))) return user;
    const detail = { way: 'google', reason: 'other-identity' };
    await this.events.record({ action: 'sign-in.failed', subject: user.id, detail }, visitor);
    throw otherGoogleIdentity();
  }

  private findBy(condition: string, parameters: object): Promise<UserEntity | null> {
    return this.dataSource
      .getRepository(UserEntity)
      .createQueryBuilder('user')
      .addSelect('user.passwordHash')
      .where(condition, parameters)
      .getOne();
  }

  /** Hashes the password again when the cost of hashes has been raised; the password is only known at sign-in. */
  private async rehashIfOutdated({ id, passwordHash }: UserEntity, password: string): Promise<void> {
    if (passwordHash === null || !this.passwords.isOutdated(passwordHash)) return;
    const stronger = await this.passwords.hash(password);
    // The old hash in the condition prevents overwriting a concurrent change.
    await this.dataSource.getRepository(UserEntity).update({ id, passwordHash }, { passwordHash: stronger });
  }

  /** Starts the session, or asks for the second factor of an account that needs one. `start` is the first act of the transaction. */
  private completeSignIn(
    user: UserEntity,
    visitor: Visitor,
    way: Omit<PendingSignIn, 'userId'>,
    start?: (manager: EntityManager) => Promise<void>,
  ): Promise<SignInOutcome> {
    return this.dataSource.transaction(async (manager) => {
      await start?.(manager);
      const secondFactorToken = await this.secondFactor.begin(manager, user.id, way);
      if (secondFactorToken !== undefined) return { secondFactorToken };
      return this.signInCompletion.complete(manager, user, visitor, way);
    });
  }
}
