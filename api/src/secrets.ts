/** Secrets that nobody set: outside production they are made once and kept in the data folder. */
import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Config, ConfigError, MIN_SECRET_BYTES } from './config.ts';
import { deriveVapidKeys, isVapidKeyPair, type VapidKeys } from './push/sending/vapid-keys.ts';

const SecretText = v.pipe(v.string(), v.minBytes(MIN_SECRET_BYTES));

/** The file as it may be: an earlier version knew fewer secrets. What is unknown here stays as it is. */
const StoredSecrets = v.pipe(
  v.looseObject({
    SESSION_KEYS: SecretText,
    OTP_PEPPER: v.optional(SecretText),
    VAPID_PUBLIC_KEY: v.optional(v.string()),
    VAPID_PRIVATE_KEY: v.optional(v.string()),
  }),
  v.check(({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }) =>
    publicKey === undefined && privateKey === undefined
      ? true
      : isVapidKeyPair({ publicKey: publicKey ?? '', privateKey: privateKey ?? '' }),
  ),
);
type StoredSecrets = v.InferOutput<typeof StoredSecrets>;
type Secrets = Required<StoredSecrets>;

/** The file of the kept secrets. */
export const secretsPath = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'secrets.json');

const areSecretsConfigured = (config: Config): boolean =>
  config.sessionKeys.length > 0 && config.otpPepper !== '' && config.vapidKeys.length > 0;

/** Needs no database. Throws ConfigError when production, or a server that takes real money, lacks a setting without a safe default. */
export function assertRequiredSettings(config: Config): Config {
  if (config.production) assertProductionSettings(config, secretsPath(config));
  if (config.paymentProvider === 'phonepe') assertPaymentAccount(config);
  const takesMoney = config.paymentProvider === 'phonepe' && config.phonepeEnv === 'production';
  if (config.gstin && (config.production || takesMoney)) refuseWithoutSeller(config);
  return config;
}

/**
 * The settings with every secret. Throws ConfigError when they are incomplete, when two secrets are equal, when the kept
 * ones cannot be read, or when they are missing although the database `isUsed`.
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

/** Makes new secrets where none are set or kept; gives the path of a file that was made. */
export function createSecrets(config: Config): string | undefined {
  const path = secretsPath(config);
  if (config.production || areSecretsConfigured(config) || existsSync(path)) return undefined;
  createSecretsFile(config.dataDir, path);
  return path;
}

function assertProductionSettings(config: Config, path: string): void {
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
  if (missing.length > 0) throw new ConfigError(`${missing.join(', ')} must be set in production`);
  if (config.paymentProvider === 'sandbox') throw new ConfigError('PAYMENT_PROVIDER must not be sandbox in production');
  assertHttpsOrigin(config.publicOrigin);
  assertVapidSubject(config.vapidSubject ?? '');
  // A file that somebody copied from a trial has been seen by too many.
  const trial = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const reused = [
    config.sessionKeys.some((key) => trial.includes(key)) ? 'SESSION_KEYS' : '',
    trial.includes(config.otpPepper) ? 'OTP_PEPPER' : '',
    config.vapidKeys.some(({ privateKey }) => trial.includes(privateKey)) ? 'VAPID_PRIVATE_KEY' : '',
  ].filter(Boolean);
  if (reused.length > 0) throw new ConfigError(`${reused.join(', ')} must not be a secret of ${path} in production`);
}

/** Links, cookies and HSTS follow the origin: over http sessions would travel in the clear. */
function assertHttpsOrigin(publicOrigin: string): void {
  const url = URL.parse(publicOrigin);
  if (url?.protocol !== 'https:' && !isLoopbackHostname(url?.hostname ?? ''))
    throw new ConfigError('PUBLIC_ORIGIN must begin with https:// in production, unless its host is localhost');
}

/** Push services write to this address when something is wrong; some of them refuse a subject that is no address. */
function assertVapidSubject(subject: string): void {
  const host = subject.startsWith('mailto:')
    ? subject.slice(subject.lastIndexOf('@') + 1)
    : URL.parse(subject)?.hostname;
  const isName = HOST_NAME_PATTERN.test(host ?? '');
  if (!isName || PLACEHOLDER_PATTERN.test(subject))
    throw new ConfigError('VAPID_SUBJECT must be an address that you read, like mailto:operator@your-domain.in');
}

const isLoopbackHostname = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(?:\.\d+){3}$/.test(hostname);

const HOST_NAME_PATTERN = /^(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]+$/u;
/** Reserved names, and the address that stands in where none is set. */
const PLACEHOLDER_PATTERN =
  /[@./](?:example\.(?:com|net|org)|invalid|localhost|local)(?:[/:]|$)|nobody@nivida\.example/i;

function assertPaymentAccount(config: Config): void {
  const needed = {
    PHONEPE_CLIENT_ID: config.phonepeClientId,
    PHONEPE_CLIENT_SECRET: config.phonepeClientSecret,
    PHONEPE_WEBHOOK_SECRET: config.phonepeWebhookSecret,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) throw new ConfigError(`${missing.join(', ')} must be set for PAYMENT_PROVIDER=phonepe`);
}

/** A tax invoice is not valid without the name and address of the registered seller. */
function refuseWithoutSeller({ legalName, legalAddress }: Config): void {
  const needed = { LEGAL_NAME: legalName, LEGAL_ADDRESS: legalAddress };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value?.trim() ? [] : [name]));
  if (missing.length > 0)
    throw new ConfigError(`${missing.join(', ')} must be set with GSTIN: tax invoices name the seller and the address`);
}

function assertDistinctSecrets(config: Config): Config {
  if (config.sessionKeys.includes(config.otpPepper))
    throw new ConfigError('OTP_PEPPER must not be one of the SESSION_KEYS');
  return config;
}

/** The secrets of the data folder; the first process makes them, also when several start at once. */
function loadOrCreateSecrets(dataDir: string, path: string): Secrets {
  const stored = readSecretsFile(path) ?? createSecretsFile(dataDir, path);
  const isWhole = stored.OTP_PEPPER !== undefined && stored.VAPID_PUBLIC_KEY !== undefined;
  return isWhole ? (stored as Secrets) : addMissingSecrets(stored, path);
}

function readSecretsFile(path: string): StoredSecrets | undefined {
  try {
    return v.parse(StoredSecrets, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // Making new ones would sign everybody out without a word.
    throw new ConfigError(`${path} cannot be read; mend it or remove it, which ends all sessions`);
  }
}

function createSecretsFile(dataDir: string, path: string): StoredSecrets {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const fresh = () => randomBytes(MIN_SECRET_BYTES).toString('base64url');
  const secrets: Secrets = { SESSION_KEYS: fresh(), OTP_PEPPER: fresh(), ...toVapidSettings(deriveVapidKeys(fresh())) };
  const aside = writeSecretsFile(secrets, path);
  try {
    // Unlike a rename this does not replace what another process has just made.
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
  return readSecretsFile(path) ?? secrets;
}

/** Adds what an earlier version did not keep. Derived from what it kept, so that processes that start at once agree. */
function addMissingSecrets(stored: StoredSecrets, path: string): Secrets {
  const pepper = hkdfSync('sha256', stored.SESSION_KEYS, '', 'OTP_PEPPER', MIN_SECRET_BYTES);
  const derived = {
    OTP_PEPPER: Buffer.from(pepper).toString('base64url'),
    ...toVapidSettings(deriveVapidKeys(stored.SESSION_KEYS)),
  };
  const secrets: Secrets = { ...derived, ...(stored as Secrets) };
  renameSync(writeSecretsFile(secrets, path), path);
  return secrets;
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
