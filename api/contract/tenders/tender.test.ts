import * as v from 'valibot';
import { expect, test } from 'vitest';
import { TenderSummary } from './tender.ts';

test('a draft is no status that the API may send', () => {
  expect(v.is(TenderSummary.entries.status, 'draft')).toBe(false);
  expect(v.is(TenderSummary.entries.status, 'active')).toBe(true);
});
