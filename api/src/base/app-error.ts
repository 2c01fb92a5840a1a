import { t } from '@lingui/core/macro';
import { ERROR_STATUS, type ErrorCode } from '@nivida/contract/errors';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';

/** What an error says: a function that gives it in the present language, or a text `forPrograms`. */
export type AppErrorText = (() => string) | { readonly english: string };

/** An English text that only operators, developers and logs see. */
export const forPrograms = (english: string): AppErrorText => ({ english });

const readText = (text: AppErrorText): string => (typeof text === 'function' ? text() : text.english);

/**
 * An error that is sent to the client: code, text, and a text per wrong field. `message` is English. `retryAfterSeconds` sets
 * the Retry-After header. `limit` names the limit that refused the call, for the metric.
 */
export class AppError extends Error {
  override name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    private readonly text: AppErrorText,
    private readonly fieldTexts?: () => Record<string, string>,
    readonly status: number = ERROR_STATUS[code],
    readonly retryAfterSeconds?: number,
    readonly limit?: string,
  ) {
    super(inLanguage('en', () => readText(text)));
  }

  /** Whether the error says something else in another language. */
  get isTranslated(): boolean {
    return typeof this.text === 'function';
  }

  /** The message and the fields in a language. */
  textsIn(language: Language): { message: string; fields?: Record<string, string> } {
    return inLanguage(language, () => ({
      message: readText(this.text),
      ...(this.fieldTexts && { fields: this.fieldTexts() }),
    }));
  }
}

/** An error with the same text for the call and at one field. */
export function invalidField(field: string, text: AppErrorText, status?: number): AppError {
  return new AppError('INVALID', text, () => ({ [field]: readText(text) }), status);
}

/** 404 for an address without a route. */
export function nothingHere(): AppError {
  return new AppError('NOT_FOUND', () => t`There is nothing at this address`);
}

/** 401 */
export function signInRequired(): AppError {
  return new AppError('UNAUTHENTICATED', () => t`Please sign in`);
}

/** 404 for an unknown tender and for one that is not published yet. */
export function tenderNotFound(): AppError {
  return new AppError('NOT_FOUND', () => t`Tender not found`);
}

/** 404 for a tender that an operator has hidden. */
export function tenderHidden(): AppError {
  return new AppError('NOT_FOUND', () => t`We have taken this tender down, because something about it was wrong.`);
}

/** 503: the queue of this process is full. */
export function serverBusy(retryAfterSeconds: number): AppError {
  return new AppError('INTERNAL', () => t`The server is busy. Please try again.`, undefined, 503, retryAfterSeconds);
}

/** 503: a worker builds the offline pack of the scope. */
export function packNotReady(retryAfterSeconds: number): AppError {
  const text = () => t`This download is being prepared. Please try again in a moment.`;
  return new AppError('NOT_READY', text, undefined, undefined, retryAfterSeconds);
}

/** 503: the database does not answer. It may be restarting, which takes a few seconds. */
export function databaseUnavailable(): AppError {
  const text = () => t`The service is not available right now. Please try again in a few seconds.`;
  return new AppError('INTERNAL', text, undefined, 503, 5);
}

/** 503: a statement took longer than its limit. */
export function tookTooLong(): AppError {
  const text = () => t`The server took too long to answer. Please try again in a few seconds.`;
  return new AppError('INTERNAL', text, undefined, 503, 5);
}

/** 503 without Retry-After: a search took longer than its limit, and would again. */
export function searchTookTooLong(): AppError {
  const text = () => t`This search takes too long. Please choose a state or add a word.`;
  return new AppError('INTERNAL', text, undefined, 503);
}
