import { Inject, Injectable } from '@nestjs/common';
import { MAX_FIRM, MAX_FIRM_ADDRESS } from '@nivida/contract/order';
import type { Me, User, UserInfo, UserInfoAnswer } from '@nivida/contract/user';
import { DataSource, type EntityManager, IsNull, QueryFailedError } from 'typeorm';
import { AuditService } from '../audit/audit.service.ts';
import { SecurityEventsService } from '../audit/security-events.service.ts';
import { OtpService } from '../auth/otp.service.ts';
import { PasswordsService } from '../auth/passwords.service.ts';
import { ResetService } from '../auth/reset.service.ts';
import { SessionsService, type SignedInUser } from '../auth/sessions.service.ts';
import { SIGNED_IN, SignInGuard } from '../auth/sign-in-guard.service.ts';
import { AppError } from '../http/app-error.ts';
import type { ClientAddress, RequestOrigin } from '../http/client-address.ts';
import { LimitsService } from '../http/limits.service.ts';
import { CLOCK } from '../http/tokens.ts';
import { MailService } from '../mail/mail.service.ts';
import { ClaimService } from '../orders/claim.service.ts';
import { GRACE_MS } from './erase.service.ts';
import { UserEntity } from './user.entity.ts';

const FRESH_MS = 15 * 60_000;

/** The account as the wire and the device know it. */
export function toUser({ id, username, email, mobileNo }: UserEntity): User {
  return { _id: id, username, email, mobileNo };
}

/** What the payment form begins with: that of the last tax invoice, else of the company. */
export const toBilling = ({ gstin, billingFirm, billingAddress, companyName, address }: UserEntity): Me['billing'] => ({
  gstin,
  firm: billingFirm || oneLine(companyName, MAX_FIRM),
  firmAddress: billingAddress || oneLine(address, MAX_FIRM_ADDRESS),
});

/** '12 Mall Road, Shimla' of an address in two lines. */
const oneLine = (text: string, most: number): string =>
  [
    ...text
      .split(/\s*[\r\n\t]+\s*/)
      .filter(Boolean)
      .join(', '),
  ]
    .slice(0, most)
    .join('');

/** CONFLICT in words when a statement failed because another account has this mobile or e-mail; else the error itself. */
export function toConflict(error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  switch ((error.driverError as { constraint?: string }).constraint) {
    case 'account_mobile':
      return taken('mobileNo', 'An account with this mobile number already exists');
    case 'account_email':
      return taken('email', 'An account with this email already exists');
    default:
      return error;
  }
}

/** The browser and the request that a change comes from. */
export interface Asker {
  /** Its cookie `otp_ctx`. */
  context: string | undefined;
  address: ClientAddress | undefined;
  requestId: string;
}

/** What a change of the profile led to; with `context` the browser gets a new cookie `otp_ctx`. */
export interface ProfileChange {
  answer: UserInfoAnswer;
  context: string | undefined;
}

