import { Inject, Injectable } from '@nestjs/common';
import type { SignIn } from '@nivida/contract/auth';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.ts';
import { maskAddress, maskMobile, SecurityEventsService } from '../audit/security-events.service.ts';
import { AppError } from '../http/app-error.ts';
import { LimitsService, type Window } from '../http/limits.service.ts';
import { MailService } from '../mail/mail.service.ts';
import { UserEntity } from '../users/user.entity.ts';
import { DevicesService } from './devices.service.ts';
import { GoogleIdentity } from './google.ts';
import { PasswordsService } from './passwords.service.ts';
import { LOCK_SECONDS, SignInGuard } from './sign-in-guard.service.ts';
import type { Visitor } from './visitor.ts';
import { type Welcome, WelcomeService } from './welcome.service.ts';

/**
 * Failures of unknown browsers for one IPv4 address or one IPv6 /64. Successful sign-ins, refused calls, and browsers that
 * have signed in to the number before, do not count.
 */
const PER_ADDRESS: Window[] = [
  { most: 20, perSeconds: 15 * 60 },
  { most: 100, perSeconds: 24 * 3_600 },
];

/** One audit row for a lock: the wait tells that of the day from that of the quarter of an hour. */
const oneLock = ({ retryAfterSeconds = 0 }: Partial<AppError>): Window[] =>
  PER_ADDRESS.filter(({ perSeconds }) => perSeconds >= retryAfterSeconds)
    .slice(0, 1)
    .map(({ perSeconds }) => ({ most: 1, perSeconds }));

const wrong = () => new AppError('UNAUTHENTICATED', 'Invalid mobile number or password');

/** The ways in for those who have an account. An account that was deleted and is not yet erased is restored by it. */
@Injectable()
export class SignInService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(LimitsService) private readonly limits: LimitsService,
    @Inject(SignInGuard) private readonly guard: SignInGuard,
    @Inject(DevicesService) private readonly devices: DevicesService,
    @Inject(PasswordsService) private readonly passwords: PasswordsService,
    @Inject(GoogleIdentity) private readonly google: GoogleIdentity,
    @Inject(WelcomeService) private readonly welcomes: WelcomeService,
    @Inject(AuditService) private readonly audit: AuditService,
    @Inject(SecurityEventsService) private readonly events: SecurityEventsService,
    @Inject(MailService) private readonly mails: MailService,
  ) {}

  /**
   * Signs in by mobile number and password. UNAUTHENTICATED with one answer, after the same work, for an unknown number
   * and a wrong password; TOO_MANY for whoever has guessed too often, whether or not the number has an account.
   */
  async byPassword({ mobileNo, password, rememberMe }: SignIn, visitor: Visitor): Promise<Welcome> {
    const counter = await this.devices.counterFor(visitor.device, mobileNo);
    const isKnown = counter !== '';
    if (!isKnown) await this.countAddress(visitor);
    const lockSeconds = await this.guard.attempt(mobileNo, counter);
    const user = await this.findBy('user.mobileNo = :mobileNo', { mobileNo });
    const isRight = await this.passwords.verify(user?.passwordHash ?? null, password);
    if (!user || !isRight) {
      const event = { subject: user?.id ?? maskMobile(mobileNo), detail: { way: 'password' } };
      await this.events.record({ action: 'sign-in.failed', ...event }, visitor);
      if (lockSeconds >= LOCK_SECONDS)
        await this.events.record({ action: 'sign-in.locked', ...event, detail: { seconds: lockSeconds } }, visitor);
      throw wrong();
    }
    await this.guard.succeed(mobileNo, counter);
    if (!isKnown) await this.limits.giveBack('sign-in', visitor.address);
    await this.strengthen(user, password);
    return this.letIn(user, visitor, 'password', rememberMe);
  }

  /**
   * Signs in by Google's ID token. INVALID for a token that proves nothing, CONFLICT when no account has its address:
   * registering asks for more than Google knows.
   */
  async byGoogle(token: string, visitor: Visitor): Promise<Welcome> {
    await this.countAddress(visitor);
    const email = await this.google.verifiedEmail(token).catch(async (error) => {
      if (error instanceof AppError && error.code === 'INVALID')
        await this.events.record({ action: 'sign-in.failed', subject: 'google', detail: { way: 'google' } }, visitor);
      throw error;
    });
    const user = await this.findBy('lower(user.email) = lower(:email)', { email });
    if (!user) throw new AppError('CONFLICT', 'No account uses this Google address yet. Please register first.');
    await this.limits.giveBack('sign-in', visitor.address);
    return this.letIn(user, visitor, 'google', false);
  }

  private async countAddress(visitor: Visitor): Promise<void> {
    const { address } = visitor;
    if (!address) return;
    try {
      // Not takeFor: an IPv6 /64 has as many failures as an IPv4 address.
      await this.limits.take('sign-in', address.key, PER_ADDRESS);
    } catch (error) {
      // A refused call must not shorten the day's count.
      await this.limits.giveBack('sign-in', address);
      // One row for each lock, not for each refused request.
      if (await this.limits.tryTake('sign-in-lock', address.key, oneLock(error as Partial<AppError>)))
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

  /** Hashes the password again when hashes have become dearer; only now it is known. */
  private async strengthen({ id, passwordHash }: UserEntity, password: string): Promise<void> {
    if (passwordHash === null || !this.passwords.isOutdated(passwordHash)) return;
    const stronger = await this.passwords.hash(password);
    // Unless it was changed meanwhile.
    await this.dataSource.getRepository(UserEntity).update({ id, passwordHash }, { passwordHash: stronger });
  }

  private letIn(user: UserEntity, visitor: Visitor, way: 'password' | 'google', remembered: boolean): Promise<Welcome> {
    return this.dataSource.transaction(async (manager) => {
      if (user.deletedAt) await this.restore(manager, user, visitor.requestId);
      return this.welcomes.welcome(manager, user, visitor, { way, remembered });
    });
  }

  private async restore(manager: EntityManager, user: UserEntity, requestId: string): Promise<void> {
    const { id, mobileNo, email, username } = user;
    const { affected } = await manager.getRepository(UserEntity).update({ id, mobileNo }, { deletedAt: null });
    // Erased between the look at it and now.
    if (affected !== 1) throw wrong();
    await this.audit.record(manager, { action: 'account.restored', actorId: id, subject: id, detail: {}, requestId });
    await this.mails.queue(manager, { kind: 'account-restored', to: email, username });
  }
}
