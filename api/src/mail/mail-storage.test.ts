/** Mails that wait in the database, and the mailbox of a machine without a mail server. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mail } from './mail.ts';
import { MailSeal } from './mail-seal.ts';
import { createMailboxTransport, listMailbox, mailboxFolder, readMailbox } from './mailbox.ts';

describe('a sealed mail', () => {
  const [FIRST, SECOND] = ['first-key-of-the-tests-0123456789', 'second-key-of-the-tests-0123456789'];
  const CODE: Mail = { kind: 'email-code', language: 'en', to: 'asha@firm.example', code: '402917' };

  test('is opened as it was, with its dates', async () => {
    const seal = new MailSeal([FIRST]);
    expect(await seal.open(await seal.seal(CODE))).toEqual(CODE);
    const deleted: Mail = {
      ...{ kind: 'account-deleted', language: 'en', to: 'asha@firm.example', username: 'आशा' },
      erasedOn: new Date('2026-11-17T20:00:00Z'),
    };
    expect(await seal.open(await seal.seal(deleted))).toEqual(deleted);
  });

  test('is sealed with the first key and opened with any, by its key alone', async () => {
    const sealed = await new MailSeal([SECOND, FIRST]).seal(CODE);
    expect(await new MailSeal([FIRST, SECOND]).open(sealed)).toEqual(CODE);
    expect(await new MailSeal([SECOND]).open(sealed)).toEqual(CODE);
    await expect(new MailSeal([FIRST]).open(sealed)).rejects.toThrow('Unknown key');
    const [head = ''] = sealed.split('.');
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({
      ...{ alg: 'dir', enc: 'A256GCM', kid: expect.stringMatching(/^[\da-f]{16}$/) },
    });
    expect(sealed).not.toContain(Buffer.from('402917').toString('base64url'));
  });

  test('that was changed, or any other text, is not opened', async () => {
    const seal = new MailSeal([FIRST]);
    const parts = (await seal.seal(CODE)).split('.');
    const [, , , text = ''] = parts;
    parts[3] = `${text[0] === 'A' ? 'B' : 'A'}${text.slice(1)}`;
    await expect(seal.open(parts.join('.'))).rejects.toThrow();
    await expect(seal.open('402917')).rejects.toThrow();
  });

  test('needs a key', () => {
    expect(() => new MailSeal([]).seal(CODE)).toThrow('There is no session key to seal mails with');
  });
});

describe('the mailbox', () => {
  const DATE = new Date('2026-11-10T06:00:00.123Z');
  let dataDir: string;
  let folder: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'nivida-mailbox-test-'));
    folder = mailboxFolder({ dataDir });
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const deliver = (subject: string, date = DATE, text = 'Hello') =>
    createMailboxTransport(folder).deliver({
      ...{ from: 'Nivida <no-reply@nivida.example>', to: 'asha@firm.example', subject, date, text },
      ...{ html: `<p>${text}</p>`, textEncoding: 'quoted-printable' },
    });
  const subjects = async (limit: number) =>
    (await listMailbox(folder, limit)).map(({ head }) => head.find((line) => line.startsWith('Subject: ')));

  test('is the folder "mail" of the data, readable by its owner only, without half a file', async () => {
    expect(await listMailbox(folder, 10)).toEqual([]);
    await deliver('One');
    expect(folder).toBe(join(dataDir, 'mail'));
    expect(await readdir(folder)).toEqual(['20261110T060000123Z-000.eml']);
    const modes = [folder, join(folder, '20261110T060000123Z-000.eml')].map(
      async (path) => (await stat(path)).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o700, 0o600]);
  });

  test('numbers the mails of one millisecond, and lists the newest first', async () => {
    await deliver('One');
    await deliver('Two');
    await deliver('Three', new Date(DATE.getTime() + 1));
    await writeFile(join(folder, 'notes.txt'), 'Subject: None\r\n\r\n');
    expect(await subjects(10)).toEqual(['Subject: Three', 'Subject: Two', 'Subject: One']);
    expect(await subjects(2)).toEqual(['Subject: Three', 'Subject: Two']);
    expect((await listMailbox(folder, 10)).map(({ name }) => name)).toEqual([
      '20261110T060000124Z-000.eml',
      '20261110T060000123Z-001.eml',
      '20261110T060000123Z-000.eml',
    ]);
  });

  test('shows a mail with its long header lines and its text, in any script and of any length', async () => {
    const text = `आशा = 1\r\n\r\n${'https://nivida.example/long '.repeat(8).trim()}\r\nEnd`;
    const subject = `Subject ${'of many words '.repeat(12).trim()}`;
    await deliver(subject, DATE, text);
    const mail = await readMailbox(folder, '20261110T060000123Z-000.eml');
    expect(mail?.head).toContain(`Subject: ${subject}`);
    expect(mail?.head).toContain('To: asha@firm.example');
    expect(mail?.text.trimEnd()).toBe(text);
    expect(await readFile(join(folder, '20261110T060000123Z-000.eml'), 'latin1')).toContain('\r\n');
  });

  test.each(['20261110T060000123Z-001.eml', '../secrets.json', 'notes.txt', ''])('has no mail %j', async (name) => {
    await deliver('One');
    await writeFile(join(dataDir, 'secrets.json'), '{}');
    await writeFile(join(folder, 'notes.txt'), 'Subject: None\r\n\r\n');
    expect(await readMailbox(folder, name)).toBeUndefined();
  });
});
