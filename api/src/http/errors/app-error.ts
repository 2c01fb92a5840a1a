import { ERROR_STATUS, type ErrorCode } from '@nivida/contract/errors';

/**
 * An answer that the client is meant to see: code, message for people, and a message per wrong field; with
 * `retryAfterSeconds` also the header that says when asking again makes sense.
 */
export class AppError extends Error {
  override name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly fields?: Record<string, string>,
    readonly status: number = ERROR_STATUS[code],
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

/** 429 in words: 'Too many attempts. Please try again in 15 minutes.'; `hint` may add what else helps. */
export function tooManyRequests(retryAfterSeconds: number, hint = ''): AppError {
  const message = `Too many attempts. Please try again in ${durationText(retryAfterSeconds)}.${hint && ` ${hint}`}`;
  return new AppError('TOO_MANY', message, undefined, undefined, retryAfterSeconds);
}

/** 503 in words: this process has more to do than it can hold. */
export function serverBusy(retryAfterSeconds: number): AppError {
  return new AppError('INTERNAL', 'The server is busy. Please try again.', undefined, 503, retryAfterSeconds);
}

/** 503 in words: the database does not answer, which a restart ends within seconds. */
export function databaseUnavailable(): AppError {
  const message = 'The service is not available right now. Please try again in a few seconds.';
  return new AppError('INTERNAL', message, undefined, 503, 5);
}

function durationText(seconds: number): string {
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3_600
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
