// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, currentSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeAuthDialog, useAuthDialog } from '../../features/auth/dialogs.ts';
import { RequireSession } from './SignedInOnly.tsx';
import { isSigningOut, useAccountActions, useStartRegistration } from './useAccountActions.ts';

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
function openDashboard(homeLoaded: Promise<void> = Promise.resolve(), address = '/dashboard') {
  const page = document.createElement('div');
  const guarded = createElement(RequireSession, null, createElement(Dashboard));
  const routes = [
    { path: '/', lazy: () => homeLoaded.then(() => ({ Component: Home })) },
    { path: '/dashboard', element: guarded },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [address] });
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

test('a signed-out visitor of a page of the account goes home, with the whole address to come back to', async () => {
  const page = openDashboard(Promise.resolve(), '/dashboard?tab=2#bids');
  await expect.poll(() => page.textContent).toBe('Home, {"returnTo":"/dashboard?tab=2#bids"}');
});

test('a visitor starts with the registration, and a user on the dashboard', async () => {
  const Start = () => createElement('button', { type: 'button', onClick: useStartRegistration() }, 'Start');
  const page = document.createElement('div');
  const router = createMemoryRouter([
    { path: '/', Component: Start },
    { path: '/dashboard', element: 'The dashboard' },
  ]);
  root = createRoot(page);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  expect(page.textContent).toBe('Start');
  page.querySelector('button')?.click();
  expect(useAuthDialog.getState().open).toBe('register');
  closeAuthDialog();
  await act(async () => signInForTest('7', 'abc'));
  page.querySelector('button')?.click();
  await expect.poll(() => page.textContent).toBe('The dashboard');
  expect(useAuthDialog.getState().open).toBeNull();
});

test('the buttons of the frames open the sign-in and the registration', async () => {
  let actions: ReturnType<typeof useAccountActions> | undefined;
  const Frame = () => {
    actions = useAccountActions();
    return 'Frame';
  };
  const page = document.createElement('div');
  root = createRoot(page);
  const router = createMemoryRouter([{ path: '/', Component: Frame }]);
  root.render(createElement(RouterProvider, { router }));
  await expect.poll(() => page.textContent).toBe('Frame');
  actions?.onSignIn();
  expect(useAuthDialog.getState().open).toBe('sign-in');
  actions?.onSignUp();
  expect(useAuthDialog.getState().open).toBe('register');
  closeAuthDialog();
});

test('home shows nothing of the user while it is loading after a sign-out, and then it may', async () => {
  signInForTest('7', 'abc');
  const { promise: homeLoaded, resolve: loadHome } = Promise.withResolvers<void>();
  const page = openDashboard(homeLoaded);
  await expect.poll(() => page.textContent).toBe('Logout');
  expect(isSigningOut()).toBe(false);
  page.querySelector('button')?.click();
  expect(isSigningOut()).toBe(true);
  loadHome();
  await expect.poll(currentSession).toBeNull();
  expect(isSigningOut()).toBe(false);
});

test('a tab that is closed while home is loading is signed out when it opens again', async () => {
  signInForTest('7', 'abc');
  const page = openDashboard(new Promise(() => undefined));
  await expect.poll(() => page.textContent).toBe('Logout');
  page.querySelector('button')?.click();
  expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null]);
});
