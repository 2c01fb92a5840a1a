import { Inject, Injectable } from '@nestjs/common';
import { type FollowedOfficesResponse, isOfficeId, MAX_FOLLOWED_OFFICES } from '@nivida/contract/awards/awards';
import { DataSource } from 'typeorm';
import { AppError } from '../http/errors/app-error.ts';
import { CLOCK } from '../http/injection-tokens.ts';
import { FOLLOW_OFFICE, FOLLOWED_OFFICES, OFFICE_STATISTICS, UNFOLLOW_OFFICE } from './award-reads.sql.ts';

/** Offices whose new tenders and results a user wants to hear of. */
@Injectable()
export class FollowedOfficesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  async list(userId: string): Promise<FollowedOfficesResponse> {
    const rows: FollowedOfficesResponse['offices'][number][] = (
      await this.dataSource.query(FOLLOWED_OFFICES, [userId])
    ).map(({ office }: { office: unknown }) => office);
    return { offices: rows };
  }

  /** NOT_FOUND for an office without statistics, CONFLICT above the limit. */
  async follow(userId: string, id: string): Promise<void> {
    const [office] = isOfficeId(id) ? await this.dataSource.query(OFFICE_STATISTICS, [id]) : [];
    if (!office) throw new AppError('NOT_FOUND', 'This office was not found');
    const rows = await this.dataSource.query(FOLLOW_OFFICE, [userId, id, this.now(), MAX_FOLLOWED_OFFICES]);
    if (rows.length === 0)
      throw new AppError('CONFLICT', `You can follow at most ${MAX_FOLLOWED_OFFICES} offices. Unfollow one first.`);
  }

  async unfollow(userId: string, id: string): Promise<void> {
    if (isOfficeId(id)) await this.dataSource.query(UNFOLLOW_OFFICE, [userId, id]);
  }
}
