import { GatewayError, InvalidSignatureError, PaymentGateway } from './payment-gateway.port.ts';

const refuse = async (): Promise<never> => {
  throw new GatewayError('Nothing is sold here (PAYMENT_PROVIDER=none)');
};

/** The provider when nothing is sold. It takes no orders. Earlier orders are settled at their own provider. */
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
