// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { readSetting, writeSetting } from '../../data/device/settings.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { type InterestsState, useInterests } from './interests.ts';

const STORED = { userId: '7', state: 'Goa', districts: ['North Goa'], departments: ['Public Works Department'] };

let page: TestPage;
let calls: number;
let answer: () => Response | Promise<Response>;
let result: InterestsState | undefined;

/** The server's answer about a user of this state. */
const me = (state: string, _id = '7') =>
  Response.json({
    user: { _id, username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' },
    ...{ companyName: '', companyType: 'private', state, districts: ['Shimla'], departments: ['PWD'], address: '' },
    ...{ billing: { gstin: '', firm: '', firmAddress: '' }, createdAt: '2026-04-01T00:00:00Z' },
  });

beforeEach(() => {
  calls = 0;
  result = undefined;
  answer = () => me('Himachal Pradesh');
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    if (new URL(url).pathname !== '/api/me') return Response.json({}, { status: 404 });
    calls += 1;
    return answer();
  });
});
afterEach(async () => {
  await closeTestPages();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Opens a screen of a user's interests. */
async function open(userId = '7'): Promise<void> {
  signInForTest(userId);
  const Screen = () => {
    result = useInterests(userId);
    return result.error === undefined ? (result.interests?.state ?? 'Loading') : 'Failed';
  };
  page = await openTestPage(<Screen />);
}

test('the stored interests are shown at once, then those of the server, which are stored', async () => {
  await writeSetting('interests', STORED);
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  await open();
  await expect.poll(() => page.text()).toBe('Goa');
  resolve(me('Himachal Pradesh'));
  await expect.poll(() => page.text()).toBe('Himachal Pradesh');
  const fetched = { userId: '7', state: 'Himachal Pradesh', districts: ['Shimla'], departments: ['PWD'] };
  expect(result?.interests).toEqual(fetched);
  expect(await readSetting('interests')).toEqual(fetched);
});

test('those that come after the sign-out are not stored', async () => {
  const { readable, writable } = new TransformStream();
  // The head of the answer comes before, its body after.
  answer = () => new Response(readable, { headers: { 'content-type': 'application/json' } });
  await open();
  await expect.poll(() => calls).toBe(1);
  clearSession();
  await writeSetting('interests', null);
  await me('Goa').body?.pipeTo(writable);
  await expect.poll(() => page.text()).not.toBe('Loading');
  expect(await readSetting('interests')).toBeNull();
});

test('stored interests stay when the server cannot be asked, without an error', async () => {
  await writeSetting('interests', STORED);
  answer = () => Response.json({}, { status: 500 });
  await open();
  await expect.poll(() => [calls, page.text()]).toEqual([1, 'Goa']);
  expect(result?.error).toBeUndefined();
  expect(await readSetting('interests')).toEqual(STORED);
});

test('without stored interests a failure is an error, until they are loaded again', async () => {
  answer = () => Response.json({}, { status: 500 });
  await open();
  await expect.poll(() => page.text()).toBe('Failed');
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  await act(async () => result?.reload());
  expect(page.text()).toBe('Loading');
  resolve(me('Goa'));
  await expect.poll(() => page.text()).toBe('Goa');
  expect(result?.error).toBeUndefined();
});

test('they are loaded again when there is a connection again', async () => {
  answer = () => Response.json({}, { status: 500 });
  await open();
  await expect.poll(() => page.text()).toBe('Failed');
  answer = () => me('Goa');
  await act(async () => void window.dispatchEvent(new Event('online')));
  await expect.poll(() => page.text()).toBe('Goa');
});

test.each<[string, unknown]>([
  ['of another user', { ...STORED, userId: '8' }],
  ['without a state', { ...STORED, state: undefined }],
  ['without a list of districts', { ...STORED, districts: 'North Goa' }],
  ['without a list of departments', { ...STORED, departments: null }],
  ['that are none', null],
])('stored interests %s are not shown', async (_what, stored) => {
  await writeSetting('interests', stored);
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  await open();
  await expect.poll(() => calls).toBe(1);
  expect(page.text()).toBe('Loading');
  resolve(me('Himachal Pradesh'));
  await expect.poll(() => page.text()).toBe('Himachal Pradesh');
});
