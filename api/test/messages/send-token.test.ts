/** Messages and files that a device sends with a one-time token while its app is closed. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSession } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { callsOf } from './messages-setup.ts';

let folder: string;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-tokens-'));
  app = await startApp({ now: new Date('2026-11-10T06:00:00Z'), env: { FILES_URL: `file://${folder}` } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test('a one-time token uploads files, sends one message, and is then used up', async () => {
  const calls = callsOf(app);
  const asha = await createSession(app);
  const [token] = (await calls.call('POST', '/api/outbox/tokens', asha)).json.tokens;
  const device = { ...asha, headers: { authorization: `Once ${token}` } };
  const file = await calls.upload(device, Buffer.from('%PDF-1.7 a letter'));
  expect(file.status).toBe(200);
  const begin = () => calls.begin(device, 'See the letter', {});
  const id = randomUUID();
  const message = { id: randomUUID(), text: 'See the letter', attachmentIds: [file.id] };
  const body = { id, subject: 'My letter', message };
  expect((await calls.call('POST', '/api/support/threads', device, body)).status).toBe(200);
  await expect(begin()).rejects.toThrow('401');
  expect((await calls.upload(device, Buffer.from('%PDF-1.7'))).status).toBe(401);
  const { json } = await calls.changes(asha);
  expect(json.threads).toMatchObject([{ id, messages: [{ attachments: [{ id: file.id }] }] }]);
  // A token reads nothing and closes nothing.
  const [other] = (await calls.call('POST', '/api/outbox/tokens', asha)).json.tokens;
  const reader = { ...asha, headers: { authorization: `Once ${other}` } };
  expect((await calls.changes(reader)).status).toBe(401);
  expect((await calls.call('POST', `/api/support/threads/${id}/close`, reader)).status).toBe(401);
});
