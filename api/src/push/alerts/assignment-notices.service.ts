import { Inject, Injectable } from '@nestjs/common';
import { indianDay } from '@nivida/contract/format';
import { dayText } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import { INSERT_ASSIGNMENT_NOTICES } from './alerts.sql.ts';

/** After these days a push about an assignment is too late. */
const USEFUL_DAYS = 7;

/** Notifies members of a firm of the rows of checklists that were assigned to them. */
@Injectable()
export class AssignmentNoticesService {
  constructor(@Inject(CLOCK) private readonly now: () => Date) {}

  /** Stores the notices for these rows of a firm and queues their pushes, in the transaction of `manager` that assigned them. */
  async notify(manager: EntityManager, firmId: string, rowIds: readonly string[]): Promise<void> {
    const now = this.now();
    await manager.query(INSERT_ASSIGNMENT_NOTICES, [firmId, now, rowIds, dayText(indianDay(now) + USEFUL_DAYS)]);
  }
}
