import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import { takeNamedLock } from '../../database/locks.sql.ts';
import { INSERT_DIFFERENCE_NOTICES } from './alerts.sql.ts';

/** Notifies followers that the portal and the documents of a tender name different estimates. */
@Injectable()
export class DifferenceNoticesService {
  constructor(@Inject(CLOCK) private readonly now: () => Date) {}

  /** Stores one notice for each follower and tender, however often it is called, and queues its pushes. */
  async notify(tenderIds: readonly number[], manager: EntityManager): Promise<void> {
    // A fixed order of locks avoids deadlocks between processes.
    for (const id of tenderIds.toSorted((one, other) => one - other))
      await takeNamedLock(manager, `difference notices ${id}`);
    if (tenderIds.length > 0) await manager.query(INSERT_DIFFERENCE_NOTICES, [tenderIds, this.now()]);
  }
}
