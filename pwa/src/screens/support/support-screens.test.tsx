// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import type { SupportThread } from '@nivida/contract/support/threads';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { closeDatabase, useDatabaseState, withDatabase } from '../../data/device/database.ts';
import type { PendingMessageRow } from '../../data/device/schema.ts';
import { reportScreenReady } from '../../data/first-screen.ts';
import { clearSession } from '../../data/session.ts';
import { stopSupport } from '../../data/support/exchange-support.ts';
import { signInForTest } from '../../data/test-session.ts';
import { AnswerNotices } from '../../features/support/AnswerNotices.tsx';
import { AskAboutTender } from '../../features/support/AskAboutTender.tsx';
import { UnreadAnswers } from '../../features/support/UnreadAnswers.tsx';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { Support } from './Support.screen.tsx';
import { SupportConversation } from './SupportConversation.screen.tsx';

const T1 = '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01';
const ADDRESS = `/dashboard/support/${T1}`;

let page: TestPage;
let user = '';
let onLine: MockInstance<() => boolean>;
/** Bodies of the calls that write, by their address. */
let sent: [string, Record<string, unknown>][];
let answers: Record<string, () => Response | Promise<Response>>;

const at = () => new Date().toISOString();
const message = (id: string, sender: 'user' | 'staff', text: string) => ({
  ...{ id, sender, text, createdAt: at(), readAt: null, attachments: [] },
});
const thread = (changes: Partial<SupportThread> = {}): SupportThread => ({
  ...{ id: T1, subject: 'Roads of Kinnaur', state: 'answered', orderId: null, tenderId: '12', tenderTitle: 'A road' },
  ...{ createdAt: at(), updatedAt: at() },
  messages: [message('m1', 'user', 'Is the BOQ there?'), message('a1', 'staff', 'Yes, since today.')],
  ...changes,
});
const list = (...threads: SupportThread[]) =>
  Response.json({ threads, ids: threads.map(({ id }) => id), cursor: 'c1', more: false });
const pendingMessage = (changes: Partial<PendingMessageRow> = {}): PendingMessageRow => ({
  ...{ id: 'm9', owner: user, kind: 'message', at: Date.now() - 60_000, threadId: T1, thread: null },
  ...{ text: 'And the drawings?', files: [], refusal: null, delay: null },
  ...changes,
});

beforeEach(() => {
  sent = [];
  answers = { 'GET /api/support/threads': () => list() };
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    if (request.method === 'POST') sent.push([call, JSON.parse((await request.clone().text()) || '{}')]);
    const answer = Object.entries(answers).find(([start]) => call.startsWith(start))?.[1];
    return answer ? answer() : Response.json({}, { status: 404 });
  });
  user = String(Number(user) + 1);
  signInForTest(user);
  reportScreenReady();
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  stopSupport();
  clearSession();
  localStorage.clear();
  sessionStorage.clear();
  while (useToast.getState().current) dismissToast();
  useDatabaseState.setState({ state: 'closed' });
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const open = async (address: Parameters<typeof openTestPage>[1]) => {
  page = await openTestPage(
    <Routes>
      <Route path="/dashboard/support" element={<Support />} />
      <Route path="/dashboard/support/:id" element={<SupportConversation />} />
    </Routes>,
    address,
  );
};
const see = (text: string) => expect.poll(() => page.text()).toContain(text);
const setOnline = (isOnline: boolean) =>
  act(async () => {
    onLine.mockReturnValue(isOnline);
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  });
const put = (row: PendingMessageRow) => withDatabase((db) => db.outbox.put(row));
const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith('support'));

describe('the list', () => {
  test('without messages says what to ask, and offers the form', async () => {
    await open('/dashboard/support');
    await see('No messages yet.');
    expect(page.text()).toContain('Response within 24 hours · Monday-Friday 9am-5pm IST');
    await page.press('Write to us');
    expect([page.address(), page.texts('h2')]).toEqual(['/dashboard/support?write', ['Write to us']]);
  });

  test('has each thread with its state, its last message and what is attached', async () => {
    answers['GET /api/support/threads'] = () => list(thread());
    await open('/dashboard/support');
    await see('Roads of Kinnaur');
    expect(page.texts('main li, .entries li')[0]).toMatch(
      /^Roads of KinnaurNewNivida support: Yes, since today\.Answered.*About a tender$/,
    );
    expect(page.button('Write to us')).toBeDefined();
  });

  test('says offline that earlier messages need a connection, and shows them at the next connection', async () => {
    onLine.mockReturnValue(false);
    await open('/dashboard/support');
    await see('Your earlier messages need a connection the first time.');
    answers['GET /api/support/threads'] = () => list(thread());
    await setOnline(true);
    await see('Roads of Kinnaur');
  });

  test('says why it could not be loaded', async () => {
    answers['GET /api/support/threads'] = () => Response.json({ message: 'The database rests' }, { status: 500 });
    await open('/dashboard/support');
    await see('The database rests');
    answers['GET /api/support/threads'] = () => list(thread());
    await page.press('Try Again');
    await see('Roads of Kinnaur');
  });

  test('leads to the contact form where the browser stores nothing', async () => {
    useDatabaseState.setState({ state: 'unavailable' });
    await open('/dashboard/support');
    await see('This browser blocks storage, so messages cannot be kept here.');
    expect(page.button('Write to us by email').getAttribute('href')).toBe('/contact');
  });
});

