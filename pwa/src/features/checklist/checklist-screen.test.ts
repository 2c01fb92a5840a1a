// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act } from 'preact/test-utils';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import type { ChecklistRow } from '../../data/bid-documents/checklist-rows.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { useToast } from '../../ui/feedback/toast.ts';
import { Checklist } from './Checklist.tsx';
import { readChecks } from './checks.ts';
import { recordMark } from './unsaved-marks.ts';

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  vi.restoreAllMocks();
  localStorage.clear();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const ROAD = testTenderDetail({
  ...{ closing_date: '2026-04-15T05:30:00.000Z', opening_date: '2026-04-16T05:30:00.000Z', bid_validity_days: 60 },
  ...{ fetched_at: '2026-04-10T05:30:00.000Z', contact_designation: 'Executive Engineer' },
  documents: [
    { cover: 'Fee/PreQual/Technical', type: 'pdf', name: 'Copy of PAN' },
    { cover: 'Fee/PreQual/Technical', type: 'pdf', name: 'GST registration' },
  ],
});

/** Shows the checklist of a tender; `copied` are the messages of its copy buttons. */
async function open(tender: Partial<Tender> = {}, changes: { depositLines?: string[]; at?: string } = {}) {
  const chosen = new Map<string, (documentId: string) => void>();
  const copied = new Map<string, () => string>();
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const element = h(Checklist, {
    ...{ tender: { ...ROAD, ...tender }, now: new Date(changes.at ?? '2026-04-11T09:00:00+05:30'), documents: [] },
    ...(changes.depositLines && { depositLines: changes.depositLines }),
    renderCopy: (label, makeText) => {
      copied.set(label, makeText);
      return null;
    },
    renderDocument: ({ key }: ChecklistRow, onChoose) => {
      chosen.set(key, onChoose);
      return null;
    },
  });
  const router = createMemoryRouter([{ path: '/', element }]);
  await act(async () => root.render(h(RouterProvider, { router })));
  ends.push(async () => {
    await act(async () => root.unmount());
    page.remove();
  });
  await expect.poll(() => page.querySelector('#checklist-standing')).not.toBeNull();
  const texts = (selector: string) =>
    [...page.querySelectorAll(selector)].map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim());
  const tick = (name: string) =>
    [...page.querySelectorAll('label')]
      .find(({ textContent }) => textContent?.startsWith(name))
      ?.querySelector('input') as HTMLInputElement;
  const type = async (value: string) => {
    const input = page.querySelector<HTMLInputElement>('form input') as HTMLInputElement;
    input.value = value;
    await act(async () => void input.dispatchEvent(new Event('input', { bubbles: true })));
  };
  const add = () => act(async () => page.querySelector('form')?.requestSubmit());
  return {
    page,
    texts,
    tick,
    type,
    add,
    chosen,
    copied,
    input: () => page.querySelector<HTMLInputElement>('form input'),
  };
}

const marks = async (tenderId = '1') =>
  (await withDatabase((db) => readChecks(db, '', tenderId))).map(({ key, state, documentId, text }) =>
    [key, state, documentId, text].filter((each) => each !== undefined && !String(each).startsWith('own:')).join(' '),
  );

test('the head says what the portal names, what is left, and when the list was read', async () => {
  const { page, texts } = await open();
  expect(page.querySelector('h2')?.textContent).toBe('Will my bid survive? क्या मेरी बोली टिकेगी?');
  expect(texts('header p')).toEqual([
    '2 documents named on the portal · closes 15 Apr 2026, 11:00 AM',
    '0 ready · 0 to fix · 0 to ask',
    '2 not marked yet.',
    'List read on 10 Apr 2026. A corrigendum may have changed it.',
  ]);
  expect(page.querySelector('[data-tone="gray"]')?.textContent).toBe('2 not marked yet.');
  expect(page.textContent).toContain(
    "Made from the portal's own list by Nivida, offline. The tender document prevails. PAN, Aadhaar and file copies are not included.",
  );
  expect(page.textContent).not.toContain('so marks cannot be saved');
});

test('a tick shows at once, is stored, and changes the summary; another tender has its own marks', async () => {
  const { tick, texts } = await open();
  await act(async () => tick('PAN card').click());
  expect(tick('PAN card').checked).toBe(true);
  expect(texts('[role="status"]')).toEqual(['1 ready · 0 to fix · 0 to ask']);
  expect(tick('GST registration').checked).toBe(false);
  await expect.poll(() => marks()).toEqual(['pan ready']);
  expect((await open({ _id: '2' })).tick('PAN card').checked).toBe(false);
  expect((await open()).tick('PAN card').checked).toBe(true);
});

test('a document of the vault that the user chooses serves its row', async () => {
  const { chosen } = await open();
  const id = '00000000-0000-4000-8000-000000000001';
  await act(async () => chosen.get('gst_registration')?.(id));
  await expect.poll(() => marks()).toEqual([`gst_registration ready ${id}`]);
});

test('a mark that the phone cannot store goes back, and says so', async () => {
  const { tick } = await open();
  await withDatabase(async (db) => {
    vi.spyOn(db.records, 'put').mockRejectedValue(new Error('disk'));
  });
  await act(async () => tick('PAN card').click());
  await expect
    .poll(() => useToast.getState().current?.text)
    .toBe('The mark was not saved. Free some storage and mark it again.');
  await expect.poll(() => tick('PAN card').checked).toBe(false);
});

