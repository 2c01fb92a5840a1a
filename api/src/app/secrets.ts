/** Missing secrets: outside of production they are generated once and stored in the data folder. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Config, ConfigError, MIN_SECRET_BYTES } from '../base/config.ts';
import { deriveVapidKeys, isVapidKeyPair, type VapidKeys } from '../base/vapid-keys.ts';
import { isLoopback } from '../http/security/loopback.ts';
import { fallbackProblem, PAYMENT_PROVIDERS } from '../payments/providers.ts';

const SecretText = v.pipe(v.string(), v.minBytes(MIN_SECRET_BYTES));

/** The stored file. */
const Secrets = v.pipe(
  v.object({
    SESSION_KEYS: SecretText,
    OTP_PEPPER: SecretText,
    VAPID_PUBLIC_KEY: v.string(),
    VAPID_PRIVATE_KEY: v.string(),
  }),
  v.check(({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY }) =>
    isVapidKeyPair({ publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY }),
  ),
);
type Secrets = v.InferOutput<typeof Secrets>;

/** Path of the stored secrets. */
export const secretsPath = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'secrets.json');

/** Whether all secrets are variables. */
export const areSecretsConfigured = (config: Config): boolean =>
  config.sessionKeys.length > 0 && config.otpPepper !== '' && config.vapidKeys.length > 0;

/** Throws ConfigError when production, or a server that takes real money, lacks a setting without a safe default. */
export function assertRequiredSettings(config: Config): Config {
  // The operator sees all problems at once, instead of one at each start.
  const problems = [
    ...(config.production ? productionProblems(config, secretsPath(config)) : []),
    ...accountProblems(config),
  ];
  const takesMoney =
    config.paymentProvider && PAYMENT_PROVIDERS[config.paymentProvider].createGateway(config, () => new Date()).live;
  if (config.gstin && (config.production || takesMoney)) problems.push(...sellerProblems(config));
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
  return config;
}

/**
 * The settings with all secrets. Throws ConfigError when settings are missing, when two secrets are equal, when the stored
 * secrets cannot be read, or when they are missing although the database `isUsed`.
 */
export function withSecrets(config: Config, isUsed: boolean): Config {
  assertRequiredSettings(config);
  if (areSecretsConfigured(config)) return assertDistinctSecrets(config);
  const path = secretsPath(config);
  if (isUsed && !existsSync(path))
    throw new ConfigError(
      `${path} is missing, and the database was used with it. Put the file back (backup --with-secrets has a copy), or make new secrets with "npm run migrate -- --new-secrets": all sessions and push subscriptions end`,
    );
  const stored = loadOrCreateSecrets(config.dataDir, path);
  return assertDistinctSecrets({
    ...config,
    sessionKeys: config.sessionKeys.length > 0 ? config.sessionKeys : [stored.SESSION_KEYS],
    otpPepper: config.otpPepper || stored.OTP_PEPPER,
    vapidKeys:
      config.vapidKeys.length > 0
        ? config.vapidKeys
        : [{ publicKey: stored.VAPID_PUBLIC_KEY, privateKey: stored.VAPID_PRIVATE_KEY }],
  });
}

/** Generates secrets when none are set or stored; returns the path of the new file. */
export function createSecrets(config: Config): string | undefined {
  const path = secretsPath(config);
  if (config.production || areSecretsConfigured(config) || existsSync(path)) return undefined;
  createSecretsFile(config.dataDir, path);
  return path;
}

