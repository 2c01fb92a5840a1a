import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { latestWritten } from '../http/clock-tolerance.ts';
import { CLOCK } from '../http/tokens.ts';
import type { JobContext } from '../jobs/schedule.ts';
import { sideBySide } from '../jobs/side-by-side.ts';
import { PaymentGateway } from '../payments/gateway.service.ts';
import { MAX_PAUSE_MS, nextCheck } from './next-check.ts';
import { OrderEntity } from './order.entity.ts';
import { RefundsService } from './refunds.service.ts';
import { SettleService } from './settle.service.ts';

const BATCH = 50;
const AT_ONCE = 5;

/** Looks at what is due without anybody asking: alone it is enough, where no webhook ever comes. */
@Injectable()
export class ReconcileService {
  private readonly logger = new Logger('Reconcile');

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(PaymentGateway) private readonly gateway: PaymentGateway,
    @Inject(SettleService) private readonly settling: SettleService,
    @Inject(RefundsService) private readonly refunds: RefundsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Settles all orders and refunds that are due; any number of processes may do so at once. Gives how many it looked at. */
  async run(): Promise<number> {
    for (let looked = 0; ; ) {
      const orders = await this.lease();
      await sideBySide(orders, AT_ONCE, (id) => this.settle(id));
      const refunds = await this.refunds.runDue();
      looked += orders.length + refunds;
      if (orders.length < BATCH && refunds === 0) return looked;
    }
  }

  /** Takes orders for this process by moving their next look: if it dies, they come again. */
  private lease(): Promise<string[]> {
    const now = this.now();
    const last = new Date(latestWritten(now).getTime() + MAX_PAUSE_MS);
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
        .limit(BATCH)
        .setLock('pessimistic_write')
        .setOnLocked('skip_locked')
        .getMany();
      for (const order of due) {
        const next = nextCheck(order, now);
        await orders.update({ id: order.id }, { checks: order.checks + 1, nextCheckAt: next && earlier(next, last) });
      }
      return due.map(({ id }) => id);
    });
  }

  private async settle(id: string): Promise<void> {
    await this.settling.settle(id).catch((error: Error) => this.logger.warn(`Order ${id} waits: ${error.message}`));
  }
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** The job: `reconcile-orders`. */
export async function reconcileOrders({ find }: JobContext): Promise<number> {
  return (await find(ReconcileService)).run();
}
