import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { ORDER_ID, type OrderCheck } from '@nivida/contract/order';
import { DataSource } from 'typeorm';
import { AppError } from '../http/app-error.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { latestWritten } from '../http/clock-tolerance.ts';
import { LimitsService, type Window } from '../http/limits.service.ts';
import { CLOCK, WAIT } from '../http/tokens.ts';
import { PaymentGateway } from '../payments/gateway.service.ts';
import { TenderEntity } from '../tenders/tender.entity.ts';
import { OrderEntity } from './order.entity.ts';
import { SettleService } from './settle.service.ts';
import { toError, toStatus } from './words.ts';

const PER_ORDER: Window[] = [{ most: 30, perSeconds: 60 }];
const LEAST_PAUSE_MS = 3_000;
const LONGEST_WAIT_MS = 8_000;

/** How an order stands, for whoever knows its id. */
@Injectable()
export class StatusService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Orders');
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(PaymentGateway) private readonly gateway: PaymentGateway,
    @Inject(SettleService) private readonly settling: SettleService,
    @Inject(LimitsService) private readonly limits: LimitsService,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(WAIT) private readonly wait: (ms: number) => Promise<void>,
  ) {}

  /**
   * The status by public id. While it is open the provider is asked, by one request at a time and at most every 3 s;
   * after 8 s the answer is what is known. NOT_FOUND; TOO_MANY after 30 a minute for one order, and after 30 unknown ids
   * a minute from one address.
   */
  async check(publicId: string, address: ClientAddress | undefined): Promise<OrderCheck> {
    const found = ORDER_ID.test(publicId) ? await this.find(publicId) : null;
    if (!found) {
      await this.limits.takeUnknown(address);
      throw new AppError('NOT_FOUND', 'Order not found');
    }
    await this.limits.take('order-status', publicId, PER_ORDER);
    if (await this.claim(found)) await Promise.race([this.look(found.id), this.wait(LONGEST_WAIT_MS)]);
    const order = (await this.find(publicId)) ?? found;
    const error = toError(order);
    return {
      status: toStatus(order.status),
      order: {
        product: order.product,
        tenderId: order.tenderId === null ? null : String(order.tenderId),
        ...(await this.contentsOf(order)),
      },
      ...(error && { error }),
      ...(order.status === 'REFUNDED' && (await this.creditNoteOf(order))),
    };
  }

  private async creditNoteOf({ id }: OrderEntity): Promise<Pick<OrderCheck, 'creditNoteNumber'>> {
    const rows: { number: string }[] = await this.dataSource.query(
      "SELECT number FROM invoice WHERE order_id = $1 AND kind = 'credit_note'",
      [id],
    );
    return rows[0] ? { creditNoteNumber: rows[0].number } : {};
  }

  private async contentsOf({ tenderId }: OrderEntity): Promise<Pick<OrderCheck['order'], 'contents'>> {
    const tender =
      tenderId === null ? null : await this.dataSource.getRepository(TenderEntity).findOneBy({ id: tenderId });
    return tender?.packageKind ? { contents: tender.packageKind } : {};
  }

  /** Looks at an order without anybody waiting for it. */
  lookLater(orderId: string): void {
    void this.look(orderId);
  }

  /** Waits for what is being looked at now. */
  async idle(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** The database closes after this. */
  beforeApplicationShutdown(): Promise<void> {
    return this.idle();
  }

  private find(publicId: string): Promise<OrderEntity | null> {
    return this.dataSource.getRepository(OrderEntity).findOneBy({ publicId });
  }

  /** Whether this request is the one that asks the provider; a claim and not a lock, so that nothing is held meanwhile. */
  private async claim({ id, provider }: OrderEntity): Promise<boolean> {
    if (provider !== this.gateway.name) return false;
    const now = this.now();
    const [, count]: [unknown, number] = await this.dataSource.query(
      `UPDATE orders SET last_checked_at = $2
       WHERE id = $1 AND status IN ('CREATED', 'PENDING') AND (last_checked_at IS NULL OR last_checked_at <= $3 OR last_checked_at > $4)`,
      [id, now, new Date(now.getTime() - LEAST_PAUSE_MS), latestWritten(now)],
    );
    return count > 0;
  }

  private look(orderId: string): Promise<void> {
    const looking = this.settling.settle(orderId).then(
      () => {},
      // Nothing has changed; the reconciler asks again.
      (error: Error) => this.logger.warn(`Order ${orderId} could not be looked at: ${error.message}`),
    );
    this.underWay.add(looking);
    return looking.finally(() => this.underWay.delete(looking));
  }
}
