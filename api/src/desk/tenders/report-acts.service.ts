import { t } from '@lingui/core/macro';
import { Injectable } from '@nestjs/common';
import { inLanguage } from '@nivida/contract/i18n';
import { reportKindText } from '@nivida/contract/tenders/tender-report';
import { DataSource } from 'typeorm';
import type { OperatorAct } from '../../audit/record-act.ts';
import { UserEntity } from '../../auth/user.entity.ts';
import { AppError, invalidField } from '../../base/app-error.ts';
import { lockAccount } from '../../database/locks.sql.ts';
import { TenderReportEntity } from '../../tenders/reports/tender-report.entity.ts';
import { TenderReportsService } from '../../tenders/reports/tender-reports.service.ts';
import { TenderEntity } from '../../tenders/tender.entity.ts';
import { DeskMessagesService } from '../messages/desk-messages.service.ts';

const MAX_SUBJECT = 200;

/** The closing of a report, of the tender if one is given. */
export interface ReportClosing {
  id: string;
  tenderId?: number;
  /** To the reader; '' for a signed-out one. */
  answer: string;
}

/** Closes reports of mistakes and answers their readers. */
@Injectable()
export class ReportActsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reports: TenderReportsService,
    private readonly messages: DeskMessagesService,
  ) {}

  /**
   * Closes a report and sends the answer as a message to its account. NOT_FOUND; CONFLICT for a closed one; INVALID without
   * an answer for an account, and with one for a signed-out reader.
   */
  close(act: OperatorAct, { id, tenderId, answer }: ReportClosing): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      const reporter = (await manager.findOneBy(TenderReportEntity, { id }))?.userId ?? null;
      // Before the row of the report, as in all transactions.
      if (reporter !== null) await lockAccount(manager, reporter);
      const report = await this.reports.close(manager, id, act, tenderId);
      const { userId, kind, text } = report;
      if (userId === null) {
        if (answer !== '')
          throw new AppError('INVALID', () => t`The reader was not signed in, so there is no one to answer.`);
        return;
      }
      const account = await manager.findOneBy(UserEntity, { id: userId });
      if (!account || account.deletedAt) return;
      if (answer === '') throw invalidField('answer', () => t`Write an answer to the reader`);
      const tender = await manager.findOneByOrFail(TenderEntity, { id: report.tenderId });
      const { language } = account;
      await this.messages.answerReport(manager, act, {
        ...{ id, userId, language, tenderId: report.tenderId, answer },
        subject: inLanguage(language, () => t`Your report: ${{ title: tender.title }}`)
          .slice(0, MAX_SUBJECT)
          .toWellFormed(),
        question: [inLanguage(language, () => reportKindText(kind)), text].filter(Boolean).join('\n'),
      });
    });
  }
}
