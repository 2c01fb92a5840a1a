import { Inject, Injectable } from '@nestjs/common';
import type { SessionStart } from '@nivida/contract/auth';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.ts';
import { ClaimService } from '../orders/claim.service.ts';
import type { UserEntity } from '../users/user.entity.ts';
import { toUser } from '../users/users.service.ts';
import { DevicesService } from './devices.service.ts';
import { SessionsService } from './sessions.service.ts';
import type { Visitor } from './visitor.ts';

/** What a visitor gets who was let in; `device` is the token of his browser's cookie. */
export interface Welcome {
  start: SessionStart;
  device: string;
}

/** The last step of every way in: earlier purchases, the session, the known browser and the audit row, in one transaction. */
@Injectable()
export class WelcomeService {
  constructor(
    @Inject(SessionsService) private readonly sessions: SessionsService,
    @Inject(DevicesService) private readonly devices: DevicesService,
    @Inject(AuditService) private readonly audit: AuditService,
    @Inject(ClaimService) private readonly claims: ClaimService,
  ) {}

  /** Signs a user in who has proved who he is, by what is in `way`. */
  async welcome(
    manager: EntityManager,
    user: UserEntity,
    { device, userAgent, requestId }: Visitor,
    { way, remembered }: { way: 'password' | 'google' | 'registration'; remembered: boolean },
  ): Promise<Welcome> {
    await this.claims.claimOrders(manager, user);
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
      start: { token, user: toUser(user) },
      device: await this.devices.remember(manager, device, user.id),
    };
  }
}
