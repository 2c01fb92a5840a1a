import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { DeskFirmResponse, ListedFirm } from '@nivida/contract/desk/firms';
import { DataSource, MoreThan } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { maskEmail } from '../../auth/security-events.service.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { FirmEntity, FirmInvitationEntity } from '../../firms/firm.entity.ts';
import { FirmAccessService } from '../../firms/firm-access.service.ts';
import { FirmsService } from '../../firms/firms.service.ts';
import { GiftsService } from '../../plans/gifts.service.ts';
import { AuditLogService } from '../audit-log/audit-log.service.ts';
import { readNewestOrders } from '../orders/newest-orders.ts';
import { PeopleService } from '../people/people.service.ts';
import { FOUND_FIRMS } from './desk-firms.sql.ts';

const SHOWN_EVENTS = 20;

type FoundFirm = Omit<ListedFirm, 'planEndsAt' | 'createdAt'> & { createdAt: Date };

/** Firms for support: members, plans, orders and the data of invoices, without their records and without contact data of members. */
@Injectable()
export class DeskFirmsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly people: PeopleService,
    private readonly firms: FirmsService,
    private readonly access: FirmAccessService,
    private readonly gifts: GiftsService,
    private readonly auditLog: AuditLogService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Up to 50 firms with this id, name or member, present or former; without a text the newest. */
  async search(text: string): Promise<ListedFirm[]> {
    const members = text === '' ? [] : (await this.people.search(text)).map(({ id }) => id);
    return this.find(text === '' ? null : text, members);
  }

  /** A firm. NOT_FOUND. */
  async read(id: string): Promise<DeskFirmResponse> {
    const [listed] = UUID_REGEX.test(id) ? await this.find(id, []) : [];
    if (!listed) throw new AppError('NOT_FOUND', () => t`Firm not found`);
    const { manager } = this.dataSource;
    const { address, gstin } = await manager.findOneByOrFail(FirmEntity, { id });
    const open = { firmId: id, expiresAt: MoreThan(this.now()) };
    const invitations = await manager.find(FirmInvitationEntity, { where: open, order: { createdAt: 'ASC' } });
    return {
      ...listed,
      ...{ address, gstin },
      members: await this.firms.allMembers(id),
      invitations: invitations.map(({ email, role, expiresAt }) => ({
        ...{ email: maskEmail(email), role },
        expiresAt: expiresAt.toISOString(),
      })),
      plans: await this.gifts.listOfFirm(id),
      orders: await readNewestOrders(manager, { firmId: id }),
      events: await this.auditLog.about(id, SHOWN_EVENTS),
    };
  }

  private async find(text: string | null, memberIds: readonly string[]): Promise<ListedFirm[]> {
    const found: FoundFirm[] = await this.dataSource.query(FOUND_FIRMS, [text, memberIds]);
    return Promise.all(
      found.map(async ({ createdAt, ...firm }) => ({
        ...firm,
        planEndsAt: (await this.access.planEnd(firm.id))?.toISOString() ?? null,
        createdAt: createdAt.toISOString(),
      })),
    );
  }
}
