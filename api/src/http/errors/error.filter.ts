import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@nivida/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, databaseUnavailable, tookTooLong } from '../../base/app-error.ts';
import { isDatabaseUnavailable, isStatementTimeout } from '../../base/database-unavailable.ts';
import { logUnexpectedError } from '../../base/log.ts';

const CODE_BY_STATUS = new Map<number, ErrorCode>(
  Object.entries(ERROR_STATUS).map(([code, status]) => [status, code as ErrorCode]),
);
// Set explicitly: a route may have set another content type before it failed.
const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';
const MESSAGE_BY_STATUS = new Map([
  [413, 'The request is too large'],
  [415, 'Only JSON is accepted'],
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
    sendError(http.getResponse<FastifyReply>(), request.id, answer);
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
  return new AppError('INTERNAL', 'Server error occurred');
}

/** Writes an error answer. It is used for requests that do not reach Nest too. */
export function sendError(reply: FastifyReply, requestId: string, error: AppError): void {
  const body: ErrorBody = { code: error.code, message: error.message, requestId };
  if (error.fields) body.fields = error.fields;
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
  const status = errorStatus(error);
  if (status === undefined || status >= 500) return undefined;
  if (status === 404) return new AppError('NOT_FOUND', 'There is nothing at this address');
  const code = CODE_BY_STATUS.get(status) ?? 'INVALID';
  return new AppError(code, MESSAGE_BY_STATUS.get(status) ?? 'The request cannot be read', undefined, status);
}

function errorStatus(error: unknown): number | undefined {
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  const value = typeof status === 'number' ? status : statusCode;
  return typeof value === 'number' ? value : undefined;
}
