import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError } from '../../http/errors/app-error.ts';
import { CLOCK } from '../../http/injection-tokens.ts';
import { PaymentGateway } from '../../payments/payment-gateway.port.ts';
import { RefundsService } from '../refunds/refunds.service.ts';
import { OrderStatusService } from '../status/order-status.service.ts';

/** What providers send unasked. It only says where to look: the provider is asked before anything changes. */
@Injectable()
export class WebhooksService {
  private readonly logger = new Logger('Webhooks');

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(PaymentGateway) private readonly gateway: PaymentGateway,
    @Inject(RefundsService) private readonly refunds: RefundsService,
    @Inject(OrderStatusService) private readonly statuses: OrderStatusService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Takes a webhook: what it is about becomes due for the reconciler, which finds it also when this process dies now, and
   * is looked at at once. Throws BadSignature, NOT_FOUND for another provider, CONFLICT for an event with another body
   * than before.
   */
  async receive(provider: string, raw: Buffer, headers: Readonly<Record<string, string | undefined>>): Promise<void> {
    if (provider !== this.gateway.name) throw new AppError('NOT_FOUND', 'There is nothing at this address');
    const { eventId, attemptRef, refundRef } = this.gateway.readWebhook(raw, headers, this.now());
    const sum = createHash('sha256').update(raw).digest('hex');
    const added: unknown[] = await this.dataSource.query(
      `INSERT INTO webhook_event (provider, event_id, body_sha256, attempt_ref, refund_ref, received_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING event_id`,
      [provider, eventId, sum, attemptRef, refundRef, this.now()],
    );
    if (added.length === 0) return this.assertUnalteredEvent(provider, eventId, sum);
    if (refundRef !== null) await this.refunds.checkNow(refundRef);
    else await this.makeOrderDue(attemptRef ?? '');
  }

  private async assertUnalteredEvent(provider: string, eventId: string, sum: string): Promise<void> {
    const [{ same }] = await this.dataSource.query(
      'SELECT body_sha256 = $3 AS same FROM webhook_event WHERE provider = $1 AND event_id = $2',
      [provider, eventId, sum],
    );
    if (same) return;
    this.logger.error(`Event ${eventId} of ${provider} came again with another body`);
    throw new AppError('CONFLICT', 'This event was received with another body');
  }

  private async makeOrderDue(attemptRef: string): Promise<void> {
    // Answered with 200 all the same: some providers end a webhook that was refused for a day.
    const [rows]: [{ id: string }[], number] = await this.dataSource.query(
      'UPDATE orders SET next_check_at = $2 WHERE id = (SELECT order_id FROM attempt WHERE ref = $1) RETURNING id',
      [attemptRef, this.now()],
    );
    const [order] = rows;
    if (order) this.statuses.checkInBackground(order.id);
    else this.logger.warn(`A webhook speaks of the unknown try ${attemptRef}`);
  }
}
