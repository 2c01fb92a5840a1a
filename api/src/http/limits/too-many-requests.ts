import { HOUR_SECONDS } from '@nivida/contract/time';
import { AppError } from '../../base/app-error.ts';
import type { RefusedLimit } from './rate-limits.ts';

/** 429: 'Too many attempts. Please try again in 15 minutes.', followed by `hint`. */
export function tooManyRequests(limit: RefusedLimit, retryAfterSeconds: number, hint = ''): AppError {
  const message = `Too many attempts. Please try again in ${durationText(retryAfterSeconds)}.${hint && ` ${hint}`}`;
  return new AppError('TOO_MANY', message, undefined, undefined, retryAfterSeconds, limit);
}

function durationText(seconds: number): string {
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < HOUR_SECONDS
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / HOUR_SECONDS), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
