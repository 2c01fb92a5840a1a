import { afterEach, expect, test, vi } from 'vitest';
import { createLog, NestLog } from './log.ts';

afterEach(() => vi.restoreAllMocks());

/** The lines of a log as objects. */
function jsonLog(logLevel: 'info' | 'warn' = 'info') {
  const lines: string[] = [];
  const log = createLog({ production: true, role: 'worker', logLevel }, { write: (line) => void lines.push(line) });
  return { log, logged: () => lines.map((line) => JSON.parse(line)) };
}

/** What the log of development writes to stderr. */
function readableLog() {
  let text = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  return { log: createLog({ production: false, role: 'all', logLevel: 'warn' }), written: () => text };
}

test('in development a line is short text: level, context, message and fields', () => {
  const { log, written } = readableLog();
  log.info('not written');
  log.warn({ path: '/api/tenders', ms: 7 }, 'slow');
  log.warn({ context: 'Feature' }, 'slow again');
  log.error('failed');
  expect(written()).toBe('warn slow {"path":"/api/tenders","ms":7}\nwarn [Feature] slow again\nerror failed\n');
});

test('in development further lines of a value are indented, so that they imitate no line of the log', () => {
  const { log, written } = readableLog();
  log.warn('first\r\nfatal forged\rmore\nand more');
  expect(written()).toBe('warn first\n    fatal forged\n    more\n    and more\n');
});

test('in development the stack of an error follows its line, masked', () => {
  const { log, written } = readableLog();
  log.error({ err: new Error('mail to asha@firm.example') }, 'failed');
  expect(written()).toMatch(/^error failed Error: mail to a\*\*\*@firm\.example\n {5,}at /);
  const unexpected = readableLog();
  unexpected.log.error({ error: { type: 'Error', stack: 'Error: no answer\n    at x' } }, 'failed');
  expect(unexpected.written()).toBe('error failed Error: no answer\n        at x\n');
});

test('in production a line is an object with level, time and role', () => {
  const { log, logged } = jsonLog();
  log.info({ job: 'mails' }, 'done');
  expect(logged()).toEqual([
    { level: 'info', time: expect.stringMatching(/^2\d{3}-\d\d-\d\dT.*Z$/), role: 'worker', job: 'mails', msg: 'done' },
  ]);
});

test.each([
  ...['authorization', 'Proxy-Authorization', 'cookie', 'set-cookie', 'otp', 'pepper', 'ticket', 'secret', 'sealed'],
  ...['password', 'newPassword', 'new_password', 'currentPassword', 'confirmPassword', 'oldPassword'],
  ...['token', 'accessToken', 'refresh_token', 'id-token', 'resetToken'],
])('the value of the field %s is hidden at any depth', (name) => {
  const { log, logged } = jsonLog();
  log.info({ [name]: 'quiet', list: [{ inner: { [name]: 42, kept: 'text' } }] }, 'done');
  expect(logged()).toMatchObject([{ [name]: '[hidden]', list: [{ inner: { [name]: '[hidden]', kept: 'text' } }] }]);
});

test('other fields are written as they are', () => {
  const { log, logged } = jsonLog();
  const at = new Date('2026-11-10T06:00:00Z');
  log.info({ tokens: 3, passwordLength: 12, at, none: null, cookies: ['a'] }, 'done');
  expect(logged()).toMatchObject([
    { tokens: 3, passwordLength: 12, at: '2026-11-10T06:00:00.000Z', none: null, cookies: ['a'] },
  ]);
});

test('of an error its type, code and stack are written, not the values of its statement', () => {
  const { log, logged } = jsonLog();
  const error = Object.assign(new RangeError('too many'), { code: '22003', parameters: ['Asha'], query: 'INSERT' });
  log.error({ err: error }, 'failed');
  expect(logged()[0].err).toEqual({ type: 'RangeError', code: '22003', stack: error.stack });
});

test('lines of Nest are written with their context, but not those of each route and class', () => {
  const { log, logged } = jsonLog();
  const nest = new NestLog(log);
  for (const context of ['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer'])
    nest.log('Mapped {/api/tenders, GET} route', context);
  expect(logged()).toEqual([]);
  nest.log('started', 'NestApplication');
  nest.warn('slow', 'InstanceLoader');
  nest.error('refused', 'Error: refused\n    at x', 'Feature');
  nest.fatal('lost', 'Feature');
  nest.error(new TypeError('not a setting'), 'Feature');
  nest.warn({ email: 'asha@firm.example', otp: '402917' }, 'Feature');
  expect(logged().map(({ time: _time, role: _role, ...line }) => line)).toEqual([
    { level: 'info', context: 'NestApplication', msg: 'started' },
    { level: 'warn', context: 'InstanceLoader', msg: 'slow' },
    { level: 'error', context: 'Feature', stack: 'Error: refused\n    at x', msg: 'refused' },
    { level: 'fatal', context: 'Feature', msg: 'lost' },
    {
      level: 'error',
      context: 'Feature',
      err: expect.objectContaining({ type: 'TypeError', stack: expect.stringContaining('not a setting') }),
      msg: 'not a setting',
    },
    { level: 'warn', context: 'Feature', email: 'a***@firm.example', otp: '[hidden]' },
  ]);
});

test('a port in use is reported once, by the program that starts', () => {
  const { log, logged } = jsonLog();
  const nest = new NestLog(log);
  nest.error(new Error('listen EADDRINUSE: address already in use :::3000'), 'NestApplication');
  expect(logged()).toEqual([]);
  nest.error(new Error('listen EADDRINUSE: address already in use :::4010'), 'Sandbox');
  nest.error(new Error('no answer'), 'NestApplication');
  expect(logged().map(({ msg }) => msg)).toEqual(['listen EADDRINUSE: address already in use :::4010', 'no answer']);
});
