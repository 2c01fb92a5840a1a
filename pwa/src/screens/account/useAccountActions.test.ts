// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, currentSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { RequireSession } from './SignedInOnly.tsx';
import { useAccountActions } from './useAccountActions.ts';

let root: Root;

beforeEach(() => vi.stubGlobal('fetch', async () => Response.json({})));
afterEach(() => {
  root.unmount();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
});

function Home() {
  return `Home, ${JSON.stringify(useLocation().state)}`;
}

function Dashboard() {
  const { onLogout } = useAccountActions();
  return createElement('button', { type: 'button', onClick: onLogout }, 'Logout');
}

/** Opens the dashboard; `homeLoaded` ends when the code of the home page is there. */
function openDashboard(homeLoaded: Promise<void> = Promise.resolve()) {
  const page = document.createElement('div');
  const guarded = createElement(RequireSession, null, createElement(Dashboard));
  const routes = [
    { path: '/', lazy: () => homeLoaded.then(() => ({ Component: Home })) },
    { path: '/dashboard', element: guarded },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ['/dashboard'] });
  root = createRoot(page);
  root.render(createElement(RouterProvider, { router }));
  return page;
}

test('after a sign-out home does not offer the way back to the page of the account', async () => {
  signInForTest('7', 'abc');
  const { promise: homeLoaded, resolve: loadHome } = Promise.withResolvers<void>();
  const page = openDashboard(homeLoaded);
  await expect.poll(() => page.textContent).toBe('Logout');
  page.querySelector('button')?.click();
  // The dashboard is rendered once more while home is loading.
  await new Promise(requestAnimationFrame);
  expect(page.textContent).toBe('Logout');
  loadHome();
  await expect.poll(() => page.textContent).toBe('Home, null');
  await expect.poll(currentSession).toBeNull();
  expect(page.textContent).toBe('Home, null');
});

test('a tab that is closed while home is loading is signed out when it opens again', async () => {
  signInForTest('7', 'abc');
  const page = openDashboard(new Promise(() => undefined));
  await expect.poll(() => page.textContent).toBe('Logout');
  page.querySelector('button')?.click();
  expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null]);
});
