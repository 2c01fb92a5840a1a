/** Answers to requests that the HTTP parser rejects; they reach no route, hook or filter. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorBody } from '@nivida/contract/errors';

const PARSER_ERRORS: Readonly<Record<string, [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long'],
};
const UNREADABLE_REQUEST: [number, string] = [400, 'The request cannot be read'];

/** The handler of rejected requests; it answers with these headers and closes the connection. */
export function createParserErrorHandler(headers: Record<string, string>) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (!socket.writable) {
      socket.destroy(error);
      return;
    }
    const [status, message] = PARSER_ERRORS[error.code ?? ''] ?? UNREADABLE_REQUEST;
    const requestId = randomUUID();
    const body = JSON.stringify({ code: 'INVALID', message, requestId } satisfies ErrorBody);
    const all = {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      Connection: 'close',
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n'));
  };
}
