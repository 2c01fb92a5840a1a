import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { BidFigures } from './BidFigures.tsx';
import { type Bid, bidFacts } from './rules/bid.ts';

afterEach(() => document.body.replaceChildren());

const NOW = new Date('2026-04-10T06:00:00Z');

/** The first line of the figures of bids in preparation with these estimates. */
async function firstLine(estimates: readonly (number | null)[]): Promise<string | undefined> {
  const bids = estimates.map((estimate, index) => {
    const bid: Bid = { id: String(index), title: 'Road' };
    return { bid, facts: { ...bidFacts(bid, undefined, NOW), estimate } };
  });
  const page = document.createElement('div');
  await act(async () => createRoot(page).render(createElement(BidFigures, { bids, now: NOW })));
  return page.querySelector('p')?.textContent ?? undefined;
}

test.each([
  [[], 'No bid waits for a decision.'],
  [[null], 'Value not known in 1 bid that is not decided.'],
  [[null, null], 'Value not known in 2 bids that are not decided.'],
  [[500_000], '₹5.00 Lakh in 1 bid that is not decided.'],
  [[500_000, null], '₹5.00 Lakh in 2 bids that are not decided, 1 of them with a known value.'],
])('the pipeline of bids with the estimates %j: %s', async (estimates, line) => {
  expect(await firstLine(estimates)).toBe(line);
});
