import { plural, t } from '@lingui/core/macro';
import { HOUR_SECONDS } from '@nivida/contract/time';
import { AppError } from '../../base/app-error.ts';
import type { RefusedLimit } from './rate-limits.ts';

/** 429: 'Too many attempts. Please try again in 15 minutes.', followed by the sentence `hint`. */
export function tooManyRequests(limit: RefusedLimit, retryAfterSeconds: number, hint?: () => string): AppError {
  const text = () => [waitText(retryAfterSeconds), hint?.()].filter(Boolean).join(' ');
  return new AppError('TOO_MANY', text, undefined, undefined, retryAfterSeconds, limit);
}

function waitText(seconds: number): string {
  if (seconds < 60)
    return plural(seconds, {
      one: 'Too many attempts. Please try again in # second.',
      other: 'Too many attempts. Please try again in # seconds.',
    });
  const minutes = Math.ceil(seconds / 60);
  if (seconds < HOUR_SECONDS)
    return plural(minutes, {
      one: 'Too many attempts. Please try again in # minute.',
      other: 'Too many attempts. Please try again in # minutes.',
    });
  const hours = Math.ceil(seconds / HOUR_SECONDS);
  return plural(hours, {
    one: 'Too many attempts. Please try again in # hour.',
    other: 'Too many attempts. Please try again in # hours.',
  });
}

/** Added when the limit of a network address refuses a call. */
export const addressHint = (): string => t`Many people use your network. Another network works at once.`;
