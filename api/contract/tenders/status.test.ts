import * as v from 'valibot';
import { expect, test } from 'vitest';
import { isOpenForBids, statusAt } from './status.ts';
import { STATUS_CASES } from './status-cases.ts';
import { TenderSummary } from './tender.ts';

test.each(STATUS_CASES)('$stage, bids from $bidStartAt, at $now: $status', (row) => {
  const tender = { stage: row.stage, bid_start_date: row.bidStartAt, closing_date: row.closesAt };
  expect(statusAt(tender, new Date(row.now))).toBe(row.status);
  expect(isOpenForBids(tender, new Date(row.now))).toBe(['upcoming', 'active'].includes(row.status));
});

test.each([
  ['upcoming', '2026-11-20T05:29:59.999Z', 'upcoming'],
  ['upcoming', '2026-11-20T05:30:00.000Z', 'closed'],
  ['active', '2026-11-20T05:30:00.000Z', 'closed'],
  ['closed', '2026-11-20T05:29:59.999Z', 'active'],
  ['awarded', '2026-11-20T05:30:00.000Z', 'awarded'],
  ['cancelled', '2026-11-10T00:00:00.000Z', 'cancelled'],
] as const)('a tender stored as %s by an older version is at %s: %s', (status, now, expected) => {
  expect(statusAt({ status, closing_date: '2026-11-20T05:30:00.000Z' }, new Date(now))).toBe(expected);
});

test('a draft is no status that the API may send', () => {
  expect(v.is(TenderSummary.entries.status, 'draft')).toBe(false);
  expect(v.is(TenderSummary.entries.status, 'active')).toBe(true);
});
