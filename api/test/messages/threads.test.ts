/** A user's threads with support: sync, limits, attachments, and what other users cannot reach. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import { DAY_MS, HOUR_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FILE_KEYS } from '../../src/backup/backup.sql.ts';
import { RetentionService } from '../../src/retention/retention.service.ts';
import { SupportService } from '../../src/support/support.service.ts';
import { eraseAccounts } from '../../src/users/erase-accounts.job.ts';
import { createStaffSession } from '../desk/staff-session.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { readSentMails } from '../support/test-mailbox.ts';
import { CONTACT_FORM, callsOf } from './messages-setup.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const PDF = Buffer.from('%PDF-1.7 a receipt');

let folder: string;
let app: TestApp;
let calls: ReturnType<typeof callsOf>;
let asha: SignedInAccount;
let ravi: SignedInAccount;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-messages-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}`, SUPPORT_EMAIL: 'help@nivida.example' } });
  calls = callsOf(app);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
  ravi = await createSession(app, { username: 'Ravi' });
});

const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);
const storedFiles = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

/** A member of staff answers a thread with a file. */
async function answerWithFile(thread: string): Promise<{ staff: SignedInAccount; file: string }> {
  const staff = await createStaffSession(app, 'support', NOW);
  const { id: file } = await calls.upload(staff, PDF);
  const { version } = await calls.readAtDesk(staff, thread);
  expect((await calls.answer(staff, thread, version, 'Here it is.', undefined, [file])).status).toBe(200);
  return { staff, file };
}

