import type { PaymentProviderName } from '../base/config.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import {
  type CheckoutRequest,
  GatewayError,
  type PaymentGateway,
  type StartedCheckout,
} from './payment-gateway.port.ts';

/** The provider and the kind of money of an order. */
interface OrderProvider {
  provider: string;
  live: boolean;
}

/**
 * The configured providers. `current` takes new orders, and `fallback` while `current` does not answer. Each order is settled
 * and refunded at its own provider.
 */
export class PaymentGateways {
  private readonly all: readonly PaymentGateway[];
  private readonly breakers = new Map<PaymentGateway, CircuitBreaker>();

  constructor(
    readonly current: PaymentGateway,
    others: readonly PaymentGateway[] = [],
    readonly fallback?: PaymentGateway,
  ) {
    this.all = [current, ...others];
  }

  /** The provider for a new order: the fallback while the first one does not answer. */
  forNewOrder(now: Date): PaymentGateway {
    return this.isAvailable(this.current, now) ? this.current : (this.otherFor(this.current, now) ?? this.current);
  }

  /** Names of the providers that take new orders. */
  sellers(): PaymentProviderName[] {
    return [this.current, ...(this.fallback ? [this.fallback] : [])].map(({ name }) => name);
  }

  /** The provider that may take an order over from `gateway`; undefined when there is none or it does not answer. */
  otherFor(gateway: PaymentGateway, now: Date): PaymentGateway | undefined {
    const pair = this.fallback ? [this.current, this.fallback] : [];
    const other = pair.includes(gateway) ? pair.find((each) => each !== gateway) : undefined;
    return other && this.isAvailable(other, now) ? other : undefined;
  }

  /** Whether the provider's last checkouts were answered, or it is to be tried again. */
  isAvailable(gateway: PaymentGateway, now: Date): boolean {
    return this.breakerOf(gateway).allows(now);
  }

  /** Opens a payment page and remembers whether the provider answered. Throws as `createCheckout` does. */
  startCheckout(gateway: PaymentGateway, checkout: CheckoutRequest, now: () => Date): Promise<StartedCheckout> {
    const isOutage = (error: unknown) => error instanceof GatewayError;
    return this.breakerOf(gateway).run(() => gateway.createCheckout(checkout), isOutage, now);
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

  private breakerOf(gateway: PaymentGateway): CircuitBreaker {
    const known = this.breakers.get(gateway) ?? new CircuitBreaker();
    this.breakers.set(gateway, known);
    return known;
  }
}
