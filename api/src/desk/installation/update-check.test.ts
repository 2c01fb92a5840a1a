import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkForUpdate } from './update-check.ts';

let server: Server;
let answer: { status?: number; headers?: Record<string, string>; text: string };
let requests: IncomingMessage[];
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest.json`;

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterEach(() => new Promise((done) => server.close(done).closeAllConnections()));

const LATEST = JSON.stringify({ version: '1.10.0', published: '2026-12-01' });

test.each([
  [
    '1.9.3',
    'warning',
    '1.10.0 of 2026-12-01 is there. Read CHANGELOG.md, then install it (docs/operations.md, A new version)',
  ],
  ['v1.9.3-14-gabc1234', 'warning', expect.stringContaining('1.10.0 of 2026-12-01 is there')],
  ['v1.10.0', 'ok', '1.10.0 of 2026-12-01 is the latest version'],
  ['2.0.0', 'ok', '1.10.0 of 2026-12-01 is the latest version'],
  ['abc1234', 'ok', 'the latest version is 1.10.0 of 2026-12-01; this build is a commit'],
])('an installation of %s says what is newer', async (version, level, text) => {
  answer = { text: LATEST };
  expect(await checkForUpdate(url(), version)).toEqual({ level, subject: 'update', text });
});

test('a version that closes a security problem says so', async () => {
  answer = { text: JSON.stringify({ version: '1.1.0', security: true }) };
  const { text } = await checkForUpdate(url(), '1.0.0');
  expect(text).toMatch(/^1\.1\.0 is there\. It closes a security problem\./);
});

test('the request says nothing about the installation', async () => {
  answer = { text: LATEST };
  await checkForUpdate(url(), '1.9.3');
  const [request] = requests;
  expect([request?.method, request?.url]).toEqual(['GET', '/latest.json']);
  const { host: _ofTheAddress, ...headers } = request?.headers ?? {};
  expect(headers).toEqual({
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate',
    'accept-language': '*',
    connection: 'keep-alive',
    'sec-fetch-mode': 'cors',
    'user-agent': 'nivida',
  });
});

test.each([
  ['an error', { status: 503, text: LATEST }],
  ['a redirect', { status: 302, headers: { location: '/other' }, text: '' }],
  ['no JSON', { text: '<html>' }],
  ['no version', { text: '{"version":"newest"}' }],
  ['too much', { text: `${' '.repeat(20_000)}${LATEST}` }],
])('%s as an answer is a warning', async (_name, given) => {
  answer = given;
  expect(await checkForUpdate(url(), '1.0.0')).toEqual({
    level: 'warning',
    subject: 'update',
    text: 'UPDATE_URL does not give the latest version. Check the address and outgoing HTTPS',
  });
  expect(requests).toHaveLength(1);
});