describe('a thread', () => {
  test('is stored once, mailed to support, and synced to the devices of its user only', async () => {
    expect((await calls.changes(asha)).status).toBe(204);
    const mailed = (await readSentMails(app)).length;
    const body = {
      id: randomUUID(),
      subject: 'My plan',
      message: { id: randomUUID(), text: 'When does it end?\n\nThanks' },
    };
    const both = await Promise.all([1, 2].map(() => calls.call('POST', '/api/support/threads', asha, body)));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { json } = await calls.changes(asha);
    expect(json).toMatchObject({ ids: [body.id], more: false });
    expect(json.threads).toEqual([
      {
        ...{ id: body.id, subject: 'My plan', state: 'waiting', orderId: null, tenderId: null, tenderTitle: null },
        ...{ createdAt: NOW.toISOString(), updatedAt: NOW.toISOString() },
        messages: [
          {
            ...{ id: body.message.id, sender: 'user', text: 'When does it end?\n\nThanks', readAt: null },
            ...{ createdAt: NOW.toISOString(), attachments: [] },
          },
        ],
      },
    ]);
    expect((await calls.changes(asha, json.cursor)).status).toBe(204);
    expect((await calls.changes(ravi)).status).toBe(204);
    const mails = (await readSentMails(app)).slice(mailed);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ subject: 'Message: My plan', replyTo: [{ address: asha.user.email }] });
    expect(mails[0]?.text).toContain(`http://localhost:3000/desk/messages/${body.id}`.slice(-50));
  });

  test('gets messages, is closed by its user, and waits again with the next message', async () => {
    const thread = await calls.begin(asha);
    const { json: first } = await calls.changes(asha);
    const id = randomUUID();
    for (const _again of [1, 2])
      expect((await calls.say(asha, thread, 'Here is more.', id)).json.messages).toHaveLength(2);
    expect((await calls.call('POST', `/api/support/threads/${thread}/close`, asha)).json.state).toBe('closed');
    const { json: closed } = await calls.changes(asha, first.cursor);
    expect(closed.threads).toMatchObject([{ id: thread, state: 'closed' }]);
    expect((await calls.say(asha, thread, 'It is not solved.')).json.state).toBe('waiting');
    expect((await calls.changes(asha, closed.cursor)).json.threads).toHaveLength(1);
  });

  test('comes in pages, each complete', async () => {
    for (let nth = 0; nth < 23; nth += 1) await calls.begin(asha);
    const { json: first } = await calls.changes(asha);
    expect([first.threads.length, first.ids.length, first.more]).toEqual([20, 23, true]);
    const { json: rest } = await calls.changes(asha, first.cursor);
    expect([rest.threads.length, rest.more]).toEqual([3, false]);
    expect((await calls.changes(asha, rest.cursor)).status).toBe(204);
  });

  test('that is gone on the server is missing in the ids; a cursor of another database gets everything', async () => {
    const [gone, kept] = [await calls.begin(asha), await calls.begin(asha)];
    const { json } = await calls.changes(asha);
    await query('DELETE FROM thread WHERE id = $1', [gone]);
    expect((await calls.changes(asha, json.cursor)).json).toMatchObject({ ids: [kept], threads: [] });
    expect((await calls.changes(asha, 'other-epoch.900.2')).json.threads).toHaveLength(1);
  });

  test.each([
    ['no subject', { subject: ' ' }, 'Subject is required'],
    ['a subject of two lines', { subject: 'One\nTwo' }, 'Line breaks and control characters are not allowed'],
    ['no text', { message: { id: randomUUID(), text: ' ' } }, 'Message is required'],
    [
      'a text of 5,001',
      { message: { id: randomUUID(), text: 'क'.repeat(5_001) } },
      'A message can have at most 5,000 characters',
    ],
    [
      'half a character',
      { message: { id: randomUUID(), text: 'a\ud800' } },
      'This text has characters that cannot be stored',
    ],
    [
      'six files',
      { message: { id: randomUUID(), text: 'a', attachmentIds: Array.from({ length: 6 }, () => randomUUID()) } },
      'A message can have at most 5 files',
    ],
  ])('with %s is refused', async (_name, changes, message) => {
    const body = { id: randomUUID(), subject: 'A', message: { id: randomUUID(), text: 'a' }, ...changes };
    expect(await calls.call('POST', '/api/support/threads', asha, body)).toMatchObject({
      status: 400,
      json: { message },
    });
  });

  test('of 5,000 letters of Devanagari fits', async () => {
    const thread = await calls.begin(asha, 'क'.repeat(5_000));
    expect((await calls.changes(asha)).json.threads[0].id).toBe(thread);
  });

  test('is limited to 30 messages an hour', async () => {
    const thread = await calls.begin(asha);
    for (let nth = 1; nth < 30; nth += 1) expect((await calls.say(asha, thread, `${nth}`)).status).toBe(200);
    expect((await calls.say(asha, thread, 'One more')).status).toBe(429);
    app.clock.now = later(HOUR_MS);
    expect((await calls.say(asha, thread, 'One more')).status).toBe(200);
  });

  test('has an order only of its user, and a tender only when it is published', async () => {
    const source = createSourceTender({ sourceId: `2026_MSG_${randomUUID().slice(0, 8)}_1` });
    await importTenders(app.database.dataSource, [source], { now: NOW });
    const [{ id }] = await query('SELECT id FROM tender WHERE source_id = $1', [source.sourceId]);
    const thread = await calls.begin(asha, 'About this', { tenderId: String(id) });
    const { json } = await calls.changes(asha);
    expect(json.threads).toMatchObject([{ id: thread, tenderId: String(id), tenderTitle: source.title }]);
    for (const changes of [{ tenderId: '999999999' }, { orderId: 'an-order-of-another' }])
      await expect(calls.begin(asha, 'About this', changes)).rejects.toThrow(/^404/);
  });
});

