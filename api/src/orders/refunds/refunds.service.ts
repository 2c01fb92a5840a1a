// Longer than most: the way back of money in one piece, from the queue to the credit note.
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, In, MoreThan } from 'typeorm';
import { recordAuditEvent } from '../../audit/audit.service.ts';
import type { Config } from '../../config.ts';
import { AppError } from '../../http/errors/app-error.ts';
import { CLOCK, CONFIG } from '../../http/injection-tokens.ts';
import { InvoicesService } from '../../invoices/invoices.service.ts';
import { MailService } from '../../mail/mail.service.ts';
import { GatewayRejectedError, PaymentGateway, type RefundState } from '../../payments/payment-gateway.port.ts';
import { EntitlementsService } from '../../plans/entitlements.service.ts';
import { orderPageUrl } from '../checkout/return-path.ts';
import { DocumentDelivery } from '../document-delivery.port.ts';
import { lockOrder } from '../lock.ts';
import { OrderEntity } from '../order.entity.ts';
import { checkInterval, MAX_CHECK_INTERVAL_MS } from '../settlement/next-check.ts';
import { PaymentEntity } from '../settlement/payment.entity.ts';
import { RefundEntity } from './refund.entity.ts';

const BATCH_SIZE = 50;

/** Sends money back: what was debited twice, what nobody accepted, what could not be delivered, what the operator decides. */
@Injectable()
export class RefundsService {
  private readonly logger = new Logger('Refunds');

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(PaymentGateway) private readonly gateway: PaymentGateway,
    @Inject(EntitlementsService) private readonly entitlements: EntitlementsService,
    @Inject(DocumentDelivery) private readonly delivery: DocumentDelivery,
    @Inject(InvoicesService) private readonly invoices: InvoicesService,
    @Inject(MailService) private readonly mails: MailService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Queues the way back of one payment, in a transaction that holds its order's row; `dueAt` is when it is sent. Nothing
   * happens when it is queued, on its way or back already. `reason` completes 'because'.
   */
  async queueRefund(
    manager: EntityManager,
    order: OrderEntity,
    payment: PaymentEntity,
    reason: string,
    dueAt: Date,
  ): Promise<void> {
    const refunds = manager.getRepository(RefundEntity);
    const before = await refunds.findBy({ orderId: order.id });
    const isUnderWay = before.some(
      (each) => each.providerPaymentId === payment.providerPaymentId && each.state !== 'FAILED',
    );
    if (isUnderWay) return;
    const now = this.now();
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
    await this.recordAuditEvent(
      manager,
      order,
      'refund.queued',
      { ref, amountPaise: payment.amountPaise, reason },
      now,
    );
  }

  /** Sends what waits for a person at once, in a transaction that holds the order's row. */
  async makeDueNow(manager: EntityManager, orderId: string): Promise<void> {
    await manager.getRepository(RefundEntity).update({ orderId, state: 'QUEUED' }, { nextCheckAt: this.now() });
  }

