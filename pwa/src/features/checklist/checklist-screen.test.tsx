// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { Checklist } from './Checklist.tsx';
import { readChecks } from './checks.ts';
import { recordMark } from './unsaved-marks.ts';

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  while (useToast.getState().current) dismissToast();
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

/** Opens the checklist of a tender, whose rows are ticked by the beginnings of their names; `copied` are its messages. */
async function open(tender: Partial<Tender> = {}, changes: { depositLines?: string[]; at?: string } = {}) {
  const chosen = new Map<string, (documentId: string) => void>();
  const copied = new Map<string, () => string>();
  const checklist = () => (
    <Checklist
      {...{ tender: { ...ROAD, ...tender }, documents: [], depositLines: changes.depositLines }}
      now={new Date(changes.at ?? '2026-04-11T09:00:00+05:30')}
      renderCopy={(label, makeText) => void copied.set(label, makeText)}
      renderDocument={({ key }, onChoose) => void chosen.set(key, onChoose)}
    />
  );
  const opened = await openTestPage(checklist());
  const { texts, field, toggle, page, show } = opened;
  await expect.poll(() => page.querySelector('#checklist-standing')).not.toBeNull();
  // An effect of the stored rows, which takes earlier ticks away, runs before the next render.
  await show(checklist());
  const labelOf = (start: string) => texts('label').find((each) => each.startsWith(start)) ?? start;
  return {
    ...opened,
    chosen,
    copied,
    isTicked: (start: string) => field(labelOf(start)).checked,
    tick: (start: string) => toggle(labelOf(start)),
  };
}

const NEW_DOCUMENT = 'Add a document from the tender document';
const failWrites = () =>
  withDatabase(async (db) => void vi.spyOn(db.records, 'put').mockRejectedValue(new Error('disk')));
const toastText = () => useToast.getState().current?.text;

const marks = async (tenderId = '1') =>
  (await withDatabase((db) => readChecks(db, '', tenderId))).map(({ key, state, documentId, text }) =>
    [key, state, documentId, text].filter((each) => each !== undefined && !String(each).startsWith('own:')).join(' '),
  );

test('the head says what the portal names, what is left, and when the list was read', async () => {
  const { page, texts, text } = await open();
  expect(texts('h2')).toEqual(['Will my bid survive? क्या मेरी बोली टिकेगी?']);
  expect(texts('header p')).toEqual([
    '2 documents named on the portal · closes 15 Apr 2026, 11:00 AM',
    '0 ready · 0 to fix · 0 to ask',
    '2 not marked yet.',
    'List read on 10 Apr 2026. A corrigendum may have changed it.',
  ]);
  expect(page.querySelector('[data-tone="gray"]')?.textContent).toBe('2 not marked yet.');
  expect(text()).toContain(
    "Made from the portal's own list by Nivida, offline. The tender document prevails. PAN, Aadhaar and file copies are not included.",
  );
  expect(text()).not.toContain('so marks cannot be saved');
});

test('a tick shows at once, is stored, and changes the summary; another tender has its own marks', async () => {
  const { tick, isTicked, texts } = await open();
  await tick('PAN card');
  expect(isTicked('PAN card')).toBe(true);
  expect(texts('[role="status"]')).toEqual(['1 ready · 0 to fix · 0 to ask']);
  expect(isTicked('GST registration')).toBe(false);
  await expect.poll(() => marks()).toEqual(['pan ready']);
  expect((await open({ _id: '2' })).isTicked('PAN card')).toBe(false);
  expect((await open()).isTicked('PAN card')).toBe(true);
});