test('a mark whose page was left before it was stored is shown when the checklist is opened again', async () => {
  recordMark(['', '1', 'pan'], { state: 'ready' }, 1_000);
  const { tick } = await open();
  await expect.poll(() => tick('PAN card').checked).toBe(true);
});

test('the rows of every bid are ticked and unticked, each by itself', async () => {
  const { tick, texts, page } = await open();
  expect(page.querySelector('section')?.getAttribute('aria-labelledby')).toBe(page.querySelector('h3')?.id);
  expect(texts('section li')).toHaveLength(5);
  expect(texts('section li small')[1]).toBe(
    'Most common reason an office wrote down: originals not handed in. Portal lists almost never say it.',
  );
  const name = 'My DSC works today and is valid past 15 Apr 2026.';
  await act(async () => tick(name).click());
  await expect.poll(() => marks()).toEqual(['standing:dsc ready']);
  expect(tick('No rate is written').checked).toBe(false);
  await act(async () => tick(name).click());
  await expect.poll(() => marks()).toEqual([]);
});

test('a document is added by its name, and the field is empty for the next one', async () => {
  const { page, type, add, input, texts } = await open();
  await type('   ');
  await add();
  expect(page.querySelector('form')?.textContent).toContain('Name the document');
  expect(input()?.getAttribute('aria-invalid')).toBe('true');
  await type(' NRC of the district ');
  expect(page.querySelector('form')?.textContent).not.toContain('Name the document');
  await add();
  await expect.poll(() => input()?.value).toBe('');
  await expect.poll(() => texts('ul label b')).toEqual(['PAN card', 'GST registration', 'NRC of the district']);
  expect(await marks()).toEqual([' NRC of the district']);
  expect(input()?.getAttribute('maxlength')).toBe('200');
});

test('a document that the phone cannot store stays in the field', async () => {
  const { type, add, input } = await open();
  await withDatabase(async (db) => {
    vi.spyOn(db.records, 'put').mockRejectedValue(new Error('disk'));
  });
  await type('NRC');
  await add();
  await expect
    .poll(() => useToast.getState().current?.text)
    .toBe('The mark was not saved. Free some storage and mark it again.');
  expect(input()?.value).toBe('NRC');
});

test('a tender without a list has the usual documents, and says that they are not from the portal', async () => {
  const { page, texts } = await open({ documents: [] });
  expect(page.textContent).toContain('This notice names no documents on the portal.');
  expect(texts('p').filter((text) => text?.startsWith('Usual in'))).toEqual([
    'Usual in PWD, Himachal Pradesh, check the NIT:',
  ]);
  expect(texts('header p').at(-1)).toBe('Notice read on 10 Apr 2026. A corrigendum may have changed it.');
  expect(page.textContent).toContain('Usual documents of PWD, Himachal Pradesh, not from the portal; check the NIT.');
  expect((await open()).page.textContent).not.toContain('Usual in');
});

test('a hint of the last day has its source below it, and that of the last hours has none', async () => {
  const eve = await open({ state: 'Assam' }, { at: '2026-04-14T09:00:00+05:30' });
  expect(eve.page.textContent).toContain('Submit by tonight, not tomorrow morning.');
  expect(eve.texts('header p').at(-1)).toMatch(/^Counted from 2,028 bids/);
  const last = await open({ _id: '3' }, { at: '2026-04-15T09:00:00+05:30' });
  expect(last.page.textContent).toContain('Less than 3 hours left. Upload now; check 7 open rows.');
  expect(last.texts('header p').at(-1)).not.toMatch(/^Counted/);
});

test('a bid prints the facts of its tender and its deposits, and a tender page does not', async () => {
  const { texts, page } = await open({ _id: '4' }, { depositLines: ['EMD ₹25,000, FDR', 'Tender fee ₹590'] });
  expect(texts('dt')).toEqual([
    ...['Closes', 'Opens', 'Office', 'Place', 'Estimated value', 'Tender fee', 'EMD', 'Bid validity', 'Contact'],
  ]);
  expect(texts('dd')[0]).toBe('15 Apr 2026, 11:00 AM');
  expect(texts('dl + ul li')).toEqual(['EMD ₹25,000, FDR', 'Tender fee ₹590']);
  expect(page.textContent).toContain('Metalling of a village road · 2026_PWD_100001_1 · closes 15 Apr 2026, 11:00 AM');
  const none = await open({ _id: '5' }, { depositLines: [] });
  expect(none.page.querySelector('dl + ul')).toBeNull();
  expect((await open({ _id: '6' })).page.querySelector('dl')).toBeNull();
});

test('one button copies all rows, the other one what is missing', async () => {
  const { tick, copied } = await open({ _id: '7' });
  await act(async () => tick('PAN card').click());
  expect([...copied.keys()]).toEqual(['Share as text (WhatsApp)', 'Only what is missing']);
  await expect.poll(() => copied.get('Share as text (WhatsApp)')?.()).toContain('✓ PAN card – Ready');
  expect(copied.get('Only what is missing')?.()).not.toContain('PAN card');
  expect(copied.get('Only what is missing')?.()).toContain('☐ GST registration');
});
