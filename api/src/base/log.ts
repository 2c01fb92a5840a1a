/**
 * The log: one JSON line per event on stderr; in development a short text. Every line is masked: credentials are removed,
 * and e-mail addresses and mobile numbers are shortened.
 */
import type { LoggerService } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { currentRequestId } from './call-context.ts';
import type { Config } from './config.ts';

export type Log = Logger;

const HIDDEN_TEXT = '[hidden]';
/** Names of fields, headers and parameters whose values are secrets, in lower case and without `-` and `_`. */
const SECRET_NAME_PATTERN =
  /^(?:authorization|proxyauthorization|cookie|setcookie|otp|pepper|ticket|secret|sealed|(?:new|current|confirm|old)?password|(?:access|refresh|id|reset)?token)$/;
/** Shorter values would also mask ordinary words. */
const MIN_SECRET_CHARACTERS = 4;

const isSecret = (name: string): boolean => SECRET_NAME_PATTERN.test(name.toLowerCase().replaceAll(/[-_]/g, ''));

/** Patterns of secrets and of personal addresses and numbers in any text. */
const MASKS: readonly [RegExp, string][] = [
  // Session tokens and sealed mails.
  [/eyJ[\w-]{5,}(?:\.[\w-]*){2,4}/g, HIDDEN_TEXT],
  [/\b(Bearer|Basic|Device)\s+[\w.~+/=-]+/gi, `$1 ${HIDDEN_TEXT}`],
  [/\b(Key)\s+[\w.~+/=-]{16,}/gi, `$1 ${HIDDEN_TEXT}`],
  [/\b(token|password|otp)=[^&\s"'\\]+/gi, `$1=${HIDDEN_TEXT}`],
  // User name and password in the address of a database, mail server or proxy.
  [/(?<=:\/\/)[^\s/@:]*:[^\s/@]+@/g, `${HIDDEN_TEXT}@`],
  // Keys of the API and of imports.
  [/(?<![\w-])nv[ak]_[\w-]{43}/g, HIDDEN_TEXT],
  // 32 random bytes: tokens of password resets and downloads.
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, HIDDEN_TEXT],
  [/[^\s@"'\\<>()[\]{},;:=/]+@([^\s@"'\\<>()[\]{},;:=/]+\.[a-z\d-]+)/giu, 'a***@$1'],
  [/[^\s@"'\\<>()[\]{},;:=/%]+%40([\w.-]+\.[a-z\d-]+)/giu, 'a***@$1'],
  // Mobile numbers, but not digits inside the hexadecimal ids of requests and sessions.
  [/(?<![\da-f]|[\da-f]{4}-)(?:(?:\+|%2b)?91|0)?[6-9]\d{5}(\d{4})(?![\da-f])/gi, '******$1'],
];

/** The text with secrets and personal data masked. */
export const maskSecrets = (text: string): string =>
  MASKS.reduce((masked, [pattern, hint]) => masked.replace(pattern, hint), text);

/** The log of this process. */
export function createLog(
  config: Pick<Config, 'production' | 'role' | 'logLevel'>,
  stream: DestinationStream = config.production ? destination(2) : readableStream(),
): Log {
  return pino(
    {
      level: config.logLevel,
      base: { role: config.role },
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => hideSecrets(fields) as Record<string, unknown>,
      },
      serializers: { err: describeError },
      hooks: { streamWrite: maskSecrets },
    },
    stream,
  );
}

// Other properties are left out: database errors hold the values of their statement. The stack begins with the message.
function describeError(error: Error & { code?: string }) {
  return { type: error.name, code: error.code, stack: error.stack ?? String(error) };
}

/** A copy without the values of secret fields, at any depth. */
function hideSecrets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(hideSecrets);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecret(name) ? HIDDEN_TEXT : hideSecrets(inner)]),
  );
}

/** Readable lines: level, text and stack. Further lines are indented, so that a value cannot imitate a log line. */
function readableStream(): DestinationStream {
  return {
    write(line) {
      const {
        level,
        msg = '',
        context = '',
        err,
        error = err,
        stack,
        time: _time,
        role: _role,
        ...rest
      } = JSON.parse(line);
      const fields = Object.keys(rest).length > 0 ? JSON.stringify(rest) : '';
      const text = [level, context && `[${context}]`, msg, fields, error?.stack ?? stack].filter(Boolean).join(' ');
      process.stderr.write(`${text.replaceAll(/\r\n?|\n/g, '\n    ')}\n`);
    },
  };
}

/** Polled by proxies and supervisors every few seconds. */
const PROBE_PATHS = ['/api/health', '/api/ready'];

/** Logs an answered request, with the id of the account that a guard has let in, without bodies and parameter values. Health probes are not logged. */
export function logResponse(request: FastifyRequest, reply: FastifyReply): void {
  if (PROBE_PATHS.includes(request.routeOptions.url ?? '')) return;
  const [path = '', query = ''] = request.originalUrl.split('?', 2);
  request.log.info(
    {
      method: request.method,
      path: removeSecrets(requestSecrets(request), path),
      query: [...new Set(new URLSearchParams(query).keys())],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      account: request.signedInUser?.id,
    },
    'answered',
  );
}

/** Logs an unexpected error. Secrets of the request are removed, since error messages may repeat them. */
export function logUnexpectedError(error: unknown, request: FastifyRequest): void {
  const { stack, ...rest } = describeError(error instanceof Error ? error : new Error(String(error)));
  const maskedError = { ...rest, stack: removeSecrets(requestSecrets(request), stack) };
  request.log.error({ method: request.method, route: request.routeOptions.url, error: maskedError }, 'failed');
}

function requestSecrets({ headers, cookies, query, params, body }: FastifyRequest): string[] {
  const found = new Set<string>();
  const visit = (value: unknown, hidden: boolean): void => {
    if (typeof value === 'string' && hidden && value.length >= MIN_SECRET_CHARACTERS) found.add(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) visit(inner, hidden || isSecret(name));
  };
  for (const part of [headers, query, params, body]) visit(part, false);
  visit(cookies, true);
  // The token after 'Bearer'.
  visit(headers.authorization?.split(' ').at(-1), true);
  // Longest first, because one secret may contain another.
  return [...found].sort((one, other) => other.length - one.length);
}

const removeSecrets = (secrets: string[], text: string): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN_TEXT), text);

/** Contexts of Nest's log lines about each route and class at a start. */
const IGNORED_CONTEXTS: readonly unknown[] = ['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer'];

/** Passes the lines of Nest, and of every `Logger` of Nest, to the log. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  log(message: unknown, ...rest: unknown[]): void {
    if (!IGNORED_CONTEXTS.includes(rest.at(-1))) this.write('info', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    // The start fails with the same error, and main.ts reports it.
    if (rest.at(-1) === 'NestApplication' && /^Error: listen /.test(String(message))) return;
    this.write('error', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  // `rest` is the name of the context, preceded by a stack for errors.
  private write(level: 'info' | 'warn' | 'error' | 'fatal', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const stack = rest.length > 1 ? rest[0] : undefined;
    const requestId = currentRequestId();
    if (message instanceof Error) this.target[level]({ context, requestId, err: message }, message.message);
    else if (typeof message === 'string') this.target[level]({ context, requestId, stack }, message);
    else this.target[level]({ context, requestId, ...(message as object) });
  }
}
