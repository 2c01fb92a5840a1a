import { t } from '@lingui/core/macro';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@nivida/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AppError,
  type AppErrorText,
  databaseUnavailable,
  forPrograms,
  nothingHere,
  tookTooLong,
} from '../../base/app-error.ts';
import { logUnexpectedError } from '../../base/log.ts';
import { isDatabaseUnavailable, isStatementTimeout, isUnstorableText } from '../../database/database-unavailable.ts';
import '../../base/texts.ts';
import { languageHeaders, languageOfRequest } from '../routing/request-language.ts';

const CODE_BY_STATUS = new Map<number, ErrorCode>(
  Object.entries(ERROR_STATUS).map(([code, status]) => [status, code as ErrorCode]),
);
// Set explicitly: a route may have set another content type before it failed.
const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';
const TEXT_BY_STATUS = new Map<number, AppErrorText>([
  [413, () => t`The request is too large`],
  [415, forPrograms('Only JSON is accepted')],
]);

/** Writes all error answers. An unexpected error is logged in full and answered without detail. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  /** `onRefused` is called for each call that a limit refuses. */
  constructor(private readonly onRefused: (limit: string) => void) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const answer = toErrorResponse(error, request);
    if (answer.limit) this.onRefused(answer.limit);
    sendError(http.getResponse<FastifyReply>(), request, answer);
  }
}

/** The answer to any error. Unexpected errors are logged. */
export function toErrorResponse(error: unknown, request: FastifyRequest): AppError {
  const known = toAppError(error);
  if (known) return known;
  if (isDatabaseUnavailable(error)) {
    // All requests fail the same way until the database is back, so the stack is not logged.
    const { message: reason } = error as Error;
    request.log.warn(
      { method: request.method, route: request.routeOptions.url, reason },
      'The database is unavailable',
    );
    return databaseUnavailable();
  }
  if (isStatementTimeout(error)) {
    request.log.warn({ method: request.method, route: request.routeOptions.url }, 'A statement took too long');
    return tookTooLong();
  }
  logUnexpectedError(error, request);
  return new AppError('INTERNAL', () => t`Server error occurred`);
}

/** Writes an error answer in the language of the request. It is used for requests that do not reach Nest too. */
export function sendError(reply: FastifyReply, request: FastifyRequest, error: AppError): void {
  const { id: requestId } = request;
  const language = error.isTranslated ? languageOfRequest(request) : 'en';
  const body: ErrorBody = { code: error.code, ...error.textsIn(language), requestId };
  if (error.isTranslated) reply.headers(languageHeaders(reply, language));
  if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(error.retryAfterSeconds));
  // A URL that cannot be decoded skips the hook that sets X-Request-Id.
  void reply
    .code(error.status)
    .headers({ 'X-Request-Id': requestId, 'Cache-Control': 'no-store', 'Content-Type': JSON_CONTENT_TYPE })
    .send(body);
}

/** An AppError is returned unchanged; a 4xx error of the framework is converted by its status. Undefined for other errors. */
function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const status = isUnstorableText(error) ? 400 : errorStatus(error);
  if (status === undefined || status >= 500) return undefined;
  if (status === 404) return nothingHere();
  const code = CODE_BY_STATUS.get(status) ?? 'INVALID';
  return new AppError(code, TEXT_BY_STATUS.get(status) ?? (() => t`The request cannot be read`), undefined, status);
}

function errorStatus(error: unknown): number | undefined {
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  const value = typeof status === 'number' ? status : statusCode;
  return typeof value === 'number' ? value : undefined;
}
