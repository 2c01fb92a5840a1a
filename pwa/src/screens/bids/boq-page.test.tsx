// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Boq, BoqItem } from '@nivida/contract/documents/boq';
import type { OwnReading, TenderReading } from '@nivida/contract/documents/tender-reading';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act } from 'react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { readRecords, writeRecords } from '../../data/records/record-rows.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { rateBookCsv } from '../../features/boq/RateBookList.tsx';
import { percentOfFile, ratesOf } from '../../features/boq/rate-records.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { BoqPage } from './BoqPage.screen.tsx';
import { RateBook } from './RateBook.screen.tsx';

const FILE = 'a'.repeat(64);
const EARLIER = 'b'.repeat(64);

const item = (row: number, fields: Partial<BoqItem> = {}): BoqItem => ({
  ...{ row, no: `${row}`, text: `Work of kind ${row}`, unit: 'cum', quantity: '2', rate: null, offered: null },
  ...fields,
});
const ITEMS = [
  item(12, { no: 'A', text: 'Foundation', unit: null, quantity: null }),
  item(13, { text: 'Earth work in excavation' }),
  item(14, { text: 'Cement concrete M20' }),
  item(15, { no: 'B', text: 'Finishing', unit: null, quantity: null }),
  item(16, { text: 'Plaster of walls', unit: 'sqm', quantity: '10.5' }),
];
const boqOf = (fields: Partial<Boq> = {}): Boq => ({
  ...{ kind: 'item-rate', sheet: 'BoQ1', items: ITEMS, statedTotal: null, offeredPercent: null },
  ...fields,
});
const SUMMARY = {
  ...{ kind: 'item-rate' as const, items: 3, isLumpSum: false },
  ...{ totalPaise: null, statedTotalPaise: null, totalState: 'unknown' as const },
};
const readingOf = (boq: Partial<TenderReading['boqs'][number]> = {}, file: object = {}): TenderReading => ({
  files: [
    {
      ...{ id: '1', name: 'boq.xls', kind: 'boq', sha256: FILE, state: 'done', pages: null, unreadPages: [] },
      ...{ readAt: null, isOwn: false },
      ...file,
    },
  ],
  facts: [],
  boqs: [{ fileId: '1', summary: SUMMARY, boq: boqOf(), changes: null, ...boq }],
});

let answers: Record<string, unknown>;
let page: TestPage;

