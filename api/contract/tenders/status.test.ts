import * as v from 'valibot';
import { expect, test } from 'vitest';
import { isOpenForBids, statusAt } from './status.ts';
import { TenderSummary } from './tender.ts';
import { STATUS_CASES } from './test-status-cases.ts';

test.each(STATUS_CASES)('$stage, bids from $bidStartAt, at $now: $status', (row) => {
  const tender = { stage: row.stage, bid_start_date: row.bidStartAt, closing_date: row.closesAt };
  expect(statusAt(tender, new Date(row.now))).toBe(row.status);
  expect(isOpenForBids(tender, new Date(row.now))).toBe(['upcoming', 'active'].includes(row.status));
});

test('a draft is no status that the API may send', () => {
  expect(v.is(TenderSummary.entries.status, 'draft')).toBe(false);
  expect(v.is(TenderSummary.entries.status, 'active')).toBe(true);
});
