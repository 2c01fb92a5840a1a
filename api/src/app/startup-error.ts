/** Explains errors that the operator can fix in one line. */

import { type Config, ConfigError } from '../base/config.ts';
import { isDatabaseUnavailable } from '../database/database-unavailable.ts';
import { EmbeddedPostgresError } from '../database/embedded-postgres.ts';

export const EX_CONFIG = 78;
/** The embedded database cannot be restarted. */
export const EX_SOFTWARE = 70;

/** One line and the exit code. */
export interface StartupErrorMessage {
  line: string;
  exitCode: number;
}

interface SystemError extends Error {
  code?: string;
  syscall?: string;
  path?: string;
  port?: number;
  address?: string;
  driverError?: unknown;
}

/** Undefined for an unexpected error. */
export function explainStartupError(
  error: unknown,
  config: Partial<Pick<Config, 'databaseUrl'>>,
): StartupErrorMessage | undefined {
  const { code = '', syscall, path, port, address, driverError, message = '' } = error as SystemError;
  if (driverError) return explainStartupError(driverError, config);
  if (error instanceof ConfigError) return { line: message, exitCode: EX_CONFIG };
  if (syscall === 'listen' || (syscall === 'bind' && port !== undefined))
    return explainListenError(code, port, address);
  if (['ENOSPC', 'EDQUOT', '53100'].includes(code) || /No space left on device/.test(message))
    return { line: `The disk is full${path ? `: ${path}` : ''}. Make room and try again`, exitCode: 1 };
  if (isDatabaseUnavailable(error)) {
    const reason = code || message;
    return { line: `The database does not answer at ${databaseHost(config.databaseUrl)} (${reason})`, exitCode: 1 };
  }
  if (['28P01', '28000'].includes(code))
    return {
      line: `The database at ${databaseHost(config.databaseUrl)} refuses the user or password of DATABASE_URL`,
      exitCode: EX_CONFIG,
    };
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code) && path)
    return {
      line: `${path} cannot be read or written (${code}). Check that it is a folder of this user`,
      exitCode: EX_CONFIG,
    };
  if (error instanceof EmbeddedPostgresError) return { line: message, exitCode: EX_SOFTWARE };
  return undefined;
}

function explainListenError(
  code: string,
  port: number | undefined,
  address: string | undefined,
): StartupErrorMessage | undefined {
  const line = {
    EADDRINUSE: `PORT ${port} is in use; stop what listens there or set another`,
    EACCES: `PORT ${port} needs a privilege that this process does not have. Set PORT to 1024 or higher, and let a proxy listen on ${port}`,
    EADDRNOTAVAIL: `HOST ${address} is not an address of this machine`,
  }[code];
  return line === undefined ? undefined : { line, exitCode: EX_CONFIG };
}

/** Host and database of the address, without user and password. */
function databaseHost(databaseUrl: string | undefined): string {
  const url = URL.parse(databaseUrl ?? '');
  return url ? `${url.host || url.searchParams.get('host')}${url.pathname}` : 'DATA_DIR/postgres';
}
