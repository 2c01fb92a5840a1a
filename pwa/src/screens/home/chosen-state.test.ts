// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { act } from 'preact/test-utils';
import { type ComponentType, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { usePacks } from '../../features/tenders/packs/pack-status.ts';
import { openPage } from '../../ui/form/test-screen.ts';
import { UserHome } from '../dashboard/DashboardHome.tsx';
import { chooseState, proposeState, useChosenState } from './chosen-state.ts';

afterEach(async () => {
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  usePacks.setState({ isRead: false, scopes: {}, hinted: [] });
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

test('home shows the latest three tenders of a user, whose state it then knows', async () => {
  const calls: string[] = [];
  const me = {
    user: { _id: '70', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' },
    ...{ companyName: '', companyType: 'private', state: 'Kerala', districts: [], departments: [], address: '' },
    ...{ billing: { gstin: '', firm: '', firmAddress: '' }, createdAt: '2026-04-01T00:00:00Z' },
  };
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const { pathname, search } = new URL(url);
    calls.push(pathname + search);
    return pathname === '/api/me' ? Response.json(me) : Response.json({}, { status: 404 });
  });
  usePacks.setState({ isRead: true, scopes: {}, hinted: [] });
  signInForTest('70');
  const ChosenState = (() => `State: ${useChosenState()}`) as unknown as ComponentType;
  const page = await openPage(createElement('div', null, createElement(UserHome), createElement(ChosenState)));
  await expect
    .poll(() => calls.filter((call) => call.startsWith('/api/tenders?')))
    .toEqual(['/api/tenders?state=Kerala&sort=published_date&limit=3']);
  await expect.poll(() => page.text()).toContain('State: Kerala');
  expect(page.texts('h2')).toEqual([
    ...['Latest in your districts and departments', 'Saved searches', 'Bookmarks that close next'],
  ]);
  await page.close();
});

test("home shows the state of the present user only, and a visitor's choice to all", async () => {
  const ChosenState = () => String(useChosenState());
  const page = document.createElement('div');
  const router = createMemoryRouter([{ path: '/', Component: ChosenState }]);
  await act(async () => createRoot(page).render(createElement(RouterProvider, { router })));
  const shownAfter = async (change: () => void) => {
    await act(async () => change());
    return page.textContent;
  };
  expect(page.textContent).toBe('null');
  expect(await shownAfter(() => signInForTest('7'))).toBe('null');
  expect(await shownAfter(() => proposeState('7', 'Assam'))).toBe('Assam');
  expect(localStorage.getItem('homeState')).toBeNull();
  // the same tab after a sign-out, then of another user
  expect(await shownAfter(clearSession)).toBe('null');
  expect(await shownAfter(() => signInForTest('8'))).toBe('null');
  expect(await shownAfter(() => proposeState('8', 'Odisha'))).toBe('Odisha');
  // all states are a choice too
  expect(await shownAfter(() => chooseState(''))).toBe('');
  expect(await shownAfter(clearSession)).toBe('');
});
