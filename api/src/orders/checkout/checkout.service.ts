import { t } from '@lingui/core/macro';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Language } from '@nivida/contract/languages';
import { type PackageKind, packageKindLabel } from '@nivida/contract/orders/document-package';
import type { CreateOrderResponse } from '@nivida/contract/orders/order';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { isDatabaseUnavailable } from '../../database/database-unavailable.ts';
import { GatewayError, GatewayRejectedError, type StartedCheckout } from '../../payments/payment-gateway.port.ts';
import { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { lockOrder, OrderEntity } from '../order.entity.ts';
import { isOpenOrder, isUnpaidOrder } from '../order-status.ts';
import { recordOrderEvent, statusesBefore } from '../order-transitions.ts';
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

/** An order after it went to another provider, with its attempt there. */
interface MovedOrder {
  order: OrderEntity;
  attempt: AttemptEntity;
}

/**
 * Opens a payment page for an order, or returns the open one. An order whose buyer has not received any page goes to the other
 * provider when its own does not answer. All others stay, because their page may be paid.
 */
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
   * when no provider answers, or it rejects; a request with the same key continues the attempt.
   */
  async openCheckout(order: OrderEntity, language: Language): Promise<CreateOrderResponse> {
    const last = await this.lastAttempt(order);
    if (last && !last.url && last.claimedAt && this.isClaimActive(last.claimedAt)) throw checkoutInProgress();
    if (!last || !isOpenOrder(order) || (last.url && !this.isExpired(last)))
      return this.continueCheckout(order, last, language);
    // The page was not delivered or has expired. The attempt is settled before another page is opened.
    let settled: OrderEntity;
    try {
      settled = await this.settleService.settle(order.id);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const moved = error instanceof GatewayError ? await this.moveToOtherProvider(order, last) : undefined;
      if (!moved) throw this.checkoutError(order, error as Error);
      return { url: await this.startAtProvider(moved.order, moved.attempt, false), orderId: order.publicId };
    }
    return this.continueCheckout(settled, last, language);
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
  private async createAttempt(
    order: OrderEntity,
    last: AttemptEntity | null,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<AttemptEntity> {
    const now = this.now();
    const number = last ? Number(last.ref.slice(order.publicId.length + 1)) + 1 : 1;
    const attempt: AttemptEntity = {
      ref: `${order.publicId}-${number}`,
      orderId: order.id,
      provider: order.provider,
      providerRef: null,
      url: null,
      // Attempts are sorted by this instant.
      createdAt: last && last.createdAt >= now ? new Date(last.createdAt.getTime() + 1) : now,
      expiresAt: new Date(now.getTime() + CHECKOUT_DURATION_MS),
      leftAt: null,
      claimedAt: now,
    };
    const insert = manager.createQueryBuilder().insert().into(AttemptEntity).values(attempt).orIgnore();
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
    return { ...attempt, claimedAt: now };
  }

  /** Opens the page of a claimed attempt; at the other provider when the order's does not answer and it `mayMove`. */
  private async startAtProvider(order: OrderEntity, attempt: AttemptEntity, mayMove = true): Promise<string> {
    // The provider has just failed for others: an order that can go to the other one does not wait for it.
    if (mayMove && this.gateways.has(order) && !this.gateways.isAvailable(this.gateways.of(order), this.now())) {
      const moved = await this.moveToOtherProvider(order, attempt);
      if (moved) return this.startAtProvider(moved.order, moved.attempt, false);
    }
    let started: StartedCheckout;
    try {
      started = await this.requestPage(order, attempt);
    } catch (error) {
      if (mayMove && error instanceof GatewayError) {
        const moved = await this.moveToOtherProvider(order, attempt);
        if (moved) return this.startAtProvider(moved.order, moved.attempt, false);
      }
      await this.abandonAttempt(order, attempt, error instanceof GatewayRejectedError);
      throw this.checkoutError(order, error as Error);
    }
    await this.storeStartedAttempt(order, attempt, started);
    return started.url;
  }

  private async requestPage(order: OrderEntity, attempt: AttemptEntity): Promise<StartedCheckout> {
    const { buyerName: name, buyerEmail: email, buyerMobile: mobile, amountPaise } = order;
    const checkout = {
      attemptRef: attempt.ref,
      amountPaise,
      description: await this.describe(order),
      buyer: { name, email, mobile },
      returnUrl: orderPageUrl(this.config.publicOrigin, order.returnPath, order),
      expiresAt: attempt.expiresAt,
    };
    return this.gateways.startCheckout(this.gateways.of(order), checkout, this.now);
  }

  /**
   * Gives an order to the other provider, with a new attempt that this request has claimed. Undefined for an order that stays:
   * one that is not CREATED or has a page, and every one when no other provider answers. CONFLICT when another request has
   * continued the order in the meantime.
   */
  private async moveToOtherProvider(order: OrderEntity, last: AttemptEntity): Promise<MovedOrder | undefined> {
    const other = this.gateways.has(order) && this.gateways.otherFor(this.gateways.of(order), this.now());
    if (!other || order.status !== 'CREATED') return undefined;
    return this.dataSource.transaction(async (manager) => {
      const locked = await lockOrder(manager, { id: order.id });
      const attempts = await manager.getRepository(AttemptEntity).findBy({ orderId: order.id });
      if (locked.status !== 'CREATED' || attempts.some(({ url }) => url !== null)) return undefined;
      const stored = attempts.find(({ ref }) => ref === last.ref);
      const isNewest = attempts.every(({ createdAt }) => createdAt <= last.createdAt);
      if (!isNewest || stored?.claimedAt?.getTime() !== last.claimedAt?.getTime()) throw checkoutInProgress();
      const change = { provider: other.name, updatedAt: this.now() };
      await manager.getRepository(OrderEntity).update({ id: order.id }, change);
      await manager.getRepository(AttemptEntity).update({ ref: last.ref }, { claimedAt: null });
      const detail = { from: locked.provider, to: other.name };
      await recordOrderEvent(manager, locked, 'order.moved', detail, this.now(), null);
      this.logger.warn(`Order ${order.publicId} goes from ${locked.provider} to ${other.name}, which answers`);
      const moved = Object.assign(locked, change);
      return { order: moved, attempt: await this.createAttempt(moved, last, manager) };
    });
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

  /** The product for the payment page, without personal data. */
  async describe(order: OrderEntity): Promise<string> {
    return checkoutDescription(order, await this.packageKind(order));
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
