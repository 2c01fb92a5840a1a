// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { FirstRunTour } from './FirstRunTour.tsx';
import { Help } from './Help.screen.tsx';

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({}));
});
afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const title = ({ page }: TestPage) => page.querySelector('dialog h3')?.textContent;
const cardOf = async (page: TestPage, name: string) => {
  await expect.poll(() => title(page)).toBe(name);
};
const FIRST = 'Search with your own words';

describe('help', () => {
  test('has the way of a bid in four pictures, each with a text of what it shows', async () => {
    const { page, texts } = await openTestPage(<Help />);
    expect(texts('ol h3')).toEqual(['Find', 'Bookmark', 'Prepare your papers', 'Submit at the portal']);
    const pictures = [...page.querySelectorAll('ol svg')];
    expect(pictures.map((each) => each.getAttribute('role'))).toEqual(Array(4).fill('img'));
    expect(pictures[0]?.getAttribute('aria-label')).toBe('A phone with a search field and a list of tenders');
    expect(page.querySelectorAll('svg text')).toHaveLength(0);
  });

  test('moves the focus to the word of its address', async () => {
    const { page } = await openTestPage(<Help />, '/help#emd');
    const word = page.querySelector('#emd');
    expect(word?.textContent).toContain('EMD Earnest money deposit · धरोहर राशि');
    expect(document.activeElement).toBe(word);
  });

  test('shows the tour again, as often as it is wanted', async () => {
    const page = await openTestPage(<Help />, '/help');
    for (const _time of [1, 2]) {
      await page.press('See how it works in three cards');
      expect(page.address()).toBe('/help#tour');
      await cardOf(page, FIRST);
      await page.press('Skip');
      expect([page.address(), page.page.querySelector('dialog')]).toEqual(['/help', null]);
    }
  });
});

test('after the tour the way back leads to the page before the help', async () => {
  const page = await openTestPage(<Help />, '/tenders');
  const back = () => act(() => page.router.navigate(-1));
  await act(() => page.router.navigate('/help'));
  await page.press('See how it works in three cards');
  await cardOf(page, FIRST);
  await page.press('Skip');
  await expect.poll(page.address).toBe('/help');
  await back();
  expect(page.address()).toBe('/tenders');
});

describe('the tour', () => {
  test('has three cards; each takes the focus, and the last ends it', async () => {
    const page = await openTestPage(<Help />, '/help#tour');
    await cardOf(page, FIRST);
    await page.press('Next');
    expect(title(page)).toBe('Bookmark a tender, and be reminded');
    expect(document.activeElement?.textContent).toBe('Bookmark a tender, and be reminded');
    await page.press('Next');
    expect(title(page)).toBe('Your papers, also without a connection');
    expect(page.hasButton('Skip')).toBe(false);
    await page.press('Got it');
    expect(page.page.querySelector('dialog')).toBeNull();
  });

  test('can be seen again from its last card, whose first card does not close at a second Enter', async () => {
    const page = await openTestPage(<Help />, '/help#tour');
    await cardOf(page, FIRST);
    await page.press('Next');
    await page.press('Next');
    const again = page.button('Again');
    again.focus();
    await page.press('Again');
    expect(document.activeElement?.textContent).toBe(FIRST);
    expect(again.isConnected).toBe(false);
  });

  /** The app on a device, on which the visitor goes from page to page. */
  async function openApp(address: string) {
    const page = await openTestPage(<FirstRunTour />, address);
    const go = (to: string, state?: object) => act(() => page.router.navigate(to, { state }));
    return { ...page, go };
  }

  test('is not on the first pages of a visitor', async () => {
    const page = await openApp('/');
    for (const address of ['/tenders', '/tenders/results?state=Goa', '/tenders', '/']) await page.go(address);
    expect([page.page.querySelector('dialog'), localStorage.getItem('tour')]).toEqual([null, null]);
  });

  test('comes at the next pause after the first tender, once', async () => {
    const page = await openApp('/tenders/7');
    await page.go('/tenders/results?state=Goa');
    expect(page.page.querySelector('dialog')).toBeNull();
    await page.go('/tenders');
    await cardOf(page, FIRST);
    await page.press('Skip');
    await page.go('/tenders/7');
    await page.go('/tenders');
    expect([page.page.querySelector('dialog'), localStorage.getItem('tour')]).toEqual([null, '"seen"']);
  });

  test('is closed by going back', async () => {
    const page = await openApp('/tenders/7');
    await page.go('/tenders');
    await cardOf(page, FIRST);
    await act(() => page.router.navigate(-1));
    expect(page.page.querySelector('dialog')).toBeNull();
  });

  const openDialog = () => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('open', '');
    return dialog;
  };
  const openMenu = () => {
    const menu = document.createElement('div');
    // The browser of the tests has no popovers, so this is that of the polyfill.
    menu.className = ':popover-open';
    return menu;
  };

  test.each([
    ['another dialog is open', openDialog],
    ['a menu is open', openMenu],
    ['the visitor is in a field', () => document.createElement('input')],
  ])('waits while %s', async (_state, make) => {
    const other = document.body.appendChild(make());
    other.focus();
    const page = await openApp('/tenders/7');
    await page.go('/tenders');
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect([page.page.querySelector('dialog'), localStorage.getItem('tour')]).toEqual([null, '"due"']);
    other.remove();
    await page.go('/dashboard');
    await cardOf(page, FIRST);
  });
});
