/** Answers of support: two at once, twice the same, notices, pushes and mails; and the commands. */
import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import { MINUTE_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runMessages } from '../../src/cli/commands/messages.command.ts';
import { DeskMessagesService } from '../../src/desk/messages/desk-messages.service.ts';
import { createStaffSession } from '../desk/staff-session.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { type PushApp, startPushApp } from '../support/push-app.ts';
import { findLastMail, readSentMails } from '../support/test-mailbox.ts';
import { CONTACT_FORM, callsOf } from './messages-setup.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let app: PushApp;
let calls: ReturnType<typeof callsOf>;
let asha: SignedInAccount;
let first: SignedInAccount;
let second: SignedInAccount;

beforeAll(async () => {
  app = await startPushApp(NOW, { SUPPORT_EMAIL: 'help@nivida.example' });
  calls = callsOf(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.clear(NOW);
  asha = await createSession(app);
  first = await createStaffSession(app, 'support', NOW);
  second = await createStaffSession(app, 'operator', NOW);
});

const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);
const eventsOf = (thread: string) =>
  query('SELECT action, actor_id, detail FROM audit WHERE subject = $1 ORDER BY id', [thread]);

async function visit(changes: object = {}): Promise<string> {
  const messageId = randomUUID();
  await calls.call('POST', '/api/contact', undefined, { ...CONTACT_FORM, messageId, ...changes });
  return messageId;
}

