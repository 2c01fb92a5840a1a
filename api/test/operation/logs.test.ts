import { Body, Controller, Get, Logger, Param, Post, Query } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createModule } from '../../src/app/app.module.ts';
import { createServer } from '../../src/app/server.ts';
import { createLog, maskSecrets, NestLog } from '../../src/base/log.ts';
import { createSession } from '../support/accounts.ts';
import { findLeaks } from '../support/leaks.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const SECRETS = {
  password: 'Kangra-monsoon 42',
  newPassword: 'Shimla "toy" train',
  currentPassword: 'Old\\Kullu\\pass',
  otp: '402917',
  token: 'rYt0-Qm_4kZp8sXv2LwN6bJd1HfGc3Ae5TgUi7Oy9Px',
  email: 'asha.verma+bids@firm.example',
  mobileNo: '9876543210',
};
const SESSION = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhc2hhIn0.c2lnbmF0dXJl-of-a-session';
const EVERYTHING = [...Object.values(SECRETS), SESSION, 'device-7f3a9c', '+919876543210'];

/** Throws an error that contains its input. */
@Controller('api/test')
class FailingController {
  @Post('fail')
  fail(@Body() body: unknown): never {
    const { password, otp, token } = body as typeof SECRETS;
    throw Object.assign(new Error(`insert failed: ${Object.values(body as object).join(', ')}`), {
      parameters: [password, otp, token],
      query: `SELECT '${password}'`,
    });
  }

  @Get('fail/:ticket')
  read(@Param('ticket') ticket: string, @Query('token') token: string): never {
    throw new Error(`no file ${ticket} for ${token}\r\n{"level":"info","msg":"forged"}`);
  }

  @Get('say')
  throwWithMessage(): string {
    new Logger('Feature').warn({
      who: { email: SECRETS.email, password: SECRETS.password },
      list: [{ otp: '402917' }],
    });
    new Logger('Feature').error(new Error(`mail to ${SECRETS.email} with Bearer ${SESSION}`));
    return 'said';
  }
}

let base: TestApp;
let lines: string[];
let app: Awaited<ReturnType<typeof createServer>>;

beforeAll(async () => {
  base = await startApp({ now: NOW });
  lines = [];
  const log = createLog(
    { production: true, role: 'web', logLevel: 'info' },
    { write: (line) => void lines.push(line) },
  );
  const parts = { config: base.config, database: base.database, now: () => NOW, pagesFolder: '/nowhere', log };
  const module = createModule(parts);
  app = await createServer({ ...module, controllers: [...(module.controllers ?? []), FailingController] }, parts);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
});
afterAll(async () => {
  await app.close();
  await base.close();
});
beforeEach(() => {
  lines.length = 0;
});

/** The lines so far, each of which must be one JSON object. */
const logged = () => lines.map((line) => JSON.parse(line));

const HEADERS = { authorization: `Bearer ${SESSION}`, cookie: 'device=device-7f3a9c; otp_ctx=402917' };

describe('a request writes one line', () => {
  test('with method, path, names of parameters, status, duration and role, never their values', async () => {
    await app.inject({ method: 'GET', url: '/api/tenders?state=Goa&q=secret+words', headers: HEADERS });
    const [line, ...others] = logged();
    expect(others).toEqual([]);
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      role: 'web',
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      method: 'GET',
      path: '/api/tenders',
      query: ['state', 'q'],
      status: 200,
      ms: expect.any(Number),
      msg: 'answered',
    });
  });

  test('with the id of the account where there is one, and nothing else of it', async () => {
    const { user, headers } = await createSession({ app });
    await app.inject({ method: 'GET', url: '/api/me', headers });
    await app.inject({ method: 'GET', url: '/api/desk/today', headers });
    expect(logged()).toEqual([
      expect.objectContaining({ path: '/api/me', status: 200, account: user._id }),
      expect.objectContaining({ path: '/api/desk/today', status: 404, account: user._id }),
    ]);
    expect(findLeaks(lines.join(''), [user.email, user.mobileNo, user.username])).toEqual([]);
  });

  test('also when it is refused, with the id of the response', async () => {
    const reply = await app.inject({ method: 'POST', url: '/api/nothing', payload: { password: SECRETS.password } });
    expect(logged()).toEqual([
      expect.objectContaining({ status: 404, path: '/api/nothing', requestId: reply.json().requestId }),
    ]);
  });
});

test('except health probes', async () => {
  for (const url of ['/api/health', '/api/ready', '/api/health?x=1', '/api/regions']) await app.inject({ url });
  expect(logged().map(({ path }) => path)).toEqual(['/api/regions']);
});

