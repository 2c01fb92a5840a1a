// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { DEFAULT_ALERT_PREFERENCES } from '@nivida/contract/push/push';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storedHashes, storeFiles } from '../../data/bid-documents/files.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { readSetting, writeSetting } from '../../data/device/settings.ts';
import { readTabDraft, saveTabDraft } from '../../data/device/tab-drafts.ts';
import { stopOutbox } from '../../data/outbox/outbox.ts';
import { beginSignOut, clearSession, currentSession, reloadSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { writeAccountLanguage } from '../../data/texts/account-language.ts';
import { changeCheck, readChecks } from '../../features/checklist/checks.ts';
import { requestDocuments, requestedIds } from '../../features/documents/requests.ts';
import { changeBidProfile, readBidProfile } from '../../features/eligibility/bid-profile.ts';
import { readPendingOrder, storePendingOrder } from '../../features/orders/payment/pending-order.ts';
import { lastFilters, storeLastFilter } from '../../features/results/filters/last-filters.ts';
import { addRecentSearch, recentSearches } from '../../features/search/recent-searches.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { finishSignOuts } from './delete-user-data.ts';

/** The tokens of the sign-outs that the server has received. */
let ended: (string | null)[];

beforeEach(() => {
  localStorage.clear();
  ended = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (new URL(request.url).pathname === '/api/auth/logout') ended.push(request.headers.get('authorization'));
    return Response.json({});
  });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  stopOutbox();
  clearSession();
  localStorage.clear();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Taps Logout or deletes the account, and closes the tab before anything else happens; returns in the next tab. */
function signOutAndClose({ isAccountDeleted = false } = {}): void {
  const session = currentSession();
  if (session) beginSignOut(session, isAccountDeleted);
  reloadSession();
}

function shownSearches(): readonly string[] {
  recentSearches.show();
  return recentSearches.useShown.getState().value;
}

test('a sign-out whose tab is closed at once is finished by the next tab', async () => {
  signInForTest('7', 'abc');
  writeAccountLanguage('hi');
  await addRecentSearch('q=bridge');
  signOutAndClose();
  expect(currentSession()).toBeNull();

  await finishSignOuts();
  await expect.poll(() => ended).toEqual(['Bearer abc']);
  expect({ ...localStorage }).toEqual({});
  signInForTest('7', 'def');
  expect(shownSearches()).toEqual([]);
  await finishSignOuts();
  expect(ended).toEqual(['Bearer abc']);
});

test('the data stays when the user has signed in again since then, and only the earlier session ends', async () => {
  signInForTest('7', 'abc');
  await addRecentSearch('q=bridge');
  signOutAndClose();
  signInForTest('7', 'def');

  await finishSignOuts();
  await expect.poll(() => ended).toEqual(['Bearer abc']);
  expect(currentSession()?.token).toBe('def');
  expect(shownSearches()).toEqual(['q=bridge']);
});

test('a sign-out leaves no order, one-time token, bookmark, search or refused message of the user, and all of the next one', async () => {
  const rowsOf = (owner: string) =>
    withDatabase(async (db) => [
      await db.bookmarks.where('owner').equals(owner).count(),
      await db.searches.where('owner').equals(owner).count(),
      await db.outbox.where('owner').equals(owner).count(),
    ]);
  await withDatabase(async (db) => {
    for (const owner of ['7', '8']) {
      await db.bookmarks.put({ owner, tenderId: '1', at: 1, summary: null });
      const filter = { state: '', district: '', department: '', q: 'road' };
      await db.searches.put({ owner, id: owner, name: 'Road', filter, openedUpTo: 0, savedAt: 1, refusal: null });
      await db.outbox.put({
        ...{ id: owner, owner, kind: 'contact', path: '/api/contact', body: {}, needs: 'nothing' },
        ...{ authorization: null, at: 1, refusal: 'Too long', sentAt: null },
      });
    }
  });
  signInForTest('7', 'abc');
  await storePendingOrder({ orderId: 'order-7', at: 1 });
  await writeSetting('send tokens', { owner: '7', tokens: ['one'] });
  expect((await readPendingOrder(2))?.orderId).toBe('order-7');
  signOutAndClose();
  await finishSignOuts();
  await expect.poll(() => ended).toEqual(['Bearer abc']);
  expect(await readSetting('pending order')).toBeNull();
  expect(await readSetting('send tokens')).toBeNull();
  expect(await rowsOf('7')).toEqual([0, 0, 0]);
  expect(await rowsOf('8')).toEqual([1, 1, 1]);
});

test('a sign-out leaves no typed text, sent record, office, list, package, reading, filter or request of the user, and all of the next one', async () => {
  const office = { id: '0123456789ab', key: 'PWD||Mandi Division', name: 'Mandi Division', kind: 'chain' } as const;
  const ownData = async (owner: string) => {
    signInForTest(owner);
    lastFilters.show();
    return {
      filters: lastFilters.useShown.getState().value,
      draft: readTabDraft('payment form', owner),
      ...(await withDatabase(async (db) => ({
        requests: await requestedIds(db, owner),
        records: await db.records.where('owner').equals(owner).count(),
        offices: await db.followedOffices.where('owner').equals(owner).count(),
        lists: await db.accountLists.where('owner').equals(owner).count(),
        packages: await db.packageFiles.where('owner').equals(owner).count(),
        readings: await db.readings.where('owner').equals(owner).count(),
      }))),
    };
  };
  for (const owner of ['8', '7']) {
    signInForTest(owner, owner === '7' ? 'abc' : 'xyz');
    storeLastFilter('Assam', 'min=100000');
    saveTabDraft('payment form', owner, { name: 'Asha' });
    await requestDocuments('12', null).catch(() => undefined);
    await withDatabase(async (db) => {
      await db.records.put({ owner, kind: 'check', id: owner, fields: {}, stamps: {}, at: 1, refusal: null });
      await db.followedOffices.put({
        owner,
        officeId: office.id,
        office: { ...office, department: '', state: '' },
        at: 1,
      });
      await db.accountLists.put({ owner, kind: 'orders', list: { orders: [], plan: null }, savedAt: 1 } as never);
      await db.packageFiles.put({ owner, nit: 'n', version: 1 } as never);
      const reading = { files: [], facts: [], boqs: [] };
      await db.readings.put({ owner, tenderId: '12', reading, version: '', savedAt: 1 });
    });
  }
  await writeSetting('interests', { userId: '7', state: 'Assam', districts: [], departments: [] });
  const all = {
    ...{ filters: { Assam: 'min=100000' }, draft: { name: 'Asha' }, requests: ['12'] },
    ...{ records: 1, offices: 1, lists: 1, packages: 1, readings: 1 },
  };
  const none = { filters: {}, draft: null, requests: [], records: 0, offices: 0, lists: 0, packages: 0, readings: 0 };
  expect(await ownData('8')).toEqual(all);
  expect(await ownData('7')).toEqual(all);
  signOutAndClose();
  await finishSignOuts();
  expect(await readSetting('interests')).toBeNull();
  expect(await ownData('7')).toEqual(none);
  expect(await ownData('8')).toEqual(all);
});

test('the sign-outs of two users whose tabs were closed at once are both finished', async () => {
  signInForTest('7', 'abc');
  await addRecentSearch('q=bridge');
  signOutAndClose();
  signInForTest('8', 'xyz');
  signOutAndClose();
  await finishSignOuts();
  await expect.poll(() => ended.toSorted()).toEqual(['Bearer abc', 'Bearer xyz']);
  signInForTest('7', 'def');
  expect(shownSearches()).toEqual([]);
});

test('a sign-out that is finished after the next user has signed in leaves the tokens, interests and alerts of that user', async () => {
  signInForTest('7', 'abc');
  signOutAndClose();
  signInForTest('8', 'xyz');
  const interests = { userId: '8', state: 'Assam', districts: [], departments: [] };
  const settings = [
    ['send tokens', { owner: '8', tokens: ['one'] }],
    ['interests', interests],
    ['alertsWanted', { ...DEFAULT_ALERT_PREFERENCES, owner: '8' }],
  ] as const;
  for (const [key, value] of settings) await writeSetting(key, value);
  await withDatabase((db) =>
    db.pushDevice.put({
      ...{ key: 'device', owner: '8', id: 'd1', secret: 'abc', rcpt: 'r', watched: [] },
      preferences: DEFAULT_ALERT_PREFERENCES,
    }),
  );
  await finishSignOuts();
  await expect.poll(() => ended).toEqual(['Bearer abc']);
  for (const [key, value] of settings) expect([key, await readSetting(key)]).toEqual([key, value]);
  expect(await withDatabase((db) => db.pushDevice.count())).toBe(1);
});

/** Marks a row of a checklist and enters a figure. */
const enterDeviceOnlyData = (owner: string) =>
  withDatabase(async (db) => {
    await changeCheck(db, [owner, '1', 'pan'], { state: 'ready' }, 1);
    await changeBidProfile(db, owner, (profile) => ({ ...profile, commitments: 5 }), 1);
    await storeFiles(db, [{ owner, hash: 'a', bytes: 3, file: new Blob(['abc']), at: 1 }]);
  });

const deviceOnlyData = (owner: string) =>
  withDatabase(async (db) => ({
    marks: (await readChecks(db, owner, '1')).map(({ key }) => key),
    commitments: (await readBidProfile(db, owner)).commitments,
    files: [...(await storedHashes(db, owner))],
  }));

/** The names of settings that belong to a user. */
const settingsOf = (owner: string) =>
  withDatabase(async (db) =>
    (await db.settings.toCollection().primaryKeys()).filter((key) => key.endsWith(` of ${owner}`)),
  );

const ENTERED = { marks: ['pan'], commitments: 5, files: ['a'] };
const NOTHING = { marks: [], commitments: null, files: [] };

test('a deleted account whose tab is closed at once loses its marks and figures in the next tab, and no other user does', async () => {
  await enterDeviceOnlyData('7');
  await enterDeviceOnlyData('8');
  const settings = ['read expiry warnings', 'file backup'];
  for (const owner of ['7', '8']) for (const name of settings) await writeSetting(`${name} of ${owner}`, null);
  signInForTest('7', 'abc');
  signOutAndClose({ isAccountDeleted: true });
  expect(await deviceOnlyData('7')).toEqual(ENTERED);

  await finishSignOuts();
  expect(await deviceOnlyData('7')).toEqual(NOTHING);
  expect(await deviceOnlyData('8')).toEqual(ENTERED);
  expect(await settingsOf('7')).toEqual([]);
  expect(await settingsOf('8')).toHaveLength(2);
  expect({ ...localStorage }).toEqual({});
  await expect.poll(() => ended).toEqual(['Bearer abc']);
});

test('marks and figures stay after a sign-out, and after a sign-in that ends the deletion of the account', async () => {
  await enterDeviceOnlyData('7');
  signInForTest('7', 'abc');
  signOutAndClose();
  await finishSignOuts();
  await expect.poll(() => ended).toEqual(['Bearer abc']);
  expect(await deviceOnlyData('7')).toEqual(ENTERED);
  const offer = useToast.getState().current;
  expect(offer?.text).toBe(
    '1 photo or PDF stays on this phone for your next sign-in. Other users of this phone do not see them in Nivida.',
  );

  signInForTest('7', 'def');
  signOutAndClose({ isAccountDeleted: true });
  signInForTest('7', 'ghi');
  await finishSignOuts();
  await expect.poll(() => ended).toEqual(['Bearer abc', 'Bearer def']);
  expect(await deviceOnlyData('7')).toEqual(ENTERED);
  await enterDeviceOnlyData('8');
  offer?.action?.run();
  await expect.poll(async () => (await deviceOnlyData('7')).files).toEqual([]);
  expect((await deviceOnlyData('8')).files).toEqual(['a']);
});

test('a sign-out names the number of files that stay, those of the user only', async () => {
  await withDatabase((db) =>
    storeFiles(
      db,
      [
        ['7', 'a'],
        ['7', 'b'],
        ['8', 'c'],
      ].map(([owner = '', hash = '']) => ({ owner, hash, bytes: 3, file: new Blob([hash]), at: 1 })),
    ),
  );
  signInForTest('7', 'abc');
  signOutAndClose();
  await finishSignOuts();
  expect(useToast.getState().current).toMatchObject({
    text: '2 photos and PDFs stay on this phone for your next sign-in. Other users of this phone do not see them in Nivida.',
    action: { label: 'Delete them' },
    passing: true,
  });
  dismissToast();
  signInForTest('9', 'def');
  signOutAndClose();
  await finishSignOuts();
  expect(useToast.getState().current).toBeUndefined();
  await expect.poll(() => ended).toEqual(['Bearer abc', 'Bearer def']);
});

test('marks and figures of a deleted account that could not be removed are removed at the next start', async () => {
  await enterDeviceOnlyData('7');
  signInForTest('7', 'abc');
  signOutAndClose({ isAccountDeleted: true });
  await closeDatabase();
  const opening = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  await finishSignOuts();
  expect(Object.keys(localStorage)).toEqual(['sign-outs']);

  opening.mockRestore();
  await closeDatabase();
  await finishSignOuts();
  expect(await deviceOnlyData('7')).toEqual(NOTHING);
  expect({ ...localStorage }).toEqual({});
  await expect.poll(() => ended).toEqual(['Bearer abc', 'Bearer abc']);
});
