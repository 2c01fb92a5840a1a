import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { formatDateTime } from '@nivida/contract/format';
import type { TenderReportRequest } from '@nivida/contract/tenders/tender-report';
import { DataSource, IsNull } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError, tenderNotFound } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { lockPublishedTenders } from '../../database/locks.sql.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import type { Sender } from '../../http/security/client-address.ts';
import { TenderReportEntity } from './tender-report.entity.ts';

const MAX_LISTED = 200;

/** Reports of mistakes: readers send them, the staff closes them. */
@Injectable()
export class TenderReportsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Stores a report once. NOT_FOUND for a tender that is not public, TOO_MANY. */
  async receive(tenderId: number, { id, kind, text }: TenderReportRequest, sender: Sender): Promise<void> {
    await this.limits.consume('tender-report', { sender });
    await this.dataSource.transaction(async (manager) => {
      const [known] = await lockPublishedTenders(manager, [tenderId], this.now());
      if (known === undefined) throw tenderNotFound();
      await manager
        .createQueryBuilder()
        .insert()
        .into(TenderReportEntity)
        .values({ id, tenderId, kind, text, createdAt: this.now(), closedAt: null, closedReason: null })
        .orIgnore()
        .execute();
    });
  }

  /** The open reports of all tenders, oldest first. */
  listOpen(): Promise<TenderReportEntity[]> {
    return this.dataSource
      .getRepository(TenderReportEntity)
      .find({ where: { closedAt: IsNull() }, order: { createdAt: 'ASC' }, take: MAX_LISTED });
  }

  /** Closes a report, of the tender if one is given. NOT_FOUND; CONFLICT for a closed one. */
  close(id: string, act: OperatorAct, tenderId?: number): Promise<void> {
    return this.change({ id, tenderId }, act, 'tender.report-closed', ({ closedAt, closedReason }) => {
      if (closedAt) {
        const [when, reason] = [formatDateTime(closedAt), closedReason ?? ''];
        throw new AppError('CONFLICT', () => t`This report is closed already, since ${when}: ${reason}`);
      }
      return { closedAt: this.now(), closedReason: act.reason };
    });
  }

  /** Opens a closed report again, of the tender if one is given. NOT_FOUND; CONFLICT for an open one. */
  reopen(id: string, act: OperatorAct, tenderId?: number): Promise<void> {
    return this.change({ id, tenderId }, act, 'tender.report-reopened', ({ closedAt }) => {
      if (!closedAt) throw new AppError('CONFLICT', () => t`This report is open`);
      return { closedAt: null, closedReason: null };
    });
  }

  private change(
    { id, tenderId }: { id: string; tenderId: number | undefined },
    act: OperatorAct,
    action: string,
    decide: (report: TenderReportEntity) => Pick<TenderReportEntity, 'closedAt' | 'closedReason'>,
  ): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const reports = manager.getRepository(TenderReportEntity);
      const report = await reports.findOne({
        where: { id, ...(tenderId !== undefined && { tenderId }) },
        lock: { mode: 'pessimistic_write' },
      });
      if (!report) throw new AppError('NOT_FOUND', () => t`This report is not here any more`);
      await reports.update({ id }, decide(report));
      const detail = { report: id, kind: report.kind };
      await recordAct(manager, act, { action, subject: String(report.tenderId), detail }, this.now());
    });
  }
}
