import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { recordAuditEvent } from '../../audit/audit.service.ts';
import type { Config } from '../../config.ts';
import { CLOCK, CONFIG } from '../../http/injection-tokens.ts';
import type { JobContext } from '../../jobs/schedule.ts';
import { forEachConcurrently } from '../../jobs/task-runners.ts';
import { MailService } from '../../mail/mail.service.ts';
import { type Capture, PaymentGateway } from '../../payments/payment-gateway.port.ts';
import { AttemptEntity } from '../checkout/attempt.entity.ts';
import { OrderEntity } from '../order.entity.ts';
import { RefundEntity } from '../refunds/refund.entity.ts';
import { PaymentEntity } from './payment.entity.ts';
import { SettleService } from './settle.service.ts';

/** How long an order is compared after it was made; providers bring late money within days. */
const AUDIT_WINDOW_MS = 30 * 86_400_000;
const CONCURRENT_ORDERS = 5;
const AUDIT_ACTION = 'order.differs';

/**
 * Compares what is written here with what the provider says, once a day, for the orders that the reconciler no longer
 * looks at. What it finds a person decides: money that nobody told of is settled as ever (late, it goes into review; of
 * an order that is paid, it goes back), and support gets a mail about that and about everything else that differs.
 */
@Injectable()
export class ProviderAuditService {
  private readonly logger = new Logger('Compare');

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(PaymentGateway) private readonly gateway: PaymentGateway,
    @Inject(SettleService) private readonly settleService: SettleService,
    @Inject(MailService) private readonly mails: MailService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Gives how many orders differ; one that the provider does not answer about comes again tomorrow. */
  async run(): Promise<number> {
    const { name: provider, live } = this.gateway;
    const orders = await this.dataSource
      .getRepository(OrderEntity)
      .createQueryBuilder('closed')
      .where('closed.provider = :provider AND closed.live = :live', { provider, live })
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
        this.logger.warn(`Order ${order.publicId} could not be compared: ${(error as Error).message}`);
      }
    });
    return differing;
  }

  /** What differs, a sentence each. */
  private async auditOrder(order: OrderEntity): Promise<string[]> {
    const { id: orderId, publicId } = order;
    const captures = await this.readProviderCaptures(orderId);
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
    for (const { ref, state } of refunds) {
      if (state !== 'SUCCEEDED' && state !== 'FAILED') continue;
      const there = await this.gateway.fetchRefund(ref);
      // One that was dropped before it was sent is unknown there.
      if (there !== state && !(state === 'FAILED' && there === 'NOT_FOUND'))
        differences.push(`Refund ${ref} is ${state} here and ${there} at the provider.`);
    }
    if (differences.length > 0) this.logger.error(`Order ${publicId} differs: ${differences.join(' ')}`);
    return differences;
  }

  private async readProviderCaptures(orderId: string): Promise<Map<string, Capture>> {
    const attempts = await this.dataSource.getRepository(AttemptEntity).findBy({ orderId });
    const captures: Capture[] = [];
    for (const { ref } of attempts) captures.push(...(await this.gateway.fetchStatus(ref)).captures);
    return new Map(captures.map((capture) => [capture.paymentId, capture]));
  }

  /** Tells support of it, once for as long as nothing else differs. */
  private async reportDifferences({ publicId: orderId }: OrderEntity, differences: string[]): Promise<void> {
    const { supportEmail: to } = this.config;
    await this.dataSource.transaction(async (manager) => {
      const previousReports: unknown[] = await manager.query(
        'SELECT 1 FROM audit WHERE subject = $1 AND action = $2 AND detail = $3',
        [orderId, AUDIT_ACTION, { differences }],
      );
      if (previousReports.length > 0) return;
      const event = { action: AUDIT_ACTION, actorId: null, subject: orderId, detail: { differences }, requestId: null };
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

/** The job: `compare-payments`. */
export async function auditPayments({ find }: JobContext): Promise<number> {
  return (await find(ProviderAuditService)).run();
}
