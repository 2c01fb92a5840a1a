// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { OfficeReference } from '@nivida/contract/awards/awards';
import type { ChangeResult, OutboxRequest } from '@nivida/contract/sync/outbox';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { DeviceDatabase } from '../../../data/device/schema.ts';
import { exchangeOnce } from '../../../data/outbox/outbox.ts';
import { pendingChanges } from '../../../data/outbox/pending-changes.ts';
import { outboxAnswer } from '../../../data/outbox/test-outbox.ts';
import { clearSession, startSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { dismissToast, useToast } from '../../../ui/feedback/toast.ts';
import { setFollowed } from './follow-actions.ts';
import {
  deleteOfficesAtSignOut,
  followOffice,
  mergeOfficesAtSignIn,
  TooManyOfficesError,
  unfollowOffice,
  visibleOffices,
} from './followed-offices.ts';

const ASHA = '7';
const officeOf = (n: number): OfficeReference => ({
  id: n.toString(16).padStart(12, '0'),
  key: `PWD||Division ${n}`,
  name: `Division ${n}`,
  kind: 'chain',
  department: 'PWD',
  state: 'Assam',
});
const [MANDI, KULLU] = [officeOf(1), officeOf(2)];

/** Ids on the server, newest first, and the changes that it received; `fault` replaces its response. */
let stored: string[];
let calls: string[];
let fault: (call: string) => Response | undefined;
let refusals: Record<string, ChangeResult['refusal']>;
let db: DeviceDatabase;

beforeEach(() => {
  stored = [];
  calls = [];
  fault = () => undefined;
  refusals = {};
  vi.stubGlobal('fetch', async (request: Request) => {
    const body: OutboxRequest = JSON.parse(await request.text());
    for (const { officeId, wanted } of body.offices) {
      const call = `${wanted ? 'PUT' : 'DELETE'} ${officeId}`;
      calls.push(call);
      const failure = fault(call);
      if (failure) return failure;
      stored = stored.filter((each) => each !== officeId);
      if (wanted && !refusals[officeId]) stored.unshift(officeId);
    }
    const followedAt = '2026-11-10T06:00:00.000Z';
    const offices = stored.map((id) => ({ ...officeOf(Number.parseInt(id, 16)), followedAt }));
    return outboxAnswer(body, { offices }, refusals);
  });
  startSession('token', { _id: ASHA, username: 'Asha', email: 'asha@example.in', mobileNo: '9876543210' });
  db = new DeviceDatabase('phone');
});

afterEach(async () => {
  vi.unstubAllGlobals();
  clearSession();
  while (useToast.getState().current) dismissToast();
  await db.delete();
});

const names = async (owner = ASHA) => (await visibleOffices(db, owner)).map(({ office }) => office.name);
const waiting = async () =>
  (await pendingChanges(db, ASHA, 'office')).map(({ office, wanted }) => [office.name, wanted]);

test('an office that is followed without a connection is sent once there is a connection', async () => {
  await followOffice(db, ASHA, MANDI, 1);
  await followOffice(db, ASHA, MANDI, 2);
  fault = () => new Response(null, { status: 503 });
  await expect(exchangeOnce(db, true)).rejects.toThrow();
  expect([await names(), await waiting()]).toEqual([['Division 1'], [['Division 1', true]]]);
  fault = () => undefined;
  calls = [];
  await exchangeOnce(db, true);
  expect([calls, await names(), await waiting()]).toEqual([[`PUT ${MANDI.id}`], ['Division 1'], []]);
});

test('of a follow and an unfollow the last one is sent', async () => {
  stored = [MANDI.id];
  await exchangeOnce(db, true);
  await unfollowOffice(db, ASHA, MANDI.id, 2);
  await followOffice(db, ASHA, MANDI, 3);
  await unfollowOffice(db, ASHA, MANDI.id, 4);
  await exchangeOnce(db, true);
  expect([calls, stored, await names()]).toEqual([[`DELETE ${MANDI.id}`], [], []]);
});

test('the end of one office leaves the others', async () => {
  await followOffice(db, ASHA, MANDI, 1);
  await followOffice(db, ASHA, KULLU, 2);
  await unfollowOffice(db, ASHA, MANDI.id, 3);
  expect([await names(), await waiting()]).toEqual([
    ['Division 2'],
    [
      ['Division 1', false],
      ['Division 2', true],
    ],
  ]);
});

test('an office that is followed while the list is on its way stays, and is sent', async () => {
  stored = [MANDI.id];
  const respond = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) => {
    const answer = await respond(request);
    if (stored.length === 1) await followOffice(db, ASHA, KULLU, 9);
    return answer;
  });
  await exchangeOnce(db, true);
  expect([(await names()).sort(), calls, await waiting()]).toEqual([
    ['Division 1', 'Division 2'],
    [`PUT ${KULLU.id}`],
    [],
  ]);
});

test('an unfollow while the follow is on its way is sent too', async () => {
  await followOffice(db, ASHA, MANDI, 1);
  const respond = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (calls.length === 0) await unfollowOffice(db, ASHA, MANDI.id, 2);
    return respond(request);
  });
  await exchangeOnce(db, true);
  expect([stored, await names(), await waiting()]).toEqual([[], [], []]);
});

test('a change of a user who signs out before it is sent reaches no server, and waits for the next sign-in', async () => {
  await followOffice(db, ASHA, MANDI, 1);
  const exchange = exchangeOnce(db, true);
  signInForTest('8', "another user's token");
  await expect(exchange).rejects.toThrow('The session ended before the request');
  expect([calls, await waiting()]).toEqual([[], [['Division 1', true]]]);
});

