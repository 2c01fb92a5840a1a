import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError, forPrograms, nothingHere } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { PaymentGateways } from '../../payments/payment-gateways.port.ts';
import { INSERT_WEBHOOK_EVENT, IS_SAME_WEBHOOK_BODY, MAKE_ORDER_DUE } from '../orders.sql.ts';
import { RefundsService } from '../refunds/refunds.service.ts';
import { OrderStatusService } from '../status/order-status.service.ts';

/** Webhooks are hints: the provider is asked before anything changes. */
@Injectable()
export class WebhooksService {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly dataSource: DataSource,
    private readonly gateways: PaymentGateways,
    private readonly refunds: RefundsService,
    private readonly statuses: OrderStatusService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Stores a webhook and makes its order or refund due, so that the reconciler finds it if this process dies; then
   * checks it at once. Throws InvalidSignatureError, NOT_FOUND for a provider that is not configured, CONFLICT for an
   * event that was received with another body.
   */
  async receive(provider: string, raw: Buffer, headers: Readonly<Record<string, string | undefined>>): Promise<void> {
    const gateway = this.gateways.named(provider);
    if (!gateway) throw nothingHere();
    const {
      eventId,
      attemptRef,
      providerRef = null,
      isPaid,
      refundRef,
    } = gateway.readWebhook(raw, headers, this.now());
    const sum = createHash('sha256').update(raw).digest('hex');
    const added: unknown[] = await this.dataSource.query(INSERT_WEBHOOK_EVENT, [
      provider,
      eventId,
      sum,
      attemptRef,
      refundRef,
      this.now(),
      isPaid ? providerRef : null,
    ]);
    if (added.length === 0) return this.assertUnalteredEvent(provider, eventId, sum);
    if (refundRef !== null) await this.refunds.checkNow(refundRef);
    else await this.makeOrderDue(provider, attemptRef, providerRef);
  }

  private async assertUnalteredEvent(provider: string, eventId: string, sum: string): Promise<void> {
    const [{ same }] = await this.dataSource.query(IS_SAME_WEBHOOK_BODY, [provider, eventId, sum]);
    if (same) return;
    this.logger.error(`Event ${eventId} of ${provider} was repeated with another body`);
    throw new AppError('CONFLICT', forPrograms('This event was received with another body'));
  }

  private async makeOrderDue(provider: string, attemptRef: string | null, providerRef: string | null): Promise<void> {
    // An unknown attempt gets status 200, because some providers stop sending webhooks for a day after an error.
    const [rows]: [{ id: string }[], number] = await this.dataSource.query(MAKE_ORDER_DUE, [
      attemptRef,
      this.now(),
      provider,
      providerRef,
    ]);
    for (const { id } of rows) this.statuses.checkInBackground(id);
    if (rows.length === 0) this.logger.warn(`A webhook names the unknown attempt ${attemptRef ?? providerRef}`);
  }
}
