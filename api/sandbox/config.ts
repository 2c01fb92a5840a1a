/** The sandbox's settings, and the checks that refuse it in production. */
import * as v from 'valibot';

// Host names of this machine: reserved names (RFC 6761) and the loopback address.
const LOCAL_NAME_PATTERN = /^(?:localhost|127\.0\.0\.1|(?:[a-z0-9-]+\.)+(?:localhost|test))$/;

/** The settings of a sandbox. */
export interface SandboxConfig {
  /** 0: a free port. */
  port: number;
  /** Origin of the app. Buyers are redirected to it only. */
  publicOrigin: string;
  /** Origin at which the API itself listens. It differs from `publicOrigin` behind a proxy. */
  webhookOrigin: string;
  /** A URL, or options of `pg` for a socket. */
  database: string | { host: string; port: number; user: string; database: string };
  /** At least 32 bytes. */
  secret: string;
}

/** The sandbox must not or cannot start; the process ends with exit code 78 and this one line. */
export class SandboxConfigError extends Error {
  override name = 'SandboxConfigError';
}

/** Whether the host name always means this machine. */
export const isLocalName = (hostname: string): boolean => LOCAL_NAME_PATTERN.test(hostname);

const port = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, 'must be a port'),
  v.transform(Number),
  v.maxValue(65_535, 'must be a port'),
);

const requiredSetting = v.optional(v.pipe(v.string(), v.nonEmpty('must be set')), '');

const Environment = v.object({
  PAYMENT_SANDBOX_PORT: v.optional(port, '4010'),
  PUBLIC_ORIGIN: requiredSetting,
  SANDBOX_WEBHOOK_ORIGIN: v.optional(v.string()),
  DATABASE_URL: requiredSetting,
  SANDBOX_SECRET: v.pipe(requiredSetting, v.minBytes(32, 'must be at least 32 bytes')),
});

/**
 * Reads the settings. Empty variables count as unset. Throws SandboxConfigError for a wrong setting, in production, and for
 * a public host name.
 */
export function readSandboxConfig(environment: NodeJS.ProcessEnv): SandboxConfig {
  if (environment.NODE_ENV === 'production')
    throw new SandboxConfigError('The payment sandbox does not run with NODE_ENV=production');
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = v.safeParse(Environment, given);
  if (!parsed.success) throw new SandboxConfigError(`${v.getDotPath(parsed.issues[0])} ${parsed.issues[0].message}`);
  const env = parsed.output;
  const publicOrigin = localOrigin('PUBLIC_ORIGIN', env.PUBLIC_ORIGIN);
  const webhookOrigin = localOrigin('SANDBOX_WEBHOOK_ORIGIN', env.SANDBOX_WEBHOOK_ORIGIN ?? publicOrigin);
  return {
    port: env.PAYMENT_SANDBOX_PORT,
    publicOrigin,
    webhookOrigin,
    database: env.DATABASE_URL,
    secret: env.SANDBOX_SECRET,
  };
}

function localOrigin(name: string, origin: string): string {
  const url = URL.parse(origin);
  if (url?.origin === origin && /^https?:$/.test(url.protocol) && isLocalName(url.hostname)) return origin;
  throw new SandboxConfigError(
    `The payment sandbox runs only where ${name} is localhost, 127.0.0.1, *.localhost or *.test, not ${origin}`,
  );
}
