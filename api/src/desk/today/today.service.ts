import { Inject, Injectable } from '@nestjs/common';
import { hasRole, type StaffRole } from '@nivida/contract/desk/act';
import type { TodayEntry } from '@nivida/contract/desk/today';
import { DataSource } from 'typeorm';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { vapidKeyId } from '../../base/vapid-keys.ts';
import { ApprovalsService } from '../approvals/approvals.service.ts';
import { checkDisks, checkRecords } from '../installation/check-installation.ts';
import { sectionOf } from '../installation/findings.ts';
import { PUSH_FACTS } from '../installation/installation.sql.ts';
import { type PushHostFacts, pushFindings } from '../installation/installation-findings.ts';
import { DeskMessagesService } from '../messages/desk-messages.service.ts';
import { ENDED_CORRECTIONS, OPEN_REPORTS, WAITING_ORDERS, WAITING_REQUESTS } from './today.sql.ts';

interface Sum {
  count: number;
  oldest: Date | null;
}

/** What waits for the staff. */
@Injectable()
export class TodayService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly messages: DeskMessagesService,
    private readonly approvals: ApprovalsService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** What a role may act on: failures first, then what has waited longest. */
  async list(role: StaffRole): Promise<TodayEntry[]> {
    const now = this.now();
    const sum = async (statement: string, values: unknown[] = []): Promise<Sum> =>
      (await this.dataSource.query(statement, values))[0];
    const entries = [
      entryOf('messages', await this.messages.waiting()),
      entryOf('documents', await sum(WAITING_REQUESTS, [now])),
      entryOf('reports', await sum(OPEN_REPORTS)),
    ];
    if (hasRole(role, 'operator'))
      entries.push(
        entryOf('orders', await sum(WAITING_ORDERS)),
        entryOf('corrections', await sum(ENDED_CORRECTIONS, [now])),
        ...(await this.approvals.listOpen()).map(({ act, subject, proposedAt }) => ({
          ...entryOf('approval', { count: 1, oldest: proposedAt }),
          subject,
          text: act,
        })),
        ...(await this.findings(now)),
      );
    const rank = ({ isFailure, since }: TodayEntry) => (isFailure ? '' : (since ?? '~'));
    return entries
      .filter(({ count }) => count > 0)
      .sort((a, b) => (rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b))));
  }

  /** The findings of `doctor` that can be told while the server runs, without those of which the desk has rows. */
  private async findings(now: Date): Promise<TodayEntry[]> {
    const read = <Row>(text: string, values?: unknown[]): Promise<Row[]> => this.dataSource.query(text, values);
    const keyIds = this.config.vapidKeys.map(({ publicKey }) => vapidKeyId(publicKey));
    const found = [
      ...(await checkRecords(read, this.config, now)),
      ...pushFindings(await read<PushHostFacts>(PUSH_FACTS, [now]), keyIds),
      ...(await checkDisks(this.config)),
    ];
    return found
      .filter(({ level, subject }) => level !== 'ok' && subject !== 'orders')
      .map((finding) => ({
        ...entryOf('installation', { count: 1, oldest: null }),
        subject: finding.subject,
        text: finding.text,
        command: finding.command ?? null,
        section: sectionOf(finding),
        isFailure: finding.level === 'failure',
      }));
  }
}

const entryOf = (kind: TodayEntry['kind'], { count, oldest }: Sum): TodayEntry => ({
  kind,
  count,
  since: oldest?.toISOString() ?? null,
  subject: '',
  text: '',
  command: null,
  section: '',
  isFailure: false,
});
