import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { type FollowedOfficesResponse, isOfficeId } from '@nivida/contract/awards/awards';
import { MAX_FOLLOWED_OFFICES } from '@nivida/contract/limits';
import { DataSource } from 'typeorm';
import { AppError } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { lockAccount } from '../database/locks.sql.ts';
import { COUNT_FOLLOWED, FOLLOW_OFFICE, FOLLOWED_OFFICES, UNFOLLOW_OFFICE } from './followed-offices.sql.ts';

/** The offices whose new tenders and results a user gets as notices. */
@Injectable()
export class FollowedOfficesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** A user's offices, newest first. */
  async list(userId: string): Promise<FollowedOfficesResponse> {
    return { offices: await this.dataSource.query(FOLLOWED_OFFICES, [userId]) };
  }

  /** Follows an office; idempotent. NOT_FOUND for an office without awards, CONFLICT for the 51st office. */
  async follow(userId: string, id: string): Promise<FollowedOfficesResponse> {
    // The id may contain NUL, which PostgreSQL refuses.
    if (!isOfficeId(id)) throw new AppError('NOT_FOUND', () => t`This office was not found`);
    await this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, userId);
      const [{ others, isKnown }] = await manager.query(COUNT_FOLLOWED, [userId, id]);
      if (!isKnown) throw new AppError('NOT_FOUND', () => t`This office was not found`);
      if (others >= MAX_FOLLOWED_OFFICES)
        throw new AppError(
          'CONFLICT',
          () => t`You can follow at most ${{ max: MAX_FOLLOWED_OFFICES }} offices. Unfollow one first.`,
        );
      await manager.query(FOLLOW_OFFICE, [userId, id, this.now()]);
    });
    return this.list(userId);
  }

  async unfollow(userId: string, id: string): Promise<FollowedOfficesResponse> {
    if (isOfficeId(id)) await this.dataSource.query(UNFOLLOW_OFFICE, [userId, id]);
    return this.list(userId);
  }
}
