import type { DeskThread } from '@nivida/contract/desk/messages';
import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { saveTabDraft } from '../../../data/device/tab-drafts.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { openTestPage, type TestPage } from '../../../ui/test-page.tsx';
import { AnswerBox } from './AnswerBox.tsx';

const THREAD: DeskThread = {
  id: '11111111-1111-4111-8111-111111111111',
  subject: 'My documents',
  state: 'waiting',
  name: 'Asha Verma',
  isVisitor: false,
  waitingSince: '2026-11-10T06:00:00.000Z',
  updatedAt: '2026-11-10T06:00:00.000Z',
  excerpt: 'The file does not open.',
  orderId: null,
  tenderId: null,
  hasPriority: false,
  answeringBy: null,
  version: 1,
  language: 'en',
  createdAt: '2026-11-10T06:00:00.000Z',
  company: '',
  email: 'a***@builders.example',
  mobile: '******2345',
  order: null,
  tender: null,
  messages: [],
};

/** The field with its hint. */
const LABEL = 'Your answer goes to the app and by mail';

/** The answers that were sent, and what the server says to the next one. */
const sent: {
  key: string | null;
  body: { messageId: string; text: string; attachmentIds: string[]; version: number };
}[] = [];
const uploads: string[] = [];
let answer: () => Response;
let colleague: string | null;
/** What uploads and answers wait for. */
let pause: () => Promise<void>;

beforeEach(() => {
  sent.length = 0;
  uploads.length = 0;
  colleague = null;
  pause = async () => undefined;
  sessionStorage.clear();
  answer = () => Response.json({ ...THREAD, state: 'answered', version: 2, waitingSince: null });
  signInForTest('7');
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.endsWith('/answering')) return Response.json({ answeringBy: colleague });
    if (request.method === 'PUT') {
      uploads.push(request.url);
      await pause();
      return Response.json({
        stored: 1,
        attachment: { id: 'a', name: 'bill.pdf', type: 'application/pdf', bytes: 10 },
      });
    }
    if (!request.url.endsWith('/answer')) return Response.json({}, { status: 503 });
    sent.push({ key: request.headers.get('idempotency-key'), body: await request.clone().json() });
    await pause();
    return answer();
  });
});

const open = (thread = THREAD) => openTestPage(<AnswerBox thread={thread} />);

test('an answer is sent with the version that was read, and its draft is kept until then', async () => {
  const page = await open();
  await page.enter(LABEL, 'Try it again now.');
  await page.close();
  const again = await open();
  expect(again.field(LABEL)).toHaveProperty('value', 'Try it again now.');
  await again.press('Send');
  await expect.poll(() => sent).toMatchObject([{ body: { text: 'Try it again now.', version: 1 } }]);
  await expect.poll(() => again.field(LABEL)).toHaveProperty('value', '');
  await again.close();
  expect((await open()).field(LABEL)).toHaveProperty('value', '');
});

test('after a conflict the text stays, and is sent as the same answer', async () => {
  const text = 'Ravi has answered in the meantime. Read it before you send yours.';
  answer = () => Response.json({ code: 'CONFLICT', message: text, requestId: '1' }, { status: 409 });
  const page = await open();
  await page.enter(LABEL, 'And this.');
  await page.press('Send');
  await expect.poll(() => page.text()).toContain(text);
  expect(page.field(LABEL)).toHaveProperty('value', 'And this.');
  await page.press('Send');
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[1]?.body.messageId).toBe(sent[0]?.body.messageId);
});

/** Chooses a PDF, or drops it. */
async function choose({ page }: TestPage, name = 'bill.pdf', content = '%PDF-1.7 a'): Promise<void> {
  const input = page.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('no place for files');
  Object.defineProperty(input, 'files', { value: [new File([content], name)], configurable: true });
  await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })));
}
const send = async ({ page }: TestPage) => {
  await act(async () => page.querySelector('form')?.requestSubmit());
};
const focused = () => document.activeElement?.textContent;

test('an answer waits for its file, and nothing is changed while it is sent', async () => {
  const waiting: (() => void)[] = [];
  pause = () => new Promise((resolve) => void waiting.push(resolve));
  const next = async () => {
    await expect.poll(() => waiting.length).toBe(1);
    await act(async () => waiting.pop()?.());
  };
  const page = await open();
  await page.enter(LABEL, 'Here it is.');
  await choose(page);
  await expect.poll(() => waiting.length).toBe(1);
  expect([page.text(), page.button('Send').disabled]).toEqual([expect.stringContaining('Uploading.'), true]);
  await send(page);
  await choose(page, 'plan.pdf');
  expect(page.text()).toContain('plan.pdf: not added, because an upload or the answer is still on its way.');
  await next();
  await expect.poll(() => page.texts('[role="status"]')).toEqual(['Uploaded: bill.pdf']);
  expect([sent, uploads.length]).toEqual([[], 1]);
  await send(page);
  await expect.poll(() => waiting.length).toBe(1);
  expect(page.field(LABEL).readOnly).toBe(true);
  expect(page.button('Remove bill.pdf').disabled).toBe(true);
  await choose(page, 'late.pdf');
  expect(page.text()).toContain('late.pdf: not added');
  await next();
  await expect.poll(() => page.field(LABEL).value).toBe('');
  expect(page.field(LABEL).readOnly).toBe(false);
  expect(sent[0]?.body.attachmentIds).toHaveLength(1);
  expect([page.hasButton('Remove bill.pdf'), uploads.length]).toEqual([false, 1]);
});

test('a removed file leaves the focus at the choice of files, and no error of it', async () => {
  const page = await open();
  await choose(page);
  await expect.poll(() => page.hasButton('Remove bill.pdf')).toBe(true);
  await choose(page, 'notes.txt', 'plain text');
  await expect.poll(() => page.page.querySelector('[role="alert"]')?.textContent).toBeTruthy();
  page.button('Remove bill.pdf').focus();
  await page.press('Remove bill.pdf');
  expect([focused(), page.page.querySelector('[role="alert"]')]).toEqual(['Choose files', null]);
});

test('a draft of text alone, which an earlier version stored, is kept', async () => {
  saveTabDraft(`answer ${THREAD.id}`, '7', { text: 'Half an answer' });
  expect((await open()).field(LABEL)).toHaveProperty('value', 'Half an answer');
});

test('a file is uploaded when it is chosen and named by the answer; a visitor gets none', async () => {
  const page = await open();
  await choose(page);
  await expect.poll(() => page.hasButton('Remove bill.pdf')).toBe(true);
  expect(uploads).toEqual([expect.stringMatching(/attachments\/([0-9a-f-]{36})\/0\/1\?name=bill\.pdf$/)]);
  await page.enter(LABEL, 'Here it is.');
  await page.press('Send');
  await expect.poll(() => sent[0]?.body.attachmentIds).toEqual([uploads[0]?.split('/').at(-3)]);
  await expect.poll(() => page.hasButton('Remove bill.pdf')).toBe(false);
  await page.close();
  const other = await open({ ...THREAD, isVisitor: true });
  expect(other.page.querySelector('input[type="file"]')).toBeNull();
});

test('it says who writes an answer already', async () => {
  colleague = 'Ravi';
  const page = await open();
  await page.enter(LABEL, 'One moment');
  await expect.poll(() => page.text()).toContain('Ravi is writing an answer.');
});
