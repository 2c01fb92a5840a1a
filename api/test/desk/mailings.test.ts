/** Messages of the operator to many accounts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMail } from '../../src/cli/commands/mail.command.ts';
import { MailingsService } from '../../src/desk/mailings/mailings.service.ts';
import { eraseAccounts } from '../../src/users/erase-accounts.job.ts';
import { createSession } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const REASON = ['--reason', 'a backup was lost'];

let app: TestApp;
let folder: string;
let texts: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-mailings-'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder } });
  await writeFile(
    join(folder, 'en.txt'),
    'About your data\n\nOn Monday a backup was lost.\n\nWrite to us with questions.\n',
  );
  await writeFile(join(folder, 'hi.txt'), 'आपके डेटा के बारे में\n\nसोमवार को एक बैकअप खो गया।\n');
  texts = ['en', 'hi'].flatMap((language) => ['--text', `${language}=${join(folder, language)}.txt`]);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

let shown: string[] = [];
function mail(args: string[], ask?: (question: string) => Promise<string>): Promise<string> {
  shown = [];
  return runMail(args, {
    dataSource: app.database.dataSource,
    now: app.clock.now,
    find: async (type) => app.app.get(type),
    log: (line) => shown.push(line),
    ask,
  });
}
const sendNext = () => app.app.get(MailingsService).sendNext();
const mailsTo = async (address: string) =>
  (await readSentMails(app)).filter(({ to }) => to?.some((one) => one.address === address));

test('a message reaches each named account once, in its language, however often it is started', async () => {
  const [asha, ravi] = [await createSession(app), await createSession(app, { language: 'hi' })];
  const other = await createSession(app);
  const file = join(folder, 'affected.txt');
  await writeFile(file, `${asha.user._id}\n${ravi.user.mobileNo}\n${asha.user.email}\n`);
  const args = ['affected', '--name', 'lost-backup', '--file', file, ...texts, ...REASON];
  await expect(mail(args)).rejects.toThrow('without a terminal it needs --yes');
  await expect(mail(args, async () => '3')).rejects.toThrow('nothing was sent');
  expect(await mail(args, async () => '2')).toContain('2 accounts were added');
  expect(shown.join('\n')).toContain('--- hi, 1 accounts\nSubject: आपके डेटा के बारे में\n\nसोमवार');
  await Promise.all([mail([...args, '--yes']), sendNext(), sendNext()]);
  await sendNext();
  const [first, ...more] = await mailsTo(asha.user.email);
  expect(more).toEqual([]);
  expect(first?.subject).toBe('About your data');
  expect(first?.text).toContain('a backup was lost.\n\nWrite to us');
  expect(first?.text).toContain('no advertisement');
  expect((await mailsTo(ravi.user.email)).map(({ subject }) => subject)).toEqual(['आपके डेटा के बारे में']);
  expect(await mailsTo(other.user.email)).toEqual([]);
  expect(JSON.parse(await mail(['list', '--json']))).toMatchObject([{ name: 'lost-backup', recipients: 2, queued: 2 }]);
  const events = await app.database.dataSource.query("SELECT detail FROM audit WHERE action = 'mailing.started'");
  expect(events[0].detail).toMatchObject({ added: 2, audience: 'affected', reason: 'a backup was lost' });
});

test('a message to all is stopped, goes on, and leaves erased accounts out', async () => {
  const { user } = await createSession(app);
  const gone = await createSession(app, { deletedAt: new Date('2026-11-01') });
  const args = ['all', '--name', 'to-all', ...texts, ...REASON, '--yes', '--json'];
  const { added } = JSON.parse(await mail(args));
  await mail(['stop', 'to-all', ...REASON]);
  expect(await sendNext()).toBe(0);
  await eraseAccounts({ dataSource: app.database.dataSource, now: NOW });
  expect(JSON.parse(await mail(args)).added).toBe(0);
  expect(await sendNext()).toBe(added - 1);
  expect((await mailsTo(user.email)).map(({ subject }) => subject)).toEqual(['About your data']);
  expect(await mailsTo(gone.user.email)).toEqual([]);
  expect(await mail(['list'])).toContain(`to-all\tsent\t${added - 1} of ${added - 1}`);
  await expect(mail(['stop', 'unknown', ...REASON])).rejects.toThrow('There is no such message');
});

test('a message waits behind every other mail', async () => {
  const { user } = await createSession(app);
  await mail(['affected', '--name', 'to-one', '--account', user._id, ...texts, ...REASON, '--yes']);
  expect(await sendNext()).toBe(1);
  const rows = await app.database.dataSource.query("SELECT priority FROM pgboss.job WHERE name = 'mail'");
  expect(rows).toEqual([{ priority: -1 }]);
});

test('other texts under a used name, missing languages and unknown accounts are refused', async () => {
  await createSession(app, { language: 'hi' });
  const english = texts.slice(0, 2);
  const refused = (args: string[]) => expect(mail([...args, ...REASON, '--yes'])).rejects;
  await refused(['all', '--name', 'to-all', ...english]).toThrow('Choose another name');
  await refused(['all', '--name', 'in-english', ...english]).toThrow('add --text hi=FILE');
  await refused(['all', '--name', 'x y', ...texts]).toThrow('needs a --name');
  await refused(['affected', '--name', 'none', ...texts]).toThrow('affected needs --file');
  await refused(['affected', '--name', 'none', '--account', 'x@y.example', ...texts]).toThrow('1 of 1 name no account');
  await refused(['all', '--name', 'none', '--text', `hi=${join(folder, 'hi.txt')}`]).toThrow(
    '--text en=FILE is needed',
  );
  await writeFile(join(folder, 'bad.txt'), 'Only a subject\n');
  await refused(['all', '--name', 'none', '--text', `en=${join(folder, 'bad.txt')}`]).toThrow('needs its subject');
  expect(JSON.parse(await mail(['list', '--json']))).toHaveLength(3);
});
