import { Inject, Injectable, Logger } from '@nestjs/common';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource } from 'typeorm';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { forEachConcurrently } from '../../base/task-runners.ts';
import type { Job } from '../../jobs/job.ts';
import { MailService } from '../../mail/mail.service.ts';
import type { Capture } from '../../payments/payment-gateway.port.ts';
import { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { AttemptEntity } from '../checkout/attempt.entity.ts';
import { OrderEntity } from '../order.entity.ts';
import { configuredOrderCondition, SAME_AUDIT_EVENT } from '../orders.sql.ts';
import { RefundEntity } from '../refunds/refund.entity.ts';
import { PaymentEntity } from './payment.entity.ts';
import { SettleService } from './settle.service.ts';

/** How long an order is compared after its creation; providers deliver late payments within days. */
const AUDIT_WINDOW_MS = 30 * DAY_MS;
const CONCURRENT_ORDERS = 5;
const AUDIT_ACTION = 'order.differs';

/**
 * Compares payments and refunds with the provider once a day, for orders that the reconciler no longer checks. A payment
 * that is found is settled as usual: a late one goes to review, a second one is refunded. Support gets a mail about every
 * difference.
 */
@Injectable()
export class ProviderAuditService {
  private readonly logger = new Logger('ProviderAudit');

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: PaymentGateways,
    private readonly settleService: SettleService,
    private readonly mails: MailService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Returns the number of orders that differ. An order whose provider does not answer is compared the next day. */
  async run(): Promise<number> {
    const orders = await this.dataSource
      .getRepository(OrderEntity)
      .createQueryBuilder('closed')
      .where(configuredOrderCondition('closed'), this.gateways.parameters())
      .andWhere("closed.nextCheckAt IS NULL AND closed.status <> 'REVIEW' AND closed.createdAt > :since", {
        since: new Date(this.now().getTime() - AUDIT_WINDOW_MS),
      })
      .orderBy('closed.id')
      .getMany();
    let differing = 0;
    await forEachConcurrently(orders, CONCURRENT_ORDERS, async (order) => {
      try {
        const differences = await this.auditOrder(order);
        if (differences.length === 0) return;
        differing += 1;
        await this.reportDifferences(order, differences);
      } catch (error) {
        this.logger.warn(`Order ${order.publicId} could not be audited: ${(error as Error).message}`);
      }
    });
    return differing;
  }

  /** One sentence per difference. */
  private async auditOrder(order: OrderEntity): Promise<string[]> {
    const { id: orderId, publicId, live } = order;
    const captures = await this.readProviderCaptures(order);
    const payments = await this.dataSource.getRepository(PaymentEntity).findBy({ orderId });
    const differences = payments.flatMap((payment) =>
      paymentDifferences(payment, captures.get(payment.providerPaymentId)),
    );
    const known = new Set(payments.map(({ providerPaymentId }) => providerPaymentId));
    const unknownCaptures = [...captures.values()].filter(({ paymentId }) => !known.has(paymentId));
    if (unknownCaptures.length > 0) {
      const { status } = await this.settleService.settle(orderId);
      for (const { paymentId, amountPaise } of unknownCaptures)
        differences.push(`Payment ${paymentId} of ${amountPaise} paise was found only now; the order is ${status}.`);
    }
    const refunds = await this.dataSource.getRepository(RefundEntity).findBy({ orderId });
    for (const { ref, state, provider, providerPaymentId: paymentId } of refunds) {
      if (state !== 'SUCCEEDED' && state !== 'FAILED') continue;
      const there = await this.gateways.of({ provider, live }).fetchRefund({ refundRef: ref, paymentId });
      // A refund that was dropped before it was sent is unknown to the provider.
      if (there !== state && !(state === 'FAILED' && there === 'NOT_FOUND'))
        differences.push(`Refund ${ref} is ${state} here and ${there} at the provider.`);
    }
    if (differences.length > 0) this.logger.error(`Order ${publicId} differs: ${differences.join(' ')}`);
    return differences;
  }

  private async readProviderCaptures({ id: orderId, live }: OrderEntity): Promise<Map<string, Capture>> {
    const attempts = await this.dataSource.getRepository(AttemptEntity).findBy({ orderId });
    const captures: Capture[] = [];
    for (const attempt of attempts) {
      const gateway = this.gateways.of({ provider: attempt.provider, live });
      captures.push(...(await gateway.fetchStatus(attempt.ref, attempt)).captures);
    }
    return new Map(captures.map((capture) => [capture.paymentId, capture]));
  }

  /** Mails the differences to support. The mail is repeated only when they change. */
  private async reportDifferences({ publicId: orderId }: OrderEntity, differences: string[]): Promise<void> {
    const { supportEmail: to } = this.config;
    await this.dataSource.transaction(async (manager) => {
      const previous: unknown[] = await manager.query(SAME_AUDIT_EVENT, [orderId, AUDIT_ACTION, { differences }]);
      if (previous.length > 0) return;
      const event = { action: AUDIT_ACTION, subject: orderId, detail: { differences } };
      await recordAuditEvent(manager, event, this.now());
      const what = `The daily comparison with the provider found a difference. ${differences.join(' ')}`;
      if (to) await this.mails.queue(manager, { kind: 'order-review', to, orderId, what });
    });
  }
}

function paymentDifferences(
  { providerPaymentId: id, amountPaise, currency }: PaymentEntity,
  capture: Capture | undefined,
): string[] {
  const here = `${amountPaise} paise (${currency})`;
  if (!capture) return [`Payment ${id} of ${here} is not known at the provider.`];
  if (capture.amountPaise === amountPaise && capture.currency === currency) return [];
  return [`Payment ${id} is ${here} here and ${capture.amountPaise} paise (${capture.currency}) at the provider.`];
}

export const auditPaymentsJob: Job = {
  name: 'audit-payments',
  cron: '13 4 * * *',
  run: async ({ find }) => (await find(ProviderAuditService)).run(),
};
