import { t } from '@lingui/core/macro';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Language } from '@nivida/contract/languages';
import { type PackageKind, packageKindLabel } from '@nivida/contract/orders/document-package';
import type { CreateOrderResponse } from '@nivida/contract/orders/order';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { isDatabaseUnavailable } from '../../base/database-unavailable.ts';
import { CLOCK, CONFIG, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { GatewayRejectedError, type StartedCheckout } from '../../payments/payment-gateway.port.ts';
import { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { OrderEntity } from '../order.entity.ts';
import { isOpenOrder, isUnpaidOrder } from '../order-status.ts';
import { statusesBefore } from '../order-transitions.ts';
import { PACKAGE_KIND_OF_TENDER, RECLAIM_ATTEMPT, START_PAYMENT } from '../orders.sql.ts';
import { computeNextCheck } from '../settlement/next-check.ts';
import { SettleService } from '../settlement/settle.service.ts';
import { AttemptEntity } from './attempt.entity.ts';
import { orderPageUrl } from './return-path.ts';

/** How long the buyer may stay on the provider's page. */
const CHECKOUT_DURATION_MS = 20 * MINUTE_MS;
// Longer than the port's timeout, so an older claim belongs to a dead process.
const CLAIM_TIMEOUT_MS = 15_000;
const MAX_DESCRIPTION_CHARACTERS = 120;

/** Opens the provider's page for an order, or returns the open one. */
@Injectable()
export class CheckoutService {
  private readonly logger = new Logger('Orders');

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: PaymentGateways,
    private readonly settleService: SettleService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * The buyer's next page. It is the open payment page, or a new one if there is none or the last attempt failed, or the
   * order's own page, in `language`, if nothing is to be paid. CONFLICT with Retry-After while another request asks the provider. GATEWAY
   * when the provider does not answer or rejects; a request with the same key continues the attempt.
   */
  async openCheckout(order: OrderEntity, language: Language): Promise<CreateOrderResponse> {
    const last = await this.lastAttempt(order);
    if (last && !last.url && last.claimedAt && this.isClaimActive(last.claimedAt)) throw checkoutInProgress();
    if (last && isOpenOrder(order) && (!last.url || this.isExpired(last))) {
      // The page was not delivered or has expired. The attempt is settled before another page is opened.
      const settled = await this.settleService.settle(order.id).catch((error: Error) => {
        throw isDatabaseUnavailable(error) ? error : this.checkoutError(order, error);
      });
      return this.continueCheckout(settled, last, language);
    }
    return this.continueCheckout(order, last, language);
  }

  private async continueCheckout(
    order: OrderEntity,
    last: AttemptEntity | null,
    language: Language,
  ): Promise<CreateOrderResponse> {
    const { publicId: orderId, status } = order;
    if (!isOpenOrder(order) && !isUnpaidOrder(order)) {
      const url = orderPageUrl(this.config.publicOrigin, '/payment-status', { publicId: orderId, language });
      return { url, orderId, ...(status === 'SUCCESS' && { alreadyEntitled: true }) };
    }
    if (last && isOpenOrder(order) && !this.isExpired(last)) {
      if (last.url) return { url: last.url, orderId };
      return { url: await this.startAtProvider(order, await this.reclaimAttempt(last)), orderId };
    }
    return { url: await this.startAtProvider(order, await this.createAttempt(order, last)), orderId };
  }

  private lastAttempt({ id: orderId }: OrderEntity): Promise<AttemptEntity | null> {
    return this.dataSource.getRepository(AttemptEntity).findOne({ where: { orderId }, order: { createdAt: 'DESC' } });
  }

  /** A new attempt, claimed by this request. */
  private async createAttempt(order: OrderEntity, last: AttemptEntity | null): Promise<AttemptEntity> {
    const now = this.now();
    const number = last ? Number(last.ref.slice(order.publicId.length + 1)) + 1 : 1;
    const attempt: AttemptEntity = {
      ref: `${order.publicId}-${number}`,
      orderId: order.id,
      providerRef: null,
      url: null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + CHECKOUT_DURATION_MS),
      claimedAt: now,
    };
    const insert = this.dataSource.createQueryBuilder().insert().into(AttemptEntity).values(attempt).orIgnore();
    const { raw } = await insert.returning('ref').execute();
    if (raw.length === 0) throw checkoutInProgress();
    return attempt;
  }

  /** Claims the attempt again; the provider returns the same page for it. */
  private async reclaimAttempt(attempt: AttemptEntity): Promise<AttemptEntity> {
    const now = this.now();
    const [, count]: [unknown, number] = await this.dataSource.query(RECLAIM_ATTEMPT, [
      attempt.ref,
      now,
      new Date(now.getTime() - CLAIM_TIMEOUT_MS),
      latestPlausibleInstant(now),
    ]);
    if (count === 0) throw checkoutInProgress();
    return attempt;
  }

  private async startAtProvider(order: OrderEntity, attempt: AttemptEntity): Promise<string> {
    const { buyerName: name, buyerEmail: email, buyerMobile: mobile, amountPaise } = order;
    const description = checkoutDescription(order, await this.packageKind(order));
    let started: StartedCheckout;
    try {
      started = await this.gateways.of(order).createCheckout({
        attemptRef: attempt.ref,
        amountPaise,
        description,
        buyer: { name, email, mobile },
        returnUrl: orderPageUrl(this.config.publicOrigin, order.returnPath, order),
        expiresAt: attempt.expiresAt,
      });
    } catch (error) {
      await this.abandonAttempt(order, attempt, error instanceof GatewayRejectedError);
      throw this.checkoutError(order, error as Error);
    }
    await this.storeStartedAttempt(order, attempt, started);
    return started.url;
  }

  private async storeStartedAttempt(
    order: OrderEntity,
    attempt: AttemptEntity,
    { url, providerRef }: StartedCheckout,
  ): Promise<void> {
    const now = this.now();
    const { expiresAt } = attempt;
    const nextCheckAt = computeNextCheck({ ...order, status: 'PENDING', expiresAt, checks: 0 }, now);
    await this.dataSource.transaction(async (manager) => {
      // The order is locked first, as in all transactions. If an earlier attempt was paid in the meantime, the order stays paid.
      const before = [...statusesBefore('PENDING'), 'PENDING'];
      await manager.query(START_PAYMENT, [order.id, expiresAt, nextCheckAt, now, before]);
      await manager.getRepository(AttemptEntity).update({ ref: attempt.ref }, { url, providerRef, claimedAt: null });
    });
  }

  private async abandonAttempt(order: OrderEntity, { ref }: AttemptEntity, isRefused: boolean): Promise<void> {
    await this.dataSource.getRepository(AttemptEntity).update({ ref }, { claimedAt: null });
    if (!isRefused) return;
    await this.dataSource
      .getRepository(OrderEntity)
      .update({ id: order.id, status: 'CREATED' }, { status: 'FAILED', failure: 'REFUSED', updatedAt: this.now() });
  }

  /** The content of the package; demonstration packages hold everything. */
  private async packageKind({ tenderId }: OrderEntity): Promise<PackageKind> {
    const [tender] = await this.dataSource.query(PACKAGE_KIND_OF_TENDER, [tenderId]);
    return tender?.package_kind ?? 'nit-boq';
  }

  private checkoutError({ publicId }: OrderEntity, error: Error): AppError {
    this.logger.warn(`Order ${publicId} has no payment page: ${error.message}`);
    return new AppError('GATEWAY', () => t`Failed to initiate payment. Please try again.`);
  }

  private isClaimActive(claimedAt: Date): boolean {
    const now = this.now();
    return now.getTime() - claimedAt.getTime() < CLAIM_TIMEOUT_MS && claimedAt <= latestPlausibleInstant(now);
  }

  /** Whether the page has expired. A page that was opened in the future, by a wrong clock, counts as expired. */
  private isExpired({ createdAt, expiresAt }: AttemptEntity): boolean {
    const now = this.now();
    return expiresAt <= now || createdAt > latestPlausibleInstant(now);
  }
}

const checkoutInProgress = () =>
  new AppError('CONFLICT', () => t`Your payment is being prepared. Please try again in a second.`, undefined, 409, 1);

/** Text for the provider's page, without personal data. */
function checkoutDescription({ product, title }: OrderEntity, kind: PackageKind): string {
  const words = product === 'tender-documents' ? `${packageKindLabel(kind)}: ${title}` : title;
  const line = [...words.replace(/\s+/g, ' ')];
  return line.length <= MAX_DESCRIPTION_CHARACTERS
    ? line.join('')
    : `${line.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join('')}…`;
}