beforeEach(() => {
  answers = {};
  localStorage.clear();
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    const found = Object.entries(answers).find(([path]) => pathname.startsWith(path));
    return found ? Response.json(found[1]) : Response.json({ code: 'NOT_FOUND', message: '-' }, { status: 404 });
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  clearSession();
  dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Opens the BOQ of a tender. Each test has a tender of its own, because answers stay for a minute. */
async function open(id: string, reading: TenderReading, price: number | null = null): Promise<void> {
  answers[`/api/tenders/${id}/reading`] = reading;
  const tender = testTenderDetail({ _id: id, title: 'Road to Kaza', price });
  await withDatabase((db) => db.tenders.put({ id, tender, savedAt: Date.now() }));
  await reopen(id);
}
async function reopen(id: string): Promise<void> {
  await closeTestPages();
  page = await openTestPage(
    <Routes>
      <Route path="/tenders/:id/boq" element={<BoqPage />} />
      <Route path="*" element={null} />
    </Routes>,
    `/tenders/${id}/boq`,
  );
}
const stored = (owner = '') => withDatabase((db) => readRecords(db, owner, 'rate'));
const storedRates = async (owner = '') => [...ratesOf(await stored(owner), FILE)].sort(([a], [b]) => a - b);
const rate = (no: string) => page.field(`Rate of item ${no}`);
const lines = () => page.texts('li[data-row] > p:first-of-type');
const total = () => page.texts('[data-total]')[0];
const undo = () => act(async () => useToast.getState().current?.action?.run());

describe('the BOQ of a tender', () => {
  test('shows its headings and items, and a search finds words and numbers of any script', async () => {
    await open('101', readingOf());
    await expect.poll(lines).toEqual(['Earth work in excavation', 'Cement concrete M20', 'Plaster of walls']);
    expect(page.texts('h3')).toEqual(['A Foundation', 'B Finishing']);
    expect(page.text()).toContain('3 items');
    await page.enter('Search in the items', 'm२० conc');
    expect([lines(), page.texts('h3')]).toEqual([['Cement concrete M20'], ['A Foundation']]);
    await page.enter('Search in the items', 'steel');
    expect(page.text()).toContain('No item has these words.');
    await page.press('Show all items');
    expect(lines()).toHaveLength(3);
  });

  test.each([
    [
      'totals that agree',
      { totalPaise: 10_00, statedTotalPaise: 10_00, totalState: 'agrees' },
      'The items add up to the total that the file states.',
    ],
    [
      'totals that differ',
      { totalPaise: 10_00, statedTotalPaise: 20_00, totalState: 'differs' },
      'The items add up to ₹10, but the file states ₹20.',
    ],
    ['one line', { isLumpSum: true, items: 1 }, 'One lump-sum line: the quantities are in the PDF.'],
  ] as const)('says what it means: %s', async (name, summary, sentence) => {
    await open(`102${name.length}`, readingOf({ summary: { ...SUMMARY, ...summary } }));
    await expect.poll(() => page.text()).toContain(sentence);
  });

  test.each([
    ['locked', 'This BOQ is locked with a password. Open it on a computer.'],
    ['template', 'This BOQ is an empty template: it has no items.'],
    ['broken', 'This BOQ is damaged and cannot be read.'],
  ])('that is %s says so', async (state, sentence) => {
    await open(`103${state.codePointAt(0)}`, { ...readingOf({}, { state }), boqs: [] });
    await expect.poll(() => page.text()).toContain(sentence);
  });

  test('without the package has its figures, and no items', async () => {
    await open('104', readingOf({ boq: null }));
    await expect.poll(() => page.text()).toContain('The items are in the document package');
    expect(page.text()).toContain('3 items');
    expect(lines()).toEqual([]);
  });

  test('is compared with the estimate of the portal', async () => {
    await open('105', readingOf({ summary: { ...SUMMARY, totalPaise: 95_800_00 } }), 100_000);
    await expect.poll(() => page.text()).toContain('Estimate of the portal: ₹1,00,000. Total of the BOQ: 4.2 % below');
  });
});

test('my total stands beside what awards of the office were', async () => {
  const range = { isShown: true, basis: 'office', awards: 96, officeAwards: 96, low: -1_000, high: 0, coverage: null };
  const office = {
    ...{ office: { id: '1f9bdfe7817f', key: 'PWD', name: 'PWD', kind: 'chain', department: 'PWD', state: 'Assam' } },
    ...{ awards: 96, firstKnownOn: '2026-01-01', lastKnownOn: '2026-10-01', isOld: false, bidders: range },
    ...{ price: range, daysToContract: range, masses: [{ price: -1_000, count: 90, of: 96 }] },
    ...{ refused: null, singleBid: null, lateBids: null, computedOn: '2026-11-09', isDemonstration: false },
  };
  answers['/api/tenders/109/office'] = { office, award: null, stateHasAwards: true };
  await open('109', readingOf());
  await expect.poll(() => page.text()).toContain('Awards of this office: ');
  expect(page.text()).toContain('90 of 96 were recorded at 10 % below the estimate.');
});

describe('my rates', () => {
  test('are stored while they are typed, half-typed too, and add up to figures and words', async () => {
    await open('201', readingOf(), 1_000);
    await expect.poll(lines).toHaveLength(3);
    await page.enter('Rate of item 13', '110.');
    await expect.poll(() => storedRates()).toEqual([[13, '110']]);
    await page.enter('Rate of item 13', '१,११०.50');
    await page.enter('Rate of item 16', '20');
    await expect
      .poll(() => storedRates())
      .toEqual([
        [13, '1110.5'],
        [16, '20'],
      ]);
    // A part of the items does not look like the whole.
    await expect.poll(total).toBe('So far: ₹2,431');
    expect(page.text()).toContain('1 of 3 without a rate');
    expect(page.text()).toContain('One per cent is ₹10.');
    // While a rate is missing there is nothing to compare.
    expect(page.text()).not.toContain('above the estimate');
    await page.enter('Rate of item 14', '0');
    await expect.poll(() => page.text()).toContain('143.1 % above the estimate');
    expect(total()).toBe('₹2,431');
    expect(page.text()).toContain('Rupees two thousand four hundred thirty-one only');
    await reopen('201');
    await expect.poll(() => rate('13').value).toBe('1110.5');
  });

  test('that are no number are not stored and say why', async () => {
    await open('202', readingOf());
    await expect.poll(lines).toHaveLength(3);
    await page.enter('Rate of item 13', '12abc');
    expect(page.errorAt('Rate of item 13')).toBe('Write the rate as a number, such as 110.50');
    expect(await storedRates()).toEqual([]);
    await page.enter('Rate of item 13', '12');
    expect(page.errorAt('Rate of item 13')).toBeUndefined();
    await expect.poll(() => storedRates()).toEqual([[13, '12']]);
    await page.enter('Rate of item 13', '');
    await expect.poll(() => storedRates()).toEqual([]);
  });

  test('are entered with the keyboard alone: Enter and the arrows move between the items', async () => {
    await open('203', readingOf());
    await expect.poll(lines).toHaveLength(3);
    const key = (name: string, shiftKey = false) =>
      act(async () => {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, shiftKey, bubbles: true }));
      });
    await act(async () => rate('13').focus());
    const focused = () => document.activeElement?.getAttribute('aria-label');
    await key('Enter');
    expect(focused()).toBe('Rate of item 14');
    await key('ArrowDown');
    expect(focused()).toBe('Rate of item 16');
    await key('ArrowUp');
    await key('Enter', true);
    expect(focused()).toBe('Rate of item 13');
    await page.enter('Rate of item 13', '5');
    await expect.poll(() => page.text()).toContain('2 of 3 without a rate');
    await page.press('Next item without a rate');
    expect(focused()).toBe('Rate of item 14');
  });

  test('are pasted as a column, and taken back by Undo', async () => {
    await open('204', readingOf());
    await expect.poll(lines).toHaveLength(3);
    await page.enter('Rate of item 14', '7');
    await expect.poll(() => storedRates()).toEqual([[14, '7']]);
    const paste = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(paste, { clipboardData: { getData: () => '1,100\t9\r\nx\r\n33.5\r\n' } });
    await act(async () => rate('13').dispatchEvent(paste));
    await expect
      .poll(() => storedRates())
      .toEqual([
        [13, '1100'],
        [14, '7'],
        [16, '33.5'],
      ]);
    expect(useToast.getState().current?.text).toBe('2 rates entered.');
    await undo();
    await expect.poll(() => storedRates()).toEqual([[14, '7']]);
  });

  test('are filtered to the items without one, which stay while they are typed', async () => {
    await open('205', readingOf());
    await expect.poll(lines).toHaveLength(3);
    await page.enter('Rate of item 13', '5');
    await expect.poll(() => page.text()).toContain('2 of 3 without a rate');
    await page.toggle('Only without my rate');
    expect(lines()).toEqual(['Cement concrete M20', 'Plaster of walls']);
    await page.enter('Rate of item 14', '6');
    await expect.poll(() => storedRates()).toHaveLength(2);
    expect(lines()).toHaveLength(2);
  });

  test('are removed together, and brought back by Undo', async () => {
    await open('206', readingOf());
    await expect.poll(lines).toHaveLength(3);
    await page.enter('Rate of item 13', '5');
    await page.enter('Rate of item 14', '6');
    await expect.poll(() => total()).toBe('So far: ₹22');
    await page.press('Remove all my rates of this BOQ');
    await expect.poll(() => storedRates()).toEqual([]);
    await undo();
    await expect.poll(() => storedRates()).toHaveLength(2);
  });

  test('are one per cent above or below for a percentage BOQ', async () => {
    const items = ITEMS.map((each) => ({ ...each, rate: each.quantity === null ? null : '100' }));
    const summary = { ...SUMMARY, kind: 'percentage' as const, totalPaise: 1_450_00 };
    await open('207', readingOf({ boq: boqOf({ kind: 'percentage', items }), summary }));
    await expect.poll(lines).toHaveLength(3);
    const percent = async () => percentOfFile(await stored(), FILE);
    await page.enter('My per cent', '4.2');
    await expect.poll(percent).toBe('-4.2');
    await expect.poll(total).toBe('₹1,389.10');
    expect(page.text()).toContain('4.2 % below the estimate');
    expect(page.text()).toContain('One per cent is ₹14.50.');
    await page.enter('Above or below', 'above');
    await expect.poll(percent).toBe('4.2');
    await page.enter('My per cent', '120');
    await expect.poll(percent).toBe('120');
    await page.enter('Above or below', 'below');
    expect(page.errorAt('My per cent')).toBe('Write per cent as a number, such as 4.25');
    expect(await percent()).toBe('120');
  });

  test('belong to the signed-in user', async () => {
    signInForTest('7');
    await open('208', readingOf());
    await expect.poll(lines).toHaveLength(3);
    await page.enter('Rate of item 13', '5');
    await expect.poll(() => storedRates('7')).toEqual([[13, '5']]);
    expect(await storedRates()).toEqual([]);
    expect(await withDatabase((db) => db.outbox.where({ owner: '7', kind: 'record' }).count())).toBe(1);
  });
});

