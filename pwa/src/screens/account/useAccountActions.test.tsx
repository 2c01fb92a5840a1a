// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, currentSession, unfinishedSignOuts } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeAuthDialog, useAuthDialog } from '../../features/auth/dialogs.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { RequireSession } from './SignedInOnly.tsx';
import { isSigningOut, useAccountActions, useStartRegistration } from './useAccountActions.ts';

let root: Root | undefined;

beforeEach(() => vi.stubGlobal('fetch', async () => Response.json({})));
afterEach(async () => {
  await closeTestPages();
  await act(async () => root?.unmount());
  root = undefined;
  closeAuthDialog();
  clearSession();
  localStorage.clear();
});

function Home() {
  return `Home, ${JSON.stringify(useLocation().state)}`;
}

function Dashboard() {
  const { onLogout } = useAccountActions();
  return (
    <button type="button" onClick={onLogout}>
      Logout
    </button>
  );
}

/** Opens the dashboard. The code of the home page is there after `loadHome`. */
function openDashboard(address = '/dashboard') {
  const { promise: homeLoaded, resolve: loadHome } = Promise.withResolvers<void>();
  const page = document.createElement('div');
  const guarded = (
    <RequireSession>
      <Dashboard />
    </RequireSession>
  );
  const routes = [
    { path: '/', lazy: () => homeLoaded.then(() => ({ Component: Home })) },
    { path: '/dashboard', element: guarded },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  root = createRoot(page);
  root.render(<RouterProvider router={router} useTransitions={false} />);
  return {
    text: () => page.textContent,
    logout: () => act(async () => page.querySelector('button')?.click()),
    loadHome,
  };
}

/** The sign-out has removed the data of the user from the device. */
const signedOut = () => expect.poll(unfinishedSignOuts).toEqual([]);

test('after a sign-out home does not offer the way back to the page of the account', async () => {
  signInForTest('7', 'abc');
  const { text, logout, loadHome } = openDashboard();
  await expect.poll(text).toBe('Logout');
  await logout();
  // The dashboard is rendered once more while home is loading.
  expect(text()).toBe('Logout');
  loadHome();
  await expect.poll(text).toBe('Home, null');
  await expect.poll(currentSession).toBeNull();
  expect(text()).toBe('Home, null');
  await signedOut();
});

test('a signed-out visitor of a page of the account goes home, with the whole address to come back to', async () => {
  const { text, loadHome } = openDashboard('/dashboard?tab=2#bids');
  loadHome();
  await expect.poll(text).toBe('Home, {"returnTo":"/dashboard?tab=2#bids"}');
});

test('a visitor starts with the registration, and a user on the dashboard', async () => {
  const Start = () => (
    <button type="button" onClick={useStartRegistration()}>
      Start
    </button>
  );
  const { press, address } = await openTestPage(<Start />);
  await press('Start');
  expect([useAuthDialog.getState().open, address()]).toEqual(['register', '/']);
  closeAuthDialog();
  await act(async () => signInForTest('7', 'abc'));
  await press('Start');
  await expect.poll(address).toBe('/dashboard');
  expect(useAuthDialog.getState().open).toBeNull();
});

test('the buttons of the frames open the sign-in and the registration', async () => {
  const Frame = () => {
    const { onSignIn, onSignUp } = useAccountActions();
    return (
      <>
        <button type="button" onClick={onSignIn}>
          Sign in
        </button>
        <button type="button" onClick={onSignUp}>
          Register
        </button>
      </>
    );
  };
  const { press } = await openTestPage(<Frame />);
  await press('Sign in');
  expect(useAuthDialog.getState().open).toBe('sign-in');
  await press('Register');
  expect(useAuthDialog.getState().open).toBe('register');
});

test('home shows nothing of the user while it is loading after a sign-out, and then it may', async () => {
  signInForTest('7', 'abc');
  const { text, logout, loadHome } = openDashboard();
  await expect.poll(text).toBe('Logout');
  expect(isSigningOut()).toBe(false);
  await logout();
  expect(isSigningOut()).toBe(true);
  loadHome();
  await expect.poll(currentSession).toBeNull();
  expect(isSigningOut()).toBe(false);
  await signedOut();
});

test('a tab that is closed while home is loading is signed out when it opens again', async () => {
  signInForTest('7', 'abc');
  const { text, logout, loadHome } = openDashboard();
  await expect.poll(text).toBe('Logout');
  await logout();
  expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null]);
  loadHome();
  await signedOut();
});
