import { Inject, Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { PasswordResetService } from '../auth/passwords/password-reset.service.ts';
import { SessionsService } from '../auth/sessions/sessions.service.ts';
import { UserEntity } from '../auth/user.entity.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { MailService } from '../mail/mail.service.ts';
import { DELETION_GRACE_MS } from './erase-accounts.job.ts';

/** Closes accounts and opens them again. A closed account is erased after 7 days. The caller records the audit event. */
@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly resets: PasswordResetService,
    private readonly mails: MailService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Closes an account in the transaction of `manager`: its sessions end and its user gets a mail. Returns the instant of the
   * erasure; null when the account was closed before.
   */
  async close(manager: EntityManager, user: UserEntity): Promise<Date | null> {
    const now = this.now();
    const erasedOn = new Date(now.getTime() + DELETION_GRACE_MS);
    const { affected } = await manager
      .getRepository(UserEntity)
      .update({ id: user.id, deletedAt: IsNull() }, { deletedAt: now });
    if (affected === 0) return null;
    await this.sessions.endAll(manager, user.id);
    await this.resets.voidPending(manager, user);
    const { email: to, language, username } = user;
    await this.mails.queue(manager, { kind: 'account-deleted', to, language, username, erasedOn });
    return erasedOn;
  }

  /** Opens a closed account again and mails its user. False when the account is open, or erased. */
  async reopen(manager: EntityManager, { id, email: to, language, username }: UserEntity): Promise<boolean> {
    const { affected } = await manager
      .getRepository(UserEntity)
      .update({ id, mobileNo: Not(`erased-${id}`), deletedAt: Not(IsNull()) }, { deletedAt: null });
    if (affected === 0) return false;
    await this.mails.queue(manager, { kind: 'account-restored', to, language, username, isBySupport: true });
    return true;
  }
}
