import type { PaymentProviderName } from '../base/config.ts';
import { GatewayError, type PaymentGateway } from './payment-gateway.port.ts';

/** The provider and the kind of money of an order; both never change. */
interface OrderProvider {
  provider: string;
  live: boolean;
}

/** The configured providers. `current` takes new orders. Each order is settled and refunded at its own provider. */
export class PaymentGateways {
  private readonly all: readonly PaymentGateway[];

  constructor(
    readonly current: PaymentGateway,
    others: readonly PaymentGateway[] = [],
  ) {
    this.all = [current, ...others];
  }

  /** The provider of an order. Throws GatewayError when it is not configured for the order's kind of money. */
  of(order: OrderProvider): PaymentGateway {
    const gateway = this.all.find(({ name, live }) => name === order.provider && live === order.live);
    if (gateway) return gateway;
    const kind = order.live ? 'with real money' : 'as a test';
    throw new GatewayError(
      `The order was made ${kind} at ${order.provider}, which is not configured: see PAYMENT_PROVIDER in docs/configuration.md`,
    );
  }

  has(order: OrderProvider): boolean {
    return this.all.some(({ name, live }) => name === order.provider && live === order.live);
  }

  /** The provider with this name, for its webhooks. */
  named(name: string): PaymentGateway | undefined {
    return this.all.find((gateway) => gateway.name === name);
  }

  /** Parameters of the SQL condition for orders of a configured provider. */
  parameters(): { providers: PaymentProviderName[]; liveFlags: boolean[] } {
    return { providers: this.all.map(({ name }) => name), liveFlags: this.all.map(({ live }) => live) };
  }
}
