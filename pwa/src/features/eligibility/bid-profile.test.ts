import 'fake-indexeddb/auto';
import { EMPTY_BID_PROFILE } from '@nivida/contract/rules/may-i-bid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { changeBidProfile, readBidProfile } from './bid-profile.ts';
import { deleteBidProfileOf, mergeBidProfileAtSignIn } from './sync-bid-profile.ts';

const ASHA = '7';
const RAVI = '8';

let db: DeviceDatabase;
beforeEach(() => {
  db = new DeviceDatabase('bid-profile');
});
afterEach(() => db.delete());

const enter = (owner: string, commitments: number) =>
  changeBidProfile(db, owner, (profile) => ({ ...profile, commitments }));
const commitmentsOf = async (owner: string) => (await readBidProfile(db, owner)).commitments;

test('figures belong to the user who entered them', async () => {
  await enter(ASHA, 5);
  expect(await commitmentsOf(ASHA)).toBe(5);
  expect(await commitmentsOf(RAVI)).toBeNull();
  expect(await commitmentsOf('')).toBeNull();
});

test('signing in takes over figures entered signed out, unless the user has own ones', async () => {
  await enter('', 1);
  await mergeBidProfileAtSignIn(db, ASHA);
  expect([await commitmentsOf(ASHA), await commitmentsOf('')]).toEqual([1, null]);
  await enter('', 2);
  await mergeBidProfileAtSignIn(db, ASHA);
  expect([await commitmentsOf(ASHA), await commitmentsOf('')]).toEqual([1, null]);
});

test("deleting an account removes its user's figures only", async () => {
  await enter(ASHA, 1);
  await enter(RAVI, 2);
  await deleteBidProfileOf(db, ASHA);
  expect([await commitmentsOf(ASHA), await commitmentsOf(RAVI)]).toEqual([null, 2]);
});

test('figures of another shape are read as none', async () => {
  await db.settings.put({ key: 'bid profile of 7', value: { enlistments: 'C' } });
  expect(await readBidProfile(db, ASHA)).toEqual(EMPTY_BID_PROFILE);
});