/** A stored rate of another BOQ. */
const pastRate = (id: string, change: object) =>
  withDatabase((db) =>
    writeRecords(
      db,
      '',
      [
        {
          ...{ kind: 'rate', id: `0000000${id}-0000-4000-8000-000000000000` },
          change: { tenderId: '9', file: EARLIER, row: 3, source: 'Bridge at Mandi', ...change },
        },
      ],
      1,
    ),
  );

test('past rates for an item are shown on tap with source and day, and are used only by a tap', async () => {
  await pastRate('1', {
    rate: '210',
    text: 'Earth work in excavation',
    unit: 'm³',
    ratedAt: '2026-01-05T06:00:00.000Z',
  });
  await pastRate('2', { rate: '50', text: 'Earth work in excavation', unit: 'sqm' });
  const schedule = { scheduleId: 's', code: '2.8', text: 'Earth work by hand', unit: 'cum', rate: '199' };
  answers['/api/tenders/301/rate-candidates'] = {
    schedules: [{ id: 's', name: 'Schedule 2025', from: '2025-04-01' }],
    lines: [{ fileId: '1', row: 13, items: [schedule] }],
  };
  await open('301', readingOf());
  await expect.poll(lines).toHaveLength(3);
  await act(async () => rate('13').focus());
  expect(page.text()).not.toContain('Bridge at Mandi');
  await page.press('Past rates');
  await expect.poll(() => page.text()).toContain('₹210 per m³ Earth work in excavationBridge at Mandi · 5 Jan 2026');
  await expect.poll(() => page.text()).toContain('₹199 per cum Earth work by handSchedule 2025, 2.8 · 1 Apr 2025');
  expect(page.text()).not.toContain('₹50');
  expect(rate('13').value).toBe('');
  await page.press('Use ₹210 per m³');
  await expect.poll(() => storedRates()).toEqual([[13, '210']]);
  await act(async () => rate('16').focus());
  await page.press('Past rates');
  await expect.poll(() => page.text()).toContain('No past rate of yours has this unit and a similar text.');
});

