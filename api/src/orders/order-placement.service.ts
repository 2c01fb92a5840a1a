import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { Language } from '@nivida/contract/languages';
import type { CreateOrderRequest, CreateOrderResponse } from '@nivida/contract/orders/order';
import { DataSource, type EntityManager } from 'typeorm';
import { UUID_REGEX } from 'valibot';
import { UserEntity } from '../auth/user.entity.ts';
import { AppError, forPrograms } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG, latestPlausibleInstant } from '../base/injection-tokens.ts';
import { takeNamedLock } from '../database/locks.sql.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import { tooManyRequests } from '../http/limits/too-many-requests.ts';
import type { Sender } from '../http/security/client-address.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { PaymentGateways } from '../payments/payment-gateways.port.ts';
import { CatalogueService, type OrderedProduct } from './catalogue.service.ts';
import { CheckoutService } from './checkout/checkout.service.ts';
import { orderPageUrl, parseReturnPath } from './checkout/return-path.ts';
import { OrderEntity } from './order.entity.ts';
import { isUnpaidOrder } from './order-status.ts';
import { EARLIER_PURCHASE_BY_EMAIL, OWNED_ORDER, RECENT_ORDERS_OF_BUYER } from './orders.sql.ts';

const TEN_MINUTES = 600;
const TEN_MINUTES_MS = TEN_MINUTES * 1_000;
const MAX_ORDERS_PER_WINDOW = 10;

const UUID_V4_PATTERN = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** The buyer and the request's headers. */
export interface OrderRequester {
  /** Undefined for a guest. */
  userId: string | undefined;
  sender: Sender;
  language: Language;
  /** Header `Idempotency-Key`. */
  idempotencyKey: string | undefined;
}

type IdempotencyScope = Pick<OrderEntity, 'idempotencyScope' | 'idempotencyKey' | 'bodySha256'>;

