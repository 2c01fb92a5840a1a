// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { act } from 'preact/test-utils';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { DashboardFrame } from './DashboardFrame.tsx';
import { savedLinks } from './frame-parts.tsx';

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({}));
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  // The browser of the tests has no popovers.
  Object.assign(HTMLElement.prototype, { hidePopover: () => undefined });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  localStorage.clear();
  Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover');
});

function open(address: string) {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const router = createMemoryRouter(
    [
      { path: '/', element: 'Home' },
      {
        Component: DashboardFrame,
        children: [
          { path: '/dashboard/payments', element: h('h1', null, 'Payments') },
          { path: '/dashboard/applications', handle: { isOpen: true }, element: h('h1', null, 'My Applications') },
        ],
      },
    ],
    { initialEntries: [address] },
  );
  act(() => void root.render(h(RouterProvider, { router })));
  onTestFinished(() => {
    act(() => root.unmount());
    page.remove();
  });
  return { page, router };
}

test('a page of the account is shown to its user, with the name of the user', () => {
  signInForTest('7');
  const { page } = open('/dashboard/payments');
  expect(page.querySelector('main h1')?.textContent).toBe('Payments');
  expect(page.querySelector('[aria-label="Your dashboard"]')?.textContent).toContain('Asha');
});

test('a visitor goes home from a page of the account, and comes back after signing in', async () => {
  const { page, router } = open('/dashboard/payments?page=2#last');
  await expect.poll(() => page.textContent).toBe('Home');
  expect(router.state.location.state).toEqual({ returnTo: '/dashboard/payments?page=2#last' });
  expect(router.state.historyAction).toBe('REPLACE');
});

test('a page of the data of the device is shown to a visitor too', () => {
  const { page } = open('/dashboard/applications');
  expect(page.querySelector('main h1')?.textContent).toBe('My Applications');
  expect(page.querySelector('[aria-label="Your dashboard"]')?.textContent).not.toContain('User');
});

test('the links to what is saved are notices and bookmarks, as icons and as lines', () => {
  for (const look of ['icon', 'line'] as const) {
    const page = document.createElement('div');
    const root = createRoot(page);
    const router = createMemoryRouter([{ path: '/', element: savedLinks(look) }]);
    act(() => void root.render(h(RouterProvider, { router })));
    expect([...page.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      '/notices',
      '/tenders#saved',
    ]);
    expect(page.querySelectorAll('svg')).toHaveLength(look === 'icon' ? 2 : 0);
    act(() => root.unmount());
  }
});
