import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { CompanyRequest } from '@nivida/contract/account/auth';
import type { MeResponse, UserInfoRequest, UserInfoResponse } from '@nivida/contract/account/user';
import { MAX_FIRM_ADDRESS_CHARACTERS, MAX_FIRM_CHARACTERS } from '@nivida/contract/orders/order';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { OtpService } from '../auth/otp/otp.service.ts';
import { PasskeyStateService } from '../auth/passkeys/passkey-state.service.ts';
import { PasswordResetService } from '../auth/passwords/password-reset.service.ts';
import { PasswordsService } from '../auth/passwords/passwords.service.ts';
import { SecurityEventsService } from '../auth/security-events.service.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { ProviderIdentitiesService } from '../auth/sign-in/provider-identities.service.ts';
import { SIGNED_IN_COUNTER, SignInThrottleService } from '../auth/sign-in/sign-in-throttle.service.ts';
import { UserEntity } from '../auth/user.entity.ts';
import { emailTaken, listedPlaces, toConflict, toUser } from '../auth/user.ts';
import { AppError, invalidField, signInRequired } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { FirmsService } from '../firms/firms.service.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import type { RequestOrigin } from '../http/security/client-address.ts';
import { MailService } from '../mail/mail.service.ts';
import { BuyerAccountService } from '../orders/buyer-account.service.ts';
import { AccountDeletionService } from './account-deletion.service.ts';
import { ACCOUNT_BY_EMAIL } from './users.sql.ts';

const MAX_SIGN_IN_AGE_MS = 15 * MINUTE_MS;

/** Defaults of the payment form: from the last tax invoice, else from the company. */
export const billingDefaults = ({
  gstin,
  billingFirm,
  billingAddress,
  companyName,
  address,
}: UserEntity): MeResponse['billing'] => ({
  gstin,
  firm: billingFirm || oneLine(companyName, MAX_FIRM_CHARACTERS),
  firmAddress: billingAddress || oneLine(address, MAX_FIRM_ADDRESS_CHARACTERS),
});

/** '12 Mall Road\nShimla' → '12 Mall Road, Shimla'. */
const oneLine = (text: string, maxCharacters: number): string =>
  [
    ...text
      .split(/\s*[\r\n\t]+\s*/)
      .filter(Boolean)
      .join(', '),
  ]
    .slice(0, maxCharacters)
    .join('');

/** The browser and the request of a profile change. */
export interface ProfileChangeContext {
  /** Cookie `otp_ctx`. */
  otpContext: string | undefined;
  origin: RequestOrigin;
}

/** The result of a profile change; `otpContext` is the browser's new cookie `otp_ctx`. */
export interface ProfileChangeResult {
  response: Omit<UserInfoResponse, 'message'>;
  otpContext: string | undefined;
}