describe('other users', () => {
  test('get 404 for a thread and its files, and visitors 401', async () => {
    const { id: file } = await calls.upload(asha, PDF);
    const thread = await calls.begin(asha, 'Look', {
      message: { id: randomUUID(), text: 'Look', attachmentIds: [file] },
    });
    const [{ id: messageId }] = (await calls.changes(asha)).json.threads[0].messages;
    const attempts: ['GET' | 'POST', string, object?][] = [
      ['POST', `/api/support/threads/${thread}/messages`, { id: randomUUID(), text: 'Mine now' }],
      ['POST', `/api/support/threads/${thread}/read`, { messageId }],
      ['POST', `/api/support/threads/${thread}/close`],
      ['GET', `/api/support/attachments/${file}`],
      ['GET', `/api/desk/messages/${thread}`],
      ['GET', `/api/desk/messages/${thread}/attachments/${file}`],
      ['GET', '/api/desk/messages'],
    ];
    for (const [method, url, body] of attempts) {
      expect([url, (await calls.call(method, url, ravi, body)).status]).toEqual([url, 404]);
      expect([url, (await calls.call(method, url, undefined, body)).status]).toEqual([url, 401]);
    }
    const again = { id: thread, subject: 'Mine', message: { id: randomUUID(), text: 'Mine' } };
    expect((await calls.call('POST', '/api/support/threads', ravi, again)).status).toBe(404);
    const taken = { id: randomUUID(), subject: 'Mine', message: { id: messageId, text: 'Mine' } };
    expect((await calls.call('POST', '/api/support/threads', ravi, taken)).status).toBe(409);
    const stolen = { id: randomUUID(), text: 'Mine', attachmentIds: [file] };
    const own = await calls.begin(ravi);
    expect((await calls.call('POST', `/api/support/threads/${own}/messages`, ravi, stolen)).status).toBe(409);
    expect((await calls.upload(ravi, PDF, { id: file })).status).toBe(409);
    expect((await calls.changes(asha)).json.threads[0].messages).toHaveLength(1);
  });
});

describe('an attachment', () => {
  test('is sent in parts, each of which may come twice, and is saved as it was', async () => {
    const content = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(FILE_PART_BYTES + 10, 7)]);
    const id = randomUUID();
    const [first, last] = [content.subarray(0, FILE_PART_BYTES), content.subarray(FILE_PART_BYTES)];
    expect((await calls.upload(asha, last, { id, part: '1/2' })).status).toBe(409);
    for (const _again of [1, 2])
      expect((await calls.upload(asha, first, { id, part: '0/2' })).json).toEqual({ stored: 1, attachment: null });
    const name = '../../bill "1".png';
    for (const _again of [1, 2])
      expect((await calls.upload(asha, last, { id, part: '1/2', name })).json).toEqual({
        stored: 2,
        attachment: { id, name: 'bill 1.png', type: 'image/png', bytes: content.length },
      });
    const reply = await app.app.inject({ url: `/api/support/attachments/${id}`, headers: asha.headers });
    expect(reply.rawPayload.equals(content)).toBe(true);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "attachment; filename*=UTF-8''bill%201.png",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  test.each([
    ['a page', 'a.pdf', Buffer.from('<html><script>alert(1)</script>')],
    ['a drawing with a script', 'a.png', Buffer.from('  <svg onload="alert(1)"/>')],
    ['a program', 'a.txt', Buffer.from('MZ\u0000\u0003')],
    ['an archive', 'a.pdf', Buffer.from('PK\u0003\u0004')],
  ])('that is %s is refused and its bytes are dropped, though its name is %s', async (_what, name, content) => {
    const { id, status, json } = await calls.upload(asha, content, { name });
    expect([status, json.message]).toEqual([
      400,
      'Pictures (PNG, JPEG, WebP), PDF files and plain text can be attached.',
    ]);
    expect(await query('SELECT 1 FROM attachment WHERE id = $1', [id])).toEqual([]);
  });

  test.each([
    ['text/plain', 'a.exe.txt', Buffer.from('निविदा\r\n\tline')],
    ['image/jpeg', 'a.exe.jpg', Buffer.from('\xff\xd8\xff\xe0', 'latin1')],
    ['image/webp', 'a.exe.webp', Buffer.from('RIFF0000WEBPVP8 ', 'latin1')],
  ])('is %s by its bytes, and saved as %s', async (type, name, content) => {
    expect((await calls.upload(asha, content, { name: 'a.exe' })).json.attachment).toMatchObject({ type, name });
  });

  test('needs room: all of a user have 50 MB', async () => {
    await query(
      `INSERT INTO attachment (id, user_id, name, bytes, parts, file_keys, created_at)
       VALUES (gen_random_uuid(), $1, 'a', 49999990, 1, '{}', $2)`,
      [asha.user._id, NOW],
    );
    expect((await calls.upload(asha, PDF)).status).toBe(413);
    expect((await calls.upload(ravi, PDF)).status).toBe(200);
  });

  test('goes with its thread after 400 days, without a message after a day, and its file goes too', async () => {
    await query('DELETE FROM attachment');
    await app.app.get(RetentionService).apply(NOW);
    const { id: sent } = await calls.upload(asha, PDF);
    const message = { id: randomUUID(), text: 'Look', attachmentIds: [sent] };
    await answerWithFile(await calls.begin(asha, 'Look', { message }));
    await calls.upload(asha, PDF);
    expect([await storedFiles(), (await query(FILE_KEYS)).length]).toEqual([3, 3]);
    await app.app.get(RetentionService).apply(later(DAY_MS + HOUR_MS));
    expect([await storedFiles(), (await query(FILE_KEYS)).length]).toEqual([2, 2]);
    await app.app.get(RetentionService).apply(later(399 * DAY_MS));
    expect(await storedFiles()).toBe(2);
    await app.app.get(RetentionService).apply(later(401 * DAY_MS));
    expect([await storedFiles(), await query('SELECT 1 FROM thread WHERE user_id = $1', [asha.user._id])]).toEqual([
      0,
      [],
    ]);
  });
});