function productionProblems(config: Config, path: string): string[] {
  const needed = {
    MAIL_URL: config.mailUrl,
    MAIL_FROM: config.mailFrom,
    OTP_PEPPER: config.otpPepper,
    PAYMENT_PROVIDER: config.paymentProvider,
    PUBLIC_ORIGIN: config.publicOrigin,
    SESSION_KEYS: config.sessionKeys[0],
    VAPID_PRIVATE_KEY: config.vapidKeys[0],
    VAPID_PUBLIC_KEY: config.vapidKeys[0],
    VAPID_SUBJECT: config.vapidSubject,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
  const problems = missing.length > 0 ? [`${missing.join(', ')} must be set in production`] : [];
  if (config.paymentProvider === 'sandbox') problems.push('PAYMENT_PROVIDER must not be sandbox in production');
  if (config.publicOrigin) problems.push(...originProblems(config.publicOrigin));
  if (config.vapidSubject) problems.push(...subjectProblems(config.vapidSubject));
  // Generated secrets of a test installation are not confidential enough for production.
  const trial = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const reused = [
    config.sessionKeys.some((key) => trial.includes(key)) ? 'SESSION_KEYS' : '',
    config.otpPepper && trial.includes(config.otpPepper) ? 'OTP_PEPPER' : '',
    config.vapidKeys.some(({ privateKey }) => trial.includes(privateKey)) ? 'VAPID_PRIVATE_KEY' : '',
  ].filter(Boolean);
  if (reused.length > 0) problems.push(`${reused.join(', ')} must not be a secret of ${path} in production`);
  return problems;
}

/** Links, cookies and HSTS depend on the origin: over http sessions would not be encrypted. */
function originProblems(publicOrigin: string): string[] {
  const url = URL.parse(publicOrigin);
  return url?.protocol === 'https:' || isLoopbackHostname(url?.hostname ?? '')
    ? []
    : ['PUBLIC_ORIGIN must begin with https:// in production, unless its host is localhost'];
}

/** Push services contact this address about problems; some reject an invalid subject. */
function subjectProblems(subject: string): string[] {
  const host = subject.startsWith('mailto:')
    ? subject.slice(subject.lastIndexOf('@') + 1)
    : URL.parse(subject)?.hostname;
  const isName = HOST_NAME_PATTERN.test(host ?? '');
  return isName && !PLACEHOLDER_PATTERN.test(subject)
    ? []
    : ['VAPID_SUBJECT must be an address that you read, like mailto:NAME@DOMAIN'];
}

const isLoopbackHostname = (hostname: string): boolean => hostname.endsWith('.localhost') || isLoopback(hostname);

const HOST_NAME_PATTERN = /^(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]+$/u;
/** Reserved names, and the default address of development. */
const PLACEHOLDER_PATTERN =
  /[@./](?:example\.(?:com|net|org)|invalid|localhost|local)(?:[/:]|$)|nobody@nivida\.example/i;

function accountProblems(config: Config): string[] {
  const { paymentProvider } = config;
  const missing = paymentProvider ? PAYMENT_PROVIDERS[paymentProvider].missingSettings(config) : [];
  // In production another check reports the sandbox.
  const isReported = missing.length === 0 || (config.production && paymentProvider === 'sandbox');
  const fallback = fallbackProblem(config);
  return [
    ...(isReported ? [] : [`${missing.join(', ')} must be set for PAYMENT_PROVIDER=${paymentProvider}`]),
    ...(fallback ? [fallback] : []),
  ];
}

/** A tax invoice is not valid without the name and address of the registered seller. */
function sellerProblems({ legalName, legalAddress }: Config): string[] {
  const needed = { LEGAL_NAME: legalName, LEGAL_ADDRESS: legalAddress };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value?.trim() ? [] : [name]));
  if (missing.length === 0) return [];
  return [`${missing.join(', ')} must be set with GSTIN: tax invoices name the seller and the address`];
}

function assertDistinctSecrets(config: Config): Config {
  if (config.sessionKeys.includes(config.otpPepper))
    throw new ConfigError('OTP_PEPPER must not be one of the SESSION_KEYS');
  return config;
}

/** The secrets of the data folder. If several processes start at once, one of them creates the secrets. */
function loadOrCreateSecrets(dataDir: string, path: string): Secrets {
  return readSecretsFile(path) ?? createSecretsFile(dataDir, path);
}

function readSecretsFile(path: string): Secrets | undefined {
  try {
    return v.parse(Secrets, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // New secrets would silently end all sessions.
    throw new ConfigError(`${path} cannot be read; repair it, or remove it, which ends all sessions`);
  }
}

function createSecretsFile(dataDir: string, path: string): Secrets {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const fresh = () => randomBytes(MIN_SECRET_BYTES).toString('base64url');
  const secrets: Secrets = { SESSION_KEYS: fresh(), OTP_PEPPER: fresh(), ...toVapidSettings(deriveVapidKeys(fresh())) };
  const aside = writeSecretsFile(secrets, path);
  try {
    // Unlike a rename, link does not replace the file of another process.
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
  return readSecretsFile(path) ?? secrets;
}

const toVapidSettings = ({ publicKey, privateKey }: VapidKeys) => ({
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
});

function writeSecretsFile(secrets: Secrets, path: string): string {
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return aside;
}
