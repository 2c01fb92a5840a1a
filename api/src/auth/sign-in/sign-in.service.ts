import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { SignInRequest } from '@nivida/contract/account/auth';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { isAddressRefusal, RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import { type RateLimitWindow, windowsOf } from '../../http/limits/rate-limits.ts';
import { MailService } from '../../mail/mail.service.ts';
import { PasswordsService } from '../passwords/passwords.service.ts';
import { maskAddress, maskMobile, SecurityEventsService } from '../security-events.service.ts';
import { UserEntity } from '../user.entity.ts';
import { GoogleIdentityService } from './google-identity.service.ts';
import { KnownBrowsersService } from './known-browsers.service.ts';
import { SignInCompletionService, type SignInResult } from './sign-in-completion.service.ts';
import { LOCK_SECONDS, SignInThrottleService } from './sign-in-throttle.service.ts';
import type { Visitor } from './visitor.ts';

/** Allows one audit event per lock. The wait shows whether the lock lasts 15 minutes or a day. */
const oneLock = ({ retryAfterSeconds = 0 }: AppError): RateLimitWindow[] =>
  windowsOf('sign-in', 'address')
    .filter(({ perSeconds }) => perSeconds >= retryAfterSeconds)
    .slice(0, 1)
    .map(({ perSeconds }) => ({ max: 1, perSeconds }));

const wrongCredentials = () => new AppError('UNAUTHENTICATED', () => t`Invalid mobile number or password`);

/** Sign-in by password or Google. It restores an account that was deleted and is not erased yet. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    private readonly signInThrottle: SignInThrottleService,
    private readonly knownBrowsers: KnownBrowsersService,
    private readonly passwords: PasswordsService,
    private readonly google: GoogleIdentityService,
    private readonly signInCompletion: SignInCompletionService,
    @Inject(CLOCK) private readonly now: () => Date,
    private readonly events: SecurityEventsService,
    private readonly mails: MailService,
  ) {}

  /**
   * Signs in by mobile number and password. UNAUTHENTICATED for an unknown number and for a wrong password: both take the
   * same work and get the same answer. TOO_MANY after too many failures, with or without an account.
   */
  async byPassword({ mobileNo, password, rememberMe }: SignInRequest, visitor: Visitor): Promise<SignInResult> {
    const counter = await this.knownBrowsers.failureCounter(visitor.deviceToken, mobileNo);
    const isKnown = counter !== '';
    await this.signInThrottle.assertOpen(mobileNo, counter);
    if (!isKnown) await this.countSender(visitor);
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
    if (!isKnown) await this.limits.release('sign-in', { sender: visitor });
    await this.rehashIfOutdated(user, password);
    return this.completeSignIn(user, visitor, 'password', rememberMe);
  }

  /**
   * Signs in by an ID token of Google. INVALID for an invalid token, CONFLICT when no account has its address: registration
   * needs more data than Google has.
   */
  async byGoogle(token: string, visitor: Visitor): Promise<SignInResult> {
    await this.countSender(visitor);
    const email = await this.google.verifiedEmail(token).catch(async (error) => {
      if (error instanceof AppError && error.code === 'INVALID')
        await this.events.record({ action: 'sign-in.failed', subject: 'google', detail: { way: 'google' } }, visitor);
      throw error;
    });
    const user = await this.findBy('lower(user.email) = lower(:email)', { email });
    if (!user) throw new AppError('CONFLICT', () => t`No account uses this Google address yet. Please register first.`);
    await this.limits.release('sign-in', { sender: visitor });
    return this.completeSignIn(user, visitor, 'google', false);
  }

  /** Counts failures of unknown browsers. Successful sign-ins and browsers that have used the number before are not counted. */
  private async countSender(visitor: Visitor): Promise<void> {
    try {
      await this.limits.consume('sign-in', { sender: visitor });
    } catch (error) {
      const { address } = visitor;
      // One event per lock, not per refused request.
      if (
        address &&
        isAddressRefusal(error) &&
        (await this.limits.count('sign-in-lock', address.key, oneLock(error))) === 0
      )
        await this.events.record({ action: 'sign-in.address-locked', subject: maskAddress(visitor.ip) }, visitor);
      throw error;
    }
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

  private completeSignIn(
    user: UserEntity,
    visitor: Visitor,
    way: 'password' | 'google',
    remembered: boolean,
  ): Promise<SignInResult> {
    return this.dataSource.transaction(async (manager) => {
      if (user.deletedAt) await this.restoreAccount(manager, user, visitor.requestId);
      return this.signInCompletion.complete(manager, user, visitor, { way, remembered });
    });
  }

  private async restoreAccount(manager: EntityManager, user: UserEntity, requestId: string): Promise<void> {
    const { id, mobileNo, email, username, language } = user;
    const { affected } = await manager.getRepository(UserEntity).update({ id, mobileNo }, { deletedAt: null });
    // The account was erased in the meantime.
    if (affected !== 1) throw wrongCredentials();
    const event = { action: 'account.restored', actorId: id, subject: id, detail: {}, requestId };
    await recordAuditEvent(manager, event, this.now());
    await this.mails.queue(manager, { kind: 'account-restored', to: email, language, username });
  }
}
