import type { DeskLine } from '@nivida/contract/desk/document-lines';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signInForTest } from '../../data/test-session.ts';
import { DocumentLines } from '../../features/desk/documents/DocumentLines.tsx';
import { factValueText, fileStateTexts, topicLabels } from '../../features/document-facts/fact-labels.ts';
import { testReadFile } from '../../features/document-facts/test-reading.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { openTestPage } from '../../ui/test-page.tsx';

const EMD: DeskLine = {
  ...{ id: '31', fileId: '1', topic: 'emd', page: 4, quote: 'Earnest money Rs 24,000', state: 'found' },
  ...{ value: { unit: 'rupees', amount: '24000.00' }, foundValue: { unit: 'rupees', amount: '24000.00' } },
  decidedAt: null,
};
const PERIOD: DeskLine = { ...EMD, id: '32', topic: 'period', page: 5, quote: 'Time: see below', value: null };
const DECIDED_AT = '2026-04-13T05:30:00.000Z';

/** Each test has a tender of its own: answers are cached for the whole app. */
let id = 50;
let files = [testReadFile()];
let lines: DeskLine[];
let failure: Response | undefined;
let sent: { path: string; body: object }[];

beforeEach(() => {
  id += 1;
  files = [testReadFile()];
  lines = [EMD, { ...PERIOD, foundValue: null }];
  failure = undefined;
  sent = [];
  signInForTest('7');
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname.replace('/api/desk/', '');
    if (!path.startsWith(`documents/${id}/lines`)) return Response.json({}, { status: 503 });
    if (request.method === 'POST') sent.push({ path, body: await request.json() });
    return failure?.clone() ?? Response.json({ id, files, lines });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  while (useToast.getState().current) dismissToast();
});

const openLines = () =>
  openTestPage(
    <DocumentLines
      id={String(id)}
      texts={{ topics: topicLabels(), valueText: factValueText, fileTexts: fileStateTexts }}
    />,
  );
type LinesPage = Awaited<ReturnType<typeof openLines>>;
const toast = () => useToast.getState().current;

/** Opens the dialog of an act, gives the reason and does it. The server's lines are then `after`. */
async function decide(page: LinesPage, label: string, after: DeskLine[]): Promise<void> {
  await page.press(label);
  await finish(page, after);
}
async function finish({ page, enter }: LinesPage, after: DeskLine[]): Promise<void> {
  await enter('Reason stays in the audit log', 'compared');
  lines = after;
  await act(async () => page.querySelector<HTMLButtonElement>('dialog [type="submit"]')?.click());
}

test('each line has its page, its words, its value and what can be decided; a file says how far it was read', async () => {
  files = [testReadFile({ state: 'part', unreadPages: [{ page: 3, why: 'picture' }] })];
  const { text, texts, names } = await openLines();
  await expect.poll(() => texts('blockquote')).toEqual(['Earnest money Rs 24,000', 'Time: see below']);
  expect(text()).toContain('nit.pdfPage 3 is a picture: read it yourself.');
  expect(text()).toContain('EMD page 4 Found, not checked');
  expect(texts('blockquote + p')).toEqual(['Value: ₹24,000', 'Value: no value']);
  expect(names()).toEqual(['Confirm', 'Correct', 'Hide', 'Confirm', 'Correct', 'Hide']);
});

test('a file that was not read yet has no line, and a tender without files no block', async () => {
  files = [testReadFile({ state: 'waiting', pages: null, readAt: null })];
  lines = [];
  const page = await openLines();
  await expect.poll(page.text).toBe('What the documents saynit.pdfNot read yet. Its lines appear here later.');
  await page.close();

  id += 1;
  files = [];
  const empty = await openLines();
  await expect.poll(empty.text).toBe('');
});

test('a line is hidden with a reason, which can be undone and taken back', async () => {
  const page = await openLines();
  await expect.poll(() => page.hasButton('Hide')).toBe(true);
  const hidden: DeskLine = { ...EMD, state: 'hidden', decidedAt: DECIDED_AT };
  await decide(page, 'Hide', [hidden]);
  await expect
    .poll(() => sent)
    .toEqual([{ path: `documents/${id}/lines/31/hide`, body: { decidedAt: null, reason: 'compared' } }]);
  await expect.poll(page.text).toContain('Hidden from users');
  expect(page.names()).toEqual(['Confirm', 'Correct', 'Take back']);

  expect(toast()?.text).toBe('Hidden');
  lines = [EMD];
  await act(async () => toast()?.action?.run());
  await expect
    .poll(() => sent.at(-1))
    .toEqual({
      ...{ path: `documents/${id}/lines/31/restore` },
      body: { decidedAt: DECIDED_AT, reason: 'Undone: compared' },
    });
  await expect.poll(page.text).toContain('Found, not checked');
});

test('a line is confirmed', async () => {
  lines = [EMD];
  const page = await openLines();
  await expect.poll(() => page.hasButton('Confirm')).toBe(true);
  await decide(page, 'Confirm', [{ ...EMD, state: 'confirmed', decidedAt: DECIDED_AT }]);
  await expect.poll(() => page.names()).toEqual(['Correct', 'Hide', 'Take back']);
  expect(page.text()).toContain('EMD page 4 Confirmed');
  expect(sent).toMatchObject([{ path: `documents/${id}/lines/31/confirm` }]);
});

test('a value is corrected, in the words of the line; the value that the reader found stays beside it', async () => {
  lines = [EMD];
  const page = await openLines();
  await expect.poll(() => page.hasButton('Correct')).toBe(true);
  await page.press('Correct');
  expect(page.text()).toContain('Now: ₹24,000');
  await page.enter('Right value for example 25,000', '42,000.5');
  const corrected: DeskLine = {
    ...{ ...EMD, state: 'corrected', decidedAt: DECIDED_AT },
    value: { unit: 'rupees', amount: '42000.50' },
  };
  await finish(page, [corrected]);
  expect(sent).toMatchObject([
    { path: `documents/${id}/lines/31/correct`, body: { value: { unit: 'rupees', amount: '42000.50' } } },
  ]);
  await expect.poll(page.text).toContain('Value: ₹42,000.50 · the reader found: ₹24,000');

  await page.press('Correct');
  await page.enter('Kind of value', 'none');
  await finish(page, [{ ...corrected, value: null }]);
  expect(sent.at(-1)?.body).toMatchObject({ value: null, decidedAt: DECIDED_AT });
  await expect.poll(page.text).toContain('Value: no value · the reader found: ₹24,000');
});

test('lines that could not be loaded say so, and are loaded again', async () => {
  failure = Response.json(
    { code: 'SERVER_ERROR', message: 'The server has a problem', requestId: '1' },
    { status: 500 },
  );
  const page = await openLines();
  await expect.poll(page.text).toContain('The server has a problem');
  failure = undefined;
  await page.press('Try Again');
  await expect.poll(() => page.texts('blockquote')).toHaveLength(2);
});
