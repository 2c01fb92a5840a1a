import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { AppError } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { FirmEntity, FirmMemberEntity } from './firm.entity.ts';
import { FIRM_PLAN_END } from './firms.sql.ts';

/** The answer for every firm of which the caller is not a member, whether it exists or not. */
export const notAMember = () => new AppError('NOT_A_MEMBER', () => t`You are not a member of this firm`);

/** Decides for every call whether its user belongs to the firm that it names. */
@Injectable()
export class FirmAccessService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The membership of a user. NOT_A_MEMBER. */
  async member(firmId: string, userId: string, manager = this.dataSource.manager): Promise<FirmMemberEntity> {
    const where = { firmId, userId, leftAt: IsNull() };
    const found = UUID_REGEX.test(firmId) && (await manager.findOneBy(FirmMemberEntity, where));
    if (!found) throw notAMember();
    return found;
  }

  /**
   * The membership, with the firm locked until the transaction ends: a change of the firm's records and the removal of its
   * author happen one after the other. NOT_A_MEMBER.
   */
  async lockForMember(manager: EntityManager, firmId: string, userId: string): Promise<FirmMemberEntity> {
    if (!UUID_REGEX.test(firmId)) throw notAMember();
    await manager.findOne(FirmEntity, { where: { id: firmId }, lock: { mode: 'for_no_key_update' } });
    return this.member(firmId, userId, manager);
  }

  /** `lockForMember` for owners. FORBIDDEN for other members. */
  async lockForOwner(manager: EntityManager, firmId: string, userId: string): Promise<FirmMemberEntity> {
    const member = await this.lockForMember(manager, firmId, userId);
    if (member.role !== 'owner') throw new AppError('FORBIDDEN', () => t`Only an owner of the firm can do this`);
    return member;
  }

  /** The end of the firm's plan; null without one. */
  async planEnd(firmId: string, manager = this.dataSource.manager): Promise<Date | null> {
    const [{ ends_at: end }]: [{ ends_at: Date | null }] = await manager.query(FIRM_PLAN_END, [
      firmId,
      this.now(),
      !this.gateway.live,
    ]);
    return end;
  }

  /** Whether the firm's records can be changed: it has a plan, or nothing is sold. */
  async canWrite(firmId: string, manager = this.dataSource.manager): Promise<boolean> {
    return this.gateway.mode === 'none' || (await this.planEnd(firmId, manager)) !== null;
  }
}