describe('after a corrigendum', () => {
  test('the changed lines are shown with what they cost at my rates', async () => {
    const before = item(13, { text: 'Earth work in excavation' });
    const changes = {
      ...{ added: [item(16, { text: 'Plaster of walls', unit: 'sqm', quantity: '10.5' })], removed: [] },
      changed: [{ before: { ...before, quantity: '1' }, after: before }],
    };
    await open('401', readingOf({ changes }));
    await expect.poll(() => page.text()).toContain('1 line added, 1 line changed');
    expect(page.text()).toContain('1 cum is now 2 cum');
    await page.enter('Rate of item 13', '100');
    await page.enter('Rate of item 16', '10');
    await expect.poll(() => page.text()).toContain('At your rates: ₹205 more.');
  });

  test('earlier rates of items that are the same are offered, and taken over only on tap', async () => {
    await pastRate('1', { tenderId: '402', rate: '210', text: 'Earth work in excavation', unit: 'cum', row: 10 });
    await open('402', readingOf());
    await expect.poll(() => page.text()).toContain('1 rate of the earlier file is for an item that is the same.');
    expect(await storedRates()).toEqual([]);
    await page.press('Take them over');
    await expect.poll(() => storedRates()).toEqual([[13, '210']]);
    await expect.poll(() => page.hasButton('Take them over')).toBe(false);
    await undo();
    await expect.poll(() => storedRates()).toEqual([]);
  });

  test('the last per cent of an earlier file is offered, and taken over only on tap', async () => {
    const earlier = { tenderId: '403', row: 0 };
    await pastRate('1', { ...earlier, percent: '-3', ratedAt: '2026-11-02T10:00:00.000Z' });
    await pastRate('2', { ...earlier, file: 'c'.repeat(64), percent: '5', ratedAt: '2026-11-01T10:00:00.000Z' });
    const summary = { ...SUMMARY, kind: 'percentage' as const, totalPaise: 1_000_00 };
    await open('403', readingOf({ boq: boqOf({ kind: 'percentage' }), summary }));
    await expect.poll(() => page.text()).toContain('For the earlier file you entered: 3 % below the estimate.');
    const percent = async () => percentOfFile(await stored(), FILE);
    expect(await percent()).toBe(null);
    await page.press('Take it over');
    await expect.poll(percent).toBe('-3');
    await expect.poll(total).toBe('₹970');
    await expect.poll(() => page.hasButton('Take it over')).toBe(false);
  });
});