test('Undo after another user has signed in follows and unfollows nothing', async () => {
  clearSession();
  const followed = (owner: string) => withDatabase((phone) => visibleOffices(phone, owner));
  await setFollowed(MANDI, true);
  const undo = useToast.getState().current?.action?.run;
  signInForTest('8');
  await withDatabase((phone) => followOffice(phone, '8', MANDI, 1));
  undo?.();
  // a change of the device waits for the one before it
  await withDatabase((phone) => followOffice(phone, '8', KULLU, 2));
  expect((await followed('8')).map(({ office }) => office.name).sort()).toEqual(['Division 1', 'Division 2']);
  await withDatabase((phone) => phone.delete());
  await closeDatabase();
});

test('offices of another device appear with its day, and those that it unfollowed go', async () => {
  await followOffice(db, ASHA, MANDI, 1);
  await exchangeOnce(db, true);
  stored = [KULLU.id];
  await exchangeOnce(db, true);
  expect(await names()).toEqual(['Division 2']);
  expect(await db.followedOffices.toArray()).toEqual([
    { owner: ASHA, officeId: KULLU.id, office: { ...KULLU }, at: Date.parse('2026-11-10T06:00:00.000Z') },
  ]);
});

test("a list that comes after the sign-out changes nothing, and another user's offices stay", async () => {
  await followOffice(db, '8', KULLU, 1);
  stored = [MANDI.id];
  const respond = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) => {
    const answer = await respond(request);
    clearSession();
    return answer;
  });
  await exchangeOnce(db, true).catch(() => undefined);
  expect([await names(ASHA), await names('8')]).toEqual([[], ['Division 2']]);
});

test('a sign-out removes the offices of its user only, and keeps what is not sent', async () => {
  await followOffice(db, ASHA, MANDI, 1);
  await followOffice(db, '8', KULLU, 2);
  await deleteOfficesAtSignOut(db, ASHA);
  expect([await names(ASHA), await names('8'), await waiting()]).toEqual([[], ['Division 2'], [['Division 1', true]]]);
});

test('the offices are newest first, those of one instant by their id', async () => {
  const [first, second, third] = [officeOf(9), officeOf(5), officeOf(7)];
  await followOffice(db, ASHA, first, 2);
  await followOffice(db, ASHA, second, 4);
  await followOffice(db, ASHA, third, 2);
  expect(await names()).toEqual(['Division 5', 'Division 7', 'Division 9']);
});

test('an office that the server refuses is removed with its reason', async () => {
  await followOffice(db, ASHA, MANDI, 1);
  refusals = { [MANDI.id]: { code: 'NOT_FOUND', message: 'This office was not found' } };
  await exchangeOnce(db, true);
  expect([await names(), await waiting()]).toEqual([[], []]);
  expect(useToast.getState().current?.text).toBe('Division 1 is not followed: This office was not found');
});

test('at most 50 offices are followed', async () => {
  for (let n = 1; n <= 50; n++) await followOffice(db, ASHA, officeOf(n), n);
  await expect(followOffice(db, ASHA, officeOf(51), 51)).rejects.toThrow(TooManyOfficesError);
  expect(await names()).toHaveLength(50);
  // one that is followed already is no 51st
  await followOffice(db, ASHA, officeOf(50), 52);
});

test('an office followed offline and signed out is there after a restart', async () => {
  clearSession();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  await followOffice(db, '', MANDI, 1);
  db.close();
  db = new DeviceDatabase('phone');
  expect(await names('')).toEqual(['Division 1']);
});

test('the offices of another user leave the phone at a sign-in, and come back with their owner', async () => {
  await followOffice(db, '8', MANDI, 1);
  await mergeOfficesAtSignIn(db, ASHA, 2);
  expect([await names(''), await names(ASHA)]).toEqual([[], []]);
  await mergeOfficesAtSignIn(db, '8', 3);
  expect(await names('8')).toEqual(['Division 1']);
});

test('a sign-in applies the unfollows that are not sent, and follows no office twice', async () => {
  await followOffice(db, ASHA, MANDI, 1);
  await followOffice(db, ASHA, KULLU, 2);
  await db.outbox.clear();
  const rows = await visibleOffices(db, ASHA);
  await unfollowOffice(db, ASHA, MANDI.id, 3);
  // the rows of an earlier list, and an office that was followed signed out too
  await db.followedOffices.bulkPut([...rows, { owner: '', officeId: KULLU.id, office: KULLU, at: 9 }]);
  await mergeOfficesAtSignIn(db, ASHA, 10);
  expect((await db.followedOffices.toArray()).map(({ owner, office, at }) => [owner, office.name, at])).toEqual([
    [ASHA, 'Division 2', 2],
  ]);
  expect(await waiting()).toEqual([['Division 1', false]]);
});

test('offices followed signed out become those of the user who signs in, and leave the phone at the sign-out', async () => {
  await followOffice(db, '', MANDI, 1);
  expect([await names(''), await waiting()]).toEqual([['Division 1'], []]);
  await mergeOfficesAtSignIn(db, ASHA, 2);
  await exchangeOnce(db, true);
  expect([calls, await names()]).toEqual([[`PUT ${MANDI.id}`], ['Division 1']]);
  await deleteOfficesAtSignOut(db, ASHA);
  expect(await names('')).toEqual([]);
});