test('the export has the threads, and the erasure of the account removes them with their files', async () => {
  const { id } = await calls.upload(asha, PDF);
  const message = { id: randomUUID(), text: 'Look', attachmentIds: [id] };
  const { staff, file } = await answerWithFile(await calls.begin(asha, 'Look', { message }));
  const { json } = await calls.call('GET', '/api/me/export?format=json', asha);
  expect(json.supportThreads).toMatchObject([
    { messages: [{ text: 'Look', attachments: [{ id, name: 'a.pdf' }] }, { attachments: [{ id: file }] }] },
  ]);
  const files = await storedFiles();
  const erase = async ({ user }: SignedInAccount) => {
    await query('UPDATE account SET deleted_at = $2 WHERE id = $1', [user._id, NOW]);
    await eraseAccounts({ dataSource: app.database.dataSource, now: later(8 * DAY_MS) });
    await app.app.get(RetentionService).apply(NOW);
  };
  // The file of an answer is the user's, not of the member who sent it.
  await erase(staff);
  expect(await storedFiles()).toBe(files);
  await erase(asha);
  expect(await query('SELECT 1 FROM thread WHERE user_id = $1', [asha.user._id])).toEqual([]);
  expect(await storedFiles()).toBe(files - 2);
});

describe('the contact form', () => {
  test('of a signed-in user begins a thread, that of a visitor or of an ended session does not', async () => {
    const send = (headers: object) =>
      app.app.inject({ method: 'POST', url: '/api/contact', headers: { ...headers }, payload: CONTACT_FORM });
    expect((await send(asha.headers)).statusCode).toBe(200);
    expect((await calls.changes(asha)).json.threads).toMatchObject([
      { subject: 'Tenders of Kinnaur', messages: [{ text: CONTACT_FORM.message }] },
    ]);
    const count = 'SELECT count(*)::int AS n FROM thread WHERE user_id IS NULL';
    const [{ n }] = await query(count);
    expect((await send({})).statusCode).toBe(200);
    expect((await send({ authorization: 'Bearer of-yesterday' })).statusCode).toBe(200);
    expect(await query(count)).toEqual([{ n: n + 2 }]);
  });
});

test('the time to answer is the median of 90 days, in whole hours, from ten answers on', async () => {
  await query('DELETE FROM thread');
  const add = (hours: number, daysAgo = 1) =>
    query(
      `INSERT INTO thread (id, name, email, phone, company, subject, language, state, version, number, created_at, updated_at,
         first_answered_at)
       VALUES (gen_random_uuid(), 'A', 'a@b.example', '', '', 'S', 'en', 'answered', 1, 1, $1, $1, $2)`,
      [later(-daysAgo * DAY_MS - hours * HOUR_MS), later(-daysAgo * DAY_MS)],
    );
  for (const hours of [1, 1, 2, 3, 4.2, 6, 20, 30, 40]) await add(hours);
  await add(1, 91);
  const ask = async (hours: number) => {
    app.clock.now = later(hours * HOUR_MS);
    return (await app.get('/api/site')).json.answerHours;
  };
  expect(await ask(1)).toBeNull();
  await add(100);
  expect(await ask(2)).toBe(5);
  expect(await app.app.get(SupportService).answerHours()).toBe(5);
});
