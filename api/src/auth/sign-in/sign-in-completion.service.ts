import { Inject, Injectable } from '@nestjs/common';
import type { SessionStartResponse } from '@nivida/contract/account/auth';
import type { EntityManager } from 'typeorm';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
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
    @Inject(CLOCK) private readonly now: () => Date,
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
    const event = { action: 'session.started', actorId: user.id, subject: user.id, detail, requestId };
    await recordAuditEvent(manager, event, this.now());
    return {
      session: { token, user: toUser(user), language: user.language },
      deviceToken: await this.knownBrowsers.remember(manager, device, user.id),
    };
  }
}
