import { isAbsolute, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const OTHER_KEY = 'चाबी चाबी चाबी';

/** The message of the refusal. */
function refusal(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  return 'not refused';
}

test('without any variable the app runs on this machine with an embedded database and demonstration tenders', () => {
  const { version, ...config } = readConfig({});
  expect(config).toEqual({
    production: false,
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('.data'),
    databaseUrl: undefined,
    publicOrigin: 'http://localhost:3000',
    role: 'all',
    demo: true,
    trustProxyHops: 0,
    sessionKeys: [],
  });
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
});

test('every variable is followed', () => {
  const config = readConfig({
    NODE_ENV: 'production',
    PORT: '8080',
    HOST: '0.0.0.0',
    DATA_DIR: '/var/lib/nivida',
    DATABASE_URL: 'postgresql://nivida@db/nivida',
    PUBLIC_ORIGIN: 'https://nivida.example',
    ROLE: 'worker',
    DEMO: 'on',
    TRUST_PROXY: '2',
    SESSION_KEYS: `${KEY},${OTHER_KEY}`,
  });
  expect(config).toMatchObject({
    production: true,
    port: 8080,
    host: '0.0.0.0',
    dataDir: '/var/lib/nivida',
    databaseUrl: 'postgresql://nivida@db/nivida',
    publicOrigin: 'https://nivida.example',
    role: 'worker',
    demo: true,
    trustProxyHops: 2,
    sessionKeys: [KEY, OTHER_KEY],
  });
});

test('an empty variable counts as unset', () => {
  const empty = {
    NODE_ENV: '',
    PORT: '',
    HOST: '',
    DATA_DIR: '',
    DATABASE_URL: '',
    PUBLIC_ORIGIN: '',
    ROLE: '',
    SESSION_KEYS: '',
  };
  expect(readConfig({ ...empty, DEMO: '', TRUST_PROXY: '' })).toEqual(readConfig({}));
});

test('the origin follows the port, and a relative data folder becomes absolute', () => {
  const config = readConfig({ PORT: '4100', DATA_DIR: 'some/folder' });
  expect(config.publicOrigin).toBe('http://localhost:4100');
  expect(isAbsolute(config.dataDir)).toBe(true);
});

test('a database of the operator is not filled with demonstration tenders unless asked', () => {
  const DATABASE_URL = 'postgres://localhost/nivida';
  expect(readConfig({ DATABASE_URL }).demo).toBe(false);
  expect(readConfig({ DATABASE_URL, DEMO: 'on' }).demo).toBe(true);
  expect(readConfig({ DEMO: 'off' }).demo).toBe(false);
});

describe('a malformed variable is refused by its name', () => {
  test.each<[string, string, string]>([
    ['NODE_ENV', 'prod', 'NODE_ENV must be development, production or test'],
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '80.5', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '0x50', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', ' ', 'PORT must be a whole number from 0 to 65535'],
    ['DATABASE_URL', 'mysql://localhost/nivida', 'DATABASE_URL must begin with postgresql://'],
    ['DATABASE_URL', 'localhost:5432', 'DATABASE_URL must begin with postgresql://'],
    ['PUBLIC_ORIGIN', 'nivida.example', 'PUBLIC_ORIGIN must be an origin like https://example.org, without a path'],
    ['PUBLIC_ORIGIN', 'https://a.example/', 'PUBLIC_ORIGIN must be an origin like https://example.org, without a path'],
    [
      'PUBLIC_ORIGIN',
      'https://a.example/x',
      'PUBLIC_ORIGIN must be an origin like https://example.org, without a path',
    ],
    ['PUBLIC_ORIGIN', 'ftp://a.example', 'PUBLIC_ORIGIN must be an origin like https://example.org, without a path'],
    ['ROLE', 'both', 'ROLE must be web, worker or all'],
    ['DEMO', 'true', 'DEMO must be on or off'],
    ['TRUST_PROXY', 'true', 'TRUST_PROXY must be a whole number from 0 to 10'],
    ['SESSION_KEYS', KEY.slice(1), 'SESSION_KEYS must be keys of at least 32 bytes'],
    ['SESSION_KEYS', ',', 'SESSION_KEYS must be keys of at least 32 bytes'],
    ['SESSION_KEYS', `${KEY},`, 'SESSION_KEYS must be keys of at least 32 bytes'],
    ['SESSION_KEYS', `${KEY},short`, 'SESSION_KEYS must be keys of at least 32 bytes'],
    ['SESSION_KEYS', `${KEY},${KEY}`, 'SESSION_KEYS must not be the same key twice'],
    [
      'SESSION_KEYS',
      `${KEY},${OTHER_KEY},${KEY}x`,
      'SESSION_KEYS must be one key, or the current and the previous one with a comma between',
    ],
    ['TRUST_PROXY', '11', 'TRUST_PROXY must be a whole number from 0 to 10'],
  ])('%s=%s', (name, value, message) => {
    expect(refusal({ [name]: value })).toBe(message);
  });
});