describe('rows that need no more work', () => {
  /** The folds, each with whether it is open. */
  const foldsOf = (page: Element) =>
    [...page.querySelectorAll('details')]
      .map((each) => [each.querySelector('summary')?.textContent, each.open] as const)
      .filter(([title]) => /done|not needed/.test(title ?? ''));
  const namesOf = (page: Element, selector: string) =>
    [...page.querySelectorAll(`${selector} label b`)].map(({ textContent }) => textContent);
  const LIST = 'div > ul';

  test('are folded behind their number, of documents and of every bid', async () => {
    const { page, tick, enter } = await open({ _id: '11' });
    expect(foldsOf(page)).toEqual([]);
    await tick('PAN card');
    await enter('State of GST registration', 'not_needed No exemption claimed');
    await tick('My DSC works today');
    await tick('No rate is written');
    expect(foldsOf(page)).toEqual([
      ['1 done', false],
      ['1 not needed', false],
      ['2 done', false],
    ]);
    expect(namesOf(page, LIST)).not.toContain('PAN card');
    expect(namesOf(page, 'details')).toEqual(['PAN card', 'GST registration']);
    expect(page.querySelectorAll('section div > ul > li')).toHaveLength(3);
  });

  test('stay open once they are opened, also when the checklist is left and opened again', async () => {
    const { page, tick, press, close } = await open({ _id: '12' });
    await tick('PAN card');
    const fold = () => page.querySelector('details:has(label)') as HTMLDetailsElement;
    expect(fold().querySelector('summary')?.textContent).toBe('1 done');
    fold().open = true;
    await press('Add');
    await tick('GST registration');
    expect(foldsOf(page)).toEqual([['2 done', true]]);
    await expect.poll(() => marks('12')).toHaveLength(2);
    await close();
    expect(foldsOf((await open({ _id: '12' })).page)).toEqual([['2 done', true]]);
  });

  test('leave the fold when they need work again, and the focus follows', async () => {
    const { page, tick, field, texts } = await open({ _id: '13' });
    const box = (start: string) => field(texts('label').find((each) => each.startsWith(start)) ?? start);
    box('PAN card').focus();
    await tick('PAN card');
    expect(document.activeElement).toBe(box('GST registration'));
    box('PAN card').focus();
    await tick('PAN card');
    expect(foldsOf(page)).toEqual([]);
    expect(document.activeElement).toBe(box('PAN card'));
  });

  test('are printed', async () => {
    const { page, tick } = await open({ _id: '14' });
    await tick('PAN card');
    window.dispatchEvent(new Event('beforeprint'));
    expect(foldsOf(page)).toEqual([['1 done', true]]);
    window.dispatchEvent(new Event('afterprint'));
    expect(foldsOf(page)).toEqual([['1 done', false]]);
  });
});

test('a document of the vault that the user chooses serves its row', async () => {
  const { chosen } = await open();
  const id = '00000000-0000-4000-8000-000000000001';
  chosen.get('gst_registration')?.(id);
  await expect.poll(() => marks()).toEqual([`gst_registration ready ${id}`]);
});

test('a mark that the phone cannot store goes back, and says so', async () => {
  const { tick, isTicked } = await open();
  await failWrites();
  await tick('PAN card');
  await expect.poll(toastText).toBe('The mark was not saved. Free some storage and mark it again.');
  await expect.poll(() => isTicked('PAN card')).toBe(false);
});

test('a mark whose page was left before it was stored is shown when the checklist is opened again', async () => {
  recordMark(['', '1', 'pan'], { state: 'ready' }, 1_000);
  const { isTicked } = await open();
  await expect.poll(() => isTicked('PAN card')).toBe(true);
});

test('the rows of every bid are ticked and unticked, each by itself', async () => {
  const { tick, isTicked, texts, page } = await open();
  expect(page.querySelector('section')?.getAttribute('aria-labelledby')).toBe(page.querySelector('h3')?.id);
  expect(texts('section li')).toHaveLength(5);
  expect(texts('section li small')[1]).toBe(
    'Most common reason an office wrote down: originals not handed in. Portal lists almost never say it.',
  );
  const name = 'My DSC works today and is valid past 15 Apr 2026.';
  await tick(name);
  await expect.poll(() => marks()).toEqual(['standing:dsc ready']);
  expect(isTicked('No rate is written')).toBe(false);
  await tick(name);
  await expect.poll(() => marks()).toEqual([]);
});

