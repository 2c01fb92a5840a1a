/** The errors of failed commands, for the operator. */

import { explainStartupError } from '../app/startup-error.ts';
import { InvalidBackupError } from '../backup/archive.ts';
import { EmptyDatabaseError } from '../backup/backup.ts';
import { RestoreError } from '../backup/restore.ts';
import { AppError } from '../base/app-error.ts';
import { ConfigError, readProcessConfig } from '../base/config.ts';
import { OperatorError } from '../base/operator-error.ts';
import { UnreadableFileError } from '../ingest/source-tender.ts';
import { GatewayError } from '../payments/payment-gateway.port.ts';

const EXIT_FAILED = 1;
const EXIT_UNREADABLE = 2;
/** Exit code for "try again later"; docker/backup.js does so. */
const EX_TEMPFAIL = 75;

/** One line for an error that the operator can fix, the stack for any other. */
export function explainError(error: Error): { line: string; exitCode: number } {
  if (error instanceof UnreadableFileError || error instanceof InvalidBackupError)
    return { line: error.message, exitCode: EXIT_UNREADABLE };
  if (error instanceof EmptyDatabaseError) return { line: error.message, exitCode: EX_TEMPFAIL };
  if (error instanceof OperatorError || error instanceof RestoreError || error instanceof AppError)
    return { line: error.message, exitCode: EXIT_FAILED };
  if (error instanceof GatewayError)
    return {
      line: `The payment provider did not answer, so nothing has changed: ${error.message}. Try again in a minute`,
      exitCode: EXIT_FAILED,
    };
  const explained = explainStartupError(error, error instanceof ConfigError ? {} : readProcessConfig());
  return { line: explained?.line ?? error.stack ?? String(error), exitCode: explained?.exitCode ?? EXIT_FAILED };
}
