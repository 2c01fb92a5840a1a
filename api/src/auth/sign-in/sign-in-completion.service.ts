import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { SessionStartResponse } from '@nivida/contract/account/auth';
import type { EntityManager } from 'typeorm';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { MailService } from '../../mail/mail.service.ts';
import { AccountOpened } from '../account-opened.port.ts';
import { SessionsService, type ShownInSession } from '../sessions/sessions.service.ts';
import { UserEntity } from '../user.entity.ts';
import { toUser } from '../user.ts';
import { KnownBrowsersService } from './known-browsers.service.ts';
import { ProviderIdentitiesService } from './provider-identities.service.ts';
import type { Visitor } from './visitor.ts';

/** The result of a sign-in; `deviceToken` is the token of the browser's cookie. */
export interface SignInResult {
  session: SessionStartResponse;
  deviceToken: string;
}

/** A finished sign-in, or the token of one that needs a passkey or a recovery code too. */
export type SignInOutcome = SignInResult | { secondFactorToken: string };

/** How a user has signed in. */
export interface SignInWay {
  way: 'password' | 'google' | 'registration' | 'passkey';
  secondFactor?: 'passkey' | 'recovery-code';
  remembered: boolean;
  /** The identity at Google to link with the account. */
  googleSubject?: string | null;
  /** The passkey that was shown. */
  shown?: ShownInSession;
}

/** 401; the same for a wrong number, a wrong password and an account that was erased in the meantime. */
export const wrongCredentials = () => new AppError('UNAUTHENTICATED', () => t`Invalid mobile number or password`);

/**
 * The last step of every sign-in: restores an account that was deleted and is not erased yet, links Google's identity, claims earlier purchases, starts the session, remembers the browser,
 * records the event.
 */
@Injectable()
export class SignInCompletionService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly knownBrowsers: KnownBrowsersService,
    @Inject(CLOCK) private readonly now: () => Date,
    private readonly accountOpened: AccountOpened,
    private readonly mails: MailService,
    private readonly identities: ProviderIdentitiesService,
  ) {}

  /** Signs in a user whose identity is verified, in the transaction of `manager`. */
  async complete(
    manager: EntityManager,
    user: UserEntity,
    { deviceToken: device, userAgent, requestId }: Visitor,
    { way, secondFactor, remembered, shown, googleSubject }: SignInWay,
  ): Promise<SignInResult> {
    if (user.deletedAt) await this.restoreAccount(manager, user, requestId);
    if (googleSubject) await this.identities.link(manager, { userId: user.id, subject: googleSubject }, requestId);
    await this.accountOpened.beforeSession(manager, user);
    const token = await this.sessions.start(user, remembered, userAgent, manager, shown);
    const detail = { way, remembered, ...(secondFactor && { secondFactor }) };
    const event = { action: 'session.started', actorId: user.id, subject: user.id, detail, requestId };
    await recordAuditEvent(manager, event, this.now());
    return {
      session: { token, user: toUser(user), language: user.language },
      deviceToken: await this.knownBrowsers.remember(manager, device, user.id),
    };
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