describe('the form', () => {
  test('sends a message with the tender attached, and opens its thread', async () => {
    answers['POST /api/support/threads'] = () => list();
    await open({ pathname: '/dashboard/support', search: '?tender=12', state: { title: 'A road' } });
    expect(page.field('Subject').value).toBe('Tender: A road');
    expect(page.button('A road').getAttribute('href')).toBe('/tenders/12');
    await page.press('Send Message');
    expect(page.errorAt('Message')).toBe('Message is required');
    onLine.mockReturnValue(false);
    await page.enter('Message', 'Is the BOQ there?');
    await page.press('Send Message');
    await see('Waits for a connection');
    expect(page.address()).toMatch(/^\/dashboard\/support\/[0-9a-f-]{36}$/);
    expect(page.texts('h1')).toEqual(['Tender: A road']);
    expect(drafts()).toEqual([]);
    const id = page.address().split('/').at(-1);
    answers['POST /api/support/threads'] = () =>
      Response.json(thread({ id: id ?? '', state: 'waiting', messages: [message('m1', 'user', 'Is the BOQ there?')] }));
    answers['GET /api/support/threads'] = () => new Response(null, { status: 204 });
    await setOnline(true);
    await expect.poll(() => page.text()).toMatch(/Sent \d+:\d\d [AP]M/);
    expect(sent[0]?.[1]).toMatchObject({ id, subject: 'Tender: A road', tenderId: '12', orderId: null });
    expect(page.texts('h2')).toEqual(['Write back']);
  });

  test('names an order, and keeps what was typed over a reload until it is cancelled by its writer', async () => {
    await open('/dashboard/support?order=ord_1');
    expect(page.text()).toContain('Attached: order ord_1');
    await page.fill({ Subject: 'My receipt', Message: 'It has the wrong name' });
    await page.close();
    await open('/dashboard/support?write');
    expect([page.field('Subject').value, page.field('Message').value]).toEqual(['My receipt', 'It has the wrong name']);
    await page.press('Cancel');
    expect(page.address()).toBe('/dashboard/support');
  });

  test('is empty for the next user of the phone', async () => {
    await open('/dashboard/support?write');
    await page.fill({ Message: 'A half-typed question' });
    await page.close();
    signInForTest('99');
    await open('/dashboard/support?write');
    expect(page.field('Message').value).toBe('');
  });

  test('refuses what is no picture and no PDF, with its name', async () => {
    await open('/dashboard/support?write');
    const input = page.page.querySelectorAll<HTMLInputElement>('input[type=file]')[1];
    Object.defineProperty(input, 'files', { value: [new File(['text'], 'notes.txt')] });
    await act(async () => input?.dispatchEvent(new Event('change', { bubbles: true })));
    await see('“notes.txt” is not a PDF, JPEG, PNG or WebP file. It was not added.');
  });

  test('adds a PDF, which waits with the message', async () => {
    await open('/dashboard/support?write');
    const input = page.page.querySelectorAll<HTMLInputElement>('input[type=file]')[1];
    Object.defineProperty(input, 'files', { value: [new File(['%PDF-1.7'], 'letter.pdf')] });
    await act(async () => input?.dispatchEvent(new Event('change', { bubbles: true })));
    await see('letter.pdf');
    onLine.mockReturnValue(false);
    await page.fill({ Subject: 'A letter', Message: 'See the letter' });
    await page.press('Send Message');
    await see('Waits for a connection');
    const rows = await withDatabase((db) => db.outbox.toArray());
    expect(rows).toMatchObject([{ files: [{ name: 'letter.pdf', type: 'application/pdf', bytes: 8 }] }]);
    expect(await withDatabase((db) => db.supportFiles.count())).toBe(1);
  });
});

