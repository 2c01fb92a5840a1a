import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CLOCK, latestPlausibleInstant } from '../../http/injection-tokens.ts';
import type { JobContext } from '../../jobs/schedule.ts';
import { forEachConcurrently } from '../../jobs/task-runners.ts';
import { PaymentGateway } from '../../payments/payment-gateway.port.ts';
import { OrderEntity } from '../order.entity.ts';
import { RefundsService } from '../refunds/refunds.service.ts';
import { computeNextCheck, MAX_CHECK_INTERVAL_MS } from './next-check.ts';
import { SettleService } from './settle.service.ts';

const BATCH_SIZE = 50;
const CONCURRENT_ORDERS = 5;

/** Looks at what is due without anybody asking: alone it is enough, where no webhook ever comes. */
@Injectable()
export class ReconcileService {
  private readonly logger = new Logger('Reconcile');

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(PaymentGateway) private readonly gateway: PaymentGateway,
    @Inject(SettleService) private readonly settleService: SettleService,
    @Inject(RefundsService) private readonly refunds: RefundsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Settles all orders and refunds that are due; any number of processes may do so at once. Gives how many it looked at. */
  async run(): Promise<number> {
    for (let looked = 0; ; ) {
      const orders = await this.leaseDueOrders();
      await forEachConcurrently(orders, CONCURRENT_ORDERS, (id) => this.settleOrder(id));
      const refunds = await this.refunds.runDue();
      looked += orders.length + refunds;
      if (orders.length < BATCH_SIZE && refunds === 0) return looked;
    }
  }

  /** Takes orders for this process by moving their next look: if it dies, they come again. */
  private leaseDueOrders(): Promise<string[]> {
    const now = this.now();
    const last = new Date(latestPlausibleInstant(now).getTime() + MAX_CHECK_INTERVAL_MS);
    return this.dataSource.transaction(async (manager) => {
      const orders = manager.getRepository(OrderEntity);
      const due = await orders
        .createQueryBuilder('due')
        // A look that is planned too far ahead was planned by a clock that has been set back since.
        .where('(due.nextCheckAt <= :now OR due.nextCheckAt > :last)', { now, last })
        .andWhere('due.provider = :provider AND due.live = :live', {
          provider: this.gateway.name,
          live: this.gateway.live,
        })
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

/** The job: `reconcile-orders`. */
export async function reconcileOrders({ find }: JobContext): Promise<number> {
  return (await find(ReconcileService)).run();
}
