/**
 * The sandbox's settings, and the checks that refuse it in production. The only file of the sandbox that reads the
 * environment.
 */
import * as v from 'valibot';

// Host names of this machine: reserved names (RFC 6761) and the loopback address.
const LOCAL_NAME_PATTERN = /^(?:localhost|127\.0\.0\.1|(?:[a-z0-9-]+\.)+(?:localhost|test))$/;

const MIN_SECRET_BYTES = 32;

/** Where the database is: a URL, or options of `pg`, for a socket. */
export type SandboxDatabaseAddress = string | { host: string; port: number; user: string; database: string };

/** The settings of a sandbox. */
export interface SandboxConfig {
  /** 0: a free port. */
  port: number;
  production: boolean;
  /** Origin of the app: buyers return there and nowhere else. */
  publicOrigin: string;
  /** Origin at which the API itself listens; a proxy may stand in front of `publicOrigin`. */
  webhookOrigin: string;
  database: SandboxDatabaseAddress;
  /** At least 32 bytes. */
  secret: string;
}

/** The sandbox must not or cannot start; the process ends with exit code 78 and this one line. */
export class SandboxConfigError extends Error {
  override name = 'SandboxConfigError';
}

/** Whether the host name always means this machine. */
export const isLocalName = (hostname: string): boolean => LOCAL_NAME_PATTERN.test(hostname);

/** Throws SandboxConfigError where the sandbox must not run: in production, or under a public host name. */
export function assertLocal(config: Pick<SandboxConfig, 'production' | 'publicOrigin' | 'webhookOrigin'>): void {
  if (config.production) throw new SandboxConfigError('The payment sandbox does not run with NODE_ENV=production');
  for (const [name, origin] of [
    ['PUBLIC_ORIGIN', config.publicOrigin],
    ['SANDBOX_WEBHOOK_ORIGIN', config.webhookOrigin],
  ] as const) {
    const url = URL.parse(origin);
    const isOrigin = url !== null && url.origin === origin && /^https?:$/.test(url.protocol);
    if (!isOrigin || !isLocalName(url.hostname))
      throw new SandboxConfigError(
        `The payment sandbox runs only where ${name} is localhost, 127.0.0.1, *.localhost or *.test, not ${origin}`,
      );
  }
}

const port = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, 'must be a port'),
  v.transform(Number),
  v.maxValue(65_535, 'must be a port'),
);

const options = v.pipe(
  v.string(),
  v.parseJson(undefined, 'must be JSON'),
  v.object({ host: v.string(), port: v.number(), user: v.string(), database: v.string() }, 'must be options of pg'),
);

const requiredSetting = v.optional(v.pipe(v.string(), v.nonEmpty('must be set')), '');

const Environment = v.object({
  PAYMENT_SANDBOX_PORT: v.optional(port, '4010'),
  PUBLIC_ORIGIN: requiredSetting,
  SANDBOX_WEBHOOK_ORIGIN: v.optional(v.string()),
  DATABASE_URL: v.optional(v.string()),
  DATABASE_OPTIONS: v.optional(options),
  SANDBOX_SECRET: v.pipe(requiredSetting, v.minBytes(MIN_SECRET_BYTES, `must be at least ${MIN_SECRET_BYTES} bytes`)),
});

/**
 * Reads the settings; empty variables count as unset. Throws SandboxConfigError for the first problem, the production
 * checks first.
 */
export function readSandboxConfig(environment: NodeJS.ProcessEnv): SandboxConfig {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const production = given.NODE_ENV === 'production';
  if (production) assertLocal({ production, publicOrigin: '', webhookOrigin: '' });
  const parsed = v.safeParse(Environment, given);
  if (!parsed.success) throw new SandboxConfigError(`${v.getDotPath(parsed.issues[0])} ${parsed.issues[0].message}`);
  const env = parsed.output;
  const database = env.DATABASE_URL ?? env.DATABASE_OPTIONS;
  if (database === undefined) throw new SandboxConfigError('DATABASE_URL or DATABASE_OPTIONS must be set');
  const publicOrigin = env.PUBLIC_ORIGIN;
  const webhookOrigin = env.SANDBOX_WEBHOOK_ORIGIN ?? publicOrigin;
  assertLocal({ production, publicOrigin, webhookOrigin });
  return {
    port: env.PAYMENT_SANDBOX_PORT,
    production,
    publicOrigin,
    webhookOrigin,
    database,
    secret: env.SANDBOX_SECRET,
  };
}

/** Settings of this process, from its own environment. */
export const readSandboxEnvironment = (): SandboxConfig => readSandboxConfig(process.env);
