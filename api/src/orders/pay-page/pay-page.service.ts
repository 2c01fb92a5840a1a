import { t } from '@lingui/core/macro';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import { Metrics } from '../../http/monitoring/metrics.ts';
import type { Sender } from '../../http/security/client-address.ts';
import { type CheckoutForm, InvalidSignatureError } from '../../payments/payment-gateway.port.ts';
import { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { AttemptEntity } from '../checkout/attempt.entity.ts';
import { CheckoutService } from '../checkout/checkout.service.ts';
import { orderPageUrl } from '../checkout/return-path.ts';
import { OrderEntity } from '../order.entity.ts';
import { isOpenOrder } from '../order-status.ts';
import { OrderStatusService } from '../status/order-status.service.ts';
import type { PayPage } from './pay-page.ts';

/** Both parts of a page's address. */
export interface PageAddress {
  attempt: string;
  /** Only the buyer has received it. */
  key: string;
}

interface FoundPage {
  attempt: AttemptEntity;
  order: OrderEntity;
  form: CheckoutForm;
  pageUrl: string;
}

/** Pages of providers that are opened by a form, and the way back from them. What the browser brings back is only a hint. */
@Injectable()
export class PayPageService {
  private readonly logger = new Logger('PayPage');

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: PaymentGateways,
    private readonly checkouts: CheckoutService,
    private readonly statuses: OrderStatusService,
    private readonly limits: RateLimitsService,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The page of an attempt, or the address of the order's page when nothing can be paid here any more. NOT_FOUND. */
  async open(address: PageAddress, sender: Sender): Promise<PayPage | string> {
    const { attempt, order, form, pageUrl } = await this.find(address, sender);
    const isPayable = isOpenOrder(order) && attempt.leftAt === null && attempt.expiresAt > this.now();
    if (!isPayable || attempt.providerRef === null) return this.orderPage(order);
    const { amountPaise, language, buyerEmail: email, buyerMobile: mobile } = order;
    const description = await this.checkouts.describe(order);
    const request = { providerRef: attempt.providerRef, amountPaise, description, buyer: { email, mobile }, pageUrl };
    return { language, description, amountPaise, pageUrl, sources: form.sources, ...form.build(request) };
  }

  /**
   * Reads the way back and returns the address of the order's page. The provider is asked in the background. A wrong signature
   * changes nothing. NOT_FOUND.
   */
  async comeBack(address: PageAddress, fields: Readonly<Record<string, string>>, sender: Sender): Promise<string> {
    const { attempt, order, form } = await this.find(address, sender);
    try {
      if (!form.namesPayment(fields, attempt.providerRef ?? '')) await this.markLeft(attempt);
    } catch (error) {
      if (!(error instanceof InvalidSignatureError)) throw error;
      this.metrics.refusedWebhooks.inc();
      this.logger.warn(`The way back to order ${order.publicId} was refused: ${error.message}`);
      return this.orderPage(order);
    }
    await this.makeDue(order);
    return this.orderPage(order);
  }

  /** The buyer came back without having paid. The provider still decides whether the order is unpaid. */
  private async markLeft({ ref }: AttemptEntity): Promise<void> {
    await this.dataSource.getRepository(AttemptEntity).update({ ref, leftAt: IsNull() }, { leftAt: this.now() });
  }

  /** Asks the provider now; the reconciler does if this process dies. */
  private async makeDue({ id, status }: OrderEntity): Promise<void> {
    if (!isOpenOrder({ status })) return;
    await this.dataSource.getRepository(OrderEntity).update({ id, status }, { nextCheckAt: this.now() });
    this.statuses.checkInBackground(id);
  }

  private async find({ attempt: ref, key }: PageAddress, sender: Sender): Promise<FoundPage> {
    const pageUrl = `${this.config.publicOrigin}/api/pay/${ref}/${key}`;
    const attempt = await this.dataSource.getRepository(AttemptEntity).findOneBy({ ref, url: pageUrl });
    const order =
      attempt && (await this.dataSource.getRepository(OrderEntity).findOneByOrFail({ id: attempt.orderId }));
    const shop = order && { provider: attempt.provider, live: order.live };
    const form = shop && this.gateways.has(shop) ? this.gateways.of(shop).form : undefined;
    if (order && form) return { attempt, order, form, pageUrl };
    await this.limits.consumeUnknownId(sender);
    throw new AppError('NOT_FOUND', () => t`Order not found`);
  }

  private orderPage(order: OrderEntity): string {
    return orderPageUrl(this.config.publicOrigin, order.returnPath, order);
  }
}
