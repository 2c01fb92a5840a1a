import { t } from '@lingui/core/macro';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { inLanguage } from '@nivida/contract/i18n';
import { orderTitle } from '@nivida/contract/orders/order-title';
import { DataSource, type EntityManager, In, MoreThan } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { InvoicesService } from '../../invoices/invoices.service.ts';
import { MailService } from '../../mail/mail.service.ts';
import { GatewayRejectedError, type RefundState } from '../../payments/payment-gateway.port.ts';
import { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { EntitlementEntity } from '../../plans/entitlement.entity.ts';
import { EntitlementsService } from '../../plans/entitlements.service.ts';
import { orderPageUrl } from '../checkout/return-path.ts';
import { DocumentDelivery } from '../document-delivery.port.ts';
import { lockOrder, OrderEntity } from '../order.entity.ts';
import { changeOrderStatus, recordOrderEvent } from '../order-transitions.ts';
import { CONFIGURED_REFUND_CONDITION } from '../orders.sql.ts';
import { checkInterval, MAX_CHECK_INTERVAL_MS } from '../settlement/next-check.ts';
import { PaymentEntity } from '../settlement/payment.entity.ts';
import { RefundEntity } from './refund.entity.ts';

const BATCH_SIZE = 50;

/**
 * Refunds duplicate debits and orders, payments that the operator did not accept, undelivered documents, and orders that
 * the operator chooses. The planned checks of an order continue, because a second debit may still follow.
 */
@Injectable()
export class RefundsService {
  private readonly logger = new Logger('Refunds');

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: PaymentGateways,
    private readonly entitlements: EntitlementsService,
    private readonly delivery: DocumentDelivery,
    private readonly invoices: InvoicesService,
    private readonly mails: MailService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Queues the refund of a payment, in a transaction that has locked the order's row. It is sent at `dueAt`. Does nothing if
   * the payment already has a refund that did not fail. `given` is the reason, which completes 'because', or the act of an
   * operator.
   */
  async queueRefund(
    manager: EntityManager,
    order: OrderEntity,
    payment: PaymentEntity,
    given: string | OperatorAct,
    dueAt: Date,
  ): Promise<void> {
    const refunds = manager.getRepository(RefundEntity);
    const before = await refunds.findBy({ orderId: order.id });
    const isUnderWay = before.some(
      (each) => each.providerPaymentId === payment.providerPaymentId && each.state !== 'FAILED',
    );
    if (isUnderWay) return;
    const now = this.now();
    const { reason, ...by } = typeof given === 'string' ? { reason: given, actorId: order.userId } : given;
    const ref = `R-${order.publicId}-${before.length + 1}`;
    await refunds.insert({
      ref,
      orderId: order.id,
      provider: payment.provider,
      providerPaymentId: payment.providerPaymentId,
      amountPaise: payment.amountPaise,
      reason,
      state: 'QUEUED',
      createdAt: now,
      updatedAt: now,
      nextCheckAt: dueAt,
      checks: 0,
    });
    const change = {
      action: 'refund.queued',
      subject: order.publicId,
      detail: { ref, amountPaise: payment.amountPaise },
    };
    await recordAct(manager, { ...by, reason }, change, now);
  }

  /** Makes refunds due that wait for the operator's decision, in a transaction that has locked the order's row. */
  async makeDueNow(manager: EntityManager, orderId: string): Promise<void> {
    await manager.getRepository(RefundEntity).update({ orderId, state: 'QUEUED' }, { nextCheckAt: this.now() });
  }

  /**
   * Drops the refund of an accepted payment, in a transaction that has locked the order's row. The refund becomes FAILED
   * without a call to the provider. A later refund is still possible.
   */
  async cancelRefund(manager: EntityManager, providerPaymentId: string): Promise<void> {
    await manager
      .getRepository(RefundEntity)
      .update(
        { providerPaymentId, state: 'QUEUED' },
        { state: 'FAILED', nextCheckAt: null, checks: 0, updatedAt: this.now() },
      );
  }

  /**
   * Refunds a paid order, one in review, or one whose refund failed. For operators, who give their act, and for documents that
   * could not be delivered; the reason completes 'because'. NOT_FOUND, CONFLICT for an order without money to refund.
   * `within` is the transaction of a confirmed proposal.
   */
  async refundOrder(
    publicId: string,
    given: string | OperatorAct,
    within: EntityManager | DataSource = this.dataSource,
  ): Promise<void> {
    const act = typeof given === 'string' ? { actorId: null, reason: given } : given;
    await within.transaction(async (manager) => {
      const order = await lockOrder(manager, { publicId });
      const isAgain = order.status === 'REFUND_PENDING' && (await this.hasOnlyFailedRefunds(manager, order));
      if (order.status !== 'SUCCESS' && order.status !== 'REVIEW' && !isAgain)
        throw new AppError('CONFLICT', () => t`An order that is ${{ status: order.status }} cannot be refunded`);
      const credited = order.planId && (await this.entitlements.orderOfCredit(manager, order));
      if (credited)
        throw new AppError(
          'CONFLICT',
          () => t`The unused days of this plan were credited to order ${{ order: credited }}. Refund that order first.`,
        );
      const kind = order.status === 'REVIEW' ? 'mismatch' : 'capture';
      const payments = await manager.getRepository(PaymentEntity).findBy({ orderId: order.id, kind });
      if (!isAgain) await changeOrderStatus(manager, order, 'REFUND_PENDING', this.now());
      await this.makeDueNow(manager, order.id);
      for (const payment of payments) await this.queueRefund(manager, order, payment, act, this.now());
      await recordAct(manager, act, { action: 'order.refund-asked', subject: publicId }, this.now());
    });
  }

  /** Whether every refund of the payment that paid the order has failed. */
  private async hasOnlyFailedRefunds(manager: EntityManager, { id: orderId }: OrderEntity): Promise<boolean> {
    const paid = await manager.getRepository(PaymentEntity).findOneBy({ orderId, kind: 'capture' });
    const refunds = await manager.getRepository(RefundEntity).findBy({ orderId });
    const own = refunds.filter((each) => each.providerPaymentId === paid?.providerPaymentId);
    return own.length > 0 && own.every(({ state }) => state === 'FAILED');
  }

  /** Makes a refund due now. */
  async checkNow(ref: string): Promise<void> {
    await this.dataSource
      .getRepository(RefundEntity)
      .update({ ref, state: In(['QUEUED', 'PENDING']) }, { nextCheckAt: this.now() });
  }

  /** Asks the provider about the next due refunds, at most 50, and stores the results. Returns their number. */
  async runDue(): Promise<number> {
    const due = await this.leaseDueRefunds();
    for (const refund of due) {
      await this.processRefund(refund).catch((error: Error) =>
        this.logger.warn(`Refund ${refund.ref} waits: ${error.message}`),
      );
    }
    return due.length;
  }

  /** Leases due refunds by moving their next check; if this process dies, they become due again. */
  private async leaseDueRefunds(): Promise<RefundEntity[]> {
    const now = this.now();
    const last = new Date(now.getTime() + MAX_CHECK_INTERVAL_MS);
    return this.dataSource.transaction(async (manager) => {
      const refunds = manager.getRepository(RefundEntity);
      // A check planned further ahead comes from a clock that has been set back since. It is moved, but not made due now,
      // because the operator has a day to decide.
      await refunds.update({ nextCheckAt: MoreThan(last) }, { nextCheckAt: last });
      const due = await refunds
        .createQueryBuilder('refund')
        .where('refund.nextCheckAt <= :now', { now })
        .andWhere(CONFIGURED_REFUND_CONDITION, this.gateways.parameters())
        .orderBy('refund.nextCheckAt')
        .limit(BATCH_SIZE)
        .setLock('pessimistic_write')
        .setOnLocked('skip_locked')
        .getMany();
      for (const { ref, checks } of due) {
        const nextCheckAt = new Date(now.getTime() + checkInterval(checks));
        await refunds.update({ ref }, { checks: checks + 1, nextCheckAt });
      }
      return due;
    });
  }

  private async processRefund(refund: RefundEntity): Promise<void> {
    // The review period is over: the order changes to REFUND_PENDING, which the buyer sees.
    if (refund.state === 'QUEUED' && !(await this.startProcessing(refund))) return;
    const state = await this.askProvider(refund);
    await this.dataSource.transaction(async (manager) => {
      const order = await lockOrder(manager, { id: refund.orderId });
      const { state: before } = await manager.getRepository(RefundEntity).findOneByOrFail({ ref: refund.ref });
      if (before !== 'QUEUED' && before !== 'PENDING') return;
      const isEnd = state === 'SUCCEEDED' || state === 'FAILED';
      await manager
        .getRepository(RefundEntity)
        .update({ ref: refund.ref }, { state, updatedAt: this.now(), ...(isEnd && { nextCheckAt: null }) });
      if (isEnd) await this.finishRefund(manager, order, refund, state);
    });
  }

  /** False for a refund that was dropped after it was leased. */
  private async startProcessing({ orderId, ref }: RefundEntity): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const order = await lockOrder(manager, { id: orderId });
      const { state } = await manager.getRepository(RefundEntity).findOneByOrFail({ ref });
      if (state === 'QUEUED' && order.status === 'REVIEW')
        await changeOrderStatus(manager, order, 'REFUND_PENDING', this.now());
      return state !== 'FAILED';
    });
  }

  private async askProvider(refund: RefundEntity): Promise<Exclude<RefundState, 'NOT_FOUND'>> {
    const { ref: refundRef, orderId, amountPaise, provider, providerPaymentId } = refund;
    const { live } = await this.dataSource.getRepository(OrderEntity).findOneByOrFail({ id: orderId });
    const gateway = this.gateways.of({ provider, live });
    // A rejected status call does not mean a rejected refund, so it is retried.
    const known = await gateway.fetchRefund({ refundRef, paymentId: providerPaymentId });
    if (known !== 'NOT_FOUND') return known;
    const { attemptRef } = await this.dataSource
      .getRepository(PaymentEntity)
      .findOneByOrFail({ provider, providerPaymentId });
    try {
      const state = await gateway.refund({ attemptRef, refundRef, paymentId: providerPaymentId, amountPaise });
      return state === 'NOT_FOUND' ? 'PENDING' : state;
    } catch (error) {
      if (error instanceof GatewayRejectedError) return 'FAILED';
      throw error;
    }
  }

  private async finishRefund(
    manager: EntityManager,
    order: OrderEntity,
    refund: RefundEntity,
    state: 'SUCCEEDED' | 'FAILED',
  ): Promise<void> {
    const now = this.now();
    const { ref, amountPaise, reason, provider, providerPaymentId } = refund;
    await recordOrderEvent(manager, order, `refund.${state.toLowerCase()}`, { ref, amountPaise }, now, null);
    const payments = await manager.getRepository(PaymentEntity).findBy({ orderId: order.id });
    // A refund refers to a stored payment.
    const { kind, currency } = payments.find(
      (each) => each.provider === provider && each.providerPaymentId === providerPaymentId,
    ) as PaymentEntity;
    // The refund of a second debit, or of a wrong amount when there is a right payment, does not change the order.
    const isOwn = kind === 'capture' || (kind === 'mismatch' && payments.every((each) => each.kind !== 'capture'));
    if (state === 'FAILED') {
      if (isOwn && order.status === 'REFUND_PENDING') await this.undoRefund(manager, order, kind);
      return this.notifySupport(manager, order, ref);
    }
    const creditNoteNumber =
      isOwn && order.status === 'REFUND_PENDING' ? await this.revokeGrant(manager, order, kind) : null;
    const { publicId: orderId, live, language, buyerEmail: to } = order;
    const title = inLanguage(language, () => orderTitle(order));
    const link = orderPageUrl(this.config.publicOrigin, '/payment-status', order);
    const refunded = { amountPaise, currency, reason, creditNoteNumber };
    if (to)
      await this.mails.queue(manager, {
        ...{ kind: 'order-refunded', to, language, orderId, title, ...refunded, link, isTest: !live },
      });
  }

  /**
   * Returns the order to its status before the refund. A second order of the same documents has granted nothing, so it keeps
   * its status until the operator refunds it again.
   */
  private async undoRefund(manager: EntityManager, order: OrderEntity, kind: PaymentEntity['kind']): Promise<void> {
    if (kind !== 'capture') return changeOrderStatus(manager, order, 'REVIEW', this.now());
    if (await manager.existsBy(EntitlementEntity, { orderId: order.id }))
      await changeOrderStatus(manager, order, 'SUCCESS', this.now());
  }

  /** Revokes the entitlement; returns the number of the credit note, if the order has an invoice. */
  private async revokeGrant(
    manager: EntityManager,
    order: OrderEntity,
    kind: PaymentEntity['kind'],
  ): Promise<string | null> {
    const now = this.now();
    await changeOrderStatus(manager, order, 'REFUNDED', this.now());
    const revoked = await this.entitlements.revoke(manager, order.id, now);
    if (revoked?.kind === 'documents') await this.delivery.revokeLinks(manager, revoked, now);
    if (kind !== 'capture') return null;
    // The invoice series is the last lock, as in settling.
    return (await this.invoices.issueCreditNote(manager, order, now))?.number ?? null;
  }

  private async notifySupport(manager: EntityManager, order: OrderEntity, ref: string): Promise<void> {
    const what = `The provider did not carry out refund ${ref}. The buyer still waits for this money.`;
    const { supportEmail: to } = this.config;
    if (to) await this.mails.queue(manager, { kind: 'order-review', to, orderId: order.publicId, what });
  }
}
