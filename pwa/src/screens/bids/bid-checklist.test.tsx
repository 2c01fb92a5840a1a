// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeRecords } from '../../data/records/record-rows.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { changeCheck } from '../../features/checklist/checks.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { BidChecklist } from './BidChecklist.tsx';
import { readDocumentStates } from './document-states.ts';

const ASHA = '7';
const OWN = '0f8fad5b-d9cb-469f-a165-70867728950e';
const PAN = '00000000-0000-4000-8000-000000000001';

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  signInForTest(ASHA);
});
afterEach(async () => {
  await closeTestPages();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const road = (id: string, ...lines: string[]): Tender =>
  testTenderDetail({
    _id: id,
    documents: lines.map((name) => ({ cover: 'Fee/PreQual/Technical', type: 'pdf', name })),
  });

/** Stores a PAN card with its file. */
const storePan = (owner: string) =>
  withDatabase((db) => {
    const files = [{ hash: 'a'.repeat(64), name: 'PAN.pdf', type: 'application/pdf', bytes: 3 }];
    return writeRecords(db, owner, [{ kind: 'bidDocument', id: PAN, change: { kind: 'pan', files } }], 1);
  });

test('the documents of each bid are counted with the marks and documents of its user; a tender that is not here is left out', async () => {
  const tenders = new Map(
    [road('1', 'Copy of PAN', 'GST registration'), road('2', 'PAN')].map((each) => [each._id, each]),
  );
  const bids = [{ id: 'a', tenderId: '1' }, { id: 'b', tenderId: '2' }, { id: 'c', tenderId: '3' }, { id: OWN }];
  await withDatabase(async (db) => {
    await changeCheck(db, [ASHA, '1', 'gst_registration'], { state: 'missing' }, 1);
    await changeCheck(db, [ASHA, OWN, 'pan'], { state: 'missing' }, 1);
    await changeCheck(db, ['8', '2', 'pan'], { state: 'missing' }, 1);
  });
  const states = async () =>
    Object.fromEntries(await withDatabase((db) => readDocumentStates(db, { bids, tenders } as never)));
  expect(await states()).toEqual({
    a: { missing: 1, open: 1, text: '1 of 2 documents missing, 1 to check' },
    b: { missing: 0, open: 1, text: '1 of 1 document to check' },
    [OWN]: { missing: 1, open: 8, text: '1 of 9 documents missing, 8 to check' },
  });
  await storePan('8');
  expect((await states()).b?.open).toBe(1);
  await storePan(ASHA);
  expect(await states()).toMatchObject({
    a: { missing: 1, open: 0, text: '1 of 2 documents missing' },
    b: { missing: 0, open: 0, text: '1 document ready or not needed' },
  });
});

test('the checklist of a bid is served by the vault, prints its deposits and can be shared', async () => {
  await storePan(ASHA);
  const now = new Date('2026-04-11T09:00:00+05:30');
  const deposits = [{ id: '1', kind: 'emd', amountPaise: 2_500_000, mode: 'fdr', state: 'locked' }] as const;
  const page = await openTestPage(<BidChecklist tender={road('1', 'Copy of PAN')} deposits={deposits} now={now} />);
  await expect.poll(() => page.texts('a')[0]).toBe('Document vault: 1');
  await expect.poll(() => page.page.querySelector('ul label input')).toHaveProperty('checked', true);
  expect(page.texts('button')).toEqual(
    expect.arrayContaining(['PAN card · 1 file', 'Print', 'Share as text (WhatsApp)', 'Only what is missing']),
  );
  expect(page.texts('dl + ul')).toEqual(['EMD: ₹25,000, FDR (fixed deposit), day of payment not entered']);
  await page.show(<BidChecklist tender={road('2', 'PAN')} now={now} />);
  expect(page.texts('dl')).toEqual([]);
});