describe('no secret of a request is in the log', () => {
  test.each([
    '/api/auth/login',
    '/api/auth/register',
    '/api/auth/otp/generate',
    '/api/auth/otp/verify',
    '/api/auth/forgot-password',
    '/api/auth/reset-password',
    '/api/auth/change-password',
    '/api/user-info/1',
    '/api/bookmarks/sync',
    '/api/test/fail',
  ])('sent to %s in body, headers and query', async (path) => {
    for (const method of ['POST', 'PUT'] as const)
      await app.inject({
        method,
        url: `${path}?token=${SECRETS.token}&email=${encodeURIComponent(SECRETS.email)}&otp=${SECRETS.otp}`,
        headers: HEADERS,
        payload: SECRETS,
      });
    expect(lines).not.toEqual([]);
    expect(findLeaks(lines.join(''), EVERYTHING)).toEqual([]);
  });

  test('sent in an address', async () => {
    for (const url of [
      `/api/test/fail/${SECRETS.token}?token=short-one`,
      `/d/${SECRETS.token}`,
      `/${SECRETS.email}/${SECRETS.mobileNo}`,
      `/api/tenders/${encodeURIComponent(SECRETS.email)}`,
      `/api/%zz?token=${SECRETS.token}`,
    ])
      await app.inject({ method: 'GET', url, headers: HEADERS });
    expect(findLeaks(lines.join(''), [...EVERYTHING, 'short-one'])).toEqual([]);
  });

  test('sent in an unreadable body', async () => {
    await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
      payload: `{"password":"${SECRETS.password}", oops`,
    });
    expect(findLeaks(lines.join(''), EVERYTHING)).toEqual([]);
  });

  test('in the log lines of a feature', async () => {
    await app.inject({ method: 'GET', url: '/api/test/say' });
    expect(findLeaks(lines.join(''), EVERYTHING)).toEqual([]);
    expect(logged()[0]).toMatchObject({
      level: 'warn',
      context: 'Feature',
      who: { email: 'a***@firm.example', password: '[hidden]' },
      list: [{ otp: '[hidden]' }],
    });
    expect(logged()[1].err.stack).toContain('mail to a***@firm.example with Bearer [hidden]');
  });
});

test('an unexpected error is logged completely without secrets, and the response has no detail', async () => {
  const reply = await app.inject({ method: 'POST', url: '/api/test/fail', payload: SECRETS });
  expect(reply.statusCode).toBe(500);
  expect(reply.json()).toMatchObject({ code: 'INTERNAL', message: 'Server error occurred' });
  const [failure] = logged();
  expect(failure).toMatchObject({ level: 'error', msg: 'failed', requestId: reply.json().requestId, method: 'POST' });
  expect(failure.error.stack).toContain(
    'insert failed: [hidden], [hidden], [hidden], [hidden], [hidden], a***@firm.example, ******3210',
  );
  expect(failure.error.stack).toContain('logs.test.ts');
});

test('no request can forge a log line', async () => {
  await app.inject({ method: 'GET', url: '/api/test/fail/x%0d%0a%7B%22level%22%3A1%7D?token=1' });
  for (const line of lines) expect(line.trimEnd()).not.toMatch(/[\r\n]/);
  expect(logged()).toHaveLength(2);
});

test.each([
  ['asha@firm.example', 'a***@firm.example'],
  ['<asha.verma@mail.firm.co.in>', '<a***@mail.firm.co.in>'],
  ['asha%40firm.example', 'a***@firm.example'],
  ['9876543210', '******3210'],
  ['+919876543210', '******3210'],
  ['"%2B919876543210"', '"******3210"'],
  ['09876543210', '******3210'],
  ['5876543210', '5876543210'],
  ['2026110910000042', '2026110910000042'],
  ['3f27a93c-8acd-4c0b-a5a3-919876543210', '3f27a93c-8acd-4c0b-a5a3-919876543210'],
  ['token=abc&state=Goa', 'token=[hidden]&state=Goa'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer [hidden]'],
  ['Device 3f27a93c', 'Device [hidden]'],
  ['connect postgresql://nivida:quiet-river@db/nivida', 'connect postgresql://[hidden]@db/nivida'],
  ['smtps://:7-stones@mail.firm.example:465', 'smtps://[hidden]@mail.firm.example:465'],
  ['http://127.0.0.1:3000/@asha', 'http://127.0.0.1:3000/@asha'],
  ['/api/tenders/4711', '/api/tenders/4711'],
])('%s is written as %s', (text, written) => {
  expect(maskSecrets(text)).toBe(written);
});

test('outside production only warnings and errors are written', () => {
  const quiet: string[] = [];
  const log = createLog(
    { production: false, role: 'all', logLevel: 'warn' },
    { write: (line) => void quiet.push(line) },
  );
  new NestLog(log).log('started', 'Nest');
  new NestLog(log).warn('slow', 'Nest');
  expect(quiet.map((line) => JSON.parse(line).msg)).toEqual(['slow']);
});
