/** Secrets that nobody set: outside production they are made once and kept in the data folder. */
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Config, ConfigError } from './config.ts';

const KEY_BYTES = 32;

const Secrets = v.object({ SESSION_KEYS: v.pipe(v.string(), v.minBytes(KEY_BYTES)) });
type Secrets = v.InferOutput<typeof Secrets>;

/** The settings with every secret. Throws ConfigError when production lacks one, or the kept ones cannot be read. */
export function withSecrets(config: Config): Config {
  if (config.sessionKeys.length > 0) return config;
  if (config.production) throw new ConfigError('SESSION_KEYS must be set in production');
  return { ...config, sessionKeys: [keptSecrets(config.dataDir).SESSION_KEYS] };
}

/** The secrets of the data folder; the first process makes them, also when several start at once. */
function keptSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  return read(path) ?? make(dataDir, path);
}

function read(path: string): Secrets | undefined {
  try {
    return v.parse(Secrets, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // Making new ones would sign everybody out without a word.
    throw new ConfigError(`${path} cannot be read; mend it or remove it, which ends all sessions`);
  }
}

function make(dataDir: string, path: string): Secrets {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const secrets: Secrets = { SESSION_KEYS: randomBytes(KEY_BYTES).toString('base64url') };
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  try {
    // Unlike a rename this does not replace what another process has just made.
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside);
  }
  return read(path) ?? secrets;
}
