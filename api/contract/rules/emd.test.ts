// @vitest-environment node
import { expect, test } from 'vitest';
import { EMD_RETURN_DAYS, emdValidity } from './emd.ts';

const SOURCE = 'General Financial Rules 2017, rule 170. Check the NIT.';

test.each([
  // 18:30 UTC is the next day in India.
  ['2026-04-15T18:29:00Z', 120, "until 27 Sep 2026: 45 days beyond the bid's validity of 120 days."],
  ['2026-04-15T18:30:00Z', 120, "until 28 Sep 2026: 45 days beyond the bid's validity of 120 days."],
  ['2026-04-15T05:30:00Z', null, "45 days beyond the bid's validity, which the notice does not state."],
])(
  'an instrument for the EMD of a tender that closes at %s with a validity of %s days is valid %s',
  (closing, days, text) => {
    const validity = emdValidity({ closing_date: closing, bid_validity_days: days });
    expect(validity).toEqual({ text: `An FDR or bank guarantee must be valid ${text}`, source: SOURCE });
  },
);

test('unsuccessful bidders get the EMD back by the 30th day after the award', () => {
  expect(EMD_RETURN_DAYS).toBe(30);
});