/** Accounts as their owners see, change and delete them. */
@Injectable()
export class UsersService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(OtpService) private readonly otp: OtpService,
    @Inject(ResetService) private readonly resets: ResetService,
    @Inject(PasswordsService) private readonly passwords: PasswordsService,
    @Inject(SignInGuard) private readonly signInGuard: SignInGuard,
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(LimitsService) private readonly limits: LimitsService,
    @Inject(MailService) private readonly mails: MailService,
    @Inject(AuditService) private readonly audit: AuditService,
    @Inject(SecurityEventsService) private readonly events: SecurityEventsService,
    @Inject(ClaimService) private readonly claims: ClaimService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The account of somebody who is signed in. */
  async me(id: string): Promise<Me> {
    const user = await this.find(id);
    const { companyName, companyType, state, districts, departments, address, createdAt } = user;
    const company = { companyName, companyType, state, districts, departments, address };
    return { user: toUser(user), ...company, billing: toBilling(user), createdAt: createdAt.toISOString() };
  }

  /**
   * Changes one's own profile. A new e-mail is stored once this browser has verified it; until then a code goes to it and
   * everything else is stored. FORBIDDEN for any other id, and for a new mobile or e-mail later than 15 minutes after
   * signing in; CONFLICT when another account has it; TOO_MANY.
   */
  async change(who: SignedInUser, id: string, wanted: UserInfo, asker: Asker): Promise<ProfileChange> {
    if (id !== who.id) throw new AppError('FORBIDDEN', 'You can change your own profile only');
    await this.limits.take('profile', who.id, [{ most: 10, perSeconds: 3_600 }]);
    const before = await this.find(who.id);
    const movesEmail = wanted.email.toLowerCase() !== before.email.toLowerCase();
    if (movesEmail || wanted.mobileNo !== before.mobileNo) this.refuseStale(who);
    if (movesEmail && (await this.isTaken(wanted.email)))
      throw taken('email', 'An account with this email already exists');
    const needsCode = movesEmail && !(await this.otp.isVerified(asker.context, wanted.email));
    if (needsCode) await this.otp.admit(wanted.email, asker.address);

    const after: UserEntity = { ...before, ...wanted, email: needsCode ? before.email : wanted.email };
    const context = await this.dataSource
      .transaction(async (manager) => {
        if (movesEmail && !needsCode) await this.useProof(manager, asker.context, wanted.email);
        await this.store(manager, before, after, asker.requestId);
        if (!needsCode) return undefined;
        return this.otp.issue(manager, wanted.email, { context: asker.context, userId: who.id });
      })
      .catch((error) => {
        throw toConflict(error);
      });
    const pendingEmail = needsCode ? wanted.email : null;
    return { answer: { message: 'Profile updated successfully!', user: toUser(after), pendingEmail }, context };
  }

  /**
   * Deletes one's own account: it can be restored by signing in within 7 days, then it is erased. Gives the instant from
   * which it cannot. INVALID at `password` for a wrong one, TOO_MANY after several.
   */
  async delete(who: SignedInUser, password: string, origin: RequestOrigin): Promise<Date> {
    const { requestId } = origin;
    const user = await this.find(who.id, true);
    await this.signInGuard.attempt(user.mobileNo, SIGNED_IN);
    if (!(await this.passwords.verify(user.passwordHash, password))) {
      await this.events.record(
        { action: 'password-check.failed', subject: who.id, detail: { for: 'deletion' } },
        origin,
      );
      throw new AppError('INVALID', 'The password is wrong', { password: 'The password is wrong' });
    }
    await this.signInGuard.succeed(user.mobileNo, SIGNED_IN);
    const now = this.now();
    const erasedOn = new Date(now.getTime() + GRACE_MS);
    await this.dataSource.transaction(async (manager) => {
      const { affected } = await manager
        .getRepository(UserEntity)
        .update({ id: user.id, deletedAt: IsNull() }, { deletedAt: now });
      if (affected === 0) throw signedOut();
      await this.sessions.endAll(manager, user.id);
      await this.resets.void(manager, user);
      await this.mails.queue(manager, { kind: 'account-deleted', to: user.email, username: user.username, erasedOn });
      const deed = { action: 'account.deleted', actorId: user.id, subject: user.id, detail: {}, requestId };
      await this.audit.record(manager, deed);
    });
    return erasedOn;
  }

  private async store(manager: EntityManager, before: UserEntity, after: UserEntity, requestId: string): Promise<void> {
    const { id, username, email, mobileNo } = after;
    const { affected } = await manager
      .getRepository(UserEntity)
      .update(
        { id, email: before.email, mobileNo: before.mobileNo, deletedAt: IsNull() },
        { username, email, mobileNo },
      );
    if (affected === 0) throw meanwhile();
    const changed = (['username', 'email', 'mobileNo'] as const).filter((field) => before[field] !== after[field]);
    if (changed.length === 0) return;
    await this.audit.record(manager, {
      action: 'profile.changed',
      actorId: id,
      subject: id,
      detail: { fields: changed },
      requestId,
    });
    if (mobileNo !== before.mobileNo) {
      const lastDigits = mobileNo.slice(-4);
      await this.mails.queue(manager, { kind: 'mobile-changed', to: before.email, username, lastDigits });
    }
    if (email.toLowerCase() === before.email.toLowerCase()) return;
    await this.claims.claimOrders(manager, { id, email });
    // A link that waits in the old mailbox must not open the account any more.
    await this.resets.void(manager, before);
    await this.mails.queue(manager, { kind: 'email-changed', to: before.email, username, newEmail: email });
  }

  private async useProof(manager: EntityManager, context: string | undefined, email: string): Promise<void> {
    if (!(await this.otp.consume(manager, context, email))) throw meanwhile();
  }

  private refuseStale({ signedInAt }: SignedInUser): void {
    if (this.now().getTime() - signedInAt.getTime() > FRESH_MS)
      throw new AppError('FORBIDDEN', 'Please sign in again to change this');
  }

  private async isTaken(email: string): Promise<boolean> {
    const found: unknown[] = await this.dataSource.query('SELECT 1 FROM account WHERE lower(email) = lower($1)', [
      email,
    ]);
    return found.length > 0;
  }

  /** UNAUTHENTICATED when the account was deleted since the request was recognised. */
  private async find(id: string, withPassword = false): Promise<UserEntity> {
    const query = this.dataSource.getRepository(UserEntity).createQueryBuilder('user');
    if (withPassword) query.addSelect('user.passwordHash');
    const user = await query.where('user.id = :id AND user.deletedAt IS NULL', { id }).getOne();
    if (!user) throw signedOut();
    return user;
  }
}

const taken = (field: 'email' | 'mobileNo', message: string) => new AppError('CONFLICT', message, { [field]: message });
const meanwhile = () => new AppError('CONFLICT', 'The profile was changed at the same time. Please try again.');
const signedOut = () => new AppError('UNAUTHENTICATED', 'Please sign in');