/** Reads, changes and deletes the account of a signed-in user. */
@Injectable()
export class UsersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly otp: OtpService,
    private readonly resets: PasswordResetService,
    private readonly passwords: PasswordsService,
    private readonly passkeys: PasskeyStateService,
    private readonly identities: ProviderIdentitiesService,
    private readonly signInThrottle: SignInThrottleService,
    private readonly deletion: AccountDeletionService,
    private readonly limits: RateLimitsService,
    private readonly mails: MailService,
    private readonly events: SecurityEventsService,
    private readonly buyerAccounts: BuyerAccountService,
    private readonly firms: FirmsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  async me(id: string): Promise<MeResponse> {
    const user = await this.find(id);
    const { companyName, companyType, state, districts, departments, address, createdAt } = user;
    const company = { companyName, companyType, state, districts, departments, address };
    return { user: toUser(user), ...company, billing: billingDefaults(user), createdAt: createdAt.toISOString() };
  }

  /**
   * Changes the user's own profile. A new e-mail is stored only after this browser has verified it. Until then a code is
   * mailed to it, and the other fields are stored.
   * - FORBIDDEN for another id. Also for a new mobile number or e-mail without the password, if the sign-in was more than 15
   *   minutes ago.
   * - PASSKEY_NEEDED for these two in an account with a second factor, without a recent confirmation.
   * - INVALID at `password` for a wrong one.
   * - CONFLICT when another account has the mobile number or e-mail.
   * - TOO_MANY.
   */
  async change(
    signedInUser: SignedInUser,
    id: string,
    { password, ...profile }: UserInfoRequest,
    request: ProfileChangeContext,
  ): Promise<ProfileChangeResult> {
    if (id !== signedInUser.id) throw new AppError('FORBIDDEN', () => t`You can change your own profile only`);
    await this.limits.consume('profile', { account: signedInUser.id });
    const before = await this.find(signedInUser.id, password !== undefined);
    const movesEmail = profile.email.toLowerCase() !== before.email.toLowerCase();
    if (movesEmail || profile.mobileNo !== before.mobileNo) {
      const isConfirmed = await this.passkeys.assertSecondFactor(signedInUser);
      if (password !== undefined) await this.checkPassword(before, password, 'profile', request.origin);
      else if (!isConfirmed) this.assertRecentSignIn(signedInUser);
    }
    if (movesEmail && (await this.isTaken(profile.email))) throw emailTaken();
    const needsCode = movesEmail && !(await this.otp.isVerified(request.otpContext, profile.email));
    if (needsCode) await this.otp.consumeLimits(profile.email, request.origin);

    const after: UserEntity = { ...before, ...profile, email: needsCode ? before.email : profile.email };
    const context = await this.dataSource
      .transaction(async (manager) => {
        if (movesEmail && !needsCode) await this.consumeProof(manager, request.otpContext, profile.email);
        await this.store(manager, before, after, request.origin.requestId);
        if (!needsCode) return undefined;
        return this.otp.issueCode(manager, profile.email, {
          context: request.otpContext,
          userId: signedInUser.id,
          language: before.language,
        });
      })
      .catch((error) => {
        throw toConflict(error);
      });
    const pendingEmail = needsCode ? profile.email : null;
    return {
      response: { user: toUser(after), pendingEmail },
      otpContext: context,
    };
  }

  /**
   * Changes the company of the user's own account and returns the account. The states of a plan do not change. INVALID with
   * a message per field, TOO_MANY.
   */
  async changeCompany(id: string, company: CompanyRequest, requestId: string | null): Promise<MeResponse> {
    await this.limits.consume('profile', { account: id });
    const after = { ...company, ...listedPlaces(company) };
    const before = await this.find(id);
    const changed = (Object.keys(after) as (keyof typeof after)[]).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    );
    if (changed.length === 0) return this.me(id);
    await this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.getRepository(UserEntity).update({ id, deletedAt: IsNull() }, after);
      if (affected === 0) throw signInRequired();
      const detail = { fields: changed };
      const event = { action: 'profile.changed', actorId: id, subject: id, detail, requestId };
      await recordAuditEvent(manager, event, this.now());
    });
    return this.me(id);
  }

  /**
   * Deletes the user's own account. Signing in within 7 days restores it; after that it is erased. Returns the instant of the
   * erasure. INVALID at `password` for a wrong one, TOO_MANY after several, CONFLICT for the only owner of a firm with other
   * members.
   */
  async delete(signedInUser: SignedInUser, password: string, origin: RequestOrigin): Promise<Date> {
    const { requestId } = origin;
    const user = await this.find(signedInUser.id, true);
    await this.checkPassword(user, password, 'deletion', origin);
    return this.dataSource.transaction(async (manager) => {
      await this.firms.requireNoSoleOwnership(manager, user.id);
      const erasedOn = await this.deletion.close(manager, user);
      if (!erasedOn) throw signInRequired();
      const event = { action: 'account.deleted', actorId: user.id, subject: user.id, detail: {}, requestId };
      await recordAuditEvent(manager, event, this.now());
      return erasedOn;
    });
  }

  private async store(manager: EntityManager, before: UserEntity, after: UserEntity, requestId: string): Promise<void> {
    const { id, username, email, mobileNo, language } = after;
    const { affected } = await manager
      .getRepository(UserEntity)
      .update(
        { id, email: before.email, mobileNo: before.mobileNo, deletedAt: IsNull() },
        { username, email, mobileNo },
      );
    if (affected === 0) throw concurrentChangeConflict();
    const changed = (['username', 'email', 'mobileNo'] as const).filter((field) => before[field] !== after[field]);
    if (changed.length === 0) return;
    const event = { action: 'profile.changed', actorId: id, subject: id, detail: { fields: changed }, requestId };
    await recordAuditEvent(manager, event, this.now());
    if (mobileNo !== before.mobileNo) {
      const lastDigits = mobileNo.slice(-4);
      await this.mails.queue(manager, {
        ...{ kind: 'mobile-changed', to: before.email, language, username, lastDigits },
      });
    }
    if (email.toLowerCase() === before.email.toLowerCase()) return;
    await this.buyerAccounts.claimOrders(manager, { id, email });
    // The Google account of the old address must not open this account, and may be linked with another one.
    await this.identities.unlink(manager, id, requestId);
    // A reset link in the old mailbox must not give access to the account.
    await this.resets.voidPending(manager, before);
    await this.mails.queue(manager, {
      ...{ kind: 'email-changed', to: before.email, language, username, newEmail: email },
    });
  }

  private async consumeProof(manager: EntityManager, context: string | undefined, email: string): Promise<void> {
    if (!(await this.otp.consume(manager, context, email))) throw concurrentChangeConflict();
  }

  /** INVALID at `password` for a wrong one, TOO_MANY after several. */
  private async checkPassword(
    user: UserEntity,
    password: string,
    purpose: 'deletion' | 'profile',
    origin: RequestOrigin,
  ): Promise<void> {
    await this.signInThrottle.countAttempt(user.mobileNo, SIGNED_IN_COUNTER);
    if (!(await this.passwords.verify(user.passwordHash, password))) {
      await this.events.record({ action: 'password-check.failed', subject: user.id, detail: { for: purpose } }, origin);
      throw invalidField('password', () => t`The password is wrong`);
    }
    await this.signInThrottle.clearCounter(user.mobileNo, SIGNED_IN_COUNTER);
  }

  private assertRecentSignIn({ signedInAt }: SignedInUser): void {
    if (this.now().getTime() - signedInAt.getTime() > MAX_SIGN_IN_AGE_MS)
      throw new AppError('FORBIDDEN', () => t`Please sign in again to change this`);
  }

  private async isTaken(email: string): Promise<boolean> {
    const found: unknown[] = await this.dataSource.query(ACCOUNT_BY_EMAIL, [email]);
    return found.length > 0;
  }

  /** UNAUTHENTICATED when the account was deleted after the request was authenticated. */
  private async find(id: string, withPassword = false): Promise<UserEntity> {
    const query = this.dataSource.getRepository(UserEntity).createQueryBuilder('user');
    if (withPassword) query.addSelect('user.passwordHash');
    const user = await query.where('user.id = :id AND user.deletedAt IS NULL', { id }).getOne();
    if (!user) throw signInRequired();
    return user;
  }
}

const concurrentChangeConflict = () =>
  new AppError('CONFLICT', () => t`The profile was changed at the same time. Please try again.`);