  /**
   * Drops the way back of a payment that a person has accepted, in a transaction that holds the order's row. It ends as one
   * that failed without a try: such a refund stands in no other one's way.
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
   * Gives the money of a paid order, or of one in review, back. For the operator's command and for documents that could
   * not be delivered; `reason` completes 'because'. NOT_FOUND, CONFLICT for an order without money to give back.
   */
  async refundOrder(publicId: string, reason: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const order = await lockOrder(manager, { publicId });
      if (order.status !== 'SUCCESS' && order.status !== 'REVIEW')
        throw new AppError('CONFLICT', `An order that is ${order.status} cannot be refunded`);
      const kind = order.status === 'SUCCESS' ? 'capture' : 'mismatch';
      const payments = await manager.getRepository(PaymentEntity).findBy({ orderId: order.id, kind });
      await this.setStatus(manager, order, 'REFUND_PENDING');
      await this.makeDueNow(manager, order.id);
      for (const payment of payments) await this.queueRefund(manager, order, payment, reason, this.now());
      // Never the buyer: the operator, or a job.
      await this.recordAuditEvent(manager, { publicId, userId: null }, 'order.refund-asked', { reason }, this.now());
    });
  }

  /** Makes refunds due now that a webhook speaks of. */
  async checkNow(ref: string): Promise<void> {
    await this.dataSource
      .getRepository(RefundEntity)
      .update({ ref, state: In(['QUEUED', 'PENDING']) }, { nextCheckAt: this.now() });
  }

  /** Asks the provider for every refund that is due, and writes down how it stands. Gives their number. */
  async runDue(): Promise<number> {
    const due = await this.leaseDueRefunds();
    for (const refund of due) {
      await this.processRefund(refund).catch((error: Error) =>
        this.logger.warn(`Refund ${refund.ref} waits: ${error.message}`),
      );
    }
    return due.length;
  }

  /** Takes what is due for this process, by moving its next look; whoever dies with it is followed by another. */
  private async leaseDueRefunds(): Promise<RefundEntity[]> {
    const now = this.now();
    const last = new Date(now.getTime() + MAX_CHECK_INTERVAL_MS);
    return this.dataSource.transaction(async (manager) => {
      const refunds = manager.getRepository(RefundEntity);
      // A look that is planned further ahead was planned by a clock that has been set back since. It is not due now: the
      // operator has a day to decide.
      await refunds.update({ nextCheckAt: MoreThan(last) }, { nextCheckAt: last });
      const due = await refunds
        .createQueryBuilder('refund')
        .where('refund.nextCheckAt <= :now AND refund.provider = :provider', { now, provider: this.gateway.name })
        // The provider's own trial and its real money are strangers to each other.
        .andWhere('(SELECT o.live FROM orders o WHERE o.id = refund.orderId) = :live', { live: this.gateway.live })
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
    // What nobody accepted while it waited goes back now; the buyer is told so from here on.
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

  /** False for one that was dropped since it was leased. */
  private async startProcessing({ orderId, ref }: RefundEntity): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const order = await lockOrder(manager, { id: orderId });
      const { state } = await manager.getRepository(RefundEntity).findOneByOrFail({ ref });
      if (state === 'QUEUED' && order.status === 'REVIEW') await this.setStatus(manager, order, 'REFUND_PENDING');
      return state !== 'FAILED';
    });
  }

  private async askProvider(refund: RefundEntity): Promise<Exclude<RefundState, 'NOT_FOUND'>> {
    const { ref: refundRef, amountPaise, provider, providerPaymentId } = refund;
    // Refusing to say how it stands is not refusing to give back: then it waits.
    const known = await this.gateway.fetchRefund(refundRef);
    if (known !== 'NOT_FOUND') return known;
    const { attemptRef } = await this.dataSource
      .getRepository(PaymentEntity)
      .findOneByOrFail({ provider, providerPaymentId });
    try {
      const state = await this.gateway.refund({ attemptRef, refundRef, amountPaise });
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
    await this.recordAuditEvent(manager, order, `refund.${state.toLowerCase()}`, { ref, amountPaise }, now);
    const payments = await manager.getRepository(PaymentEntity).findBy({ orderId: order.id });
    const kind = payments.find(
      (each) => each.provider === provider && each.providerPaymentId === providerPaymentId,
    )?.kind;
    // A second debit, and a wrong amount of an order that was paid rightly, change nothing of it.
    const isOwn = kind === 'capture' || (kind === 'mismatch' && payments.every((each) => each.kind !== 'capture'));
    if (state === 'FAILED') {
      if (isOwn && order.status === 'REFUND_PENDING')
        await this.setStatus(manager, order, kind === 'capture' ? 'SUCCESS' : 'REVIEW');
      return this.notifySupport(manager, order, ref);
    }
    const creditNoteNumber =
      isOwn && order.status === 'REFUND_PENDING' ? await this.revokeGrant(manager, order, kind) : null;
    const { publicId: orderId, title, live, buyerEmail: to } = order;
    const link = orderPageUrl(this.config.publicOrigin, '/payment-status', orderId);
    const mail = { kind: 'order-refunded', to, orderId, title, amountPaise, reason, creditNoteNumber, link } as const;
    if (to) await this.mails.queue(manager, { ...mail, isTest: !live });
  }

  /** Ends what the order gave; gives the number of its credit note, if it has a receipt to take back. */
  private async revokeGrant(
    manager: EntityManager,
    order: OrderEntity,
    kind: PaymentEntity['kind'],
  ): Promise<string | null> {
    const now = this.now();
    await this.setStatus(manager, order, 'REFUNDED');
    const revoked = await this.entitlements.revoke(manager, order.id, now);
    if (revoked?.kind === 'documents') await this.delivery.revokeLinks(manager, revoked, now);
    if (kind !== 'capture') return null;
    // The last lock, as in settling: all that is numbered waits for it.
    return (await this.invoices.issueCreditNote(manager, order, now))?.number ?? null;
  }

  private async notifySupport(manager: EntityManager, order: OrderEntity, ref: string): Promise<void> {
    const what = `The provider did not carry out refund ${ref}. The buyer still waits for this money.`;
    const { supportEmail: to } = this.config;
    if (to) await this.mails.queue(manager, { kind: 'order-review', to, orderId: order.publicId, what });
  }

  private async setStatus(manager: EntityManager, order: OrderEntity, status: OrderEntity['status']): Promise<void> {
    order.status = status;
    await manager.getRepository(OrderEntity).update({ id: order.id }, { status, updatedAt: this.now() });
  }

  private recordAuditEvent(
    manager: EntityManager,
    { publicId, userId }: Pick<OrderEntity, 'publicId' | 'userId'>,
    action: string,
    detail: Record<string, string | number>,
    now: Date,
  ): Promise<void> {
    return recordAuditEvent(manager, { action, actorId: userId, subject: publicId, detail, requestId: null }, now);
  }
}
