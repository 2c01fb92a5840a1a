// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeRecords } from '../../data/records/record-rows.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { usePacks } from '../../offline/packs/pack-status.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { UserHome } from '../dashboard/DashboardHome.screen.tsx';
import { useChosenState } from './chosen-state.ts';

afterEach(async () => {
  await closeTestPages();
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
  const ChosenState = () => <output>{useChosenState()}</output>;
  const page = await openTestPage(
    <div>
      <UserHome />
      <ChosenState />
    </div>,
  );
  await expect
    .poll(() => calls.filter((call) => call.startsWith('/api/tenders?')))
    .toEqual(['/api/tenders?state=Kerala&sort=published_date&limit=3']);
  await expect.poll(() => page.texts('output')).toEqual(['Kerala']);
  await expect
    .poll(() => page.texts('h2'))
    .toEqual(['Latest in your districts and departments', 'Saved searches', 'Bookmarks that close next']);
});

test('home shows what a user prepares last, since it appears late and moves nothing there', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 404 }));
  signInForTest('71');
  await withDatabase((db) =>
    writeRecords(db, '71', [{ kind: 'bid', id: 'wall', change: { title: 'Wall', stage: 'preparing' } }], 1),
  );
  const page = await openTestPage(<UserHome />);
  await expect.poll(() => page.texts('h2').slice(-2)).toEqual(['Bookmarks that close next', 'Bids you are preparing']);
});

test("home shows the state of the present user only, and a visitor's choice to all", async () => {
  // Modules of its own: a choice stays with a page.
  vi.resetModules();
  const { chooseState, proposeState, useChosenState } = await import('./chosen-state.ts');
  const { signInForTest } = await import('../../data/test-session.ts');
  const { clearSession } = await import('../../data/session.ts');
  const ChosenState = () => <output>{JSON.stringify(useChosenState())}</output>;
  const { text } = await openTestPage(<ChosenState />);
  const shownAfter = async (change: () => void) => {
    await act(async () => change());
    return JSON.parse(text());
  };
  expect(text()).toBe('null');
  expect(await shownAfter(() => signInForTest('7'))).toBeNull();
  expect(await shownAfter(() => proposeState('7', 'Assam'))).toBe('Assam');
  expect(localStorage.getItem('homeState')).toBeNull();
  // The same tab after a sign-out, then after the sign-in of another user.
  expect(await shownAfter(clearSession)).toBeNull();
  expect(await shownAfter(() => signInForTest('8'))).toBeNull();
  expect(await shownAfter(() => proposeState('8', 'Odisha'))).toBe('Odisha');
  // all states are a choice too
  expect(await shownAfter(() => chooseState(''))).toBe('');
  expect(await shownAfter(clearSession)).toBe('');
});
