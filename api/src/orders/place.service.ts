import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { NewOrder, OrderStarted } from '@nivida/contract/order';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../config.ts';
import { AppError, tooMany } from '../http/app-error.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { latestWritten } from '../http/clock-tolerance.ts';
import { LimitsService, type Window } from '../http/limits.service.ts';
import { CLOCK, CONFIG } from '../http/tokens.ts';
import { PaymentGateway } from '../payments/gateway.service.ts';
import { UserEntity } from '../users/user.entity.ts';
import { CheckoutService } from './checkout.service.ts';
import { type Goods, GoodsService } from './goods.service.ts';
import { OrderEntity } from './order.entity.ts';
import { orderPage, returnPath } from './redirect.ts';
import { isUnpaid } from './words.ts';

const TEN_MINUTES = 600;
const TEN_MINUTES_MS = TEN_MINUTES * 1_000;
const MOST_ORDERS = 10;
/** Of calls, since a key may be sent again: it keeps the provider from being asked without end. */
const CALLS: Window[] = [{ most: 60, perSeconds: TEN_MINUTES }];
const PER_ADDRESS: Window[] = [{ most: 300, perSeconds: TEN_MINUTES }];

const WARNINGS: Window[] = [{ most: 20, perSeconds: 3_600 }];

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** Who orders, and what his request says beside its body. */
export interface Buyer {
  /** Of whoever is signed in. */
  userId: string | undefined;
  address: ClientAddress | undefined;
  /** Header `Idempotency-Key`. */
  key: string | undefined;
}

type Scope = Pick<OrderEntity, 'idempotencyScope' | 'idempotencyKey' | 'bodySha256'>;

