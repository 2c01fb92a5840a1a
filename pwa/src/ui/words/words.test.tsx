// @vitest-environment-options { "url": "http://localhost/" }
import { setLanguage } from '@nivida/contract/i18n';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { OPEN_POPOVER } from '../open-popover.ts';
import { closeTestPages, openTestPage } from '../test-page.tsx';
import { HindiGloss } from './HindiGloss.tsx';
import { langOf } from './lang-of.ts';
import { Term } from './Term.tsx';

const WORD = {
  ...{ id: 'emd', title: 'EMD', name: 'Earnest money deposit', other: { text: 'धरोहर राशि', lang: 'hi' } },
  ...{ meaning: 'Money with a bid.', advice: 'Pay it.' },
};

afterEach(async () => {
  await closeTestPages();
  setLanguage('en');
});

/** Shows a word. `open` stands for the browser, which opens the popover. */
async function showTerm(load: () => Promise<typeof WORD>, meaning?: string) {
  const page = await openTestPage(<Term form="EMD" meaning={meaning} load={load} />);
  const explanation = page.page.querySelector('[popover]') as HTMLElement;
  const open = () =>
    act(async () => explanation.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' })));
  return { ...page, explanation, open };
}

test('a word is a button that the browser connects with its explanation', async () => {
  const { button, explanation } = await showTerm(async () => WORD, 'paid with the bid');
  expect(button('EMD').getAttribute('popovertarget')).toBe(explanation.id);
  expect(explanation.getAttribute('popover')).toBe('auto');
  expect(explanation.textContent).toBe('EMD paid with the bid');
});

test('an opened word has both names, what it is, what to do, and the way to all words', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof WORD>();
  const { explanation, open, button } = await showTerm(() => promise);
  expect(explanation.textContent).toBe('');
  await open();
  expect(explanation.getAttribute('role')).toBe('status');
  expect(explanation.textContent).toBe('EMD Loading…');
  await act(async () => resolve(WORD));
  await expect.poll(() => explanation.textContent).toContain('EMD Earnest money deposit · धरोहर राशि');
  expect(explanation.textContent).toContain('Money with a bid.Pay it.');
  expect(explanation.querySelector('[lang="hi"]')?.textContent).toBe('धरोहर राशि');
  expect(button('All words of tendering').getAttribute('href')).toBe('/help#emd');
});

test('the short explanation stays when the full one cannot be loaded', async () => {
  const { explanation, open } = await showTerm(() => Promise.reject(new Error('no connection')), 'paid with the bid');
  await open();
  expect(explanation.textContent).toBe('EMD paid with the bid');
});

test('a word that cannot be loaded says so, and is loaded when it is opened again', async () => {
  let isOnline = false;
  const load = () => (isOnline ? Promise.resolve(WORD) : Promise.reject(new Error('no connection')));
  const { explanation, open } = await showTerm(load);
  await open();
  await expect
    .poll(() => explanation.textContent)
    .toBe('EMD This could not be loaded. Please check your internet connection.');
  isOnline = true;
  await open();
  await expect.poll(() => explanation.textContent).toContain('Money with a bid.');
});

test('a word that was opened before the app runs is loaded', async () => {
  // The browser of the tests has no popovers.
  const matches = vi.spyOn(Element.prototype, 'matches').mockImplementation((selector) => selector === OPEN_POPOVER);
  const { explanation } = await showTerm(async () => WORD);
  matches.mockRestore();
  await expect.poll(() => explanation.textContent).toContain('Money with a bid.');
});

test('Hindi stands beside English, and not in a page that is in another language', async () => {
  const text = async () => (await openTestPage(<HindiGloss>पैन कार्ड</HindiGloss>)).text();
  expect(await text()).toBe('पैन कार्ड');
  setLanguage('hi');
  expect(await text()).toBe('');
});

test('a text of a portal says its language where the page has another', () => {
  expect([langOf('Repair of road'), langOf('सड़क की मरम्मत')]).toEqual([undefined, 'hi']);
  setLanguage('hi');
  expect([langOf('Repair of road'), langOf('सड़क की मरम्मत')]).toEqual(['en', undefined]);
});

test('a text in another script, and a number, are not said to be English', () => {
  setLanguage('hi');
  expect(['રસ્તાનું સમારકામ', 'NH-5 સમારકામ', '2026/117', ''].map(langOf)).toEqual(Array(4).fill(undefined));
});
