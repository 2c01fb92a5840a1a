import { Inject, Injectable } from '@nestjs/common';
import type { StaffRole } from '@nivida/contract/desk/act';
import { readMobile } from '@nivida/contract/fields';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError, forPrograms } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { SessionsService } from '../sessions/sessions.service.ts';
import { UserEntity } from '../user.entity.ts';
import { StaffEntity } from './staff.entity.ts';

/** A member of the staff as lists show it. */
export interface ListedStaff {
  userId: string;
  username: string;
  role: StaffRole;
  grantedAt: Date;
  grantedBy: string;
}

/** Grants and revokes roles. Only commands on the server do it; no call does. */
@Injectable()
export class StaffService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Gives the account with this mobile number a role, or another one. NOT_FOUND without an account. */
  async add(mobile: string, role: StaffRole, grantedBy: string, act: OperatorAct): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const user = await this.find(manager, mobile);
      const before = await manager.getRepository(StaffEntity).findOneBy({ userId: user.id });
      await manager.getRepository(StaffEntity).save({ userId: user.id, role, grantedAt: this.now(), grantedBy });
      const detail = { role, grantedBy, before: before?.role ?? 'none' };
      await recordAct(manager, act, { action: 'staff.granted', subject: user.id, detail }, this.now());
    });
  }

  /** Ends a role and all sessions of its account. NOT_FOUND for an account that is not staff. */
  async remove(mobile: string, revokedBy: string, act: OperatorAct): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const user = await this.find(manager, mobile);
      const before = await manager.getRepository(StaffEntity).findOneBy({ userId: user.id });
      if (!before)
        throw new AppError('NOT_FOUND', forPrograms('This account is not staff; npm run staff -- list shows who is'));
      await manager.getRepository(StaffEntity).delete({ userId: user.id });
      await this.sessions.endAll(manager, user.id);
      const detail = { before: before.role, revokedBy };
      await recordAct(manager, act, { action: 'staff.revoked', subject: user.id, detail }, this.now());
    });
  }

  /** All staff, owners first. */
  list(): Promise<ListedStaff[]> {
    return this.dataSource
      .getRepository(StaffEntity)
      .createQueryBuilder('member')
      .innerJoin(UserEntity, 'account', 'account.id = member.userId')
      .select('member.userId', 'userId')
      .addSelect('account.username', 'username')
      .addSelect('member.role', 'role')
      .addSelect('member.grantedAt', 'grantedAt')
      .addSelect('member.grantedBy', 'grantedBy')
      .orderBy(`array_position(ARRAY['owner', 'operator', 'support'], member.role)`)
      .addOrderBy('member.grantedAt')
      .getRawMany<ListedStaff>();
  }

  private async find(manager: EntityManager, mobile: string): Promise<UserEntity> {
    const mobileNo = readMobile(mobile);
    const user =
      mobileNo &&
      (await manager.getRepository(UserEntity).findOneBy({ mobileNo: `+91${mobileNo}`, deletedAt: IsNull() }));
    if (!user)
      throw new AppError(
        'NOT_FOUND',
        forPrograms('There is no account with this mobile number; the member registers in the app first'),
      );
    return user;
  }
}