@Injectable()
export class OrderPlacementService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateway: PaymentGateway,
    private readonly gateways: PaymentGateways,
    private readonly catalogue: CatalogueService,
    private readonly checkouts: CheckoutService,
    private readonly limits: RateLimitsService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Creates an order, or finds the one with the same key, and returns the payment page. A rejected request creates nothing.
   * - INVALID (422) for a wrong price, redirect or state, and for a key that was used with another body.
   * - CONFLICT, GATEWAY and NOT_FOUND as in CatalogueService and CheckoutService.
   * - FORBIDDEN when nothing is sold.
   * - TOO_MANY for the eleventh new order in 10 minutes.
   */
  async placeOrder(body: CreateOrderRequest, requester: OrderRequester): Promise<CreateOrderResponse> {
    if (this.gateway.mode === 'none')
      throw new AppError('FORBIDDEN', () => t`Nothing is sold here: everything is free`);
    const scope = createIdempotencyScope(body, requester);
    const path = parseReturnPath(body.redirectUrl, this.config.publicOrigin);
    // Counted even for a repeated key, because each call may reach the provider.
    const { userId, sender } = requester;
    await this.limits.consume('create-order', userId ? { account: userId } : { email: body.email, sender });
    const known = await this.findByKey(this.dataSource.manager, scope);
    if (known && !isUnpaidOrder(known)) return this.checkouts.openCheckout(known, requester.language);
    const user = requester.userId ? await this.findUser(requester.userId) : undefined;
    const { invoice, ...product } = await this.catalogue.resolveProduct(body, user);
    const billing = invoice ?? {
      firm: body.gstin && body.firm,
      address: body.gstin && body.firmAddress,
      gstin: body.gstin,
    };
    const owned = user && product.nit && (await this.findOwnedOrder(user.id, product.nit));
    if (owned) {
      return {
        url: orderPageUrl(this.config.publicOrigin, '/payment-status', {
          language: requester.language,
          publicId: owned,
        }),
        orderId: owned,
        alreadyEntitled: true,
      };
    }
    if (!user && !known && product.nit && body.product === 'tender-documents' && !body.again)
      await this.warnAboutEarlierPurchase(body.email, product.nit, sender);
    // An unpaid order is tried again after these checks: its product is still sold at this price, and the buyer does not own it.
    if (known) return this.checkouts.openCheckout(known, requester.language);
    // A signed-in buyer's name and address come from the account, because its invoices show them (SPEC section 6).
    const person = user
      ? { buyerName: user.username, buyerEmail: user.email, buyerMobile: user.mobileNo }
      : { buyerName: body.name, buyerEmail: body.email, buyerMobile: body.mobileNo };
    const order = this.createOrder({
      ...product,
      ...scope,
      ...person,
      userId: user?.id ?? null,
      gstin: billing.gstin,
      buyerFirm: billing.firm,
      buyerAddress: billing.address,
      returnPath: path,
      language: requester.language,
    });
    const stored = await this.storeOrder(order, requester.idempotencyKey !== undefined);
    return this.checkouts.openCheckout(stored, requester.language);
  }

  /** CONFLICT, at the field `again`, when documents of this NIT were bought with this e-mail address before. */
  private async warnAboutEarlierPurchase(email: string, nit: string, sender: Sender): Promise<void> {
    const [owned] = await this.dataSource.query(EARLIER_PURCHASE_BY_EMAIL, [email, nit, !this.gateway.live]);
    if (!owned) return;
    // The address is not verified. The limit prevents strangers from finding out what an address has bought.
    await this.limits.consume('order-warning', { email, sender });
    const text = () =>
      t`These documents were bought with this email address before. The link is in that mailbox, in our mail with the documents. Nothing was charged now.`;
    throw new AppError('CONFLICT', text, () => ({ again: text() }));
  }

  /** The order with this key. INVALID (422) when it was created with another body. */
  private async findByKey(manager: EntityManager, scope: IdempotencyScope): Promise<OrderEntity | null> {
    const { idempotencyScope, idempotencyKey, bodySha256 } = scope;
    const order = await manager.getRepository(OrderEntity).findOneBy({ idempotencyScope, idempotencyKey });
    if (order && order.bodySha256 !== bodySha256)
      throw new AppError('INVALID', forPrograms('This Idempotency-Key was used for another order'), undefined, 422);
    return order;
  }

  /** Stores the order unless the purchase already has one: one with the same key or, without a key, an open order of the account. */
  private async storeOrder(order: OrderEntity, isKeyed: boolean): Promise<OrderEntity> {
    return this.dataSource.transaction(async (manager) => {
      const buyer = order.userId ?? order.buyerEmail.toLowerCase();
      // Orders of one buyer are serialised, so that the limit holds for concurrent requests.
      await takeNamedLock(manager, `orders of ${buyer}`);
      const same =
        (await this.findByKey(manager, order)) ?? (isKeyed ? null : await this.findOpenOrder(manager, order));
      if (same) return same;
      await this.assertOrderLimit(manager, order);
      const insert = manager.createQueryBuilder().insert().into(OrderEntity).values(order).orIgnore();
      await insert.updateEntity(false).execute();
      if (order.userId && order.gstin && order.firmId === null)
        await manager
          .getRepository(UserEntity)
          .update(
            { id: order.userId },
            { gstin: order.gstin, billingFirm: order.buyerFirm, billingAddress: order.buyerAddress },
          );
      // A concurrent request with the same key was first. Its order is returned.
      return (await this.findByKey(manager, order)) as OrderEntity;
    });
  }

  private async findOpenOrder(manager: EntityManager, order: OrderEntity): Promise<OrderEntity | null> {
    if (order.userId === null) return null;
    return manager
      .createQueryBuilder(OrderEntity, 'mine')
      .where("mine.userId = :userId AND mine.status IN ('CREATED', 'PENDING')", { userId: order.userId })
      .andWhere('mine.createdAt > :since AND mine.createdAt <= :latest', {
        since: new Date(this.now().getTime() - TEN_MINUTES_MS),
        latest: latestPlausibleInstant(this.now()),
      })
      .andWhere('mine.product = :product AND mine.amountPaise = :amountPaise AND mine.live = :live', order)
      .andWhere('mine.provider IN (:...sellers)', { sellers: this.gateways.sellers() })
      .andWhere('mine.tenderId IS NOT DISTINCT FROM :tenderId AND mine.planId IS NOT DISTINCT FROM :planId', order)
      .andWhere('mine.firmId IS NOT DISTINCT FROM :firmId', order)
      .andWhere('mine.states = :states', order)
      .orderBy('mine.id', 'DESC')
      .getOne();
  }

  private async assertOrderLimit(manager: EntityManager, { userId, buyerEmail }: OrderEntity): Promise<void> {
    const now = this.now().getTime();
    const [{ count, first }]: [{ count: number; first: Date }] = await manager.query(RECENT_ORDERS_OF_BUYER, [
      userId,
      buyerEmail,
      new Date(now - TEN_MINUTES_MS),
      latestPlausibleInstant(this.now()),
    ]);
    if (count >= MAX_ORDERS_PER_WINDOW)
      throw tooManyRequests('new-orders', Math.ceil((first.getTime() + TEN_MINUTES_MS - now) / 1_000));
  }

  private async findOwnedOrder(userId: string, nit: string): Promise<string | undefined> {
    const rows: { public_id: string }[] = await this.dataSource.query(OWNED_ORDER, [userId, nit, !this.gateway.live]);
    return rows[0]?.public_id;
  }

  private findUser(id: string): Promise<UserEntity> {
    return this.dataSource.getRepository(UserEntity).findOneByOrFail({ id });
  }

  private createOrder(
    given: OrderedProduct &
      IdempotencyScope &
      Pick<
        OrderEntity,
        | 'buyerName'
        | 'buyerEmail'
        | 'buyerMobile'
        | 'userId'
        | 'gstin'
        | 'buyerFirm'
        | 'buyerAddress'
        | 'returnPath'
        | 'language'
      >,
  ): OrderEntity {
    const now = this.now();
    const expiresAt = new Date(now.getTime() + 2 * TEN_MINUTES_MS);
    return {
      ...given,
      publicId: newPublicId(),
      currency: 'INR',
      provider: this.gateways.forNewOrder(now).name,
      live: this.gateway.live,
      status: 'CREATED',
      failure: null,
      createdAt: now,
      updatedAt: now,
      paidAt: null,
      expiresAt,
      lastCheckedAt: null,
      // If this process dies before the checkout starts, the reconciler expires the order.
      nextCheckAt: expiresAt,
      checks: 0,
    } as OrderEntity;
  }
}

/** A random id for buyers and the operator. */
export function newPublicId(): string {
  const id = randomBytes(16).toString('base64url');
  // A command line would read a leading hyphen as an option.
  return id.startsWith('-') ? newPublicId() : id;
}

/**
 * The owner of an idempotency key. Without an account the key must be random (UUID v4), because a guest's e-mail and
 * number can be guessed.
 */
function createIdempotencyScope(
  body: CreateOrderRequest,
  { userId, idempotencyKey: key }: OrderRequester,
): IdempotencyScope {
  if (key !== undefined && !(userId ? UUID_REGEX : UUID_V4_PATTERN).test(key)) {
    throw new AppError('INVALID', forPrograms(`Idempotency-Key must be a ${userId ? 'UUID' : 'UUID of version 4'}`));
  }
  return {
    idempotencyScope: userId ? `user:${userId}` : 'anon',
    idempotencyKey: key?.toLowerCase() ?? `none:${randomUUID()}`,
    bodySha256: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
  };
}
