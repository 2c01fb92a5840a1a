import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { MailService } from '../../src/mail/mail.service.ts';
import type { Mail } from '../../src/mail/mail.ts';
import { createMailSender } from '../../src/mail/mail-delivery.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { runMailJobs } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const HERE = { host: 'localhost:3000' };
const LINK = `http://localhost:3000/reset-password#token=${'t'.repeat(43)}`;

let folder: string;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-mailbox-page-'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test('the mailbox of this machine is a page, at first empty', async () => {
  const { status, headers, text } = await app.get('/dev/mail', HERE);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  expect(text).toContain('No mails yet.');
});

test('it lists the newest first and shows each as text with its links', async () => {
  const queue = (mail: Mail) =>
    app.database.dataSource.transaction((manager) => app.app.get(MailService).queue(manager, mail));
  const message = { name: 'Asha', email: 'asha@firm.example', phone: '', company: '', message: 'Which divisions?' };
  const thread = { files: 0, link: 'https://nivida.example/desk/messages/7' };
  await queue({
    ...{ kind: 'contact', to: 'help@firm.example', replyTo: 'asha@firm.example', subject: '<b>Kinnaur</b>' },
    ...message,
    ...thread,
  });
  await queue({ kind: 'email-code', language: 'en', to: 'asha@firm.example', code: '402917' });
  await queue({
    kind: 'password-reset',
    language: 'en',
    to: 'asha@firm.example',
    username: 'आशा <b>Verma</b>',
    link: LINK,
  });
  await runMailJobs(
    app,
    createMailSender(app.config, () => app.clock.now),
  );

  const list = (await app.get('/dev/mail', HERE)).text;
  expect(list).toMatch(/Choose a new password for Nivida.*Your code for Nivida.*Message: &lt;b&gt;Kinnaur&lt;\/b&gt;/s);
  expect([...list.matchAll(/<td>([^<]*)<\/td><td>([^<]*)<\/td><\/tr>/g)].map(([, to, sent]) => [to, sent])).toEqual([
    ['asha@firm.example', 'Tue, 10 Nov 2026 06:00:00 +0000'],
    ['asha@firm.example', 'Tue, 10 Nov 2026 06:00:00 +0000'],
    ['help@firm.example', 'Tue, 10 Nov 2026 06:00:00 +0000'],
  ]);
  const [newest = ''] = list.match(/\/dev\/mail\/[^"]+/) ?? [];
  const { text } = await app.get(newest, HERE);
  expect(text).toContain('<h1>Choose a new password for Nivida</h1>');
  expect(text).toContain(
    '<p>From: Nivida &lt;no-reply@localhost&gt;<br>To: asha@firm.example<br>Date: Tue, 10 Nov 2026 06:00:00 +0000</p>',
  );
  expect(text).toContain('Hello आशा &lt;b&gt;Verma&lt;/b&gt;,');
  expect(text).toContain(`<a href="${LINK}">${LINK}</a>`);
  expect(text).not.toMatch(/<(?:b|script|style)\b| style=/);
});

test('an unknown name is not found', async () => {
  for (const name of ['..%2fsecrets.json', 'secrets.json', '20261110T060000000Z-999.eml', '%2e%2e'])
    expect((await app.get(`/dev/mail/${name}`, HERE)).status).toBe(404);
});

test.each<[string, Record<string, string>]>([
  ['through a proxy or tunnel', { ...HERE, 'x-forwarded-for': '203.0.113.7' }],
  ...['forwarded', 'x-forwarded-host', 'x-real-ip', 'via', 'cf-connecting-ip'].map(
    (name): [string, Record<string, string>] => [`by a tunnel that sends ${name}`, { ...HERE, [name]: 'x' }],
  ),
  ['under another name, as a foreign page could', { host: 'mailbox.evil.example' }],
])('it is not shown %s', async (_how, headers) => {
  const [newest = ''] = (await app.get('/dev/mail', HERE)).text.match(/\/dev\/mail\/[^"]+/) ?? [];
  expect((await app.get(newest, HERE)).status).toBe(200);
  for (const url of ['/dev/mail', newest]) expect((await app.get(url, headers)).status).toBe(404);
});

test('it is not shown to another machine', async () => {
  const reply = await app.app.inject({ method: 'GET', url: '/dev/mail', headers: HERE, remoteAddress: '192.168.1.20' });
  expect(reply.statusCode).toBe(404);
});

test.each<[string, NodeJS.ProcessEnv]>([
  ['in production', { NODE_ENV: 'production', PAYMENT_PROVIDER: 'phonepe' }],
  ['where mails go to a mail server', { MAIL_URL: 'smtp://mail.example' }],
])('it does not exist %s', async (_where, env) => {
  const log = createLog({ production: false, role: 'all', logLevel: 'warn' }, { write: () => {} });
  const other = await startApp({ now: NOW, database: app.database, env: { DATA_DIR: folder, ...env }, log });
  expect((await other.get('/dev/mail', HERE)).status).toBe(404);
  await other.close();
});
