// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeRecords } from '../../data/records/record-rows.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { MyBids } from './MyBids.tsx';

afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const writeBids = (...bids: { id: string; change: object }[]) =>
  withDatabase((db) =>
    writeRecords(
      db,
      '',
      bids.map((bid) => ({ kind: 'bid' as const, ...bid })),
      1,
    ),
  );

test('the bids of a stage are copied as a message: what the bid does not know is left out', async () => {
  const copied: string[] = [];
  const writeText = async (text: string) => void copied.push(text);
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as Clipboard);
  const road = testTenderDetail({ _id: '12', title: 'Road', price: 450_000, closing_date: '2099-04-15T05:30:00.000Z' });
  await withDatabase((db) => db.tenders.put({ id: '12', tender: road, savedAt: 1 }));
  await writeBids(
    { id: 'a', change: { tenderId: '12', stage: 'preparing' } },
    {
      id: 'b',
      change: { tenderId: '13', title: 'Bridge', closingAt: '2099-04-16T18:29:59.000Z', closingTimeKnown: false },
    },
    { id: 'c', change: { title: 'Wall of a school' } },
    { id: 'd', change: { title: 'Well', stage: 'lost' } },
  );
  const page = await openTestPage(<MyBids />, '/dashboard/applications');
  await expect.poll(() => page.texts('h3')).toEqual(['Road', 'Bridge', 'Wall of a school', 'Well']);
  await page.press('Copy for WhatsApp');
  await expect
    .poll(() => copied)
    .toEqual([
      [
        '*My bids: Preparing*',
        '1. Road\n*Closes 15 Apr 2099, 11:00 AM* · ₹4.50 Lakh\nhttp://localhost/tenders/12',
        '2. Bridge\n*Closes 16 Apr 2099*\nhttp://localhost/tenders/13',
        '3. Wall of a school',
      ].join('\n\n'),
    ]);
});
