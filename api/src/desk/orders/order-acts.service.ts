import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { formatDateTime } from '@nivida/contract/format';
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, type Language } from '@nivida/contract/languages';
import { DataSource, In, IsNull, Not } from 'typeorm';
import { AuditEntity } from '../../audit/audit.entity.ts';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { maskEmail } from '../../auth/security-events.service.ts';
import { StaffEntity } from '../../auth/staff/staff.entity.ts';
import { UserEntity } from '../../auth/user.entity.ts';
import { AppError, forPrograms } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { DocumentsService } from '../../documents/documents.service.ts';
import { MailService } from '../../mail/mail.service.ts';
import { BuyerAccountService, findVerifiedOwner } from '../../orders/buyer-account.service.ts';
import { lockOrder, OrderEntity, type StoredOrderStatus } from '../../orders/order.entity.ts';
import { RefundEntity } from '../../orders/refunds/refund.entity.ts';
import { RefundsService } from '../../orders/refunds/refunds.service.ts';
import { PaymentEntity } from '../../orders/settlement/payment.entity.ts';
import { SettleService } from '../../orders/settlement/settle.service.ts';
import { GatewayError } from '../../payments/payment-gateway.port.ts';
import { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { EntitlementEntity } from '../../plans/entitlement.entity.ts';
import { ApprovalsService } from '../approvals/approvals.service.ts';

/** What became of a refund: it was sent to the provider, or it waits for a second person. */
export type RefundOutcome = 'sent' | 'proposed';

/** What operators do with one order, at the desk and by command. Each change is an audit event with its actor and reason. */
@Injectable()
export class OrderActsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: PaymentGateways,
    private readonly settleService: SettleService,
    private readonly refunds: RefundsService,
    private readonly documents: DocumentsService,
    private readonly buyerAccounts: BuyerAccountService,
    private readonly mails: MailService,
    private readonly approvals: ApprovalsService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {
    approvals.handle('order.refund', {
      carryOut: (manager, { subject, proposedBy, reason }) =>
        this.refunds.refundOrder(subject, { actorId: proposedBy, reason }, manager),
      afterwards: async () => void (await this.refunds.runDue()),
    });
  }

  /** Asks the provider about the order and its refunds now. NOT_FOUND; GatewayError when the provider does not answer. */
  async recheck(publicId: string, act: OperatorAct): Promise<void> {
    const { refunds } = this;
    const { id, status: before } = await this.findWithProvider(publicId);
    // A refund that waits for the operator's decision is not sent by a recheck.
    const open = before === 'REVIEW' ? [] : await this.openRefunds(id);
    const { status } = await this.settleService.settle(id);
    for (const { ref } of open) await refunds.checkNow(ref);
    if (open.length > 0) await refunds.runDue();
    const change = { action: 'order.rechecked', subject: publicId, detail: { before, after: status } };
    await this.dataSource.transaction((manager) => recordAct(manager, act, change, this.now()));
  }

  /**
   * Refunds the order, immediately if the provider answers. At the desk an amount above the limit is proposed to a second
   * person instead. NOT_FOUND, CONFLICT.
   */
  async refund(publicId: string, act: OperatorAct): Promise<RefundOutcome> {
    const order = await this.findWithProvider(publicId);
    // REFUND_PENDING may mean that a refund failed for an order without entitlement. refundOrder rejects it while a refund runs.
    if (order.status !== 'REFUND_PENDING')
      await this.assertStatus(
        order,
        ['SUCCESS', 'REVIEW'],
        () => t`holds money to give back; recheck it if the buyer says that he paid`,
      );
    const amountPaise = await this.amountOf(order);
    if (act.actorId !== null && amountPaise > this.config.refundTwoPersonLimit * 100) {
      await this.approvals.propose('order.refund', publicId, act, { amountPaise });
      return 'proposed';
    }
    await this.refunds.refundOrder(publicId, act).catch((error: Error) => this.explainConflict(publicId, error));
    await this.refunds.runDue();
    return 'sent';
  }

  /** Accepts the payment of an order in review, whose amount was wrong or which came too late. NOT_FOUND, CONFLICT, GatewayError. */
  async resolve(publicId: string, act: OperatorAct): Promise<void> {
    const order = await this.findWithProvider(publicId);
    await this.assertStatus(order, ['REVIEW'], () => t`can be resolved; show says what became of it`);
    await this.settleService
      .acceptPayment(publicId, act)
      .catch((error: Error) => this.explainConflict(publicId, error));
  }

  /** Mails a new link to the documents of a paid order to the buyer's address. NOT_FOUND, CONFLICT. */
  async resend(publicId: string, act: OperatorAct): Promise<void> {
    const { documents } = this;
    const { id } = await this.find(publicId);
    await this.dataSource.transaction(async (manager) => {
      // A refund may be running, so the order is read again under its lock.
      const order = await lockOrder(manager, { id });
      await this.assertStatus(order, ['SUCCESS'], () => t`has documents to send`);
      const grant = await manager.getRepository(EntitlementEntity).findOneBy({ orderId: id });
      if (order.product !== 'tender-documents' || !grant)
        throw new AppError('CONFLICT', () => t`A plan has no documents of its own to send`);
      if (!documents.isValid(grant))
        throw new AppError(
          'CONFLICT',
          () => t`A revoked purchase is not delivered, nor a test purchase where payments are live`,
        );
      if (!(await documents.sendLink(manager, order, grant.id, 'again', this.now())))
        throw new AppError(
          'CONFLICT',
          () =>
            t`There is no package yet. Attach the documents of tender ${{ id: String(order.tenderId) }}: they are sent by themselves.`,
        );
      await recordAct(manager, act, { action: 'order.resent', subject: publicId }, this.now());
    });
  }

  /**
   * Corrects the e-mail address of a guest's order. Links sent to the old address end, and the new address gets a new link.
   * Both addresses get a mail. NOT_FOUND, CONFLICT.
   */
  async changeEmail(publicId: string, email: string, act: OperatorAct): Promise<void> {
    const { documents, now } = this;
    const { id } = await this.find(publicId);
    await this.dataSource.transaction(async (manager) => {
      const order = await lockOrder(manager, { id });
      const { userId, buyerEmail } = order;
      if (userId !== null)
        throw new AppError(
          'CONFLICT',
          () => t`The order belongs to an account: its user changes the address in the profile`,
        );
      if (buyerEmail === '') throw new AppError('CONFLICT', () => t`The data of this buyer were erased`);
      if (buyerEmail.toLowerCase() === email.toLowerCase())
        throw new AppError('CONFLICT', () => t`The order has this address already`);
      await manager.getRepository(OrderEntity).update({ id }, { buyerEmail: email, updatedAt: now() });
      // An account claims orders and entitlements by this address.
      await manager.getRepository(EntitlementEntity).update({ orderId: id }, { email });
      const owner = await findVerifiedOwner(manager, email);
      if (owner !== null) await this.buyerAccounts.claimOrders(manager, { id: owner, email });
      const detail = { from: maskEmail(buyerEmail), to: maskEmail(email) };
      await recordAct(manager, act, { action: 'order.email-changed', subject: publicId, detail }, now());
      const mail = { kind: 'order-email-changed', language: order.language, orderId: publicId } as const;
      await this.mails.queue(manager, { ...mail, to: buyerEmail, isNew: false });
      await this.mails.queue(manager, { ...mail, to: email, isNew: true });
      const grant = await manager.getRepository(EntitlementEntity).findOneBy({ orderId: id });
      if (order.status !== 'SUCCESS' || order.product !== 'tender-documents' || !grant || grant.revokedAt) return;
      await documents.revokeLinks(manager, grant, now());
      await documents.sendLink(manager, Object.assign(order, { buyerEmail: email }), grant.id, 'again', now());
    });
  }

  /** The buyer's data in full. That they were opened is an audit event. NOT_FOUND. */
  async openBuyer(
    publicId: string,
    act: OperatorAct,
  ): Promise<Pick<OrderEntity, 'buyerName' | 'buyerEmail' | 'buyerMobile'>> {
    const { buyerName, buyerEmail, buyerMobile } = await this.find(publicId);
    const change = { action: 'order.buyer-opened', subject: publicId };
    await this.dataSource.transaction((manager) => recordAct(manager, act, change, this.now()));
    return { buyerName, buyerEmail, buyerMobile };
  }

  private async find(publicId: string): Promise<OrderEntity> {
    const order = await this.dataSource.getRepository(OrderEntity).findOneBy({ publicId });
    if (!order) throw orderNotFound(publicId);
    return order;
  }

  /** CONFLICT for an order whose provider is not configured. */
  private async findWithProvider(publicId: string): Promise<OrderEntity> {
    const order = await this.find(publicId);
    try {
      this.gateways.of(order);
    } catch (error) {
      throw error instanceof GatewayError ? new AppError('CONFLICT', forPrograms(error.message)) : error;
    }
    return order;
  }

  private async assertStatus(
    { publicId, status }: OrderEntity,
    allowed: StoredOrderStatus[],
    allowedAction: () => string,
  ): Promise<void> {
    if (allowed.includes(status)) return;
    const last = await this.lastAct(publicId);
    throw new AppError('CONFLICT', () => {
      const list = new Intl.ListFormat(LANGUAGES[currentLanguage()].locale, { type: 'disjunction' });
      const wanted = list.format(allowed);
      return [t`The order is ${{ status }}; only ${{ wanted }} ${{ action: allowedAction() }}`, last?.()]
        .filter(Boolean)
        .join('. ');
    });
  }

  /** Adds to the refusal of a changed order who changed it. */
  private async explainConflict(publicId: string, error: Error): Promise<never> {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
    const last = await this.lastAct(publicId);
    const message = (language: Language) => error.textsIn(language).message;
    throw new AppError('CONFLICT', () =>
      [message(currentLanguage()), last?.() ?? t`Recheck it, then look at it again`].join('. '),
    );
  }

  /** Says which member of staff acted last on an order; undefined when none did. */
  private async lastAct(publicId: string): Promise<(() => string) | undefined> {
    const events = await this.dataSource.getRepository(AuditEntity).find({
      where: { subject: publicId, actorId: Not(IsNull()) },
      order: { id: 'DESC' },
      take: 20,
    });
    for (const { action, actorId, at } of events) {
      const isOfStaff = await this.dataSource.getRepository(StaffEntity).existsBy({ userId: actorId ?? '' });
      if (!isOfStaff || action === 'order.buyer-opened') continue;
      const user = await this.dataSource.getRepository(UserEntity).findOneBy({ id: actorId ?? '' });
      return () => t`Last: ${{ action }} by ${{ name: user?.username ?? '' }}, ${{ time: formatDateTime(at) }}`;
    }
    return undefined;
  }

  /** What a refund gives back, in paise: the payments that the order holds. */
  private async amountOf({ id, status, amountPaise }: OrderEntity): Promise<number> {
    const kind = status === 'REVIEW' ? 'mismatch' : 'capture';
    const payments = await this.dataSource.getRepository(PaymentEntity).findBy({ orderId: id, kind });
    return payments.length === 0 ? amountPaise : payments.reduce((sum, each) => sum + each.amountPaise, 0);
  }

  private openRefunds(orderId: string): Promise<RefundEntity[]> {
    return this.dataSource.getRepository(RefundEntity).findBy({ orderId, state: In(['QUEUED', 'PENDING']) });
  }
}

/** NOT_FOUND for an order that does not exist. */
export const orderNotFound = (publicId: string): AppError =>
  new AppError('NOT_FOUND', () => t`There is no order "${publicId}"`);
