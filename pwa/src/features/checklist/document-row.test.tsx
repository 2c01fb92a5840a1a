import 'fake-indexeddb/auto';
import { afterEach, expect, test } from 'vitest';
import type { ChecklistRow, CheckRow, RowStatus } from '../../data/bid-documents/checklist-rows.ts';
import { findKind } from '../../data/bid-documents/match-kinds.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { addOwnRow } from './check-actions.ts';
import { readChecks } from './checks.ts';
import { DocumentRow, tickChange } from './DocumentRow.tsx';

afterEach(async () => {
  await closeTestPages();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

test.each([
  ['a row is ready when it is ticked', undefined, true, 'ready'],
  ['a mark goes when it is unticked', undefined, false, null],
  ['a row that a document serves is missing when it is unticked', { id: 'p', kind: 'pan' }, false, 'missing'],
])('%s', (_name, served, isTicked, state) => {
  expect(tickChange({ document: served }, isTicked)).toEqual({ state });
});

const check = (fields: Partial<CheckRow>): CheckRow => ({
  ...{ owner: '', tenderId: '1', key: 'pan', state: 'ready', at: 1 },
  ...fields,
});

/** Shows a row on 15 April 2026 in India; `changes` are the marks that the user makes. */
async function showRow(fields: Partial<ChecklistRow>) {
  const row: ChecklistRow = {
    ...{ key: 'pan', kind: findKind('pan'), name: 'PAN card', lines: [], badges: [], check: undefined },
    ...{ document: undefined, status: 'unmarked', text: 'Not marked yet', isOwn: false },
    ...fields,
  };
  const changes: unknown[] = [];
  const props = {
    ...{ row, now: new Date('2026-04-14T19:00:00Z'), onMark: (change: unknown) => changes.push(change) },
    document: <em>document of the vault</em>,
  };
  const page = await openTestPage(
    <ul>
      <DocumentRow {...props} />
    </ul>,
  );
  const [label = ''] = page.texts('label');
  return {
    ...page,
    changes,
    box: () => page.field(label),
    tick: () => page.toggle(label),
    date: () => page.page.querySelector<HTMLInputElement>('input[type="date"]'),
  };
}

test('the checkbox of a portal line with spaces is described by its state', async () => {
  const line = { key: 'line:estimate of work', name: 'Estimate of work', lines: ['Estimate of work'] };
  const { box, texts } = await showRow({ ...line, kind: undefined });
  const ids = box().getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(ids.map((id) => texts(`[id="${id}"]`))).toEqual([['☐ Not marked yet']]);
});

test('a row has its name in both languages, its state with a sign and a colour, and the document that serves it', async () => {
  const { texts, page, box } = await showRow({ status: 'missing', text: 'Missing' });
  expect(texts('label')).toEqual(['PAN cardPAN कार्ड']);
  expect(page.querySelector('small')?.getAttribute('lang')).toBe('hi');
  expect(texts('p[id]')).toEqual(['✗ Missing']);
  expect(page.querySelector('p[id]')?.getAttribute('data-tone')).toBe('red');
  expect(page.querySelector('p[id] [aria-hidden="true"]')?.textContent).toBe('✗');
  expect(texts('em')).toEqual(['document of the vault']);
  expect(box().checked).toBe(false);
});

test.each<[RowStatus, string]>([
  ['ready', '✓ green'],
  ['expires', '! amber'],
  ['expires_soon', '! amber'],
  ['no_date', '? amber'],
  ['no_file', '? amber'],
  ['old', '! amber'],
  ['make_new', '✎ amber'],
  ['unmarked', '☐ gray'],
  ['missing', '✗ red'],
  ['not_needed', '– gray'],
  ['ask', '? amber'],
  ['other', '? amber'],
])('a row that is %s has the sign and colour %s', async (status, expected) => {
  const { page } = await showRow({ status });
  const state = page.querySelector('p[id]');
  expect(`${state?.firstElementChild?.textContent} ${state?.getAttribute('data-tone')}`).toBe(expected);
});

test('a row is ticked by its mark or by the document that serves it, and a tick marks it as ready', async () => {
  const unmarked = await showRow({});
  await unmarked.tick();
  expect(unmarked.changes).toEqual([{ state: 'ready' }]);
  const ready = await showRow({ check: check({}), status: 'ready' });
  expect(ready.box().checked).toBe(true);
  await ready.tick();
  expect(ready.changes).toEqual([{ state: null }]);
  const served = await showRow({ document: { id: 'p', kind: 'pan' } });
  expect(served.box().checked).toBe(true);
  const missing = await showRow({ check: check({ state: 'missing' }) });
  expect(missing.box().checked).toBe(false);
});

test('a ready row of a kind that expires asks for its last day, unless a document of the vault serves it', async () => {
  const enlistment = { key: 'enlistment', kind: findKind('enlistment'), name: 'Enlistment' };
  const row = await showRow({ ...enlistment, check: check({ validUntil: '2027-03-31' }) });
  expect(row.field('Valid until').value).toBe('2027-03-31');
  await row.enter('Valid until', '2028-03-31');
  expect(row.changes).toEqual([{ state: 'ready', validUntil: '2028-03-31' }]);
  const without = [
    { ...enlistment, check: check({}), document: { id: 'e', kind: 'enlistment' } },
    { ...enlistment, check: check({ state: 'missing' }) },
    enlistment,
    { check: check({}) },
  ] as const;
  for (const fields of without) expect((await showRow(fields)).date()).toBeNull();
  expect((await showRow({ ...enlistment, check: check({}) })).date()?.value).toBe('');
});

const STATE = 'State of PAN card';

test('every other state is chosen from a list, and a reason of an earlier day stays in it', async () => {
  const row = await showRow({ check: check({ state: 'not_needed', reason: 'Office said so on 2 Apr 2026' }) });
  expect(row.texts('option')).toEqual([
    ...['Not marked', 'Ready', 'Missing', 'Ask the office'],
    ...['I bid alone (no joint venture)', 'I am the owner (no power of attorney)', 'No exemption claimed'],
    ...['Only if applicable', 'Office said so on 15 Apr 2026', 'Office said so on 2 Apr 2026'],
  ]);
  expect(row.field(STATE).value).toBe('not_needed Office said so on 2 Apr 2026');
  for (const value of ['ready', 'missing', 'ask_office', '', 'not_needed Only if applicable'])
    await row.enter(STATE, value);
  expect(row.changes).toEqual([
    { state: 'ready' },
    { state: 'missing' },
    { state: 'ask_office' },
    { state: null },
    { state: 'not_needed', reason: 'Only if applicable' },
  ]);
  expect((await showRow({})).field(STATE).value).toBe('');
  expect((await showRow({ check: check({ state: 'ask_office' }) })).field(STATE).value).toBe('ask_office');
  const known = await showRow({ check: check({ state: 'not_needed', reason: 'Only if applicable' }) });
  expect(known.texts('option')).toHaveLength(9);
});

test("a row has the portal's lines except its own name, and says when the portal has cut one", async () => {
  const long = 'x'.repeat(99);
  const row = await showRow({ lines: ['PAN card', 'Copy of PAN', long], badges: ['notary', 'ca_signed'] });
  const lines = () => row.texts('li > p').filter((text) => text.startsWith('“'));
  expect(lines()).toEqual(['“Copy of PAN”', `“${long}”`]);
  expect(row.text()).toContain('notarysigned by CA');
  expect(row.text()).not.toContain('The portal cuts this line');
  const cut = await showRow({ lines: ['Copy of PAN', `${long}y`] });
  expect(cut.text()).toContain('The portal cuts this line at 100 letters. Read the rest in the tender document.');
});

test('a kind has its description, who issues it and the common mistakes; another row has none', async () => {
  const row = await showRow({});
  expect(row.texts('summary')).toEqual(['Change the mark, common mistakes']);
  expect(row.text()).toContain(
    'Permanent Account Number of the bidder (firm PAN for a firm). Issued by: Income Tax Department.',
  );
  expect(row.texts('details li')).toEqual(['PAN of the partner uploaded instead of the firm', 'unreadable scan']);
  const own = await showRow({ kind: undefined });
  expect(own.texts('summary')).toEqual(['Change the mark']);
  expect(own.text()).not.toContain('Issued by');
});

test('only a row that the user added can be removed', async () => {
  await addOwnRow('1', 'NRC of the district');
  const [own] = await withDatabase((db) => readChecks(db, '', '1'));
  const row = await showRow({ kind: undefined, name: 'NRC of the district', check: own, isOwn: true });
  await row.press('Remove NRC of the district');
  await expect.poll(() => useToast.getState().current?.text).toBe('Removed: NRC of the district');
  expect(await withDatabase((db) => readChecks(db, '', '1'))).toEqual([]);
  expect((await showRow({ check: own })).names('button')).toEqual(['PAN']);
});