describe('an answer', () => {
  test('reaches the user in the app, as a push and by mail in the language of the account, and does not name the member of staff', async () => {
    const ravi = await createSession(app, { language: 'hi', username: 'Ravi' });
    const phone = await app.subscribeBrowser(ravi, { language: 'hi-IN' });
    const thread = await calls.begin(ravi);
    const { version } = await calls.readAtDesk(first, thread);
    const { status, json } = await calls.answer(first, thread, version, 'Try it again now.');
    expect([status, json.state, json.waitingSince]).toEqual([200, 'answered', null]);
    await app.run('send-pushes');
    const [push] = phone.received;
    expect(push?.payload.notification).toMatchObject({
      title: 'सहायता टीम का जवाब आया है',
      body: 'My documents',
      navigate: expect.stringContaining(`/hi/dashboard/support/${thread}?n=`),
      data: { kind: 'answer', tenderIds: [] },
    });
    const mail = await findLastMail(app, ravi.user.email);
    expect(mail.subject).toBe('जवाब: My documents');
    expect(mail.text).toContain('Try it again now.');
    expect(mail.text).toContain(`/hi/dashboard/support/${thread}`);
    const { json: page } = await calls.changes(ravi);
    expect(page.threads[0]).toMatchObject({ state: 'answered', messages: [{}, { sender: 'staff', readAt: null }] });
    expect(JSON.stringify(page)).not.toContain(first.user._id);
    expect(JSON.stringify(page)).not.toContain('staffName');
  });

  test('that was read before the push is sent is not pushed; reading is synced', async () => {
    const phone = await app.subscribeBrowser(asha);
    const thread = await calls.begin(asha);
    const { json } = await calls.answer(first, thread, 1);
    const messageId = json.messages.at(-1).id;
    const { json: before } = await calls.changes(asha);
    const read = await calls.call('POST', `/api/support/threads/${thread}/read`, asha, { messageId });
    expect(read.json.messages.at(-1).readAt).toBe(NOW.toISOString());
    expect((await calls.changes(asha, before.cursor)).json.threads).toHaveLength(1);
    await app.run('send-pushes');
    expect(phone.received).toEqual([]);
    expect((await calls.readAtDesk(first, thread)).messages.at(-1)?.readAt).toBe(NOW.toISOString());
  });

  test('to a visitor goes by mail in the language of the form, which says that a reply is not read', async () => {
    const [english, hindi] = [await visit(), randomUUID()];
    await app.call(
      'POST',
      '/api/contact',
      { ...CONTACT_FORM, messageId: hindi, email: 'sunita@works.example' },
      { 'accept-language': 'hi' },
    );
    for (const thread of [english, hindi]) expect((await calls.answer(first, thread, 1)).status).toBe(200);
    const mail = await findLastMail(app, CONTACT_FORM.email);
    expect(mail).toMatchObject({
      subject: 'Answer: Tenders of Kinnaur',
      replyTo: [{ address: 'help@nivida.example' }],
    });
    for (const text of [
      'Hello Ravi Negi,',
      'Try it again now.',
      CONTACT_FORM.message,
      'Please do not reply to this mail',
      '/contact',
    ])
      expect(mail.text).toContain(text);
    const inHindi = await findLastMail(app, 'sunita@works.example');
    expect(inHindi.subject).toBe('जवाब: Tenders of Kinnaur');
    expect(inHindi.text).toContain('कृपया इस ईमेल का जवाब न दें');
    expect(await query("SELECT 1 FROM notice WHERE kind = 'answer'")).toEqual([]);
  });

  test('that two members send at once is sent by one; the other learns who answered', async () => {
    const thread = await calls.begin(asha);
    const answers = await Promise.all([
      calls.answer(first, thread, 1, 'From one'),
      calls.answer(second, thread, 1, 'From two'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.json.message).toMatch(/ has answered in the meantime\. Read it before you send yours\.$/);
    const { messages, version } = await calls.readAtDesk(first, thread);
    expect(messages).toHaveLength(2);
    expect((await calls.answer(second, thread, version, 'And this')).json.messages).toHaveLength(3);
    expect((await readSentMails(app)).filter(({ to }) => to?.[0]?.address === asha.user.email)).toHaveLength(2);
  });

  test('that is sent twice with its key, or again with a new key, is stored, mailed and recorded once', async () => {
    const thread = await calls.begin(asha);
    const key = randomUUID();
    const both = [await calls.answer(first, thread, 1, 'Once', key), await calls.answer(first, thread, 1, 'Once', key)];
    expect(both.map(({ status, json }) => [status, json.messages.length])).toEqual([
      [200, 2],
      [200, 2],
    ]);
    const body = { messageId: key, text: 'Once', version: 1 };
    expect((await calls.act(first, `/api/desk/messages/${thread}/answer`, body)).json.messages).toHaveLength(2);
    expect(await query("SELECT 1 FROM notice WHERE kind = 'answer' AND user_id = $1", [asha.user._id])).toHaveLength(1);
    expect((await readSentMails(app)).filter(({ to }) => to?.[0]?.address === asha.user.email)).toHaveLength(1);
    expect(await eventsOf(thread)).toMatchObject([
      { action: 'thread.answered', actor_id: first.user._id, detail: { reason: 'answers the mail', to: 'account' } },
    ]);
  });

  test('is refused while the user has written more, or has closed the thread', async () => {
    const thread = await calls.begin(asha);
    await calls.say(asha, thread, 'One more thing');
    expect((await calls.answer(first, thread, 1)).json.message).toBe(
      'There is a new message in the conversation. Read it before you send.',
    );
    await calls.call('POST', `/api/support/threads/${thread}/close`, asha);
    expect((await calls.answer(first, thread, 2)).json.message).toBe(
      'The conversation was closed in the meantime. Read it again before you send.',
    );
    expect((await calls.answer(first, thread, 3)).json.state).toBe('answered');
  });
});

describe('a file of an answer', () => {
  const PDF = Buffer.from('%PDF-1.7 your receipt');
  const open = (account: SignedInAccount, id: string) =>
    app.app.inject({ url: `/api/support/attachments/${id}`, headers: account.headers });
  const answerWith = async (thread: string, staff: SignedInAccount, ...ids: string[]) =>
    calls.answer(staff, thread, (await calls.readAtDesk(staff, thread)).version, 'Here it is.', undefined, ids);

  test('is opened by its user only, takes none of the user’s room, and the mail says where it is', async () => {
    const thread = await calls.begin(asha);
    const { id } = await calls.upload(first, PDF, { name: 'receipt.pdf' });
    expect((await answerWith(thread, first, id)).status).toBe(200);
    const { json } = await calls.changes(asha);
    const file = { id, name: 'receipt.pdf', type: 'application/pdf', bytes: PDF.length };
    expect(json.threads[0].messages[1]).toMatchObject({ sender: 'staff', attachments: [file] });
    expect((await open(asha, id)).body).toBe(PDF.toString());
    for (const other of [first, await createSession(app)]) expect((await open(other, id)).statusCode).toBe(404);
    const mail = await findLastMail(app, asha.user.email);
    expect(mail.text).toContain('A file belongs to this answer. You find it in the app');
    await query('UPDATE attachment SET bytes = 49999990 WHERE id = $1', [id]);
    for (const account of [asha, first]) expect((await calls.upload(account, PDF)).status).toBe(200);
    expect((await eventsOf(thread))[0].detail).toMatchObject({ files: 1 });
  });

  test('must be the member’s own and unsent, and goes to no visitor', async () => {
    const thread = await calls.begin(asha);
    const { id: sent } = await calls.upload(first, PDF);
    expect((await answerWith(await calls.begin(asha), first, sent)).status).toBe(200);
    const { id: ofOther } = await calls.upload(second, PDF);
    const { id: ofUser } = await calls.upload(asha, PDF);
    for (const id of [sent, ofOther, ofUser, randomUUID()])
      expect(await answerWith(thread, first, id)).toMatchObject({
        status: 409,
        json: { message: 'A file of this message is missing. Attach it again.' },
      });
    const { id } = await calls.upload(first, PDF);
    const { status, json } = await answerWith(await visit(), first, id);
    expect([status, json.message]).toEqual([
      422,
      'A visitor has no app to open files in. Send the answer without them.',
    ]);
  });
});

describe('the desk', () => {
  test('lists what waits, those of a plan with priority first, then the oldest, without whole addresses, and finds by words, address and number', async () => {
    const older = await calls.begin(asha, 'The receipt is missing');
    app.clock.now = new Date(NOW.getTime() + MINUTE_MS);
    const visitor = await visit();
    const list = async (search = '') => (await calls.call('GET', `/api/desk/messages?${search}`, first)).json;
    const { threads, counts } = await list();
    expect(threads).toMatchObject([
      { id: older, isVisitor: false, name: 'Asha Verma', excerpt: 'The receipt is missing' },
      { id: visitor, isVisitor: true, name: 'Ravi Negi' },
    ]);
    expect(counts).toEqual({ waiting: 2, answered: 0, closed: 0 });
    expect(await app.app.get(DeskMessagesService).waiting()).toEqual({ count: 2, oldest: NOW });
    for (const [search, id] of [
      ['receipt', older],
      [CONTACT_FORM.email, visitor],
      ['98160 12345', visitor],
      ['negi', visitor],
    ] as const)
      expect((await list(`q=${encodeURIComponent(search)}`)).threads).toMatchObject([{ id }]);
    expect((await list('q=100%25')).threads).toEqual([]);
    expect((await list('state=closed')).threads).toEqual([]);
    const ravi = await createSession(app);
    const paying = await calls.begin(ravi, 'My plan');
    await query(
      `INSERT INTO entitlement (kind, user_id, email, plan_id, states, starts_at, ends_at, is_test, is_gift, created_at)
       VALUES ('plan', $1, '', 'premium', '{}', $2, $3, false, true, $2)`,
      [ravi.user._id, NOW, new Date(NOW.getTime() + 3_600_000)],
    );
    expect((await list()).threads.map((each: { id: string }) => each.id)).toEqual([paying, older, visitor]);
    const thread = await calls.readAtDesk(first, visitor);
    expect(thread).toMatchObject({ email: 'r***@negi.example', mobile: '******2345', company: 'Negi Works' });
    expect(JSON.stringify([thread, threads])).not.toContain(CONTACT_FORM.email);
    const opened = await calls.act(first, `/api/desk/messages/${visitor}/contact`, { reason: 'rings the visitor' });
    expect(opened.json).toEqual({ email: CONTACT_FORM.email, mobile: '9816012345' });
    expect((await calls.act(first, `/api/desk/messages/${visitor}/contact`, { reason: '' })).status).toBe(400);
    expect(await eventsOf(visitor)).toMatchObject([
      { action: 'thread.contact-opened', detail: { reason: 'rings the visitor' } },
    ]);
  });

  test('says for two minutes that a colleague is answering', async () => {
    const thread = await calls.begin(asha);
    const url = `/api/desk/messages/${thread}/answering`;
    const name = first.user.username;
    expect((await calls.call('POST', url, first, { isAnswering: true })).json).toEqual({ answeringBy: null });
    expect((await calls.call('POST', url, second, { isAnswering: true })).json).toEqual({ answeringBy: name });
    expect((await calls.readAtDesk(second, thread)).answeringBy).toBe(name);
    app.clock.now = new Date(NOW.getTime() + 2 * MINUTE_MS + 1);
    expect((await calls.call('POST', url, second, { isAnswering: true })).json).toEqual({ answeringBy: null });
    await calls.call('POST', url, second, { isAnswering: false });
    expect((await calls.readAtDesk(first, thread)).answeringBy).toBeNull();
  });

  test('closes and opens a thread once, with the reason', async () => {
    const thread = await calls.begin(asha);
    for (const _again of [1, 2])
      expect((await calls.act(first, `/api/desk/messages/${thread}/close`, { version: 1 })).json.state).toBe('closed');
    const { json } = await calls.act(second, `/api/desk/messages/${thread}/reopen`, { version: 2 });
    expect([json.state, json.version]).toEqual(['waiting', 3]);
    expect((await eventsOf(thread)).map(({ action }: { action: string }) => action)).toEqual([
      'thread.closed',
      'thread.reopened',
    ]);
  });

  test('downloads a file of its thread only', async () => {
    const { id } = await calls.upload(asha, Buffer.from('%PDF-1.7 a'));
    const thread = await calls.begin(asha, 'Look', {
      message: { id: randomUUID(), text: 'Look', attachmentIds: [id] },
    });
    const other = await calls.begin(asha);
    const get = (of: string) =>
      app.app.inject({ url: `/api/desk/messages/${of}/attachments/${id}`, headers: first.headers });
    const reply = await get(thread);
    expect([reply.statusCode, reply.body, reply.headers['x-content-type-options']]).toEqual([
      200,
      '%PDF-1.7 a',
      'nosniff',
    ]);
    expect(reply.headers['content-disposition']).toMatch(/^attachment/);
    expect((await get(other)).statusCode).toBe(404);
  });
});

describe('the command', () => {
  const run = (...args: string[]) =>
    runMessages(args, { dataSource: app.database.dataSource, now: NOW, find: async (type) => app.app.get(type) });

  test('lists, shows, answers, closes and opens, without characters that control a terminal', async () => {
    const thread = await visit({ message: 'Wiped \u001b[2J\u202e out' });
    expect(await run('list')).toBe(
      `${thread}\twaiting\t10 Nov 2026, 11:30 AM\tRavi Negi (visitor)\tTenders of Kinnaur\n1 waiting, 0 answered, 0 closed\n`,
    );
    expect(JSON.parse(await run('list', '--json', '--state', 'waiting'))).toMatchObject([{ id: thread }]);
    expect(await run('show', thread)).toContain('  Wiped  [2J  out');
    const file = join(app.config.dataDir, `${thread}.txt`);
    await writeFile(file, 'Yes, all of them.\n');
    expect(await run('answer', thread, '--text-file', file)).toContain('  Yes, all of them.');
    expect(JSON.parse(await run('answer', thread, 'And more.', '--json')).messages).toHaveLength(3);
    expect(await run('close', thread, '--reason', 'answered by mail')).toContain('\tclosed\t');
    expect(await run('reopen', thread, '--reason', 'asked again')).toContain('\twaiting\t');
    expect((await eventsOf(thread)).map(({ detail }: { detail: { reason: string } }) => detail.reason)).toEqual([
      'Answered by command',
      'Answered by command',
      'answered by mail',
      'asked again',
    ]);
  });

  test('attaches files to the answer of a user', async () => {
    const thread = await calls.begin(asha);
    const files = ['bill.pdf', 'program.pdf', 'empty.pdf'].map((name) => join(app.config.dataDir, name));
    const [bill = '', program = '', empty = ''] = files;
    const contents = [Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.alloc(FILE_PART_BYTES, 65)]), 'MZ\u0000', ''];
    for (const [index, file] of files.entries()) await writeFile(file, contents[index] ?? '');
    const text = await run('answer', thread, 'Here it is.', '--file', bill);
    expect(text).toContain(`  [bill.pdf, ${FILE_PART_BYTES + 9} bytes]`);
    const { json } = await calls.changes(asha);
    const [{ id }] = json.threads[0].messages[1].attachments;
    const reply = await app.app.inject({ url: `/api/support/attachments/${id}`, headers: asha.headers });
    expect([reply.statusCode, reply.rawPayload.equals(contents[0] as Buffer)]).toEqual([200, true]);
    await expect(run('answer', thread, 'And this.', '--file', program)).rejects.toThrow('can be attached');
    await expect(run('answer', thread, 'And this.', '--file', empty)).rejects.toThrow('a file has 1 byte to 5 MB');
    await expect(run('answer', await visit(), 'And this.', '--file', bill)).rejects.toThrow('A visitor has no app');
    expect(await eventsOf(thread)).toHaveLength(1);
  });

  test('leaves no file behind when the answer fails or was sent before, and takes no room of the user meanwhile', async () => {
    const [thread, other] = [await calls.begin(asha), await calls.begin(asha)];
    const messages = app.app.get(DeskMessagesService);
    const act = { actorId: null, reason: 'asked' };
    const files = [{ name: 'bill.pdf', content: Buffer.from('%PDF-1.7 your bill') }];
    const storedFiles = async () =>
      (await readdir(app.config.dataDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const rows = () => query('SELECT message_id FROM attachment WHERE user_id = $1', [asha.user._id]);
    const kept = (await storedFiles()).length;
    const answer = { messageId: randomUUID(), text: 'Here it is.', files };
    await expect(messages.answer(act, thread, { ...answer, version: 99 })).rejects.toThrow('new message');
    expect([await rows(), (await storedFiles()).length]).toEqual([[], kept]);
    await messages.answer(act, thread, answer);
    await messages.answer(act, thread, answer);
    await expect(messages.answer(act, other, answer)).rejects.toThrow('another act');
    expect([await rows(), (await storedFiles()).length]).toEqual([[{ message_id: answer.messageId }], kept + 1]);
  });

  test.each([
    [[], 'messages: list, show, answer, close or reopen'],
    [['list', 'more'], 'list takes no words'],
    [['list', '--state', 'new'], 'list: --state waiting|answered|closed|all'],
    [['show', '7'], 'show: name one message'],
    [['answer', randomUUID()], 'answer needs a text'],
    [['close', randomUUID()], 'close needs a --reason'],
  ])('%j says what is wrong', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });
});
