import { ERROR_STATUS, type ErrorCode } from '@nivida/contract/errors';

/** An answer that the client is meant to see: code, message for people, and a message per wrong field. */
export class AppError extends Error {
  override name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly fields?: Record<string, string>,
    readonly status: number = ERROR_STATUS[code],
  ) {
    super(message);
  }
}
