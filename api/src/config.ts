/** The environment, read and checked once; nobody else touches process.env. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as v from 'valibot';

const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, `must be a whole number from ${least} to ${most}`),
    v.transform(Number),
    v.minValue(least, `must be a whole number from ${least} to ${most}`),
    v.maxValue(most, `must be a whole number from ${least} to ${most}`),
  );

const LEAST_KEY_BYTES = 32;

const Environment = v.object({
  NODE_ENV: v.optional(v.picklist(['development', 'production', 'test'], 'must be development, production or test')),
  PORT: v.optional(wholeNumber(0, 65_535), '3000'),
  HOST: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), '127.0.0.1'),
  DATA_DIR: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), './.data'),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\//, 'must begin with postgresql://'))),
  PUBLIC_ORIGIN: v.optional(
    v.pipe(v.string(), v.regex(/^https?:\/\/[^/?#\s]+$/, 'must be an origin like https://example.org, without a path')),
  ),
  ROLE: v.optional(v.picklist(['web', 'worker', 'all'], 'must be web, worker or all'), 'all'),
  DEMO: v.optional(v.picklist(['on', 'off'], 'must be on or off')),
  TRUST_PROXY: v.optional(wholeNumber(0, 10), '0'),
  SESSION_KEYS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      v.maxLength(2, 'must be one key, or the current and the previous one with a comma between'),
      v.everyItem(
        (key) => Buffer.byteLength(key) >= LEAST_KEY_BYTES,
        `must be keys of at least ${LEAST_KEY_BYTES} bytes`,
      ),
      v.check(([current, previous]) => current !== previous, 'must not be the same key twice'),
    ),
  ),
});

/** Settings of this process. */
export interface Config {
  production: boolean;
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  /** Unset: the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  /** Origin under which people reach the app, without a slash at the end. */
  publicOrigin: string;
  role: 'web' | 'worker' | 'all';
  /** Whether an empty database is filled with demonstration tenders. */
  demo: boolean;
  /** Proxies in front of this process whose forwarded address is believed. */
  trustProxyHops: number;
  /** Keys that sign sessions, the current one first; empty when none were given (see secrets.ts). */
  sessionKeys: string[];
  /** Of the running build, from the root package.json. */
  version: string;
}

/** Thrown for a malformed or missing variable; the process ends with exit code 78. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Reads the settings; empty variables count as unset. Throws ConfigError naming the variable. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = v.safeParse(Environment, given);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new ConfigError(`${v.getDotPath(issue)} ${issue.message}`);
  }
  const env = parsed.output;
  return {
    production: env.NODE_ENV === 'production',
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    publicOrigin: env.PUBLIC_ORIGIN ?? `http://localhost:${env.PORT}`,
    role: env.ROLE,
    demo: env.DEMO ? env.DEMO === 'on' : env.DATABASE_URL === undefined,
    trustProxyHops: env.TRUST_PROXY,
    sessionKeys: env.SESSION_KEYS ?? [],
    version: readVersion(),
  };
}

// Both src and dist lie two folders below the root.
function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

/** Settings of this process, from its own environment. */
export const processConfig = (): Config => readConfig(process.env);
