/** The registry of payment providers. `docs/architecture.md` lists the files that a new provider needs. */
import { type Config, ConfigError, type PaymentProviderName } from '../base/config.ts';
import { NoGateway } from './no-gateway.ts';
import type { PaymentGateway } from './payment-gateway.port.ts';
import { PaymentGateways } from './payment-gateways.port.ts';
import { PHONEPE_HOSTS, PhonePeGateway } from './phonepe-gateway.ts';
import { RAZORPAY_API, RazorpayGateway } from './razorpay-gateway.ts';
import { SANDBOX_PORT, SandboxGateway, sandboxSecret } from './sandbox-gateway.ts';

interface PaymentProvider {
  /** Variables that must be set before the provider can be called; empty when it is configured. */
  missingSettings(config: Config): string[];
  createGateway(config: Config, now: () => Date): PaymentGateway;
}

export const PAYMENT_PROVIDERS: Readonly<Record<PaymentProviderName, PaymentProvider>> = {
  sandbox: {
    // If another provider takes new orders, PAYMENT_SANDBOX_PORT shows that earlier test orders are still to be settled.
    missingSettings: ({ production, paymentProvider, paymentSandboxPort }) =>
      !production && (paymentProvider === 'sandbox' || paymentSandboxPort !== undefined)
        ? []
        : ['PAYMENT_SANDBOX_PORT'],
    createGateway: (config) =>
      new SandboxGateway({
        port: config.paymentSandboxPort ?? SANDBOX_PORT,
        secrets: config.sessionKeys.map((key) => sandboxSecret(key, config.publicOrigin)),
      }),
  },
  none: {
    missingSettings: ({ paymentProvider }) => (paymentProvider === 'none' ? [] : ['PAYMENT_PROVIDER']),
    createGateway: () => new NoGateway(),
  },
  phonepe: {
    missingSettings: (config) =>
      unsetNames({
        PHONEPE_CLIENT_ID: config.phonepeClientId,
        PHONEPE_CLIENT_SECRET: config.phonepeClientSecret,
        PHONEPE_WEBHOOK_SECRET: config.phonepeWebhookSecret,
      }),
    createGateway: (config, now) =>
      new PhonePeGateway(
        {
          clientId: config.phonepeClientId ?? '',
          clientSecret: config.phonepeClientSecret ?? '',
          clientVersion: config.phonepeClientVersion,
          webhookSecret: config.phonepeWebhookSecret ?? '',
          live: config.phonepeEnv === 'production',
          hosts: PHONEPE_HOSTS[config.phonepeEnv],
        },
        now,
      ),
  },
  razorpay: {
    missingSettings: (config) =>
      unsetNames({
        RAZORPAY_KEY_ID: config.razorpayKeyId,
        RAZORPAY_KEY_SECRET: config.razorpayKeySecret,
        RAZORPAY_WEBHOOK_SECRET: config.razorpayWebhookSecrets[0],
      }),
    createGateway: (config, now) =>
      new RazorpayGateway(
        {
          keyId: config.razorpayKeyId ?? '',
          keySecret: config.razorpayKeySecret ?? '',
          webhookSecrets: config.razorpayWebhookSecrets,
          sellerName: config.legalName ?? 'Nivida',
          publicOrigin: config.publicOrigin,
          api: RAZORPAY_API,
        },
        now,
      ),
  },
};

const unsetNames = (settings: Record<string, unknown>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => (value ? [] : [name]));

/** What is missing for PAYMENT_FALLBACK; undefined when nothing is. Both providers must take real money, or neither. */
export function fallbackProblem(config: Config): string | undefined {
  const { paymentProvider: name, paymentFallback: fallback } = config;
  if (!fallback || !name) return undefined;
  const missing = PAYMENT_PROVIDERS[fallback].missingSettings(config);
  if (missing.length > 0) return `${missing.join(', ')} must be set for PAYMENT_FALLBACK=${fallback}`;
  const isLive = (provider: PaymentProviderName) =>
    PAYMENT_PROVIDERS[provider].createGateway(config, () => new Date()).live;
  return isLive(name) === isLive(fallback)
    ? undefined
    : `PAYMENT_FALLBACK=${fallback} and PAYMENT_PROVIDER=${name} must both take real money, or both be for tests`;
}

/** Adapters of PAYMENT_PROVIDER and of every other provider whose settings are set. Throws ConfigError without PAYMENT_PROVIDER. */
export function createGateways(config: Config, now: () => Date): PaymentGateways {
  const { paymentProvider: current, paymentFallback } = config;
  if (!current) throw new ConfigError('PAYMENT_PROVIDER must be set in production');
  const others = Object.entries(PAYMENT_PROVIDERS)
    .filter(([name, { missingSettings }]) => name !== current && missingSettings(config).length === 0)
    .map(([, provider]) => provider.createGateway(config, now));
  return new PaymentGateways(
    PAYMENT_PROVIDERS[current].createGateway(config, now),
    others,
    others.find(({ name }) => name === paymentFallback),
  );
}
