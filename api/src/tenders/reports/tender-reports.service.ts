import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { formatDateTime } from '@nivida/contract/format';
import type { TenderReportRequest } from '@nivida/contract/tenders/tender-report';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError, tenderNotFound } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { lockPublishedTenders } from '../../database/locks.sql.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import type { Sender } from '../../http/security/client-address.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { TenderReportEntity } from './tender-report.entity.ts';

const MAX_LISTED = 200;
/** Open reports of one account or device. */
const MAX_OPEN_OF_SENDER = 20;
/** Open reports of one tender: more say nothing new. */
const MAX_OPEN_OF_TENDER = 20;

/** Who reports: `userId` is of the session, if there is one. */
export interface Reporter {
  userId: string | null;
  sender: Sender;
}

/** Reports of mistakes: readers send them, the staff closes them. */
@Injectable()
export class TenderReportsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Stores a report once. NOT_FOUND for a tender that is not public. TOO_MANY for too many calls. CONFLICT for too many open
   * reports of the sender or of the tender: a report that is sent again later would be refused again.
   */
  async receive(
    tenderId: number,
    { id, kind, text }: TenderReportRequest,
    { userId, sender }: Reporter,
  ): Promise<void> {
    await this.limits.consume('tender-report', { sender });
    const key = userId ?? sender.device?.token;
    const digest = key === undefined ? null : sha256Hex(key);
    await this.dataSource.transaction(async (manager) => {
      const [known] = await lockPublishedTenders(manager, [tenderId], this.now());
      if (known === undefined) throw tenderNotFound();
      const reports = manager.getRepository(TenderReportEntity);
      // Sent again, it is no further one.
      if (await reports.existsBy({ id })) return;
      const open = { closedAt: IsNull() };
      if (digest !== null && (await reports.countBy({ ...open, sender: digest })) >= MAX_OPEN_OF_SENDER)
        throw new AppError('CONFLICT', () => t`You have reported 20 mistakes. We look at them first.`);
      if ((await reports.countBy({ ...open, tenderId })) >= MAX_OPEN_OF_TENDER)
        throw new AppError('CONFLICT', () => t`This tender was reported many times already. We are checking it.`);
      const report = { id, tenderId, userId, sender: digest, kind, text, createdAt: this.now() };
      await manager
        .createQueryBuilder()
        .insert()
        .into(TenderReportEntity)
        .values({ ...report, closedAt: null, closedReason: null })
        .orIgnore()
        .execute();
    });
  }

  /** The oldest open reports of all tenders, and the number of all. */
  async listOpen(): Promise<{ reports: TenderReportEntity[]; count: number }> {
    const [reports, count] = await this.dataSource
      .getRepository(TenderReportEntity)
      .findAndCount({ where: { closedAt: IsNull() }, order: { createdAt: 'ASC' }, take: MAX_LISTED });
    return { reports, count };
  }

  /** The reports of an account, for its export. */
  ofUser(userId: string): Promise<TenderReportEntity[]> {
    return this.dataSource
      .getRepository(TenderReportEntity)
      .find({ where: { userId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /**
   * Closes a report in the transaction of `manager`, of the tender if one is given. Returns it. NOT_FOUND; CONFLICT for a
   * closed one.
   */
  close(manager: EntityManager, id: string, act: OperatorAct, tenderId?: number): Promise<TenderReportEntity> {
    return this.change(manager, { id, tenderId }, act, 'tender.report-closed', ({ closedAt, closedReason }) => {
      if (closedAt) {
        const [when, reason] = [formatDateTime(closedAt), closedReason ?? ''];
        throw new AppError('CONFLICT', () => t`This report is closed already, since ${when}: ${reason}`);
      }
      return { closedAt: this.now(), closedReason: act.reason, sender: null };
    });
  }

  /** Opens a closed report again, of the tender if one is given. NOT_FOUND; CONFLICT for an open one. */
  async reopen(id: string, act: OperatorAct, tenderId?: number): Promise<void> {
    await this.dataSource.transaction((manager) =>
      this.change(manager, { id, tenderId }, act, 'tender.report-reopened', ({ closedAt }) => {
        if (!closedAt) throw new AppError('CONFLICT', () => t`This report is open`);
        return { closedAt: null, closedReason: null };
      }),
    );
  }

  private async change(
    manager: EntityManager,
    { id, tenderId }: { id: string; tenderId: number | undefined },
    act: OperatorAct,
    action: string,
    decide: (report: TenderReportEntity) => Partial<TenderReportEntity>,
  ): Promise<TenderReportEntity> {
    const reports = manager.getRepository(TenderReportEntity);
    const report = await reports.findOne({
      where: { id, ...(tenderId !== undefined && { tenderId }) },
      lock: { mode: 'pessimistic_write' },
    });
    if (!report) throw new AppError('NOT_FOUND', () => t`This report is not here any more`);
    await reports.update({ id }, decide(report));
    const detail = { report: id, kind: report.kind };
    await recordAct(manager, act, { action, subject: String(report.tenderId), detail }, this.now());
    return report;
  }
}
