import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { withSecrets } from './secrets.ts';

let folder: string;
let DATA_DIR: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nivida-secrets-'));
  DATA_DIR = join(folder, 'data');
  return () => rmSync(folder, { recursive: true });
});

test('a session key is made once, kept for its owner alone, and found again', () => {
  const first = withSecrets(readConfig({ DATA_DIR })).sessionKeys;
  expect(first).toHaveLength(1);
  expect(Buffer.byteLength(first[0] ?? '')).toBeGreaterThanOrEqual(32);
  expect(withSecrets(readConfig({ DATA_DIR })).sessionKeys).toEqual(first);
  expect(readdirSync(DATA_DIR)).toEqual(['secrets.json']);
  expect(statSync(join(DATA_DIR, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8'))).toEqual({ SESSION_KEYS: first[0] });
});

test('another data folder has another key', () => {
  const one = withSecrets(readConfig({ DATA_DIR })).sessionKeys;
  const other = withSecrets(readConfig({ DATA_DIR: join(folder, 'other') })).sessionKeys;
  expect(other).not.toEqual(one);
});

test('keys of the environment win and write nothing', () => {
  const SESSION_KEYS = 'k'.repeat(32);
  expect(withSecrets(readConfig({ DATA_DIR, SESSION_KEYS })).sessionKeys).toEqual([SESSION_KEYS]);
  expect(readdirSync(folder)).toEqual([]);
});

test('production makes no key, it refuses to start without one', () => {
  const config = readConfig({ DATA_DIR, NODE_ENV: 'production' });
  expect(() => withSecrets(config)).toThrow(new ConfigError('SESSION_KEYS must be set in production'));
  expect(readdirSync(folder)).toEqual([]);
});

test.each(['', '{', '{}', '{"SESSION_KEYS":"short"}', 'null'])('kept secrets that read %j are not replaced', (text) => {
  withSecrets(readConfig({ DATA_DIR }));
  const path = join(DATA_DIR, 'secrets.json');
  writeFileSync(path, text);
  expect(() => withSecrets(readConfig({ DATA_DIR }))).toThrow(
    new ConfigError(`${path} cannot be read; mend it or remove it, which ends all sessions`),
  );
  expect(readFileSync(path, 'utf8')).toBe(text);
});