describe('a filled copy', () => {
  const own = (boq: Boq | null, state: OwnReading['state'] = 'done'): OwnReading => ({
    ...{ id: '1', name: 'filled.xls', sha256: 'c'.repeat(64), state, pages: null, unreadPages: [], facts: [] },
    ...{ boq, tenderId: null, expiresAt: null },
  });
  const choose = async (reading: OwnReading) => {
    answers['/api/readings/files/'] = { stored: 1, reading };
    const input = page.page.querySelector('input[type="file"]') as HTMLInputElement;
    Object.defineProperty(input, 'files', { value: [new File(['x'], 'filled.xls')], configurable: true });
    Object.defineProperty(input, 'value', { value: '', writable: true, configurable: true });
    await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })));
  };
  const filled = (offered: Record<number, string>, fields: Record<number, Partial<BoqItem>> = {}) =>
    boqOf({ items: ITEMS.map((each) => ({ ...each, offered: offered[each.row] ?? null, ...fields[each.row] })) });

  test('is compared cell by cell with the original and with my rates', async () => {
    signInForTest('9');
    await open('501', readingOf());
    await expect.poll(lines).toHaveLength(3);
    for (const [no, value] of [
      ['13', '5'],
      ['14', '101'],
      ['16', '7'],
    ] as const)
      await page.enter(`Rate of item ${no}`, value);
    await expect.poll(() => storedRates('9')).toHaveLength(3);
    await choose(own(filled({ 13: '5.00', 14: '101', 16: '7' })));
    await expect.poll(() => page.text()).toContain('All 3 rates agree with yours.');
    await choose(own(filled({ 13: '5', 14: '110' }, { 16: { quantity: '11' } })));
    await expect.poll(() => page.text()).toContain('The template was changed: the portal refuses such a file.');
    expect(page.text()).toContain('The template was changed in row 16: quantity “11” instead of “10.5”.');
    expect(page.text()).toContain('Row 14: 110 in the file, 101 in your rates.');
    expect(page.text()).toContain('Row 16 has no rate; yours is 7.');
    await choose(own(null, 'locked'));
    await expect.poll(() => page.text()).toContain('This BOQ is locked with a password.');
    await choose(own(null));
    await expect.poll(() => page.text()).toContain('This file is no BOQ.');
  });

  test('needs a sign-in', async () => {
    await open('502', readingOf());
    await expect.poll(() => page.text()).toContain('Sign in to check a file.');
    expect(page.hasButton('Choose the filled file')).toBe(false);
  });
});

describe('the rate book', () => {
  test('lists past rates, finds them by words, and deletes with Undo', async () => {
    await pastRate('1', { rate: '1210.5', text: 'Earth work', unit: 'cum', ratedAt: '2026-01-05T06:00:00.000Z' });
    await pastRate('2', { rate: '90', text: 'Plaster', unit: 'sqm', ratedAt: '2026-02-05T06:00:00.000Z' });
    await pastRate('3', { percent: '-4', row: 0 });
    page = await openTestPage(<RateBook />);
    await expect.poll(() => page.texts('strong')).toEqual(['₹90 per sqm', '₹1,210.5 per cum']);
    await page.enter('Search in my rates', 'earth mandi');
    expect(page.texts('strong')).toEqual(['₹1,210.5 per cum']);
    await page.press('Delete the rate 1210.5 for Earth work');
    await expect.poll(() => page.texts('strong')).toEqual([]);
    await undo();
    await expect.poll(() => page.texts('strong')).toEqual(['₹1,210.5 per cum']);
  });

  test('is empty at first', async () => {
    page = await openTestPage(<RateBook />);
    await expect.poll(() => page.text()).toContain('No rates yet');
  });

  test('is exported with one line for each rate', () => {
    const past = { id: '1', tenderId: '9', file: FILE, row: 3, unit: 'cum', source: 'Bridge, Mandi', rate: '12.5' };
    expect(rateBookCsv([{ ...past, text: '=1+1', ratedAt: '2026-01-05T06:00:00.000Z' }])).toBe(
      '\ufeffItem,Unit,Rate (₹),Tender,Entered\r\n"\'=1+1",cum,12.5,"Bridge, Mandi",5 Jan 2026\r\n',
    );
  });
});
