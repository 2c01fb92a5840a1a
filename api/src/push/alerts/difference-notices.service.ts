import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import { INSERT_DIFFERENCE_NOTICES } from './alerts.sql.ts';

/** Notifies followers that the portal and the documents of a tender name different estimates. */
@Injectable()
export class DifferenceNoticesService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Stores one notice for each follower and tender, however often it is called, and queues its pushes. */
  async notify(tenderIds: readonly number[]): Promise<void> {
    if (tenderIds.length > 0) await this.dataSource.query(INSERT_DIFFERENCE_NOTICES, [tenderIds, this.now()]);
  }
}
