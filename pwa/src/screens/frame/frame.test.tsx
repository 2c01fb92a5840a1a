// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useBookmarkStore } from '../../features/bookmarks/bookmark-store.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { DashboardFrame } from './DashboardFrame.tsx';
import { savedLinks } from './frame-parts.tsx';

let page: HTMLElement;
let root: Root;

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({}));
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  // The browser of the tests has no popovers.
  Object.assign(HTMLElement.prototype, { hidePopover: () => undefined });
  page = document.createElement('div');
  document.body.append(page);
  root = createRoot(page);
});
afterEach(async () => {
  await closeTestPages();
  await act(async () => root.unmount());
  page.remove();
  vi.restoreAllMocks();
  clearSession();
  localStorage.clear();
  useBookmarkStore.setState({ ids: new Set() });
  Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover');
});

/** Opens an address. */
async function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: '/', element: 'Home' },
      {
        Component: DashboardFrame,
        children: [
          { path: '/dashboard/payments', element: <h1>Payments</h1> },
          { path: '/dashboard/applications', element: <h1>My Applications</h1> },
        ],
      },
    ],
    { initialEntries: [address] },
  );
  await act(async () => root.render(<RouterProvider router={router} />));
  return router;
}

test('a page of the account is shown to its user, with the name of the user', async () => {
  signInForTest('7');
  await open('/dashboard/payments');
  expect(page.querySelector('main h1')?.textContent).toBe('Payments');
  expect(page.querySelector('[aria-label="Your dashboard"]')?.textContent).toContain('Asha');
});

test('a visitor goes home from a page of the account, and comes back after signing in', async () => {
  const router = await open('/dashboard/payments?page=2#last');
  await expect.poll(() => page.textContent).toBe('Home');
  expect(router.state.location.state).toEqual({ returnTo: '/dashboard/payments?page=2#last' });
  expect(router.state.historyAction).toBe('REPLACE');
});

test('a page of the data of the device is shown to a visitor too', async () => {
  await open('/dashboard/applications');
  expect(page.querySelector('main h1')?.textContent).toBe('My Applications');
  expect(page.querySelector('[aria-label="Your dashboard"]')?.textContent).not.toContain('User');
});

test.each([
  ['icon', 2],
  ['line', 0],
] as const)(
  'the links to what is saved are notices and bookmarks, each as %s with %i icons in all',
  async (look, icons) => {
    const links = (await openTestPage(savedLinks(look))).page;
    expect([...links.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      '/notices',
      '/tenders#saved',
    ]);
    expect(links.querySelectorAll('svg')).toHaveLength(icons);
  },
);

describe('the link to the bookmarks', () => {
  const openLink = async (look: 'icon' | 'line') =>
    (await openTestPage(savedLinks(look))).page.querySelector('a:last-of-type');
  const setCount = (count: number) =>
    useBookmarkStore.setState({ ids: new Set(Array.from({ length: count }, (_, n) => String(n + 1))) });

  test.each([
    [0, 'Bookmarked tenders', '', 'Bookmarked tenders'],
    [1, 'Bookmarked tenders: 1', '1', 'Bookmarked tenders 1'],
    [99, 'Bookmarked tenders: 99', '99', 'Bookmarked tenders 99'],
    [100, 'Bookmarked tenders: 100', '99+', 'Bookmarked tenders 100'],
  ])('with %i of them is called "%s"', async (count, label, text, line) => {
    setCount(count);
    const icon = await openLink('icon');
    expect([icon?.getAttribute('aria-label'), icon?.textContent]).toEqual([label, text]);
    expect(icon?.querySelectorAll('span[aria-hidden="true"]')).toHaveLength(count === 0 ? 0 : 1);
    const words = await openLink('line');
    expect(words?.textContent?.trim()).toBe(line);
  });

  test('leads a user to the bookmarks, and a visitor to those on the phone', async () => {
    const hrefs = async () => [
      (await openLink('icon'))?.getAttribute('href'),
      (await openLink('line'))?.getAttribute('href'),
    ];
    expect(await hrefs()).toEqual(['/tenders#saved', '/tenders#saved']);
    signInForTest('7');
    expect(await hrefs()).toEqual(['/bookmarks', '/bookmarks']);
  });
});
