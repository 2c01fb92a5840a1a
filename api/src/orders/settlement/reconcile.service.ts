import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { forEachConcurrently } from '../../base/task-runners.ts';
import type { Job } from '../../jobs/job.ts';
import { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { OrderEntity } from '../order.entity.ts';
import { configuredOrderCondition, DUE_CHECK_CONDITION } from '../orders.sql.ts';
import { RefundsService } from '../refunds/refunds.service.ts';
import { computeNextCheck, MAX_CHECK_INTERVAL_MS } from './next-check.ts';
import { SettleService } from './settle.service.ts';

const BATCH_SIZE = 50;
const CONCURRENT_ORDERS = 5;

/** Settles due orders and refunds. It does not depend on webhooks. */
@Injectable()
export class ReconcileService {
  private readonly logger = new Logger('Reconcile');
  private lastWarning = '';

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: PaymentGateways,
    private readonly settleService: SettleService,
    private readonly refunds: RefundsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Safe to run in several processes at once. Returns the number of orders and refunds checked. */
  async run(): Promise<number> {
    await this.warnAboutOtherProviders();
    for (let checked = 0; ; ) {
      const orders = await this.leaseDueOrders();
      await forEachConcurrently(orders, CONCURRENT_ORDERS, (id) => this.settleOrder(id));
      const refunds = await this.refunds.runDue();
      checked += orders.length + refunds;
      if (orders.length < BATCH_SIZE && refunds === 0) return checked;
    }
  }

  /** Logs how many due orders wait for a provider that is not configured, and logs again when the numbers change. */
  private async warnAboutOtherProviders(): Promise<void> {
    const groups: { provider: string; live: boolean; count: string }[] = await this.dataSource
      .getRepository(OrderEntity)
      .createQueryBuilder('waiting')
      .select('waiting.provider', 'provider')
      .addSelect('waiting.live', 'live')
      .addSelect('count(*)', 'count')
      .where(`NOT (${configuredOrderCondition('waiting')})`, this.gateways.parameters())
      .andWhere(DUE_CHECK_CONDITION, { now: this.now() })
      .groupBy('waiting.provider')
      .addGroupBy('waiting.live')
      .getRawMany();
    const warning = groups
      .map(({ provider, live, count }) => `${count} ${live ? 'real' : 'test'} orders wait for ${provider}`)
      .join(', ');
    if (warning && warning !== this.lastWarning)
      this.logger.warn(`${warning}, which is not configured: see PAYMENT_PROVIDER in docs/configuration.md`);
    this.lastWarning = warning;
  }

  /** Leases due orders by moving their next check; if this process dies, they become due again. */
  private leaseDueOrders(): Promise<string[]> {
    const now = this.now();
    const last = new Date(latestPlausibleInstant(now).getTime() + MAX_CHECK_INTERVAL_MS);
    return this.dataSource.transaction(async (manager) => {
      const orders = manager.getRepository(OrderEntity);
      const due = await orders
        .createQueryBuilder('due')
        // A check planned too far ahead comes from a clock that has been set back since.
        .where('(due.nextCheckAt <= :now OR due.nextCheckAt > :last)', { now, last })
        .andWhere(configuredOrderCondition('due'), this.gateways.parameters())
        .orderBy('due.nextCheckAt')
        .limit(BATCH_SIZE)
        .setLock('pessimistic_write')
        .setOnLocked('skip_locked')
        .getMany();
      for (const order of due) {
        const next = computeNextCheck(order, now);
        await orders.update({ id: order.id }, { checks: order.checks + 1, nextCheckAt: next && earlierOf(next, last) });
      }
      return due.map(({ id }) => id);
    });
  }

  private async settleOrder(id: string): Promise<void> {
    await this.settleService
      .settle(id)
      .catch((error: Error) => this.logger.warn(`Order ${id} waits: ${error.message}`));
  }
}

const earlierOf = (one: Date, other: Date): Date => (one < other ? one : other);

export const reconcileOrdersJob: Job = {
  name: 'reconcile-orders',
  everySeconds: 30,
  run: async ({ find }) => (await find(ReconcileService)).run(),
};
