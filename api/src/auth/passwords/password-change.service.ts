import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { invalidField } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import type { RequestOrigin } from '../../http/security/client-address.ts';
import { MailService } from '../../mail/mail.service.ts';
import { PasskeyStateService } from '../passkeys/passkey-state.service.ts';
import { SecurityEventsService } from '../security-events.service.ts';
import { SessionsService, type SignedInUser } from '../sessions/sessions.service.ts';
import { ProviderIdentitiesService } from '../sign-in/provider-identities.service.ts';
import { SIGNED_IN_COUNTER, SignInThrottleService } from '../sign-in/sign-in-throttle.service.ts';
import { UserEntity } from '../user.entity.ts';
import { PasswordResetService } from './password-reset.service.ts';
import { PasswordsService } from './passwords.service.ts';

/** Changes the password of a signed-in user who knows the current one. */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly signInThrottle: SignInThrottleService,
    private readonly passwords: PasswordsService,
    private readonly passkeys: PasskeyStateService,
    private readonly resets: PasswordResetService,
    private readonly sessions: SessionsService,
    private readonly identities: ProviderIdentitiesService,
    private readonly mails: MailService,
    @Inject(CLOCK) private readonly now: () => Date,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Changes the password, ends all other sessions and the link with Google, voids pending reset links and e-mail changes, and
   * mails the owner.
   * INVALID with a message per field for a wrong current password or a weak new one: clients would sign out on a 401.
   * PASSKEY_NEEDED for an account with a second factor without a recent confirmation. TOO_MANY after several wrong passwords.
   */
  async change(
    signedInUser: SignedInUser,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    origin: RequestOrigin,
  ): Promise<void> {
    const { id, sessionId } = signedInUser;
    const { requestId } = origin;
    await this.passkeys.assertSecondFactor(signedInUser);
    const user = await this.find(id);
    await this.signInThrottle.countAttempt(user.mobileNo, SIGNED_IN_COUNTER);
    if (!(await this.passwords.verify(user.passwordHash, currentPassword))) {
      await this.events.record({ action: 'password-check.failed', subject: id, detail: { for: 'change' } }, origin);
      throw invalidField('currentPassword', () => t`The current password is wrong`);
    }
    await this.signInThrottle.clearCounter(user.mobileNo, SIGNED_IN_COUNTER);
    if (newPassword === currentPassword)
      throw invalidField('newPassword', () => t`Please choose a password that is not your current one`);
    const { username, email, mobileNo, companyName, language } = user;
    this.passwords.assertStrong(newPassword, [username, email, mobileNo, companyName], 'newPassword');
    const passwordHash = await this.passwords.hash(newPassword);
    await this.dataSource.transaction(async (manager) => {
      await manager.getRepository(UserEntity).update({ id }, { passwordHash });
      await this.sessions.endAll(manager, id, sessionId);
      await this.identities.unlink(manager, id, requestId);
      await this.resets.voidPending(manager, user);
      await this.mails.queue(manager, { kind: 'password-changed', to: email, language, username });
      const event = { action: 'password.changed', actorId: id, subject: id, detail: {}, requestId };
      await recordAuditEvent(manager, event, this.now());
    });
  }

  private find(id: string): Promise<UserEntity> {
    return this.dataSource
      .getRepository(UserEntity)
      .createQueryBuilder('user')
      .addSelect('user.passwordHash')
      .where('user.id = :id', { id })
      .getOneOrFail();
  }
}
