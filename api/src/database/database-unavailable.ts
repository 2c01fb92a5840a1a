import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/** Connection failures, shutdown, crash recovery, too many connections, no such database. */
const UNAVAILABLE_SQL_STATES = /^(?:08\w{3}|57P0[1-4]|53300|3D000)$/;
const UNAVAILABLE_SYSTEM_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];
/** Unresolved host names, and the missing socket file of a stopped server. */
const UNAVAILABLE_CONNECT_CODES = ['ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EACCES'];
/** Errors of pg and TypeORM without a code. */
const UNAVAILABLE_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Driver not Connected)/;

/**
 * Whether an error of pg or TypeORM means that the database cannot be reached. If the connection is lost between two
 * statements of a transaction, TypeORM releases its query runner and the next statement fails.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError)
    return true;
  const { driverError, code, syscall, message } = error as Partial<
    NodeJS.ErrnoException & { driverError: unknown; message: string }
  >;
  if (driverError) return isDatabaseUnavailable(driverError);
  if (code === undefined) return UNAVAILABLE_MESSAGES.test(message ?? '');
  if (syscall === 'connect' || syscall === 'getaddrinfo') if (UNAVAILABLE_CONNECT_CODES.includes(code)) return true;
  return UNAVAILABLE_SYSTEM_CODES.includes(code) || UNAVAILABLE_SQL_STATES.test(code);
}

/** PostgreSQL's code for a statement that its timeout or the operator has cancelled. */
const CANCELLED_STATEMENT = '57014';

/** Whether an error of pg or TypeORM means that a statement took longer than its limit. */
export function isStatementTimeout(error: unknown): boolean {
  const { driverError, code } = error as { driverError?: unknown; code?: string };
  return driverError ? isStatementTimeout(driverError) : code === CANCELLED_STATEMENT;
}

/** Whether a text of the request has a character that PostgreSQL cannot store: NUL, as in an address with %00. */
export const isUnstorableText = (error: unknown): boolean =>
  (error as { driverError?: { code?: unknown } } | null)?.driverError?.code === '22021';
