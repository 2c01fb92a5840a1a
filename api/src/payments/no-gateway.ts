import { GatewayError, InvalidSignatureError, PaymentGateway } from './payment-gateway.port.ts';

const refuse = async (): Promise<never> => {
  throw new GatewayError('Nothing is sold here (PAYMENT_PROVIDER=none)');
};

/** Where nothing is sold. No order has this provider; earlier orders are settled at theirs. */
export class NoGateway extends PaymentGateway {
  readonly name = 'none';
  readonly live = false;
  readonly createCheckout = refuse;
  readonly fetchStatus = refuse;
  readonly refund = refuse;
  readonly fetchRefund = refuse;

  readWebhook(): never {
    throw new InvalidSignatureError('nothing is sold here');
  }
}
