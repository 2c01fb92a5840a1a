import { Injectable } from '@nestjs/common';
import type { SessionStartResponse } from '@nivida/contract/account/auth';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.ts';
import { AccountOpened } from '../account-opened.port.ts';
import { SessionsService } from '../sessions/sessions.service.ts';
import type { UserEntity } from '../user.entity.ts';
import { toUser } from '../user.ts';
import { KnownBrowsersService } from './known-browsers.service.ts';
import type { Visitor } from './visitor.ts';

/** The result of a sign-in; `deviceToken` is the token of the browser's cookie. */
export interface SignInResult {
  session: SessionStartResponse;
  deviceToken: string;
}

/** The last step of every sign-in: claims earlier purchases, starts the session, remembers the browser, records the event. */
@Injectable()
export class SignInCompletionService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly knownBrowsers: KnownBrowsersService,
    private readonly audit: AuditService,
    private readonly accountOpened: AccountOpened,
  ) {}

  /** Signs in a user whose identity is verified, in the transaction of `manager`. */
  async complete(
    manager: EntityManager,
    user: UserEntity,
    { deviceToken: device, userAgent, requestId }: Visitor,
    { way, remembered }: { way: 'password' | 'google' | 'registration'; remembered: boolean },
  ): Promise<SignInResult> {
    await this.accountOpened.beforeSession(manager, user);
    const token = await this.sessions.start(user, remembered, userAgent, manager);
    const detail = { way, remembered };
    await this.audit.record(manager, {
      action: 'session.started',
      actorId: user.id,
      subject: user.id,
      detail,
      requestId,
    });
    return {
      session: { token, user: toUser(user) },
      deviceToken: await this.knownBrowsers.remember(manager, device, user.id),
    };
  }
}
