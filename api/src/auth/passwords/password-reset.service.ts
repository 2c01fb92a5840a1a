import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { t } from '@lingui/core/macro';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { pathIn } from '@nivida/contract/languages';
import { MINUTE_MS } from '@nivida/contract/time';
import { And, DataSource, type EntityManager, IsNull, LessThanOrEqual, MoreThan } from 'typeorm';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { AppError } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import type { RequestOrigin } from '../../http/security/client-address.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { MailService } from '../../mail/mail.service.ts';
import { OtpService } from '../otp/otp.service.ts';
import { SecurityEventsService } from '../security-events.service.ts';
import { SessionsService } from '../sessions/sessions.service.ts';
import { ProviderIdentitiesService } from '../sign-in/provider-identities.service.ts';
import { SignInThrottleService } from '../sign-in/sign-in-throttle.service.ts';
import { UserEntity } from '../user.entity.ts';
import { PasswordResetEntity } from './password-reset.entity.ts';
import { PasswordsService } from './passwords.service.ts';

const LINK_LIFETIME_MS = 30 * MINUTE_MS;
/** Duration of every answer, with or without an account. A link is usually queued within it. */
const RESPONSE_TIME_MS = 250;

const UNKNOWN_LINK = new AppError(
  'INVALID',
  () => t`This link does not work. Use the link of the newest mail, or request a new one.`,
);
const EXPIRED_LINK = new AppError('INVALID', () => t`This link has expired. Request a new one.`);
const USED_LINK = new AppError(
  'INVALID',
  () => t`This link was already used. Sign in with your new password, or request a new link.`,
);

/** Sets a new password by a link that is mailed to the account's address. */
@Injectable()
export class PasswordResetService {
  private readonly logger = new Logger('Reset');
  private readonly pendingMails = new Set<Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    private readonly mails: MailService,
    private readonly passwords: PasswordsService,
    private readonly sessions: SessionsService,
    private readonly identities: ProviderIdentitiesService,
    private readonly signInThrottle: SignInThrottleService,
    private readonly otp: OtpService,
    private readonly events: SecurityEventsService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Mails a link to the account of this address, if there is one. TOO_MANY after 3 requests for an address within an hour,
   * with or without an account, and for a sender of many requests.
   */
  async requestLink(email: string, origin: RequestOrigin): Promise<void> {
    await this.limits.consume('reset', { email, sender: origin });
    const mailing = this.mailLink(email, origin.requestId)
      .catch((error: Error) => this.logger.error(`A link for a new password was not queued: ${error.stack}`))
      .finally(() => this.pendingMails.delete(mailing));
    this.pendingMails.add(mailing);
    // Waiting for the mail would reveal by the response time that the account exists.
    await wait(RESPONSE_TIME_MS);
  }

  /** Resolves when every requested link is queued. */
  async waitForMails(): Promise<void> {
    await Promise.all(this.pendingMails);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.waitForMails();
  }

  private async mailLink(email: string, requestId: string): Promise<void> {
    const user = await this.dataSource
      .getRepository(UserEntity)
      .createQueryBuilder('user')
      .where('lower(user.email) = lower(:email)', { email })
      .getOne();
    if (!user) return;
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(this.now().getTime() + LINK_LIFETIME_MS);
    await this.dataSource.transaction(async (manager) => {
      // One row per account: a new link replaces the old one.
      await manager
        .getRepository(PasswordResetEntity)
        .upsert({ userId: user.id, tokenHash: sha256Hex(token), expiresAt, usedAt: null }, ['userId']);
      await this.mails.queue(manager, {
        kind: 'password-reset',
        to: user.email,
        language: user.language,
        username: user.username,
        // A fragment is sent neither to server logs nor in a Referer header.
        link: `${this.config.publicOrigin}${pathIn(user.language, '/reset-password')}#token=${token}`,
      });
      const event = { action: 'password.reset-asked', actorId: null, subject: user.id, detail: {}, requestId };
      await recordAuditEvent(manager, event, this.now());
    });
  }

  /**
   * Sets the password of the link's account and ends all its sessions and its link with Google. INVALID unless the link is the
   * newest and unused.
   */
  async reset({ token, newPassword }: { token: string; newPassword: string }, origin: RequestOrigin): Promise<void> {
    const { requestId } = origin;
    const tokenHash = sha256Hex(token);
    const user = await this.findUser(tokenHash, origin);
    const { username, email, mobileNo, companyName, language } = user;
    this.passwords.assertStrong(newPassword, [username, email, mobileNo, companyName], 'newPassword');
    const passwordHash = await this.passwords.hash(newPassword);
    await this.dataSource.transaction(async (manager) => {
      const now = this.now();
      const expiresAt = And(MoreThan(now), LessThanOrEqual(this.latestPlausibleExpiry()));
      const { affected } = await manager
        .getRepository(PasswordResetEntity)
        .update({ tokenHash, usedAt: IsNull(), expiresAt }, { usedAt: now });
      if (affected === 0) throw USED_LINK;
      await manager.getRepository(UserEntity).update({ id: user.id }, { passwordHash });
      await this.endOtherAccess(manager, user, requestId);
      await this.mails.queue(manager, { kind: 'password-changed', to: email, language, username });
      const event = { action: 'password.reset', actorId: user.id, subject: user.id, detail: {}, requestId };
      await recordAuditEvent(manager, event, this.now());
    });
  }

  /** Voids the pending reset link and e-mail changes of an account. */
  async voidPending(manager: EntityManager, user: Pick<UserEntity, 'id' | 'email'>): Promise<void> {
    await manager.getRepository(PasswordResetEntity).delete({ userId: user.id });
    await this.otp.voidPending(manager, user);
  }

  /** Ends all sessions, the link with Google, sign-in locks and pending e-mail changes. */
  private async endOtherAccess(manager: EntityManager, user: UserEntity, requestId: string): Promise<void> {
    await this.sessions.endAll(manager, user.id);
    await this.identities.unlink(manager, user.id, requestId);
    await this.signInThrottle.clearAll(manager, user.mobileNo);
    await this.otp.voidPending(manager, user);
  }

  private async findUser(tokenHash: string, origin: RequestOrigin): Promise<UserEntity> {
    const link = await this.dataSource.getRepository(PasswordResetEntity).findOneBy({ tokenHash });
    const refused = this.rejectionReason(link);
    if (!link || refused) {
      const event = { subject: link?.userId ?? 'unknown', detail: { reason: refused?.message ?? '' } };
      await this.events.record({ action: 'reset.refused', ...event }, origin);
      throw refused;
    }
    return this.dataSource.getRepository(UserEntity).findOneByOrFail({ id: link.userId });
  }

  private rejectionReason(link: PasswordResetEntity | null): AppError | undefined {
    if (!link) return UNKNOWN_LINK;
    if (link.usedAt) return USED_LINK;
    return link.expiresAt <= this.now() || link.expiresAt > this.latestPlausibleExpiry() ? EXPIRED_LINK : undefined;
  }

  /** A link with a later expiry was created by a clock that has been set back since. */
  private latestPlausibleExpiry(): Date {
    return new Date(latestPlausibleInstant(this.now()).getTime() + LINK_LIFETIME_MS);
  }
}
