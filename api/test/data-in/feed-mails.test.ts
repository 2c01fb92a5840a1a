/** Attachments of mails as files of feeds, fetched from a real IMAP server. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import hoodiecrow from 'hoodiecrow-imap';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FeedMailsService } from '../../src/ingest/feeds/feed-mails.service.ts';
import { FeedsService } from '../../src/ingest/feeds/feeds.service.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const CSV = [
  'Tender ID,Title,Organisation Chain,Publish Date,Bid Submission End Date',
  '2026_PWD_1_1,Repair of path,PWD,02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM',
].join('\n');

interface Mail {
  from: string;
  to?: string;
  subject?: string;
  file?: string;
  headers?: string[];
}
const mailText = ({ from, to = 'data@nivida.example', subject = 'List', file, headers = [] }: Mail) =>
  [
    ...headers,
    `From: Clerk <${from}>`,
    `To: ${to}`,
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'The list of today',
    ...(file === undefined
      ? []
      : [
          '--b',
          `Content-Type: text/csv; name="${file}"`,
          'Content-Transfer-Encoding: base64',
          `Content-Disposition: attachment; filename="${file}"`,
          '',
          Buffer.from(CSV).toString('base64'),
        ]),
    '--b--',
    '',
  ].join('\r\n');

const MAILS: Mail[] = [
  { from: 'clerk@pwd.example', file: 'today list.csv' },
  { from: 'stranger@else.example', file: 'spam.csv' },
  { from: 'notclerk@pwd.example', file: 'close.csv' },
  { from: 'any@both.example', to: 'data+assam@nivida.example', file: 'assam.csv' },
  { from: 'any@both.example', subject: 'hptenders: today', file: 'hp.csv' },
  { from: 'any@both.example', subject: 'today', file: 'which.csv' },
  { from: 'clerk@pwd.example', subject: 'virus', file: 'list.exe' },
  {
    from: 'clerk@pwd.example',
    subject: 'forged',
    file: 'forged.csv',
    headers: ['Authentication-Results: mx.nivida.example; dmarc=fail header.from=pwd.example'],
  },
];

let folder: string;
let app: TestApp;
let server: { server: Server; folderCache: Record<string, { messages: { raw: string }[] }> };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-mails-'));
  server = hoodiecrow({
    plugins: ['ID', 'SASL-IR', 'AUTH-PLAIN', 'NAMESPACE', 'UIDPLUS', 'MOVE', 'UNSELECT'],
    users: { 'data@nivida.example': { password: 'quiet river' } },
    storage: { INBOX: { messages: MAILS.map((mail) => ({ raw: mailText(mail) })) } },
  });
  await new Promise<void>((done) => server.server.listen(0, '127.0.0.1', done));
  const { port } = server.server.address() as AddressInfo;
  app = await startApp({
    now: NOW,
    env: {
      DATA_DIR: join(folder, 'data'),
      SUPPORT_EMAIL: 'help@nivida.example',
      FEEDS: `hptenders=${join(folder, 'hp')};state=himachal-pradesh assam=${join(folder, 'assam')};state=assam`,
      IMAP_URL: `imap://data%40nivida.example:quiet%20river@127.0.0.1:${port}`,
      IMAP_SENDERS: 'hptenders=clerk@pwd.example,@both.example assam=@both.example',
    },
  });
});
afterAll(async () => {
  await app.close();
  server.server.close();
  await rm(folder, { recursive: true });
});

test('attachments of allowed senders are files of their feed; refused mails are moved and reported, others stay', async () => {
  const mails = app.app.get(FeedMailsService);
  expect(await mails.fetch()).toBe(6);
  expect(await readdir(join(folder, 'hp'))).toEqual(['2026-11-10-1-today-list.csv', '2026-11-10-5-hp.csv']);
  expect(await readdir(join(folder, 'assam'))).toEqual(['2026-11-10-4-assam.csv']);
  expect(await readFile(join(folder, 'hp/2026-11-10-5-hp.csv'), 'utf8')).toBe(CSV);
  const subjects = (name: string) =>
    server.folderCache[name]?.messages.map(({ raw }) => /Subject: (.*)/.exec(raw)?.[1]?.trim());
  expect(subjects('INBOX')).toEqual(['List', 'List']);
  expect(subjects('Nivida-imported')).toEqual(['List', 'List', 'hptenders: today']);
  expect(subjects('Nivida-refused')).toEqual(['today', 'virus', 'forged']);
  expect(await mails.fetch()).toBe(0);
  const sent = await readSentMails(app);
  expect(sent.map(({ text }) => /The mail from .*/.exec(text ?? '')?.[0])).toEqual([
    expect.stringContaining('names none of its portals (hptenders, assam)'),
    expect.stringContaining('has no attachment of a known kind'),
    expect.stringContaining('failed the check of its sender (DMARC)'),
  ]);
  expect(await app.app.get(FeedsService).run()).toBe(3);
  const tenders = await app.database.dataSource.query('SELECT portal, title FROM tender ORDER BY portal');
  expect(tenders).toEqual([
    { portal: 'assam', title: 'Repair of path' },
    { portal: 'hptenders', title: 'Repair of path' },
  ]);
});

test('a server that does not answer, or refuses the password, fails the job', async () => {
  const { port } = server.server.address() as AddressInfo;
  const { mailbox } = app.config;
  if (mailbox) mailbox.url = `imap://data%40nivida.example:wrong@127.0.0.1:${port}`;
  await expect(app.app.get(FeedMailsService).fetch()).rejects.toThrow();
});
