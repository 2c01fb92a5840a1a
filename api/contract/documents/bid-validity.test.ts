import { expect, test } from 'vitest';
import { bidValidity } from './bid-validity.ts';
import type { TenderFact, TenderReading } from './tender-reading.ts';

const line = (fields: Partial<TenderFact>): TenderFact => ({
  ...{ id: '1', fileId: 'nit', topic: 'validity', page: 4, quote: 'A line', value: null, state: 'found' },
  ...fields,
});
const reading = (...facts: TenderFact[]): TenderReading => ({
  files: [
    {
      ...{ id: 'nit', name: 'nit.pdf', kind: 'nit', sha256: 'a', state: 'done', pages: 9, unreadPages: [] },
      ...{ readAt: null, isOwn: false },
    },
  ],
  facts,
  boqs: [],
});

test('the longest stated validity counts, with its source', () => {
  const document = reading(line({ value: { unit: 'days', amount: 120 } }), line({ value: null }));
  expect(bidValidity({ bid_validity_days: 90 }, document)).toEqual({ days: 120, fileName: 'nit.pdf', page: 4 });
  expect(bidValidity({ bid_validity_days: 180 }, document)).toEqual({ days: 180, fileName: null, page: null });
});

test('months have 30 days; a validity that nothing states is unknown', () => {
  const document = reading(line({ value: { unit: 'months', amount: 4 } }));
  expect(bidValidity({ bid_validity_days: null }, document)?.days).toBe(120);
  expect(bidValidity({ bid_validity_days: null }, undefined)).toBeNull();
  expect(bidValidity({ bid_validity_days: null }, reading(line({ topic: 'emd' })))).toBeNull();
});

test('a line that was checked stands for the others', () => {
  const document = reading(
    line({ value: { unit: 'days', amount: 990 } }),
    line({ value: { unit: 'days', amount: 90 }, state: 'corrected', page: 5 }),
  );
  expect(bidValidity({ bid_validity_days: null }, document)).toEqual({ days: 90, fileName: 'nit.pdf', page: 5 });
});
