import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Config, ConfigError, readConfig } from '../base/config.ts';
import { createSecrets, withSecrets as withSecretsOf } from './secrets.ts';

/** For a new database. */
const withSecrets = (config: Config) => withSecretsOf(config, false);

let folder: string;
let DATA_DIR: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nivida-secrets-'));
  DATA_DIR = join(folder, 'data');
  return () => rmSync(folder, { recursive: true });
});

const readStoredSecrets = () => JSON.parse(readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8'));

/** A pair of push keys. */
const VAPID = {
  VAPID_PUBLIC_KEY: 'BEF5JXDGYAur162oyR-Z4o4YerPWqaTfSAh9heWqIWaPO1Nr51c8RmB0vqLbwCZdLOicgp4W3tmQequZbSoeaPU',
  VAPID_PRIVATE_KEY: '2JZ0ojKkpHo882BKMgrK3lMB5ZwMjITsmRbbqEjBXqk',
};
const PUSH = { ...VAPID, VAPID_SUBJECT: 'mailto:help@nivida.example' };

test('secrets are generated once, readable by their owner only, and read again', () => {
  const { sessionKeys, otpPepper, vapidKeys } = withSecrets(readConfig({ DATA_DIR }));
  expect(sessionKeys).toHaveLength(1);
  for (const secret of [sessionKeys[0] ?? '', otpPepper]) expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
  expect(sessionKeys).not.toContain(otpPepper);
  expect(withSecrets(readConfig({ DATA_DIR }))).toMatchObject({ sessionKeys, otpPepper, vapidKeys });
  expect(readdirSync(DATA_DIR)).toEqual(['secrets.json']);
  expect(statSync(join(DATA_DIR, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(statSync(DATA_DIR).mode & 0o777).toBe(0o700);
  expect(readStoredSecrets()).toEqual({
    SESSION_KEYS: sessionKeys[0],
    OTP_PEPPER: otpPepper,
    VAPID_PUBLIC_KEY: vapidKeys[0]?.publicKey,
    VAPID_PRIVATE_KEY: vapidKeys[0]?.privateKey,
  });
});

test('if the database is used and secrets are missing, the start is refused until new ones are generated on request', () => {
  const config = readConfig({ DATA_DIR });
  const path = join(DATA_DIR, 'secrets.json');
  expect(() => withSecretsOf(config, true)).toThrow(
    new ConfigError(
      `${path} is missing, and the database was used with it. Put the file back (backup --with-secrets has a copy), or make new secrets with "npm run migrate -- --new-secrets": all sessions and push subscriptions end`,
    ),
  );
  expect(createSecrets(config)).toBe(path);
  expect(withSecretsOf(config, true).sessionKeys).toEqual([readStoredSecrets().SESSION_KEYS]);
  expect(createSecrets(config)).toBeUndefined();
});

test('secrets of the environment need no file, even if the database is used', () => {
  const config = readConfig({ DATA_DIR, SESSION_KEYS, OTP_PEPPER, ...VAPID });
  expect(withSecretsOf(config, true).otpPepper).toBe(OTP_PEPPER);
  expect(createSecrets(config)).toBeUndefined();
});

test('another data folder has another key', () => {
  const one = withSecrets(readConfig({ DATA_DIR })).sessionKeys;
  const other = withSecrets(readConfig({ DATA_DIR: join(folder, 'other') })).sessionKeys;
  expect(other).not.toEqual(one);
});

const SESSION_KEYS = 'k'.repeat(32);
const OTP_PEPPER = 'p'.repeat(32);
const MAIL = { MAIL_URL: 'smtp://mail.example', MAIL_FROM: 'no-reply@nivida.example' };
const PUBLIC_ORIGIN = 'https://nivida.example';

test('secrets of the environment win and write nothing', () => {
  const config = withSecrets(readConfig({ DATA_DIR, SESSION_KEYS, OTP_PEPPER, ...VAPID }));
  expect(config).toMatchObject({
    sessionKeys: [SESSION_KEYS],
    otpPepper: OTP_PEPPER,
    vapidKeys: [{ publicKey: VAPID.VAPID_PUBLIC_KEY, privateKey: VAPID.VAPID_PRIVATE_KEY }],
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a secret that the environment lacks is read from the stored ones', () => {
  const config = withSecrets(readConfig({ DATA_DIR, SESSION_KEYS }));
  const stored = readStoredSecrets();
  const storedPair = { publicKey: stored.VAPID_PUBLIC_KEY, privateKey: stored.VAPID_PRIVATE_KEY };
  expect(config).toMatchObject({
    sessionKeys: [SESSION_KEYS],
    otpPepper: stored.OTP_PEPPER,
    vapidKeys: [storedPair],
  });
  expect(withSecrets(readConfig({ DATA_DIR, OTP_PEPPER, ...VAPID }))).toMatchObject({
    sessionKeys: [stored.SESSION_KEYS],
    otpPepper: OTP_PEPPER,
    vapidKeys: [{ publicKey: VAPID.VAPID_PUBLIC_KEY, privateKey: VAPID.VAPID_PRIVATE_KEY }],
  });
});

test('two secrets may not be equal', () => {
  for (const keys of [OTP_PEPPER, `${SESSION_KEYS},${OTP_PEPPER}`])
    expect(() => withSecrets(readConfig({ DATA_DIR, SESSION_KEYS: keys, OTP_PEPPER }))).toThrow(
      new ConfigError('OTP_PEPPER must not be one of the SESSION_KEYS'),
    );
});

const PHONEPE = {
  PAYMENT_PROVIDER: 'phonepe',
  PHONEPE_CLIENT_ID: 'M1',
  PHONEPE_CLIENT_SECRET: 's3cret',
  PHONEPE_WEBHOOK_SECRET: 'nivida:passw0rd',
};

describe('production', () => {
  const production = (env: NodeJS.ProcessEnv) => withSecrets(readConfig({ DATA_DIR, NODE_ENV: 'production', ...env }));

  test.each<[NodeJS.ProcessEnv, string]>([
    [
      {},
      'MAIL_URL, MAIL_FROM, OTP_PEPPER, PAYMENT_PROVIDER, PUBLIC_ORIGIN, SESSION_KEYS, VAPID_PRIVATE_KEY, VAPID_PUBLIC_KEY, VAPID_SUBJECT must be set in production',
    ],
    [
      { PUBLIC_ORIGIN, ...MAIL, ...PHONEPE, OTP_PEPPER, SESSION_KEYS },
      'VAPID_PRIVATE_KEY, VAPID_PUBLIC_KEY, VAPID_SUBJECT must be set in production',
    ],
    [
      { PUBLIC_ORIGIN, ...MAIL, ...PHONEPE, ...VAPID, OTP_PEPPER, SESSION_KEYS },
      'VAPID_SUBJECT must be set in production',
    ],
    [{ PUBLIC_ORIGIN, ...MAIL, ...PUSH, OTP_PEPPER, SESSION_KEYS }, 'PAYMENT_PROVIDER must be set in production'],
    [
      { PUBLIC_ORIGIN, ...MAIL, ...PUSH, OTP_PEPPER, SESSION_KEYS, PAYMENT_PROVIDER: 'sandbox' },
      'PAYMENT_PROVIDER must not be sandbox in production',
    ],
    [
      {
        PUBLIC_ORIGIN,
        ...MAIL,
        ...PUSH,
        OTP_PEPPER,
        SESSION_KEYS,
        PAYMENT_PROVIDER: 'phonepe',
        PHONEPE_CLIENT_ID: 'M1',
      },
      'PHONEPE_CLIENT_SECRET, PHONEPE_WEBHOOK_SECRET must be set for PAYMENT_PROVIDER=phonepe',
    ],
    [
      { PUBLIC_ORIGIN, ...MAIL, ...PUSH, OTP_PEPPER, SESSION_KEYS, ...PHONEPE, PAYMENT_FALLBACK: 'razorpay' },
      'RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET, RAZORPAY_WEBHOOK_SECRET must be set for PAYMENT_FALLBACK=razorpay',
    ],
    [
      {
        ...{ PUBLIC_ORIGIN, ...MAIL, ...PUSH, OTP_PEPPER, SESSION_KEYS, ...PHONEPE },
        PAYMENT_FALLBACK: 'razorpay',
        RAZORPAY_KEY_ID: 'rzp_test_K1',
        RAZORPAY_KEY_SECRET: 'r4zor',
        RAZORPAY_WEBHOOK_SECRET: 'present-secret-1',
      },
      'PAYMENT_FALLBACK=razorpay and PAYMENT_PROVIDER=phonepe must both take real money, or both be for tests',
    ],
    [{ PUBLIC_ORIGIN, ...MAIL, ...PUSH, OTP_PEPPER, ...PHONEPE }, 'SESSION_KEYS must be set in production'],
    [{ PUBLIC_ORIGIN, ...MAIL, ...PUSH, SESSION_KEYS, ...PHONEPE }, 'OTP_PEPPER must be set in production'],
    [{ PUBLIC_ORIGIN, ...PUSH, SESSION_KEYS, OTP_PEPPER, ...PHONEPE }, 'MAIL_URL, MAIL_FROM must be set in production'],
    [{ ...MAIL, ...PUSH, ...PHONEPE, SESSION_KEYS, OTP_PEPPER }, 'PUBLIC_ORIGIN must be set in production'],
  ])('with only %j refuses to start and generates no secret', (env, message) => {
    expect(() => production(env)).toThrow(new ConfigError(message));
    expect(readdirSync(folder)).toEqual([]);
  });

  test('starts with all required settings', () => {
    const config = production({ PUBLIC_ORIGIN, ...MAIL, ...PUSH, ...PHONEPE, SESSION_KEYS, OTP_PEPPER });
    expect(config).toMatchObject({ sessionKeys: [SESSION_KEYS], otpPepper: OTP_PEPPER });
    expect(readdirSync(folder)).toEqual([]);
  });

  const WHOLE = { PUBLIC_ORIGIN, ...MAIL, ...PUSH, ...PHONEPE, SESSION_KEYS, OTP_PEPPER };

  test.each([
    'http://nivida.example',
    'http://203.0.113.7',
    'http://localhost.nivida.example',
    'http://nividalocalhost',
    'http://127.0.0.1.nivida.example',
    'http://10.127.0.0.1.nivida.example',
    'http://10.0.0.5:3000',
  ])('refuses the origin %s, over which sessions would not be encrypted', (origin) => {
    expect(() => production({ ...WHOLE, PUBLIC_ORIGIN: origin })).toThrow(
      new ConfigError('PUBLIC_ORIGIN must begin with https:// in production, unless its host is localhost'),
    );
  });

  test.each([
    'https://localhost:8443',
    'http://localhost:3000',
    'http://nivida.localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.10.20.30:3000',
    'http://[::1]:3000',
  ])('starts at %s for a test on one machine', (origin) => {
    expect(production({ ...WHOLE, PUBLIC_ORIGIN: origin }).publicOrigin).toBe(origin);
  });

  test.each([
    'mailto:a@b',
    'mailto:root@localhost',
    'mailto:operator@example.org',
    'mailto:operator@tenders.example.org',
    'mailto:operator@example.com',
    'mailto:operator@EXAMPLE.NET',
    'mailto:push@nivida.local',
    'mailto:nobody@nivida.example',
    'mailto:push@nivida.invalid',
    'mailto:push@10.0.0.5',
    'https://localhost/contact',
    'https://nivida',
  ])('refuses the push subject %s, which is not a mailbox', (VAPID_SUBJECT) => {
    expect(() => production({ ...WHOLE, VAPID_SUBJECT })).toThrow(
      new ConfigError('VAPID_SUBJECT must be an address that you read, like mailto:NAME@DOMAIN'),
    );
  });

  test.each(['mailto:help@nivida.co.in', 'mailto:help@निविदा.भारत', 'https://nivida.in/contact', 'https://nivida.in'])(
    'starts with the push subject %s',
    (VAPID_SUBJECT) => {
      expect(production({ ...WHOLE, VAPID_SUBJECT }).vapidSubject).toBe(VAPID_SUBJECT);
    },
  );

  const GSTIN = '02ABCDE1234F1ZC';
  const LEGAL_NAME = 'Pahari Data LLP';
  const LEGAL_ADDRESS = '2 Ridge, Shimla 171001';

  test.each<[NodeJS.ProcessEnv, string]>([
    [{}, 'LEGAL_NAME, LEGAL_ADDRESS must be set with GSTIN: tax invoices name the seller and the address'],
    [{ LEGAL_NAME }, 'LEGAL_ADDRESS must be set with GSTIN: tax invoices name the seller and the address'],
    [
      { LEGAL_NAME: ' ', LEGAL_ADDRESS },
      'LEGAL_NAME must be set with GSTIN: tax invoices name the seller and the address',
    ],
  ])('refuses tax invoices when the seller is only %j', (seller, message) => {
    expect(() => production({ ...WHOLE, GSTIN, ...seller })).toThrow(new ConfigError(message));
    const paid = { DATA_DIR, ...PHONEPE, PHONEPE_ENV: 'production', SESSION_KEYS, OTP_PEPPER, ...VAPID, GSTIN };
    expect(() => withSecrets(readConfig({ ...paid, ...seller }))).toThrow(new ConfigError(message));
  });

  test('starts with a GSTIN, name and address; without a GSTIN the name and address may be unset', () => {
    expect(production({ ...WHOLE, GSTIN, LEGAL_NAME, LEGAL_ADDRESS }).gstin).toBe(GSTIN);
    expect(production(WHOLE).legalName).toBeUndefined();
    expect(withSecrets(readConfig({ DATA_DIR, GSTIN })).gstin).toBe(GSTIN);
  });

  test('refuses generated secrets', () => {
    const trial = withSecrets(readConfig({ DATA_DIR }));
    const path = join(DATA_DIR, 'secrets.json');
    expect(() =>
      production({
        PUBLIC_ORIGIN,
        ...MAIL,
        ...PUSH,
        ...PHONEPE,
        SESSION_KEYS: trial.sessionKeys[0],
        OTP_PEPPER: trial.otpPepper,
      }),
    ).toThrow(new ConfigError(`SESSION_KEYS, OTP_PEPPER must not be a secret of ${path} in production`));
    expect(() =>
      production({
        PUBLIC_ORIGIN,
        ...MAIL,
        ...PUSH,
        ...PHONEPE,
        SESSION_KEYS: `${SESSION_KEYS},${trial.sessionKeys[0]}`,
        OTP_PEPPER,
      }),
    ).toThrow(new ConfigError(`SESSION_KEYS must not be a secret of ${path} in production`));
    const stored = readStoredSecrets();
    expect(() =>
      production({
        ...WHOLE,
        VAPID_PUBLIC_KEY: stored.VAPID_PUBLIC_KEY,
        VAPID_PRIVATE_KEY: stored.VAPID_PRIVATE_KEY,
      }),
    ).toThrow(new ConfigError(`VAPID_PRIVATE_KEY must not be a secret of ${path} in production`));
  });

  test('generates no secrets, also when they are asked for', () => {
    expect(createSecrets(readConfig({ DATA_DIR, NODE_ENV: 'production' }))).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.each([
  '',
  '{',
  '{}',
  '{"SESSION_KEYS":"short"}',
  `{"SESSION_KEYS":"${'k'.repeat(32)}","OTP_PEPPER":""}`,
  `{"SESSION_KEYS":"${'k'.repeat(32)}","VAPID_PUBLIC_KEY":"${VAPID.VAPID_PUBLIC_KEY}"}`,
  `{"SESSION_KEYS":"${'k'.repeat(32)}","VAPID_PRIVATE_KEY":"${VAPID.VAPID_PRIVATE_KEY}"}`,
  'null',
])('stored secrets that contain %j are not replaced', (text) => {
  withSecrets(readConfig({ DATA_DIR }));
  const path = join(DATA_DIR, 'secrets.json');
  writeFileSync(path, text);
  expect(() => withSecrets(readConfig({ DATA_DIR }))).toThrow(
    new ConfigError(`${path} cannot be read; repair it, or remove it, which ends all sessions`),
  );
  expect(readFileSync(path, 'utf8')).toBe(text);
});
