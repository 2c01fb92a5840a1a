import { t } from '@lingui/core/macro';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { ORDER_ID_PATTERN, type OrderStatusResponse } from '@nivida/contract/orders/order';
import { orderTitle } from '@nivida/contract/orders/order-title';
import { DataSource } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import { CLOCK, latestPlausibleInstant, WAIT } from '../../base/injection-tokens.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import type { Sender } from '../../http/security/client-address.ts';
import { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { TenderEntity } from '../../tenders/tender.entity.ts';
import { OrderEntity } from '../order.entity.ts';
import { isUnconfirmedOrder, publicOrderStatus, unpaidMessage } from '../order-status.ts';
import { CLAIM_CHECK, CREDIT_NOTE_NUMBER } from '../orders.sql.ts';
import { SettleService } from '../settlement/settle.service.ts';

const MIN_CHECK_INTERVAL_MS = 3_000;
const MAX_WAIT_MS = 8_000;

/** The status of an order, for every client that knows its public id. */
@Injectable()
export class OrderStatusService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Orders');
  private readonly pendingChecks = new Set<Promise<unknown>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: PaymentGateways,
    private readonly settleService: SettleService,
    private readonly limits: RateLimitsService,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(WAIT) private readonly wait: (ms: number) => Promise<void>,
  ) {}

  /**
   * The status by public id. For an open order the provider is asked, by one request at a time and at most every 3 s. After
   * 8 s the stored status is returned. NOT_FOUND. TOO_MANY after too many calls for one order, or unknown ids from one sender.
   */
  async check(publicId: string, sender: Sender, language: Language): Promise<OrderStatusResponse> {
    const found = ORDER_ID_PATTERN.test(publicId) ? await this.find(publicId) : null;
    if (!found) {
      await this.limits.consumeUnknownId(sender);
      throw new AppError('NOT_FOUND', () => t`Order not found`);
    }
    await this.limits.consume('order-status', { order: publicId });
    if (await this.claimCheck(found)) await Promise.race([this.checkOrder(found.id), this.wait(MAX_WAIT_MS)]);
    const order = (await this.find(publicId)) ?? found;
    const error = inLanguage(language, () => unpaidMessage(order));
    return {
      status: publicOrderStatus(order.status),
      order: {
        product: order.product,
        tenderId: order.tenderId === null ? null : String(order.tenderId),
        planId: order.planId,
        ...(await this.readPackageContents(order)),
        title: inLanguage(language, () => orderTitle(order)),
        amountPaise: order.amountPaise,
      },
      ...(error && { error }),
      ...(isUnconfirmedOrder(order, this.now()) && { isUnconfirmed: true }),
      ...(order.status === 'REFUNDED' && (await this.readCreditNote(order))),
    };
  }

  private async readCreditNote({ id }: OrderEntity): Promise<Pick<OrderStatusResponse, 'creditNoteNumber'>> {
    const rows: { number: string }[] = await this.dataSource.query(CREDIT_NOTE_NUMBER, [id]);
    return rows[0] ? { creditNoteNumber: rows[0].number } : {};
  }

  private async readPackageContents({
    tenderId,
  }: OrderEntity): Promise<Pick<OrderStatusResponse['order'], 'contents'>> {
    const tender =
      tenderId === null ? null : await this.dataSource.getRepository(TenderEntity).findOneBy({ id: tenderId });
    return tender?.packageKind ? { contents: tender.packageKind } : {};
  }

  /** Settles an order in the background. */
  checkInBackground(orderId: string): void {
    void this.checkOrder(orderId);
  }

  /** Waits for the running background checks. */
  async idle(): Promise<void> {
    await Promise.all(this.pendingChecks);
  }

  /** Runs before the database closes. */
  beforeApplicationShutdown(): Promise<void> {
    return this.idle();
  }

  private find(publicId: string): Promise<OrderEntity | null> {
    return this.dataSource.getRepository(OrderEntity).findOneBy({ publicId });
  }

  /**
   * Whether this request asks the provider. It uses a claim instead of a lock, so that no connection is held while the
   * provider answers.
   */
  private async claimCheck(order: OrderEntity): Promise<boolean> {
    if (!this.gateways.has(order)) return false;
    const now = this.now();
    const [, count]: [unknown, number] = await this.dataSource.query(CLAIM_CHECK, [
      order.id,
      now,
      new Date(now.getTime() - MIN_CHECK_INTERVAL_MS),
      latestPlausibleInstant(now),
    ]);
    return count > 0;
  }

  private checkOrder(orderId: string): Promise<void> {
    const check = this.settleService.settle(orderId).then(
      () => {},
      // The order is unchanged; the reconciler asks again.
      (error: Error) => this.logger.warn(`Order ${orderId} could not be checked: ${error.message}`),
    );
    this.pendingChecks.add(check);
    return check.finally(() => this.pendingChecks.delete(check));
  }
}
