/** Whether a statement failed because the database cannot be reached, not because of the statement. */

/** Connection failures, shutdown, crash recovery, too many connections, no such database. */
const AWAY_STATES = /^(?:08\w{3}|57P0[1-4]|53300|3D000)$/;
const AWAY_SYSTEM_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];
/** Names that do not resolve, and the socket file of a stopped server. */
const AWAY_CONNECT_CODES = ['ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EACCES'];
/** Errors of pg and TypeORM without a code. */
const AWAY_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Driver not Connected)/;

/** Knows the errors of pg, and of TypeORM around them. */
export function isDatabaseAway(error: unknown): boolean {
  const { driverError, code, syscall, message } = error as Partial<
    NodeJS.ErrnoException & { driverError: unknown; message: string }
  >;
  if (driverError) return isDatabaseAway(driverError);
  if (code === undefined) return AWAY_MESSAGES.test(message ?? '');
  if (syscall === 'connect' || syscall === 'getaddrinfo') if (AWAY_CONNECT_CODES.includes(code)) return true;
  return AWAY_SYSTEM_CODES.includes(code) || AWAY_STATES.test(code);
}
