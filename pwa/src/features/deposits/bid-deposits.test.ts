import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { BidDeposits } from './BidDeposits.tsx';
import type { Deposit } from './deposit.ts';

afterEach(() => document.body.replaceChildren());

const NOW = new Date('2026-05-10T18:30:00Z');

/** The money of a bid for which the portal asks for these rupees. */
async function openBid(emd: number | null, tenderFee: number | null, deposits: Deposit[] = [], isLost = false) {
  const page = document.createElement('div');
  document.body.append(page);
  const props = { bidId: '1', deposits, expected: { emd, tenderFee }, emdValidity: null, isLost, now: NOW };
  await act(async () => createRoot(page).render(createElement(BidDeposits, props)));
  const buttons = () => [...page.querySelectorAll('button')];
  return {
    buttons: () => buttons().map(({ textContent }) => textContent),
    press: (name: string) =>
      act(async () =>
        buttons()
          .find(({ textContent }) => textContent === name)
          ?.click(),
      ),
    amount: () => page.querySelector<HTMLInputElement>('[name="amountPaise"]')?.value,
    chosen: () => [...page.querySelectorAll('select')].map(({ value }) => value),
  };
}

test.each([
  ['Add EMD', 'emd', '4020.15'],
  ['Add tender fee', 'tender_fee', '590'],
  ['Add other deposit', 'performance', ''],
])('%s opens the form with the amount that the portal asks for', async (name, kind, amount) => {
  const bid = await openBid(4_020.15, 590);
  await bid.press(name);
  expect(bid.amount()).toBe(amount);
  expect(bid.chosen()).toEqual([kind, '', 'locked']);
});

test('the EMD of a lost bid is due back', async () => {
  const bid = await openBid(null, null, [], true);
  await bid.press('Add EMD');
  expect(bid.amount()).toBe('');
  expect(bid.chosen()).toEqual(['emd', '', 'due_back']);
});

test('money that is not asked for, or is entered already, is not offered', async () => {
  const other = 'Add other deposit';
  expect((await openBid(0, 590)).buttons()).toEqual(['Add tender fee', other]);
  expect((await openBid(25_000, 0)).buttons()).toEqual(['Add EMD', other]);
  const emd: Deposit = { id: '1', kind: 'emd', amountPaise: 2_500_000, mode: 'fdr', state: 'returned' };
  expect((await openBid(25_000, 590, [emd])).buttons()).toEqual(['Change', 'Add tender fee', other]);
});
