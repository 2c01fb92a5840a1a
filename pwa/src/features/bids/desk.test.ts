// @vitest-environment node
import 'fake-indexeddb/auto';
import { PROFILE_ID } from '@nivida/contract/bids/record-ids';

import type { Firm } from '@nivida/contract/firms/firms';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { expect, test } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { firmListKey, firmOwner } from '../../data/firms/firm-list.ts';
import { writeRecords } from '../../data/records/record-rows.ts';
import { deskBids } from './desk.ts';
import { readDesk } from './read-desk.ts';
import type { Bid } from './rules/bid.ts';
import { nextStep } from './rules/next-step.ts';

const NOW = new Date('2026-04-10T06:00:00Z');
const OWN: Bid = { id: 'own', title: 'Boundary wall of a school', stage: 'preparing' };

/** The bid as screens show it; with its tender where one is given. */
function desk(bid: Bid, tender?: Partial<Tender>) {
  const tenders = new Map(
    tender ? [[bid.tenderId ?? '', { ...testTender(), corrigenda: [], ...tender } as Tender]] : [],
  );
  const [listed] = deskBids({ bids: [bid], deposits: [], tenders, firmNames: [], firmAddress: '' }, null, NOW);
  if (!listed) throw new Error('no bid');
  return listed;
}

test('an own entry without a closing is not closed while it is prepared', () => {
  const { state } = desk(OWN);
  expect(state.isOpen).toBe(true);
  expect(nextStep(state, NOW)).toEqual({ label: 'Enter the EMD', open: 'money' });
  expect(nextStep(desk({ ...OWN, stage: 'considering' }).state, NOW)).toEqual({
    label: 'Prepare this bid',
    moveTo: 'preparing',
  });
});

test('a submitted own entry without a closing can be moved to opened', () => {
  expect(nextStep(desk({ ...OWN, stage: 'submitted' }).state, NOW)).toEqual({
    label: 'Bids were opened',
    moveTo: 'opened',
  });
});

test('an own entry whose closing has passed asks whether it was submitted', () => {
  const { state } = desk({ ...OWN, closingAt: '2026-04-10T05:59:00.000Z' });
  expect(nextStep(state, NOW)?.label).toBe('Closed. Did you submit?');
});

test('a card says how the closing moved, also within a day', () => {
  const bid: Bid = { id: '1', tenderId: '1', closingAt: '2026-04-15T05:30:00.000Z', closingTimeKnown: true };
  expect(desk(bid, { closing_date: '2026-04-15T09:30:00.000Z' }).news).toEqual([
    'Closing moved from 15 Apr 2026, 11:00 AM to 15 Apr 2026, 3:00 PM.',
  ]);
  expect(desk(bid, {}).news).toEqual([]);
});

test('each bid has its own deposits and documents, and the news of its own tender', () => {
  const bids: Bid[] = [
    { id: 'lost', tenderId: '1', stage: 'lost' },
    { id: 'won', tenderId: '2', stage: 'won' },
    { id: 'sent', tenderId: '3', stage: 'submitted' },
    { id: 'exempt', tenderId: '4', stage: 'lost' },
  ];
  const tender = (_id: string, stage: Tender['stage']) => [_id, { ...testTender({ _id, stage }), corrigenda: [] }];
  const desk = deskBids(
    {
      bids,
      deposits: [
        { id: 'a', bidId: 'lost', kind: 'emd', state: 'asked' },
        { id: 'b', bidId: 'won', kind: 'performance' },
        { id: 'c', bidId: 'sent', kind: 'emd', state: 'returned' },
        { id: 'd', bidId: 'exempt', kind: 'emd', mode: 'exempt' },
        { id: 'e', bidId: 'exempt', kind: 'tender_fee' },
      ],
      tenders: new Map([tender('2', 'published'), tender('3', 'cancelled')] as [string, Tender][]),
      firmNames: [],
      firmAddress: '',
    },
    (id) => (id === 'sent' ? null : { missing: 0, open: 0, text: id }),
    NOW,
  );
  expect(
    desk.map(({ deposits, state: { money, documents }, news }) => [
      deposits.map(({ id }) => id),
      money,
      documents?.text,
      news,
    ]),
  ).toEqual([
    [['a'], { hasEmd: true, hasPerformance: false, isEmdHeld: true }, 'lost', []],
    [['b'], { hasEmd: false, hasPerformance: true, isEmdHeld: false }, 'won', []],
    [
      ['c'],
      { hasEmd: true, hasPerformance: false, isEmdHeld: false },
      undefined,
      ['Result is out. The source says: cancelled.'],
    ],
    [['d', 'e'], { hasEmd: true, hasPerformance: false, isEmdHeld: false }, 'exempt', []],
  ]);
});

test("the desk has the user's bids and deposits, the tenders that the phone has, and the names of the firm", async () => {
  const db = new DeviceDatabase('desk');
  try {
    for (const owner of ['7', '8'])
      await writeRecords(
        db,
        owner,
        [
          { kind: 'bid', id: `bid ${owner}`, change: { tenderId: '1', stage: 'opened' } },
          { kind: 'bid', id: `missing ${owner}`, change: { tenderId: '2' } },
          { kind: 'bid', id: `own ${owner}`, change: { title: 'Wall' } },
          { kind: 'deposit', id: `deposit ${owner}`, change: { kind: 'emd' } },
          { kind: 'profile', id: PROFILE_ID, change: { firmNames: [`Firm ${owner}`] } },
        ],
        1,
      );
    const tender = { ...testTender({ title: 'Road' }), corrigenda: [] } as unknown as Tender;
    await db.tenders.bulkPut(['1', '3'].map((id) => ({ id, tender, savedAt: 1 })));
    const rows = await readDesk(db, '7');
    expect(new Set(rows.bids.map(({ id, stage }) => `${id} ${stage ?? ''}`))).toEqual(
      new Set(['bid 7 opened', 'missing 7 ', 'own 7 ']),
    );
    expect(rows.deposits).toEqual([{ id: 'deposit 7', kind: 'emd' }]);
    expect([...rows.tenders].map(([id, { title }]) => [id, title])).toEqual([['1', 'Road']]);
    expect(rows.firmNames).toEqual(['Firm 7']);
    // In a firm its own name signs letters until it has entered names as portals write them.
    const firm = { id: 'f', name: 'Verma Builders', address: '2 The Mall' } as Firm;
    await db.settings.put({ key: firmListKey('7'), value: [firm] });
    const present = await readDesk(db, firmOwner('7', 'f'));
    expect([present.firmNames, present.firmAddress]).toEqual([['Verma Builders'], '2 The Mall']);
    const change = { firmNames: ['M/S VERMA'], firmAddress: 'Solan' };
    await writeRecords(db, firmOwner('7', 'f'), [{ kind: 'profile', id: PROFILE_ID, change }], 2);
    const entered = await readDesk(db, firmOwner('7', 'f'));
    expect([entered.firmNames, entered.firmAddress]).toEqual([['M/S VERMA'], 'Solan']);
    expect(await readDesk(db, '')).toEqual({
      bids: [],
      deposits: [],
      tenders: new Map(),
      firmNames: [],
      firmAddress: '',
    });
  } finally {
    await db.delete();
  }
});
