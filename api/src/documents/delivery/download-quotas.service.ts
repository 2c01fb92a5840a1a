import { Inject, Injectable } from '@nestjs/common';
import { formatDate, fromIndianTime } from '@nivida/contract/format';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../http/errors/app-error.ts';
import { CLOCK } from '../../http/injection-tokens.ts';
import { PaymentGateway } from '../../payments/payment-gateway.port.ts';

/** What can_download says of an account and a tender. */
export interface DownloadPermission {
  /** A bigint as text; null when nothing counts. */
  entitlementId: string | null;
  kind: 'documents' | 'plan';
  /** Null when allowed; else there is no plan, none for the state, or it is used up for the month or the day. */
  refusal: 'plan' | 'state' | 'month' | 'day' | null;
  /** It takes nothing from the plan: bought, or downloaded this month already. */
  isFree: boolean;
  /** Of a plan, in this Indian calendar month. */
  usedInMonth: number | null;
  /** Null without a monthly limit. */
  perMonth: number | null;
}

const REFUSAL_MESSAGES: Readonly<Record<NonNullable<DownloadPermission['refusal']>, (now: Date) => string>> = {
  plan: () => 'You have no plan that includes downloads',
  state: () => 'Your plan does not cover the state of this tender',
  month: (now) => `You have used all downloads of this month. The next ones begin on ${formatDate(nextMonth(now))}`,
  day: () => 'You have reached the fair use of today. Please go on tomorrow',
};

const INDIAN_OFFSET_MS = 330 * 60_000;

/** Counts what plans include. One SQL function decides everywhere; what it allows is written down under a lock. */
@Injectable()
export class DownloadQuotasService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Whether an account may have the documents of a tender now. */
  async readPermission(
    userId: string,
    tenderId: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<DownloadPermission> {
    const rows: DownloadPermission[] = await manager.query(
      `SELECT entitlement_id AS "entitlementId", grant_kind AS kind, refusal, is_free AS "isFree",
         used_in_month AS "usedInMonth", per_month AS "perMonth" FROM can_download($1, $2, $3, $4)`,
      [userId, tenderId, this.now(), this.gateway.live],
    );
    return rows[0] as DownloadPermission;
  }

  /** FORBIDDEN, in words, when the permission is none. */
  assertAllowed({ refusal }: DownloadPermission): void {
    if (refusal) throw new AppError('FORBIDDEN', REFUSAL_MESSAGES[refusal](this.now()));
  }

  /** Takes one download from the plan, unless the NIT was downloaded this month; FORBIDDEN when there is none left. */
  async chargeDownload(userId: string, tenderId: number, nit: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // One at a time for each account: forty that count at once would all find ten left.
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`downloads of ${userId}`]);
      const permission = await this.readPermission(userId, tenderId, manager);
      this.assertAllowed(permission);
      if (permission.isFree) return;
      await manager.query(
        `INSERT INTO download (user_id, month, nit, tender_id, entitlement_id, charged_at)
         VALUES ($1, indian_month($5), $2, $3, $4, $5)`,
        [userId, nit, tenderId, permission.entitlementId, this.now()],
      );
    });
  }
}

/** The first instant of the next month in India. */
function nextMonth(now: Date): Date {
  const india = new Date(now.getTime() + INDIAN_OFFSET_MS);
  return fromIndianTime(india.getUTCFullYear(), india.getUTCMonth() + 2, 1);
}