test('a document is added by its name, and the field is empty for the next one', async () => {
  const { enter, press, field, errorAt, texts } = await open();
  await enter(NEW_DOCUMENT, '   ');
  await press('Add');
  expect(errorAt(NEW_DOCUMENT)).toBe('Name the document');
  await enter(NEW_DOCUMENT, ' NRC of the district ');
  expect(errorAt(NEW_DOCUMENT)).toBeUndefined();
  await press('Add');
  await expect.poll(() => field(NEW_DOCUMENT).value).toBe('');
  await expect.poll(() => texts('ul label b')).toEqual(['PAN card', 'GST registration', 'NRC of the district']);
  expect(await marks()).toEqual([' NRC of the district']);
  expect(field(NEW_DOCUMENT).maxLength).toBe(200);
});

test('a document that the phone cannot store stays in the field', async () => {
  const { enter, press, field } = await open();
  await failWrites();
  await enter(NEW_DOCUMENT, 'NRC');
  await press('Add');
  await expect.poll(toastText).toBe('The mark was not saved. Free some storage and mark it again.');
  expect(field(NEW_DOCUMENT).value).toBe('NRC');
});

test('a tender without a list has the usual documents, and says that they are not from the portal', async () => {
  const { text, texts } = await open({ documents: [] });
  expect(text()).toContain('This notice names no documents on the portal.');
  expect(texts('p').filter((each) => each.startsWith('Usual in'))).toEqual([
    'Usual in PWD, Himachal Pradesh, check the NIT:',
  ]);
  expect(texts('header p').at(-1)).toBe('Notice read on 10 Apr 2026. A corrigendum may have changed it.');
  expect(text()).toContain('Usual documents of PWD, Himachal Pradesh, not from the portal; check the NIT.');
  expect((await open()).text()).not.toContain('Usual in');
});

test('a hint of the last day has its source below it, and that of the last hours has none', async () => {
  const eve = await open({ state: 'Assam' }, { at: '2026-04-14T09:00:00+05:30' });
  expect(eve.text()).toContain('Submit by tonight, not tomorrow morning.');
  expect(eve.texts('header p').at(-1)).toMatch(/^Counted from 2,028 bids/);
  const last = await open({ _id: '3' }, { at: '2026-04-15T09:00:00+05:30' });
  expect(last.text()).toContain('Less than 3 hours left. Upload now; check 7 open rows.');
  expect(last.texts('header p').at(-1)).not.toMatch(/^Counted/);
});

test('a bid prints the facts of its tender and its deposits, and a tender page does not', async () => {
  const { texts, text } = await open({ _id: '4' }, { depositLines: ['EMD ₹25,000, FDR', 'Tender fee ₹590'] });
  expect(texts('dt')).toEqual([
    ...['Closes', 'Opens', 'Office', 'Place', 'Estimated value', 'Tender fee', 'EMD', 'Bid validity', 'Contact'],
  ]);
  expect(texts('dd')[0]).toBe('15 Apr 2026, 11:00 AM');
  expect(texts('dl + ul li')).toEqual(['EMD ₹25,000, FDR', 'Tender fee ₹590']);
  expect(text()).toContain('Metalling of a village road · 2026_PWD_100001_1 · closes 15 Apr 2026, 11:00 AM');
  const none = await open({ _id: '5' }, { depositLines: [] });
  expect(none.page.querySelector('dl + ul')).toBeNull();
  expect((await open({ _id: '6' })).page.querySelector('dl')).toBeNull();
});

test('one button copies all rows, the other one what is missing', async () => {
  const { tick, copied } = await open({ _id: '7' });
  await tick('PAN card');
  expect([...copied.keys()]).toEqual(['Share as text (WhatsApp)', 'Only what is missing']);
  await expect.poll(() => copied.get('Share as text (WhatsApp)')?.()).toContain('✓ PAN card – Ready');
  expect(copied.get('Only what is missing')?.()).not.toContain('PAN card');
  expect(copied.get('Only what is missing')?.()).toContain('☐ GST registration');
});
