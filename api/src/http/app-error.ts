import { ERROR_STATUS, type ErrorCode } from '@nivida/contract/errors';

/** An answer that the client is meant to see: code, message for people, and a message per wrong field. */
export class AppError extends Error {
  override name = 'AppError';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly fields?: Record<string, string>,
  ) {
    super(message);
    this.status = ERROR_STATUS[code];
  }
}
