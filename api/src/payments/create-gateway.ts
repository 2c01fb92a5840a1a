import { type Config, ConfigError } from '../config.ts';
import type { PaymentGateway } from './payment-gateway.port.ts';
import { PHONEPE_HOSTS, PhonePeGateway } from './phonepe-gateway.ts';
import { SandboxGateway, sandboxSecret } from './sandbox-gateway.ts';

/** Port of the sandbox where PAYMENT_SANDBOX_PORT is not set. */
export const SANDBOX_PORT = 4010;

/** The configured provider. Throws ConfigError without one. */
export function createGateway(config: Config, now: () => Date): PaymentGateway {
  switch (config.paymentProvider) {
    case 'sandbox':
      return new SandboxGateway({
        port: config.paymentSandboxPort ?? SANDBOX_PORT,
        secrets: config.sessionKeys.map((key) => sandboxSecret(key, config.publicOrigin)),
      });
    case 'phonepe':
      return new PhonePeGateway(
        {
          clientId: config.phonepeClientId ?? '',
          clientSecret: config.phonepeClientSecret ?? '',
          clientVersion: config.phonepeClientVersion,
          webhookSecret: config.phonepeWebhookSecret ?? '',
          live: config.phonepeEnv === 'production',
          hosts: PHONEPE_HOSTS[config.phonepeEnv],
        },
        now,
      );
    case undefined:
      throw new ConfigError('PAYMENT_PROVIDER must be set in production');
  }
}
