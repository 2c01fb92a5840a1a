// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeRecords } from '../../data/records/record-rows.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { MyBids } from './MyBids.screen.tsx';
import { PreparingBlock } from './PreparingBlock.tsx';

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

/** An own entry that closes on a day of April 2099. */
const own = (id: string, day: string, change: object = {}) => ({
  id,
  change: { title: id, stage: 'preparing', closingAt: `2099-04-${day}T05:30:00.000Z`, ...change },
});

describe('the bids that the user prepares', () => {
  test('are the three that close next, each with what is missing and the way to its page', async () => {
    await writeBids(
      ...[own('Well', '18'), own('Wall', '16', { closingAt: undefined }), own('Bridge', '15'), own('Road', '12')],
      ...[own('Drain', '10', { stage: 'considering' }), own('Tank', '11', { stage: 'submitted' })],
      own('School', '01', { closingAt: '2020-04-01T05:30:00.000Z' }),
    );
    const page = await openTestPage(<PreparingBlock />);
    await expect.poll(() => page.texts('h3')).toEqual(['Road', 'Bridge', 'Well']);
    await expect
      .poll(() => page.texts('article')[0])
      .toMatch(/^Road ?\d+ days remaining · 11:00 AM9 of 9 documents to check · EMD not entered$/);
    const links = [...page.page.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
    expect(links).toEqual([
      ['All my bids', '/dashboard/applications'],
      ...['Road', 'Bridge', 'Well'].map((id) => [id, `/dashboard/applications/${id}`]),
    ]);
    await writeBids({ id: 'Road', change: { stage: 'submitted' } });
    await expect.poll(() => page.texts('h3')).toEqual(['Bridge', 'Well', 'Wall']);
  });

  test('are not mentioned when none of them is open', async () => {
    const closed = own('School', '01', { closingAt: '2020-04-01T05:30:00.000Z' });
    await writeBids(own('Tank', '11', { stage: 'submitted' }), own('Road', '12'), closed);
    const page = await openTestPage(<PreparingBlock />);
    await expect.poll(() => page.texts('h3')).toEqual(['Road']);
    await writeBids({ id: 'Road', change: { stage: 'dropped' } });
    await expect.poll(() => page.text()).toBe('');
  });
});

test('the bids of a stage are copied as a message: what the bid does not know is left out, and a link to an unknown tender', async () => {
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
    { id: 'd', change: { title: 'Well', stage: 'lost', closingAt: '2024-11-23T05:30:00.000Z' } },
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
        '2. Bridge\n*Closes 16 Apr 2099*',
        '3. Wall of a school',
      ].join('\n\n'),
    ]);
  await page.press('Copy for WhatsApp', 1);
  await expect.poll(() => copied.at(-1)).toBe('*My bids: Lost*\n\n1. Well\n*Closed 23 Nov 2024, 11:00 AM*');
});
