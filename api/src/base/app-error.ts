import { ERROR_STATUS, type ErrorCode } from '@nivida/contract/errors';

/**
 * An error that is sent to the client: code, message, and a message per wrong field. `retryAfterSeconds` sets the
 * Retry-After header. `limit` names the limit that refused the call, for the metric.
 */
export class AppError extends Error {
  override name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly fields?: Record<string, string>,
    readonly status: number = ERROR_STATUS[code],
    readonly retryAfterSeconds?: number,
    readonly limit?: string,
  ) {
    super(message);
  }
}

/** 400 with the message at one field. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('INVALID', message, { [field]: message });
}

/** 503: the queue of this process is full. */
export function serverBusy(retryAfterSeconds: number): AppError {
  return new AppError('INTERNAL', 'The server is busy. Please try again.', undefined, 503, retryAfterSeconds);
}

/** 503: a worker builds the offline pack of the scope. */
export function packNotReady(retryAfterSeconds: number): AppError {
  const message = 'This download is being prepared. Please try again in a moment.';
  return new AppError('NOT_READY', message, undefined, undefined, retryAfterSeconds);
}

/** 503: the database does not answer. It may be restarting, which takes a few seconds. */
export function databaseUnavailable(): AppError {
  const message = 'The service is not available right now. Please try again in a few seconds.';
  return new AppError('INTERNAL', message, undefined, 503, 5);
}

/** 503: a statement took longer than its limit. */
export function tookTooLong(): AppError {
  const message = 'The server took too long to answer. Please try again in a few seconds.';
  return new AppError('INTERNAL', message, undefined, 503, 5);
}

/** 503 without Retry-After: a search took longer than its limit, and would again. */
export function searchTookTooLong(): AppError {
  const message = 'This search takes too long. Please choose a state or add a word.';
  return new AppError('INTERNAL', message, undefined, 503);
}
