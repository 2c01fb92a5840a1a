import { t } from '@lingui/core/macro';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { inLanguage } from '@nivida/contract/i18n';
import { orderTitle } from '@nivida/contract/orders/order-title';
import { MAX_UNCONFIRMED_MS } from '@nivida/contract/orders/payment-times';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { takeNamedLock } from '../../database/locks.sql.ts';
import { FirmEntity } from '../../firms/firm.entity.ts';
import { Metrics } from '../../http/monitoring/metrics.ts';
import { InvoicesService } from '../../invoices/invoices.service.ts';
import { MailService } from '../../mail/mail.service.ts';
import { refundReason } from '../../mail/refund-reasons.ts';
import type { Capture, ProviderStatus } from '../../payments/payment-gateway.port.ts';
import { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { EntitlementsService } from '../../plans/entitlements.service.ts';
import { findVerifiedOwner } from '../buyer-account.service.ts';
import { AttemptEntity } from '../checkout/attempt.entity.ts';
import { orderPageUrl } from '../checkout/return-path.ts';
import { DocumentDelivery } from '../document-delivery.port.ts';
import { isGuestOrder, lockOrder, OrderEntity, type StoredOrderStatus } from '../order.entity.ts';
import { isOpenOrder, isSettledOrder, unpaidReason } from '../order-status.ts';
import { changeOrderStatus, recordOrderEvent } from '../order-transitions.ts';
import { FIRST_WEBHOOK_OF_ATTEMPT, OTHER_ORDERS_OF_BUYER, PAID_ORDER_OF_DOCUMENTS } from '../orders.sql.ts';
import { RefundsService } from '../refunds/refunds.service.ts';
import { computeNextCheck, MAX_LATE_PAYMENT_MS } from './next-check.ts';
import { PaymentEntity } from './payment.entity.ts';

/** How long the operator may decide on a payment in review before it is refunded. */
const REVIEW_PERIOD_MS = DAY_MS;
const MAX_UNPAID_MAILS_PER_DAY = 5;

/** An attempt with its status at the provider. */
interface AttemptStatus {
  attempt: AttemptEntity;
  status: ProviderStatus;
}

/** Why a paid order grants nothing: the audit event and the reason of the refund. */
interface Obstacle {
  action: string;
  detail?: Record<string, string>;
  reason: string;
}

/** What the providers said about the attempts of an order. */
interface Readings {
  readings: AttemptStatus[];
  /** Number of attempts that were asked about. */
  attempts: number;
  /** Whether every attempt was answered for, apart from those without a page that a later one has replaced. */
  isComplete: boolean;
}

/**
 * The only place where an order becomes paid: by `settle` after asking the provider, by `acceptPayment` for the operator.
 * (A refund that fails sets `SUCCESS` again if the order has an entitlement.) Webhook, return, poll and reconciler call
 * `settle`, sometimes concurrently. One transaction under the order's row lock writes payment, status, entitlement, mails,
 * audit event and invoice, or nothing.
 */
@Injectable()
export class SettleService {
  private readonly logger = new Logger('Orders');

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: PaymentGateways,
    private readonly refunds: RefundsService,
    private readonly entitlements: EntitlementsService,
    private readonly delivery: DocumentDelivery,
    private readonly invoices: InvoicesService,
    private readonly mails: MailService,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Asks the provider about an order, stores the result and returns the order. No database connection is held while the
   * provider answers. Throws GatewayError when the provider answered for no attempt; then nothing has changed.
   */
  async settle(orderId: string): Promise<OrderEntity> {
    const order = await this.dataSource.getRepository(OrderEntity).findOneByOrFail({ id: orderId });
    const readings = await this.readAttemptStatuses(order);
    return this.dataSource.transaction((manager) => this.applyStatuses(manager, orderId, readings));
  }

  /**
   * Accepts the payment of an order in review, as the operator decided. The provider is asked once more. NOT_FOUND. CONFLICT
   * for an order that is not in review, whose money is not there, or that was paid in another currency.
   */
  async acceptPayment(publicId: string, given: string | OperatorAct): Promise<OrderEntity> {
    const found = await this.dataSource.getRepository(OrderEntity).findOneBy({ publicId });
    if (!found) throw new AppError('NOT_FOUND', () => t`Order not found`);
    const { readings } = await this.readAttemptStatuses(found);
    return this.dataSource.transaction(async (manager) => {
      const order = await lockOrder(manager, { id: found.id });
      const captures = readings.flatMap(({ status }) => status.captures);
      const payments = await manager.getRepository(PaymentEntity).findBy({ orderId: order.id, kind: 'mismatch' });
      const payment = payments.find((each) => captures.some(({ paymentId }) => paymentId === each.providerPaymentId));
      if (order.status !== 'REVIEW') throw new AppError('CONFLICT', () => t`The order is not in review`);
      if (!payment)
        throw new AppError('CONFLICT', () => t`The provider does not hold the money of this order any more`);
      const { provider, providerPaymentId, currency } = payment;
      if (currency !== order.currency)
        throw new AppError(
          'CONFLICT',
          () =>
            t`The payment is in ${{ paid: currency }}; invoices are issued in ${{ wanted: order.currency }} only. Refund it.`,
        );
      await manager.getRepository(PaymentEntity).update({ provider, providerPaymentId }, { kind: 'capture' });
      await this.refunds.cancelRefund(manager, providerPaymentId);
      const act = typeof given === 'string' ? { actorId: null, reason: given } : given;
      const change = { action: 'order.accepted', subject: publicId, detail: { payment: providerPaymentId } };
      await recordAct(manager, act, change, this.now());
      await this.fulfilOrder(manager, order, payment);
      return order;
    });
  }

  /** Asks about each attempt at its own provider. */
  private async readAttemptStatuses({ id: orderId, live }: OrderEntity): Promise<Readings> {
    const attempts = await this.dataSource
      .getRepository(AttemptEntity)
      .find({ where: { orderId }, order: { createdAt: 'ASC' } });
    const answers = await Promise.allSettled(
      attempts.map(async (attempt) =>
        this.gateways.of({ provider: attempt.provider, live }).fetchStatus(attempt.ref, attempt),
      ),
    );
    const readings: AttemptStatus[] = [];
    const unread: AttemptEntity[] = [];
    for (const [index, answer] of answers.entries()) {
      const attempt = attempts[index] as AttemptEntity;
      if (answer.status === 'fulfilled') readings.push({ attempt, status: answer.value });
      else unread.push(attempt);
    }
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed && readings.length === 0) throw failed.reason;
    // The order has gone to another provider. Its buyer has never received the page of such an attempt.
    const isSuperseded = (attempt: AttemptEntity) => attempt.url === null && attempt.ref !== attempts.at(-1)?.ref;
    return { readings, attempts: attempts.length, isComplete: unread.every(isSuperseded) };
  }

  private async applyStatuses(
    manager: EntityManager,
    orderId: string,
    { readings, attempts, isComplete }: Readings,
  ): Promise<OrderEntity> {
    const order = await lockOrder(manager, { id: orderId });
    for (const { attempt, status } of readings)
      for (const capture of status.captures) await this.recordCapture(manager, order, attempt, capture);
    // The order is unpaid only if the provider has answered for every attempt that its buyer may have paid.
    const isEveryAttemptRead = isComplete && attempts === (await manager.countBy(AttemptEntity, { orderId }));
    if (isEveryAttemptRead && isOpenOrder(order)) await this.closeUnpaid(manager, order, readings);
    return order;
  }

  /** Records a capture the first time it is seen, with its side effects. */
  private async recordCapture(
    manager: EntityManager,
    order: OrderEntity,
    attempt: AttemptEntity,
    capture: Capture,
  ): Promise<void> {
    const isLate = this.now().getTime() - attempt.createdAt.getTime() > MAX_LATE_PAYMENT_MS;
    const matchesOrder = !isLate && capture.amountPaise === order.amountPaise && capture.currency === order.currency;
    const kind = isSettledOrder(order) ? 'duplicate' : matchesOrder ? 'capture' : 'mismatch';
    const payment: PaymentEntity = {
      provider: attempt.provider,
      providerPaymentId: capture.paymentId,
      orderId: order.id,
      attemptRef: attempt.ref,
      amountPaise: capture.amountPaise,
      currency: capture.currency,
      method: capture.method,
      kind,
      noticedAt: this.now(),
    };
    const inserted = await manager
      .createQueryBuilder()
      .insert()
      .into(PaymentEntity)
      .values(payment)
      .orIgnore()
      .returning('provider_payment_id')
      .execute();
    const isNew = inserted.raw.length > 0;
    if (!isNew) return;
    if (kind === 'capture') {
      await this.fulfilOrder(manager, order, payment);
      return this.observeDelay(manager, attempt);
    }
    if (kind === 'mismatch') return this.moveToReview(manager, order, payment, isLate);
    await recordOrderEvent(manager, order, 'payment.duplicate', { payment: capture.paymentId }, this.now());
    await this.refunds.queueRefund(manager, order, payment, refundReason('debitedTwice'), this.now());
  }

  /** How long the provider's first message has waited. Providers say when a payment began, not when it succeeded. */
  private async observeDelay(manager: EntityManager, { ref }: AttemptEntity): Promise<void> {
    const [{ at }]: [{ at: Date | null }] = await manager.query(FIRST_WEBHOOK_OF_ATTEMPT, [ref]);
    // Without a message nothing is known: the buyer's return or a check came first.
    if (at) this.metrics.settlementDelays.observe(Math.max(0, this.now().getTime() - at.getTime()) / 1_000);
  }

  /**
   * Side effects of a successful payment. Locks are taken in a fixed order to avoid deadlocks. Invoice and mail show the
   * captured amount. It differs from the order's amount if the operator has accepted another one.
   */
  private async fulfilOrder(manager: EntityManager, order: OrderEntity, paid: PaymentEntity): Promise<void> {
    const { providerPaymentId: payment, amountPaise } = paid;
    const now = this.now();
    const wasReview = order.status === 'REVIEW';
    await this.setStatus(manager, order, 'SUCCESS', {
      paidAt: now,
      failure: null,
      userId: order.userId ?? (await findVerifiedOwner(manager, order.buyerEmail)),
    });
    if (wasReview) await this.refunds.makeDueNow(manager, order.id);
    const obstacle = await this.findObstacle(manager, order);
    if (obstacle) return this.refundUngranted(manager, order, paid, obstacle);
    const entitlement = await this.entitlements.grant(manager, order, now);
    if (order.product === 'tender-documents') await this.delivery.queueDelivery(manager, order, entitlement, now);
    await recordOrderEvent(manager, order, 'order.paid', { payment, amountPaise }, this.now());
    // The invoice series is the last lock: all other invoices wait for it.
    const { number: receiptNumber } = await this.invoices.issueInvoice(manager, order, paid, now);
    // The buyer may have been erased in the meantime; then there is no address to mail to.
    if (order.buyerEmail)
      await this.mails.queue(manager, { kind: 'order-paid', ...this.orderMail(order), amountPaise, receiptNumber });
  }

  /** Why a paid order cannot be granted; the plans that it credits are ended, unless there is an obstacle. */
  private async findObstacle(manager: EntityManager, order: OrderEntity): Promise<Obstacle | undefined> {
    const earlier = await this.findEarlierOrder(manager, order);
    if (earlier !== undefined) {
      const reason = refundReason(order.userId === null ? 'addressHasThem' : 'accountHasThem', earlier);
      return { action: 'order.duplicate', detail: { earlier }, reason };
    }
    if (order.firmId === null) return undefined;
    // Locked, so that the firm is not closed until its plan is stored.
    const firm = { where: { id: order.firmId }, lock: { mode: 'for_key_share' } } as const;
    if (!(await manager.findOne(FirmEntity, firm)))
      return { action: 'order.firm-closed', reason: refundReason('firmClosed') };
    if (!(await this.entitlements.useCredits(manager, order, this.now())))
      return { action: 'order.credit-gone', reason: refundReason('creditGone') };
    return undefined;
  }

  /**
   * The public id of another paid order that gave these documents to the same account, or, for a guest, to the same address.
   * Payments of one buyer for the same documents are serialised. An order that was paid before a guest placed this one
   * does not count: the guest was warned about it and has chosen to buy again.
   */
  private async findEarlierOrder(manager: EntityManager, order: OrderEntity): Promise<string | undefined> {
    const { userId, buyerEmail, nit, live, createdAt } = order;
    // An erased buyer without an address cannot be identified.
    const buyer = userId ?? buyerEmail.toLowerCase();
    if (nit === null || buyer === '') return undefined;
    await takeNamedLock(manager, `documents ${nit} of ${buyer}`);
    const paidAfter = isGuestOrder(order) ? createdAt : null;
    const parameters = [userId, buyerEmail, nit, !live, paidAfter];
    const rows: { public_id: string }[] = await manager.query(PAID_ORDER_OF_DOCUMENTS, parameters);
    return rows[0]?.public_id;
  }

  /** An order that cannot be granted has no invoice: its money goes back. */
  private async refundUngranted(
    manager: EntityManager,
    order: OrderEntity,
    payment: PaymentEntity,
    { action, detail, reason }: Obstacle,
  ): Promise<void> {
    const now = this.now();
    const paid = { payment: payment.providerPaymentId, amountPaise: payment.amountPaise };
    await recordOrderEvent(manager, order, action, { ...paid, ...detail }, now);
    await changeOrderStatus(manager, order, 'REFUND_PENDING', now);
    await this.refunds.queueRefund(manager, order, payment, reason, now);
  }

  private async moveToReview(
    manager: EntityManager,
    order: OrderEntity,
    payment: PaymentEntity,
    isLate: boolean,
  ): Promise<void> {
    const { amountPaise, currency, providerPaymentId } = payment;
    const isFirst = order.status !== 'REVIEW';
    if (isFirst) await this.setStatus(manager, order, 'REVIEW');
    const detail = { payment: providerPaymentId, amountPaise, currency, expectedPaise: order.amountPaise, isLate };
    await recordOrderEvent(manager, order, 'order.review', detail, this.now());
    const dueAt = new Date(this.now().getTime() + REVIEW_PERIOD_MS);
    const reason = refundReason(isLate ? 'tooLate' : 'otherAmount');
    await this.refunds.queueRefund(manager, order, payment, reason, dueAt);
    const fact = isLate
      ? `${amountPaise} paise (${currency}) were captured more than 7 days after the buyer was sent to pay ${order.amountPaise} paise.`
      : `${amountPaise} paise (${currency}) were captured instead of ${order.amountPaise} paise.`;
    this.logger.error(`Order ${order.publicId} is in review: ${fact}`);
    const what = `${fact} Without a decision the money is refunded in 24 hours.`;
    const { supportEmail: to } = this.config;
    if (to) await this.mails.queue(manager, { kind: 'order-review', to, orderId: order.publicId, what });
    if (!isFirst || !order.buyerEmail) return;
    const paid = { amountPaise, currency };
    await this.mails.queue(manager, { kind: 'order-checked', ...this.orderMail(order), paid, isLate });
  }

  /**
   * Sets the status of an unpaid order by its newest attempt. The order ends only when the provider has no pending page that
   * the buyer received, or MAX_UNCONFIRMED_MS after its page. A bank may confirm late, even an attempt before the cancelled
   * one. A payment after the end still counts.
   */
  private async closeUnpaid(manager: EntityManager, order: OrderEntity, readings: AttemptStatus[]): Promise<void> {
    const newest = readings.at(-1);
    const ageMs = this.now().getTime() - order.expiresAt.getTime();
    const isPending = readings.some(({ attempt, status }) => attempt.url !== null && status.state === 'PENDING');
    if (isPending && ageMs < MAX_UNCONFIRMED_MS) return this.endNewestPage(manager, order, newest);
    const provider = newest?.status.state ?? 'NOT_FOUND';
    let status: StoredOrderStatus = order.status;
    if (provider === 'FAILED') status = 'FAILED';
    else if (provider === 'EXPIRED' || ageMs >= 0) status = 'EXPIRED';
    if (status === order.status) return;
    // An order that is only CREATED never had a payment page.
    const wasOpen = order.status === 'PENDING';
    await this.setStatus(manager, order, status, { failure: newest?.status.errorCode ?? null });
    if (wasOpen && order.buyerEmail && (await this.canSendUnpaidMail(manager, order)))
      await this.mails.queue(manager, { kind: 'order-unpaid', ...this.orderMail(order), end: unpaidReason(order) });
  }

  /**
   * Ends a declined or cancelled page of an order that an earlier attempt keeps open. The buyer then sees at once that the
   * payment is unconfirmed, and may open another page.
   */
  private async endNewestPage(
    manager: EntityManager,
    order: OrderEntity,
    newest: AttemptStatus | undefined,
  ): Promise<void> {
    const expiresAt = this.now();
    if (newest?.status.state !== 'FAILED' || newest.attempt.expiresAt <= expiresAt) return;
    await manager.getRepository(AttemptEntity).update({ ref: newest.attempt.ref }, { expiresAt });
    await manager.getRepository(OrderEntity).update({ id: order.id }, { expiresAt });
    order.expiresAt = expiresAt;
  }

  /** Allows one mail per purchase. An order can name any address, so an address gets only a few of these mails a day. */
  private async canSendUnpaidMail(manager: EntityManager, { id }: OrderEntity): Promise<boolean> {
    const dayAgo = new Date(this.now().getTime() - DAY_MS);
    const [{ unpaid, is_known: isKnown }] = await manager.query(OTHER_ORDERS_OF_BUYER, [id, dayAgo]);
    return unpaid < MAX_UNPAID_MAILS_PER_DAY && !isKnown;
  }

  private orderMail(order: OrderEntity) {
    const { buyerEmail: to, language, publicId: orderId, amountPaise, live } = order;
    const title = inLanguage(language, () => orderTitle(order));
    const link = orderPageUrl(this.config.publicOrigin, '/payment-status', order);
    return { to, language, orderId, title, amountPaise, link, isTest: !live };
  }

  private async setStatus(
    manager: EntityManager,
    order: OrderEntity,
    status: StoredOrderStatus,
    more: Partial<OrderEntity> = {},
  ): Promise<void> {
    const now = this.now();
    const nextCheckAt = computeNextCheck({ ...order, ...more, status }, now);
    await changeOrderStatus(manager, order, status, now, { ...more, nextCheckAt });
  }
}
