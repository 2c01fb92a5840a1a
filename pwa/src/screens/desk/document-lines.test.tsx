import type { DeskLine, DeskLines } from '@nivida/contract/desk/document-lines';
import { expect, test } from 'vitest';
import { typedValue, undoDecision } from '../../features/desk/documents/document-lines.ts';

const line: DeskLine = {
  ...{ id: '5', fileId: '2', topic: 'emd', page: 4, quote: 'Earnest money Rs. 25,000', state: 'corrected' },
  value: { unit: 'rupees', amount: '25000.00' },
  foundValue: { unit: 'rupees', amount: '99000.00' },
  decidedAt: '2026-11-10T06:00:00.000Z',
};
const answer: DeskLines = {
  id: 7,
  files: [],
  lines: [{ ...line, state: 'hidden', decidedAt: '2026-11-10T07:00:00.000Z' }],
};

test('a decision is taken back to what stood before it, against the newest decision', () => {
  const body = { decidedAt: '2026-11-10T07:00:00.000Z' };
  expect(undoDecision(line, answer)).toEqual({
    path: 'documents/7/lines/5/correct',
    body: { ...body, value: { unit: 'rupees', amount: '25000.00' } },
  });
  const paths = (['found', 'confirmed', 'hidden'] as const).map((state) => undoDecision({ ...line, state }, answer));
  expect(paths).toEqual(['restore', 'confirm', 'hide'].map((what) => ({ path: `documents/7/lines/5/${what}`, body })));
});

test.each([
  ['rupees', '25,000', { unit: 'rupees', amount: '25000.00' }],
  ['rupees', ' 25000.5 ', { unit: 'rupees', amount: '25000.50' }],
  ['days', '90', { unit: 'days', amount: 90 }],
  ['months', '6', { unit: 'months', amount: 6 }],
  ['rupees', '2.5 lakh', undefined],
  ['rupees', '', undefined],
  ['days', '90.5', undefined],
] as const)('in %s “%s” is typed as %j', (unit, text, value) => {
  expect(typedValue(unit, text)).toEqual(value);
});
