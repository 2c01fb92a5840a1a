import type { DocumentFact } from '@nivida/contract/documents/document-facts';
import { describe, expect, test } from 'vitest';
import type { DocumentReading } from '../../reading/document-reading.ts';
import { type HeldFact, mergeFacts } from './merge-facts.ts';

const days = (amount: number): DocumentFact['value'] => ({ unit: 'days', amount });
const period: DocumentFact = { topic: 'period', page: 2, quote: 'Time for completion: 90 days', value: days(90) };
const held = (state: HeldFact['state'], more: Partial<HeldFact> = {}): HeldFact => ({
  ...period,
  id: '7',
  state,
  ...more,
});
const reading = (facts: DocumentFact[], texts = ['', 'Time for  completion:\n90 days']): DocumentReading => ({
  state: 'done',
  pages: 2,
  unreadPages: [],
  facts,
  boq: null,
  texts,
});
const NOTHING = { removed: [], added: [], revalued: [] };

describe('when a later version of the reader', () => {
  test.each(['found', 'confirmed', 'corrected', 'hidden'] as const)('finds a %s line again, it stays', (state) => {
    expect(mergeFacts([held(state)], reading([{ ...period, quote: 'Time for completion:  90 days' }]))).toEqual(
      NOTHING,
    );
  });

  test('reads another value in the line, the line has it unless an operator confirmed the first', () => {
    const later = reading([{ ...period, value: null }]);
    for (const state of ['found', 'corrected', 'hidden'] as const)
      expect(mergeFacts([held(state)], later)).toEqual({ ...NOTHING, revalued: [{ id: '7', value: null }] });
    expect(mergeFacts([held('confirmed')], later)).toEqual(NOTHING);
  });

  test('does not find the line, it goes unless an operator decided on it and it stands on its page', () => {
    expect(mergeFacts([held('found')], reading([]))).toEqual({ ...NOTHING, removed: ['7'] });
    for (const state of ['confirmed', 'corrected', 'hidden'] as const) {
      expect(mergeFacts([held(state)], reading([]))).toEqual(NOTHING);
      expect(mergeFacts([held(state)], reading([], ['Time for completion: 90 days', 'moved']))).toEqual({
        ...NOTHING,
        removed: ['7'],
      });
    }
  });

  test('finds another line, or the line under another topic, it is added', () => {
    const other: DocumentFact = { ...period, topic: 'validity' };
    expect(mergeFacts([held('found')], reading([period, other]))).toEqual({ ...NOTHING, added: [other] });
  });
});
