import { t } from '@lingui/core/macro';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lockAccount } from '../database/locks.sql.ts';
import { FirmAccessService } from '../firms/firm-access.service.ts';
import type { RecordSpace } from './record-space.ts';

/** The owner of records: an account or a firm. */
export interface RecordOwner {
  id: string;
  isFirm: boolean;
  /** The user whose call it is. */
  userId: string;
  /** False for a firm without a plan. */
  canWrite: boolean;
}

/** Checks with every call that its user may use the records that it names. */
@Injectable()
export class RecordOwnersService {
  constructor(private readonly firms: FirmAccessService) {}

  /** The owner for reading. NOT_A_MEMBER. */
  async find(manager: EntityManager, { userId, firmId }: RecordSpace): Promise<string> {
    if (firmId === undefined) return userId;
    return (await this.firms.member(firmId, userId, manager)).firmId;
  }

  /** The owner for a change, locked until the transaction ends. NOT_A_MEMBER. */
  async lock(manager: EntityManager, { userId, firmId }: RecordSpace): Promise<RecordOwner> {
    if (firmId === undefined) {
      await lockAccount(manager, userId);
      return { id: userId, isFirm: false, userId, canWrite: true };
    }
    const { firmId: id } = await this.firms.lockForMember(manager, firmId, userId);
    return { id, isFirm: true, userId, canWrite: await this.firms.canWrite(id, manager) };
  }

  /** NOT_A_MEMBER, FORBIDDEN for a member who is not an owner of the firm. */
  async requireOwnerOfFirm(manager: EntityManager, firmId: string, userId: string): Promise<void> {
    await this.firms.lockForOwner(manager, firmId, userId);
  }
}

/** Why records of a firm without a plan are not changed. */
export const noFirmPlanText = (): string =>
  t`The firm has no plan, so its bids can be read only. Unsaved changes stay on this device until it has one.`;
