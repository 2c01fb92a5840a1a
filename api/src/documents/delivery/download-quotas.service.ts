import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { formatDate, fromIndianTime } from '@nivida/contract/format';
import { INDIAN_OFFSET_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { takeNamedLock } from '../../database/locks.sql.ts';
import { PaymentGateway } from '../../payments/payment-gateway.port.ts';
import { DOWNLOAD_PERMISSION, INSERT_DOWNLOAD } from './delivery.sql.ts';

/** Result of the SQL function can_download for an account and a tender. */
export interface DownloadPermission {
  /** The entitlement, a bigint as text; null without one. */
  entitlementId: string | null;
  kind: 'documents' | 'plan';
  /** Null when allowed. Otherwise: no plan, no plan for the state, or no downloads left in this month or day. */
  refusal: 'plan' | 'state' | 'month' | 'day' | null;
  /** The download is not charged to the plan, because the documents were bought or already downloaded this month. */
  isFree: boolean;
  /** Downloads of the plan in this Indian calendar month. */
  usedInMonth: number | null;
  /** Null without a monthly limit. */
  perMonth: number | null;
}

const REFUSAL_MESSAGES: Readonly<Record<NonNullable<DownloadPermission['refusal']>, (now: Date) => string>> = {
  plan: () => t`You have no plan that includes downloads`,
  state: () => t`Your plan does not cover the state of this tender`,
  month: (now) =>
    t`You have used all downloads of this month. You get new ones on ${{ day: formatDate(nextMonth(now)) }}`,
  day: () => t`You have reached today’s limit. Please continue tomorrow`,
};

const freeStatesText = () => t`Downloads are for your states: choose them on the page Documents & EMD`;

/** Counts the downloads of plans. The SQL function can_download decides; downloads are recorded under a lock. */
@Injectable()
export class DownloadQuotasService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: PaymentGateway,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Whether an account may download the documents of a tender now. */
  async readPermission(
    userId: string,
    tenderId: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<DownloadPermission> {
    const rows: DownloadPermission[] = await manager.query(DOWNLOAD_PERMISSION, [
      userId,
      tenderId,
      this.now(),
      this.gateway.live,
    ]);
    return rows[0] as DownloadPermission;
  }

  /** FORBIDDEN with the reason. */
  assertAllowed({ refusal }: DownloadPermission): void {
    if (refusal === 'state' && this.gateway.mode === 'none') throw new AppError('FORBIDDEN', freeStatesText);
    const now = this.now();
    if (refusal) throw new AppError('FORBIDDEN', () => REFUSAL_MESSAGES[refusal](now));
  }

  /** Charges one download to the plan, unless the NIT was downloaded this month; FORBIDDEN when none is left. */
  async chargeDownload(userId: string, tenderId: number, nit: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Serialises the downloads of an account. Concurrent ones would all see the same remainder.
      await takeNamedLock(manager, `downloads of ${userId}`);
      const permission = await this.readPermission(userId, tenderId, manager);
      this.assertAllowed(permission);
      if (permission.isFree) return;
      await manager.query(INSERT_DOWNLOAD, [userId, nit, tenderId, permission.entitlementId, this.now()]);
    });
  }
}

/** The first instant of the next month in India. */
function nextMonth(now: Date): Date {
  const india = new Date(now.getTime() + INDIAN_OFFSET_MS);
  return fromIndianTime(india.getUTCFullYear(), india.getUTCMonth() + 2, 1);
}
