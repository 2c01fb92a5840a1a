import type { DeskThread } from '@nivida/contract/desk/messages';
import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { signInForTest } from '../../../data/test-session.ts';
import { openTestPage } from '../../../ui/test-page.tsx';
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

beforeEach(() => {
  sent.length = 0;
  uploads.length = 0;
  colleague = null;
  sessionStorage.clear();
  answer = () => Response.json({ ...THREAD, state: 'answered', version: 2, waitingSince: null });
  signInForTest('7');
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.endsWith('/answering')) return Response.json({ answeringBy: colleague });
    if (request.method === 'PUT') {
      uploads.push(request.url);
      return Response.json({
        stored: 1,
        attachment: { id: 'a', name: 'bill.pdf', type: 'application/pdf', bytes: 10 },
      });
    }
    if (!request.url.endsWith('/answer')) return Response.json({}, { status: 503 });
    sent.push({ key: request.headers.get('idempotency-key'), body: await request.clone().json() });
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

test('a file is uploaded when it is chosen and named by the answer; a visitor gets none', async () => {
  const page = await open();
  const input = page.page.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('no place for files');
  Object.defineProperty(input, 'files', { value: [new File(['%PDF-1.7 a'], 'bill.pdf')] });
  await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })));
  await expect.poll(() => page.text()).toContain('bill.pdf');
  expect(uploads).toEqual([expect.stringMatching(/attachments\/([0-9a-f-]{36})\/0\/1\?name=bill\.pdf$/)]);
  await page.enter(LABEL, 'Here it is.');
  await page.press('Send');
  await expect.poll(() => sent[0]?.body.attachmentIds).toEqual([uploads[0]?.split('/').at(-3)]);
  await expect.poll(() => page.text()).not.toContain('bill.pdf');
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
