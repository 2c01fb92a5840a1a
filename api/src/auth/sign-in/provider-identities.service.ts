import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Not } from 'typeorm';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { ProviderIdentityEntity } from './provider-identity.entity.ts';

/** CONFLICT: the account of an address belongs to another identity at Google. */
export const otherGoogleIdentity = () =>
  new AppError(
    'CONFLICT',
    () => t`This account belongs to another Google sign-in. Sign in with your mobile number and password.`,
  );

/** The identities at Google with which accounts sign in, at most one for each account. */
@Injectable()
export class ProviderIdentitiesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The id of the account of an identity; undefined for an unknown one. */
  async ownerOf(subject: string): Promise<string | undefined> {
    return (await this.dataSource.getRepository(ProviderIdentityEntity).findOneBy({ provider: 'google', subject }))
      ?.userId;
  }

  /** Whether an account is linked with another identity than this one. */
  isLinkedElsewhere(userId: string, subject: string): Promise<boolean> {
    const other = { provider: 'google', userId, subject: Not(subject) } as const;
    return this.dataSource.getRepository(ProviderIdentityEntity).existsBy(other);
  }

  /**
   * Links an identity with an account, in the transaction of `manager`. CONFLICT when one of them was linked otherwise in the
   * meantime.
   */
  async link(manager: EntityManager, identity: { userId: string; subject: string }, requestId: string): Promise<void> {
    const [repository, now] = [manager.getRepository(ProviderIdentityEntity), this.now()];
    const row = { provider: 'google', ...identity } as const;
    const { raw } = await repository
      .createQueryBuilder()
      .insert()
      .values({ ...row, linkedAt: now })
      .orIgnore()
      .returning('subject')
      .execute();
    if (raw.length === 0 && !(await repository.existsBy(row))) throw otherGoogleIdentity();
    if (raw.length === 0) return;
    const { userId } = identity;
    const event = { action: 'google.linked', actorId: userId, subject: userId, detail: {}, requestId };
    await recordAuditEvent(manager, event, now);
  }

  /** Ends the link of an account, if there is one. Its next sign-in with Google is by its address again. */
  async unlink(manager: EntityManager, userId: string, requestId: string): Promise<void> {
    const { affected } = await manager.getRepository(ProviderIdentityEntity).delete({ provider: 'google', userId });
    if (!affected) return;
    const event = { action: 'google.unlinked', actorId: userId, subject: userId, detail: {}, requestId };
    await recordAuditEvent(manager, event, this.now());
  }
}