/** Takes orders. */
@Injectable()
export class PlaceService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(PaymentGateway) private readonly gateway: PaymentGateway,
    @Inject(GoodsService) private readonly goods: GoodsService,
    @Inject(CheckoutService) private readonly checkouts: CheckoutService,
    @Inject(LimitsService) private readonly limits: LimitsService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Makes an order, or finds the one that the same key made, and gives the page to pay on. INVALID (422) for a wrong
   * price, redirect or state, and for a key that was used with another body; CONFLICT, GATEWAY and NOT_FOUND as in
   * goods and checkout; TOO_MANY for the eleventh new order in 10 minutes. Nothing is created by what is refused.
   */
  async place(wish: NewOrder, buyer: Buyer): Promise<OrderStarted> {
    const scope = scopeOf(wish, buyer);
    const path = returnPath(wish.redirectUrl, this.config.publicOrigin);
    await this.limits.takeFor('create-order', buyer.address, PER_ADDRESS);
    await this.limits.take('create-order', buyer.userId ?? wish.email.toLowerCase(), CALLS);
    const known = await this.find(this.dataSource.manager, scope);
    if (known && !isUnpaid(known)) return this.checkouts.open(known);
    const user = buyer.userId ? await this.userOf(buyer.userId) : undefined;
    const goods = await this.goods.find(wish, user);
    const owned = user && goods.nit && (await this.ownedOrder(user.id, goods.nit));
    if (owned) {
      return {
        url: orderPage(this.config.publicOrigin, '/payment-status', owned),
        orderId: owned,
        alreadyEntitled: true,
      };
    }
    if (!user && !known && goods.nit && wish.product === 'tender-documents' && !wish.again)
      await this.warnOwner(wish.email, goods.nit, buyer.address);
    // It came to nothing, and is sold again: what it is for still stands, at this price, and the buyer has none of it.
    if (known) return this.checkouts.open(known);
    // Locked in the form, and so here: the papers of an account bear its name (SPEC section 6).
    const person = user
      ? { buyerName: user.username, buyerEmail: user.email, buyerMobile: user.mobileNo }
      : { buyerName: wish.name, buyerEmail: wish.email, buyerMobile: wish.mobileNo };
    const order = this.toOrder({
      ...goods,
      ...scope,
      ...person,
      userId: user?.id ?? null,
      gstin: wish.gstin,
      buyerFirm: wish.gstin && wish.firm,
      buyerAddress: wish.gstin && wish.firmAddress,
      returnPath: path,
    });
    return this.checkouts.open(await this.store(order, buyer.key !== undefined));
  }

  /** CONFLICT, at the field `again`, when documents of this NIT were bought with this e-mail address without an account. */
  private async warnOwner(email: string, nit: string, address: ClientAddress | undefined): Promise<void> {
    const [owned] = await this.dataSource.query(
      `SELECT FROM orders o JOIN entitlement e ON e.order_id = o.id
       WHERE lower(o.buyer_email) = lower($1) AND e.kind = 'documents' AND e.nit = $2 AND e.revoked_at IS NULL
         AND e.is_test = $3 LIMIT 1`,
      [email, nit, !this.gateway.live],
    );
    if (!owned) return;
    // The address is not proved: what a rival has bought must not be found out by trying.
    await this.limits.takeFor('order-warning', address, WARNINGS);
    await this.limits.take('order-warning', email.toLowerCase(), WARNINGS);
    const message =
      'These documents were bought with this email address before. The link is in that mailbox, in the mail "Your tender documents". Nothing was charged now.';
    throw new AppError('CONFLICT', message, { again: message });
  }

  /** The order that a key has made. INVALID (422) when it was made by another body. */
  private async find(manager: EntityManager, scope: Scope): Promise<OrderEntity | null> {
    const { idempotencyScope, idempotencyKey, bodySha256 } = scope;
    const order = await manager.getRepository(OrderEntity).findOneBy({ idempotencyScope, idempotencyKey });
    if (order && order.bodySha256 !== bodySha256)
      throw new AppError('INVALID', 'This Idempotency-Key was used for another order', undefined, 422);
    return order;
  }

  /** Stores the order unless the same intent has one: by its key, or by a signed-in buyer who sends none. */
  private async store(order: OrderEntity, isKeyed: boolean): Promise<OrderEntity> {
    return this.dataSource.transaction(async (manager) => {
      const who = order.userId ?? order.buyerEmail.toLowerCase();
      // One after the other for each buyer: so many at once count like so many in turn.
      await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`orders of ${who}`]);
      const same = (await this.find(manager, order)) ?? (isKeyed ? null : await this.findOpen(manager, order));
      if (same) return same;
      await this.refuseFlood(manager, order);
      const insert = manager.createQueryBuilder().insert().into(OrderEntity).values(order).orIgnore();
      await insert.updateEntity(false).execute();
      if (order.userId && order.gstin)
        await manager
          .getRepository(UserEntity)
          .update(
            { id: order.userId },
            { gstin: order.gstin, billingFirm: order.buyerFirm, billingAddress: order.buyerAddress },
          );
      // Of a key that two buyers sent at once the other may have come first.
      return (await this.find(manager, order)) as OrderEntity;
    });
  }

  private async findOpen(manager: EntityManager, order: OrderEntity): Promise<OrderEntity | null> {
    if (order.userId === null) return null;
    return manager
      .createQueryBuilder(OrderEntity, 'mine')
      .where("mine.userId = :userId AND mine.status IN ('CREATED', 'PENDING')", { userId: order.userId })
      .andWhere('mine.createdAt > :since AND mine.createdAt <= :latest', {
        since: new Date(this.now().getTime() - TEN_MINUTES_MS),
        latest: latestWritten(this.now()),
      })
      .andWhere('mine.product = :product AND mine.amountPaise = :amountPaise AND mine.provider = :provider', order)
      .andWhere('mine.tenderId IS NOT DISTINCT FROM :tenderId AND mine.planId IS NOT DISTINCT FROM :planId', order)
      .andWhere('mine.states = :states', order)
      .orderBy('mine.id', 'DESC')
      .getOne();
  }

  private async refuseFlood(manager: EntityManager, { userId, buyerEmail }: OrderEntity): Promise<void> {
    const now = this.now().getTime();
    const [{ count, first }]: [{ count: number; first: Date }] = await manager.query(
      `SELECT count(*)::int AS count, min(created_at) AS first FROM orders
       WHERE created_at > $3 AND created_at <= $4 AND (user_id = $1 OR $1::uuid IS NULL AND user_id IS NULL AND lower(buyer_email) = lower($2))`,
      [userId, buyerEmail, new Date(now - TEN_MINUTES_MS), latestWritten(this.now())],
    );
    if (count >= MOST_ORDERS) throw tooMany(Math.ceil((first.getTime() + TEN_MINUTES_MS - now) / 1_000));
  }

  private async ownedOrder(userId: string, nit: string): Promise<string | undefined> {
    const rows: { public_id: string }[] = await this.dataSource.query(
      `SELECT o.public_id FROM entitlement e JOIN orders o ON o.id = e.order_id
       WHERE e.user_id = $1 AND e.kind = 'documents' AND e.nit = $2 AND e.revoked_at IS NULL AND e.is_test = $3
       ORDER BY e.id DESC LIMIT 1`,
      [userId, nit, !this.gateway.live],
    );
    return rows[0]?.public_id;
  }

  private userOf(id: string): Promise<UserEntity> {
    return this.dataSource.getRepository(UserEntity).findOneByOrFail({ id });
  }

  private toOrder(
    given: Goods &
      Scope &
      Pick<
        OrderEntity,
        'buyerName' | 'buyerEmail' | 'buyerMobile' | 'userId' | 'gstin' | 'buyerFirm' | 'buyerAddress' | 'returnPath'
      >,
  ): OrderEntity {
    const now = this.now();
    const expiresAt = new Date(now.getTime() + 2 * TEN_MINUTES_MS);
    return {
      ...given,
      publicId: newPublicId(),
      currency: 'INR',
      provider: this.gateway.name,
      live: this.gateway.live,
      status: 'CREATED',
      failure: null,
      createdAt: now,
      updatedAt: now,
      paidAt: null,
      expiresAt,
      lastCheckedAt: null,
      // Should its maker die before it is sent, somebody ends it.
      nextCheckAt: expiresAt,
      checks: 0,
    } as OrderEntity;
  }
}

function newPublicId(): string {
  const id = randomBytes(16).toString('base64url');
  // A command would take it for an option.
  return id.startsWith('-') ? newPublicId() : id;
}

/** Whose a key is. Without an account it must be too random to be guessed: an address or number of the buyer is not. */
function scopeOf(wish: NewOrder, { userId, key }: Buyer): Scope {
  if (key !== undefined && !(userId ? UUID : UUID_V4).test(key)) {
    throw new AppError('INVALID', `Idempotency-Key must be a ${userId ? 'UUID' : 'UUID of version 4'}`);
  }
  return {
    idempotencyScope: userId ? `user:${userId}` : 'anon',
    idempotencyKey: key?.toLowerCase() ?? `none:${randomUUID()}`,
    bodySha256: createHash('sha256').update(JSON.stringify(wish)).digest('hex'),
  };
}
