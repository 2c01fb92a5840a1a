import { QueryFailedError } from 'typeorm';
import { beforeEach, describe, expect, test } from 'vitest';
import { AppError, forPrograms, packNotReady, searchTookTooLong, serverBusy } from '../../base/app-error.ts';
import { tooManyRequests } from '../limits/too-many-requests.ts';
import { sendError, toErrorResponse } from './error.filter.ts';

type Request = Parameters<typeof toErrorResponse>[1];

let logged: unknown[];
let request: Request;

beforeEach(() => {
  logged = [];
  const line = (level: string) => (fields: object, text: string) => void logged.push([level, text, fields]);
  request = {
    method: 'GET',
    routeOptions: { url: '/api/tenders/:id' },
    headers: {},
    log: { warn: line('warn'), error: line('error') },
  } as unknown as Request;
});

const answerTo = (error: unknown) => {
  const { code, message, status, retryAfterSeconds } = toErrorResponse(error, request);
  return { code, message, status, retryAfterSeconds };
};
const failed = (fields: object, message = '') => Object.assign(new Error(message), fields);
const failedQuery = (fields: object) => new QueryFailedError('SELECT 1', [], failed(fields));

const UNREADABLE = 'The request cannot be read';

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [3_599, '60 minutes'],
  [3_600, '1 hour'],
  [3_601, '2 hours'],
  [86_400, '24 hours'],
])('a full limit of %d seconds asks to wait %s', (seconds, wait) => {
  const error = tooManyRequests('contact-email', seconds);
  const { code, status, retryAfterSeconds } = error;
  expect({ code, status, ...error.textsIn('en'), retryAfterSeconds }).toEqual({
    code: 'TOO_MANY',
    status: 429,
    message: `Too many attempts. Please try again in ${wait}.`,
    retryAfterSeconds: seconds,
  });
  expect(tooManyRequests('sign-in-account', seconds, () => 'You can also reset your password.').message).toBe(
    `Too many attempts. Please try again in ${wait}. You can also reset your password.`,
  );
});

test('a busy process, a pack that is not built and a slow search are 503, each with its own text', () => {
  const answers = [serverBusy(2), packNotReady(10), searchTookTooLong()];
  expect(
    answers.map(({ code, status, message, retryAfterSeconds }) => [code, status, message, retryAfterSeconds]),
  ).toEqual([
    ['INTERNAL', 503, 'The server is busy. Please try again.', 2],
    ['NOT_READY', 503, 'This download is being prepared. Please try again in a moment.', 10],
    ['INTERNAL', 503, 'This search takes too long. Please choose a state or add a word.', undefined],
  ]);
});

describe('the answer to an error', () => {
  test('is the error itself when a feature threw it', () => {
    const refused = new AppError(
      'INVALID',
      forPrograms('The name is missing'),
      () => ({ name: 'Name is required' }),
      422,
    );
    expect(toErrorResponse(refused, request)).toBe(refused);
    expect(logged).toEqual([]);
  });

  test.each([
    [{ status: 404 }, 'NOT_FOUND', 404, 'There is nothing at this address'],
    [{ statusCode: 400 }, 'INVALID', 400, UNREADABLE],
    [{ statusCode: 413 }, 'INVALID', 413, 'The request is too large'],
    [{ statusCode: 415 }, 'INVALID', 415, 'Only JSON is accepted'],
    [{ status: 401 }, 'UNAUTHENTICATED', 401, UNREADABLE],
    [{ status: 409, statusCode: 400 }, 'CONFLICT', 409, UNREADABLE],
    [{ statusCode: 499 }, 'INVALID', 499, UNREADABLE],
  ])('of the framework with %j has the code %s, and its message is not repeated', (fields, code, status, message) => {
    expect(answerTo(failed(fields, 'Body is not what the parser wants'))).toEqual({
      code,
      status,
      message,
      retryAfterSeconds: undefined,
    });
    expect(logged).toEqual([]);
  });

  test('of a database that is away asks to try again in 5 seconds, and the log has its reason without a stack', () => {
    const answer = {
      code: 'INTERNAL',
      status: 503,
      message: 'The service is not available right now. Please try again in a few seconds.',
      retryAfterSeconds: 5,
    };
    expect(answerTo(failed({ code: 'ECONNREFUSED' }, 'connect ECONNREFUSED'))).toEqual(answer);
    expect(logged).toEqual([
      [
        'warn',
        'The database is unavailable',
        { method: 'GET', route: '/api/tenders/:id', reason: 'connect ECONNREFUSED' },
      ],
    ]);
    expect(answerTo(failedQuery({ code: '57P01' }))).toEqual(answer);
  });

  test('of a statement that took too long asks to try again in 5 seconds', () => {
    for (const error of [failed({ code: '57014' }), failedQuery({ code: '57014' })])
      expect(answerTo(error)).toEqual({
        code: 'INTERNAL',
        status: 503,
        message: 'The server took too long to answer. Please try again in a few seconds.',
        retryAfterSeconds: 5,
      });
    expect(logged).toEqual(
      Array(2).fill(['warn', 'A statement took too long', { method: 'GET', route: '/api/tenders/:id' }]),
    );
  });

  test.each([
    ['an error of the program', new TypeError('secret detail')],
    ['an error of the framework with the status 500', failed({ statusCode: 500 }, 'secret detail')],
    ['a thrown text', 'secret detail'],
    ['a violated rule of the database', failedQuery({ code: '23505' })],
  ])('of %s is 500 without its detail, which is logged', (_what, error) => {
    expect(answerTo(error)).toEqual({
      code: 'INTERNAL',
      status: 500,
      message: 'Server error occurred',
      retryAfterSeconds: undefined,
    });
    expect(logged).toEqual([
      ['error', 'failed', expect.objectContaining({ method: 'GET', route: '/api/tenders/:id' })],
    ]);
  });
});

test('an error body has its fields, the id of the request and the time to wait, and no cache stores it', () => {
  const sent: Record<string, unknown>[] = [];
  const sentBy = (error: AppError) => {
    const headers: Record<string, string> = {};
    const reply = {
      header: (name: string, value: string) => {
        headers[name] = value;
        return reply;
      },
      getHeader: (name: string) => headers[name],
      headers: (more: object) => {
        Object.assign(headers, more);
        return reply;
      },
      code: (status: number) => {
        headers.status = String(status);
        return reply;
      },
      send: (body: Record<string, unknown>) => void sent.push(body),
    };
    const [asReply, ofRequest] = [reply, { id: 'request-1', url: '/api/x', headers: {} }] as unknown as Parameters<
      typeof sendError
    >;
    sendError(asReply, ofRequest, error);
    return headers;
  };
  const common = {
    'X-Request-Id': 'request-1',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
  };
  expect(sentBy(new AppError('INVALID', forPrograms('Wrong'), () => ({ name: 'Name is required' }), 422))).toEqual({
    ...common,
    status: '422',
  });
  expect(sentBy(tooManyRequests('contact-email', 0))).toEqual({
    ...common,
    status: '429',
    'Retry-After': '0',
    'Content-Language': 'en-IN',
    Vary: 'Accept-Language',
  });
  expect(sent).toEqual([
    { code: 'INVALID', message: 'Wrong', requestId: 'request-1', fields: { name: 'Name is required' } },
    { code: 'TOO_MANY', message: 'Too many attempts. Please try again in 0 seconds.', requestId: 'request-1' },
  ]);
});
