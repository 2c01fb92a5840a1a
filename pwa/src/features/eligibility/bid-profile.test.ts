import 'fake-indexeddb/auto';
import { EMPTY_BID_PROFILE } from '@nivida/contract/rules/may-i-bid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { changeBidProfile, mergeBidProfileAtSignIn, readBidProfile, UnreadableBidProfileError } from './bid-profile.ts';
import { deleteBidProfileOf } from './bid-profile-owner.ts';

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

test('signing in moves figures entered signed out to the user', async () => {
  await enter('', 1);
  await mergeBidProfileAtSignIn(db, ASHA);
  expect([await commitmentsOf(ASHA), await commitmentsOf('')]).toEqual([1, null]);
  // a second time there is nothing to move
  await mergeBidProfileAtSignIn(db, ASHA);
  expect(await commitmentsOf(ASHA)).toBe(1);
});

const work = (id: string, name: string) => ({ id, name, value: 5, completedOn: '2025-03-31' });
const enlistment = (id: string, className: string) => ({
  ...{ id, authority: 'hp_pwd', className, ownLimit: null, validUntil: '' },
});

test('figures entered signed out complete those that the user has, and lose none', async () => {
  await changeBidProfile(db, ASHA, (profile) => ({
    ...profile,
    ...{ works: [work('1', 'Road'), work('2', 'Bridge')], enlistments: [enlistment('1', 'C')] },
    ...{ turnover: { '2024-25': 10 }, multiplier: 3 },
  }));
  await changeBidProfile(db, '', (profile) => ({
    ...profile,
    ...{ works: [work('2', 'Bridge of another name'), work('3', 'School')], enlistments: [enlistment('2', 'D')] },
    ...{ turnover: { '2024-25': 99, '2025-26': 20 }, commitments: 7 },
  }));
  await mergeBidProfileAtSignIn(db, ASHA);
  expect(await readBidProfile(db, ASHA)).toEqual({
    works: [work('1', 'Road'), work('2', 'Bridge'), work('3', 'School')],
    enlistments: [enlistment('1', 'C'), enlistment('2', 'D')],
    turnover: { '2024-25': 10, '2025-26': 20 },
    commitments: 7,
    multiplier: 3,
    raisesValues: false,
  });
  expect(await readBidProfile(db, '')).toEqual(EMPTY_BID_PROFILE);
});

test("deleting an account removes its user's figures only", async () => {
  await enter(ASHA, 1);
  await enter(RAVI, 2);
  await deleteBidProfileOf(db, ASHA);
  expect([await commitmentsOf(ASHA), await commitmentsOf(RAVI)]).toEqual([null, 2]);
});

test('figures of another shape are read as none, and neither a save nor a sign-in writes over them', async () => {
  const row = { key: 'bid profile of 7', value: { enlistments: 'C' } };
  await db.settings.put(row);
  await enter('', 1);
  expect(await readBidProfile(db, ASHA)).toEqual(EMPTY_BID_PROFILE);
  await expect(enter(ASHA, 5)).rejects.toThrow(UnreadableBidProfileError);
  await expect(mergeBidProfileAtSignIn(db, ASHA)).rejects.toThrow(UnreadableBidProfileError);
  expect(await db.settings.get(row.key)).toEqual(row);
  expect(await commitmentsOf('')).toBe(1);
});

test('figures of another shape that were entered signed out stay as they are at sign-in', async () => {
  const row = { key: 'bid profile of ', value: { enlistments: 'C' } };
  await db.settings.put(row);
  await enter(ASHA, 5);
  await expect(mergeBidProfileAtSignIn(db, ASHA)).rejects.toThrow(UnreadableBidProfileError);
  expect(await db.settings.get(row.key)).toEqual(row);
  expect(await commitmentsOf(ASHA)).toBe(5);
});