describe('a thread', () => {
  test('is marked as read here and on the server, and a reply is sent', async () => {
    let held = thread();
    answers['GET /api/support/threads'] = () => list(held);
    answers[`POST /api/support/threads/${T1}/read`] = () => {
      held = { ...held, messages: held.messages.map((each) => ({ ...each, readAt: at() })) };
      return Response.json(held);
    };
    answers[`POST /api/support/threads/${T1}/messages`] = () => {
      held = { ...held, state: 'waiting', messages: [...held.messages, message('m2', 'user', 'Thank you')] };
      return Response.json(held);
    };
    await open(ADDRESS);
    await see('Yes, since today.');
    await expect.poll(() => sent.map(([call]) => call)).toContain(`POST /api/support/threads/${T1}/read`);
    await page.enter('Message', 'Thank you');
    await page.press('Send Message');
    await see('Waiting for our answer');
    expect(page.field('Message').value).toBe('');
    const reply = sent.find(([call]) => call.endsWith('/messages'));
    expect(reply?.[1]).toMatchObject({ text: 'Thank you', attachmentIds: [] });
  });

  test('keeps a refused message with its reason; it is edited, sent again or removed, and the removal undone', async () => {
    answers['GET /api/support/threads'] = () => list(thread());
    await put(pendingMessage({ refusal: 'A message can have at most 5 files' }));
    await open(ADDRESS);
    await see('Not sent: A message can have at most 5 files');
    await page.enter('Message', 'Please hurry');
    await page.press('Edit');
    await expect.poll(() => page.field('Message').value).toBe('And the drawings?\n\nPlease hurry');
    expect(await withDatabase((db) => db.outbox.count())).toBe(0);
    await put(pendingMessage({ refusal: 'No room' }));
    await see('Not sent: No room');
    await page.press('Remove');
    await expect.poll(() => useToast.getState().current?.text).toBe('Message removed.');
    await expect.poll(() => page.text()).not.toContain('No room');
    await act(async () => useToast.getState().current?.action?.run());
    await see('Not sent: No room');
    answers[`POST /api/support/threads/${T1}/messages`] = () => Response.json(thread({ messages: [] }));
    await page.press('Send again');
    await expect.poll(() => page.text()).not.toContain('No room');
  });

  test('that is not sent is edited in the form of new messages', async () => {
    onLine.mockReturnValue(false);
    await put(
      pendingMessage({ thread: { subject: 'My receipt', orderId: 'ord_1', tenderId: null, tenderTitle: null } }),
    );
    await open(ADDRESS);
    await see('You can add to it once this message is sent.');
    await page.press('Edit');
    await expect.poll(() => page.address()).toBe('/dashboard/support?write=&order=ord_1');
    expect([page.field('Subject').value, page.field('Message').value]).toEqual(['My receipt', 'And the drawings?']);
  });

  test('is closed by its user, and opened again by "Undo"', async () => {
    answers['GET /api/support/threads'] = () => list(thread());
    await open(ADDRESS);
    await see('Answered');
    await page.press('My question is solved');
    await see('This conversation is closed. A new message opens it again.');
    await act(async () => useToast.getState().current?.action?.run());
    await see('Answered');
    expect(page.text()).not.toContain('This conversation is closed');
  });

  test('that is not on this phone says so', async () => {
    await open(ADDRESS);
    await see('It was removed, or it belongs to another account.');
    await page.close();
    onLine.mockReturnValue(false);
    await open(ADDRESS);
    await see('You are offline. It opens here when there is a connection.');
  });
});

test('unread answers are counted in the menu and listed among the notices, of this user only', async () => {
  await withDatabase((db) => db.supportThreads.put({ ...thread(), owner: user, unsentRead: null }));
  await withDatabase((db) => db.supportThreads.put({ ...thread({ id: 't8' }), owner: '88', unsentRead: null }));
  page = await openTestPage(
    <>
      <UnreadAnswers />
      <AnswerNotices />
    </>,
  );
  await see('1 unread answer');
  await expect.poll(() => page.names('a')).toEqual(['Support has answered: Roads of Kinnaur']);
  expect(page.button('Support has answered: Roads of Kinnaur').getAttribute('href')).toBe(ADDRESS);
});

test('a tender is asked about by signed-in users', async () => {
  page = await openTestPage(<AskAboutTender tender={{ _id: '12', title: 'A road' }} />);
  await page.press('Ask about this tender');
  expect(page.address()).toBe('/dashboard/support?tender=12');
  await act(async () => clearSession());
  expect(page.names()).toEqual([]);
});
