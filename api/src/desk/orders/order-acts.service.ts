import { type DataSource, In } from 'typeorm';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { maskEmail } from '../../auth/security-events.service.ts';
import { AppError } from '../../base/app-error.ts';
import { OperatorError } from '../../base/operator-error.ts';
import type { DocumentsService } from '../../documents/documents.service.ts';
import type { MailService } from '../../mail/mail.service.ts';
import { type BuyerAccountService, findVerifiedOwner } from '../../orders/buyer-account.service.ts';
import { lockOrder, OrderEntity, type StoredOrderStatus } from '../../orders/order.entity.ts';
import { RefundEntity } from '../../orders/refunds/refund.entity.ts';
import type { RefundsService } from '../../orders/refunds/refunds.service.ts';
import type { SettleService } from '../../orders/settlement/settle.service.ts';
import { GatewayError } from '../../payments/payment-gateway.port.ts';
import type { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { EntitlementEntity } from '../../plans/entitlement.entity.ts';

export interface OrderOperatorDependencies {
  dataSource: DataSource;
  gateways: Pick<PaymentGateways, 'of'>;
  settleService: Pick<SettleService, 'settle' | 'acceptPayment'>;
  refunds: Pick<RefundsService, 'refundOrder' | 'checkNow' | 'runDue'>;
  documents: Pick<DocumentsService, 'isValid' | 'sendLink' | 'revokeLinks'>;
  buyerAccounts: Pick<BuyerAccountService, 'claimOrders'>;
  mails: Pick<MailService, 'queue'>;
  now: () => Date;
}

/** The operator's commands for one order. Each change is an audit event with its reason and without an actor. */
export class OrderOperator {
  constructor(private readonly parts: OrderOperatorDependencies) {}

  /**
   * Asks the provider about the order and its refunds now. Throws OperatorError, and GatewayError when the provider
   * does not answer.
   */
  async recheck(publicId: string, reason: string): Promise<void> {
    const { settleService: settling, refunds } = this.parts;
    const { id, status: before } = await this.findWithProvider(publicId);
    // A refund that waits for the operator's decision is not sent by a recheck.
    const open = before === 'REVIEW' ? [] : await this.openRefunds(id);
    const { status } = await settling.settle(id);
    for (const { ref } of open) await refunds.checkNow(ref);
    if (open.length > 0) await refunds.runDue();
    await this.recordAuditEvent(publicId, 'order.rechecked', { before, after: status, reason });
  }

  /** Refunds the order, immediately if the provider answers. Throws OperatorError. */
  async refund(publicId: string, reason: string): Promise<void> {
    const { refunds } = this.parts;
    const { status } = await this.findWithProvider(publicId);
    // REFUND_PENDING may mean that a refund failed for an order without entitlement. refundOrder rejects it while a refund runs.
    if (status !== 'REFUND_PENDING')
      this.assertStatus(
        status,
        ['SUCCESS', 'REVIEW'],
        'holds money to give back; recheck it if the buyer says that he paid',
      );
    await refunds.refundOrder(publicId, reason).catch(toOperatorError);
    await refunds.runDue();
  }

  /** Accepts the payment of an order in review, whose amount was wrong or which came too late. Throws OperatorError and GatewayError. */
  async resolve(publicId: string, reason: string): Promise<void> {
    const { status } = await this.findWithProvider(publicId);
    this.assertStatus(status, ['REVIEW'], 'can be resolved; show says what became of it');
    await this.parts.settleService.acceptPayment(publicId, reason).catch(toOperatorError);
  }

  /** Mails a new link to the documents of a paid order to the buyer's address. Throws OperatorError. */
  async resend(publicId: string, reason: string): Promise<void> {
    const { dataSource, documents, now } = this.parts;
    const { id } = await this.find(publicId);
    await dataSource.transaction(async (manager) => {
      // A refund may be running, so the order is read again under its lock.
      const order = await lockOrder(manager, { id });
      this.assertStatus(order.status, ['SUCCESS'], 'has documents to send');
      const grant = await manager.getRepository(EntitlementEntity).findOneBy({ orderId: id });
      if (order.product !== 'tender-documents' || !grant)
        throw new OperatorError('A plan has no documents of its own to send');
      if (!documents.isValid(grant))
        throw new OperatorError('A revoked purchase is not delivered, nor a test purchase where payments are live');
      if (!(await documents.sendLink(manager, order, grant.id, 'again', now())))
        throw new OperatorError(
          `There is no package yet: npm run documents -- attach --tender ${order.tenderId} FILE… makes one, and it is sent by itself`,
        );
      const event = { action: 'order.resent', subject: publicId, detail: { reason } };
      await recordAuditEvent(manager, event, now());
    });
  }

  /**
   * Corrects the e-mail address of a guest's order. Links sent to the old address end, and the new address gets a new link.
   * Both addresses get a mail. Throws OperatorError.
   */
  async changeEmail(publicId: string, email: string, reason: string): Promise<void> {
    const { dataSource, documents, buyerAccounts, mails, now } = this.parts;
    const { id } = await this.find(publicId);
    await dataSource.transaction(async (manager) => {
      const order = await lockOrder(manager, { id });
      const { userId, buyerEmail } = order;
      if (userId !== null)
        throw new OperatorError('The order belongs to an account: its user changes the address in the profile');
      if (buyerEmail === '') throw new OperatorError('The data of this buyer were erased');
      if (buyerEmail.toLowerCase() === email.toLowerCase())
        throw new OperatorError('The order has this address already');
      await manager.getRepository(OrderEntity).update({ id }, { buyerEmail: email, updatedAt: now() });
      // An account claims orders and entitlements by this address.
      await manager.getRepository(EntitlementEntity).update({ orderId: id }, { email });
      const owner = await findVerifiedOwner(manager, email);
      if (owner !== null) await buyerAccounts.claimOrders(manager, { id: owner, email });
      const detail = { from: maskEmail(buyerEmail), to: maskEmail(email), reason };
      const event = { action: 'order.email-changed', subject: publicId, detail };
      await recordAuditEvent(manager, event, now());
      const mail = { kind: 'order-email-changed', language: order.language, orderId: publicId } as const;
      await mails.queue(manager, { ...mail, to: buyerEmail, isNew: false });
      await mails.queue(manager, { ...mail, to: email, isNew: true });
      const grant = await manager.getRepository(EntitlementEntity).findOneBy({ orderId: id });
      if (order.status !== 'SUCCESS' || order.product !== 'tender-documents' || !grant || grant.revokedAt) return;
      await documents.revokeLinks(manager, grant, now());
      await documents.sendLink(manager, Object.assign(order, { buyerEmail: email }), grant.id, 'again', now());
    });
  }

  private async find(publicId: string): Promise<OrderEntity> {
    const order = await this.parts.dataSource.getRepository(OrderEntity).findOneBy({ publicId });
    if (!order) throw new OperatorError(`There is no order "${publicId}"; npm run orders -- list shows the newest`);
    return order;
  }

  /** Throws OperatorError for an order whose provider is not configured. */
  private async findWithProvider(publicId: string): Promise<OrderEntity> {
    const order = await this.find(publicId);
    try {
      this.parts.gateways.of(order);
    } catch (error) {
      throw error instanceof GatewayError ? new OperatorError(error.message) : error;
    }
    return order;
  }

  private assertStatus(status: StoredOrderStatus, allowed: StoredOrderStatus[], allowedAction: string): void {
    if (!allowed.includes(status))
      throw new OperatorError(`The order is ${status}; only ${allowed.join(' or ')} ${allowedAction}`);
  }

  private openRefunds(orderId: string): Promise<RefundEntity[]> {
    return this.parts.dataSource.getRepository(RefundEntity).findBy({ orderId, state: In(['QUEUED', 'PENDING']) });
  }

  private recordAuditEvent(subject: string, action: string, detail: Record<string, string>): Promise<void> {
    const { dataSource, now } = this.parts;
    return recordAuditEvent(dataSource.manager, { action, subject, detail }, now());
  }
}

/** Turns an error about a changed order, or about missing money, into an OperatorError. */
function toOperatorError(error: Error): never {
  throw error instanceof AppError ? new OperatorError(`${error.message}; recheck it, then show it again`) : error;
}
