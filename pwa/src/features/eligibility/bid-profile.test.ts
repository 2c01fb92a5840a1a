// @vitest-environment node
import 'fake-indexeddb/auto';
import { type BidProfile, EMPTY_BID_PROFILE } from '@nivida/contract/rules/may-i-bid';
import { safeParse } from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { deleteRecordsOf, mergeRecordsAtSignIn, readRecords } from '../../data/records/record-rows.ts';
import { changeBidProfile, readBidProfile } from './bid-profile.ts';
import { workForm } from './profile-forms.ts';

const ASHA = '7';
const RAVI = '8';

let db: DeviceDatabase;
let now: number;
beforeEach(() => {
  db = new DeviceDatabase('bid-profile');
  now = 1_000;
});
afterEach(() => db.delete());

const change = (owner: string, changed: (profile: BidProfile) => BidProfile) =>
  changeBidProfile(db, owner, changed, ++now);
const enter = (owner: string, commitments: number) => change(owner, (profile) => ({ ...profile, commitments }));
const commitmentsOf = async (owner: string) => (await readBidProfile(db, owner)).commitments;

test('figures belong to the user who entered them', async () => {
  await enter(ASHA, 5);
  expect(await commitmentsOf(ASHA)).toBe(5);
  expect(await commitmentsOf(RAVI)).toBeNull();
  expect(await commitmentsOf('')).toBeNull();
});

test('an enlistment keeps what it is for', async () => {
  const electrical = { ...enlistment('1', 'B'), trade: 'electrical' as const };
  await change(ASHA, (profile) => ({ ...profile, enlistments: [electrical] }));
  expect((await readBidProfile(db, ASHA)).enlistments).toEqual([electrical]);
});

test('a completed work keeps its client', async () => {
  const school = { ...work('1', 'School'), client: 'HPPWD Division Rampur' };
  await change(ASHA, (profile) => ({ ...profile, works: [school, work('2', 'Road')] }));
  expect((await readBidProfile(db, ASHA)).works).toEqual([school, work('2', 'Road')]);
  expect((await readRecords(db, ASHA, 'workDone')).map(({ fields }) => fields.client).sort()).toEqual([
    'HPPWD Division Rampur',
    undefined,
  ]);
});

test('signing in moves figures entered signed out to the user', async () => {
  await enter('', 1);
  await mergeRecordsAtSignIn(db, ASHA, ++now);
  expect([await commitmentsOf(ASHA), await commitmentsOf('')]).toEqual([1, null]);
  // a second time there is nothing to move
  await mergeRecordsAtSignIn(db, ASHA, ++now);
  expect(await commitmentsOf(ASHA)).toBe(1);
});

const work = (id: string, name: string) => ({ id, name, value: 5, completedOn: '2025-03-31' });
const enlistment = (id: string, className: string) => ({
  ...{ id, authority: 'hp_pwd', className, ownLimit: null, validUntil: '' },
});

test('figures entered signed out are added to the user’s figures; if both have the same figure, the later entry stays', async () => {
  await change('', (profile) => ({
    ...profile,
    ...{ works: [work('2', 'Bridge of another name'), work('3', 'School')], enlistments: [enlistment('2', 'D')] },
    ...{ turnover: { '2024-25': 99, '2025-26': 20 }, commitments: 7 },
  }));
  await change(ASHA, (profile) => ({
    ...profile,
    ...{ works: [work('1', 'Road'), work('2', 'Bridge')], enlistments: [enlistment('1', 'C')] },
    ...{ turnover: { '2024-25': 10 }, multiplier: 3 },
  }));
  await mergeRecordsAtSignIn(db, ASHA, ++now);
  expect(await readBidProfile(db, ASHA)).toEqual({
    works: [work('3', 'School'), work('1', 'Road'), work('2', 'Bridge')],
    enlistments: [enlistment('2', 'D'), enlistment('1', 'C')],
    turnover: { '2024-25': 10, '2025-26': 20 },
    commitments: 7,
    multiplier: 3,
    raisesValues: false,
  });
  expect(await readBidProfile(db, '')).toEqual(EMPTY_BID_PROFILE);
});

test('an entry is changed, emptied and removed, and amounts have their paise', async () => {
  const limited = { ...enlistment('1', 'C'), ownLimit: 2_500_000.55, validUntil: '2027-03-31' };
  await change(ASHA, (profile) => ({
    ...profile,
    ...{ enlistments: [limited], works: [work('2', 'Road')], turnover: { '2024-25': 10.1, '2099-00': 1 } },
  }));
  expect((await readBidProfile(db, ASHA)).enlistments).toEqual([limited]);
  await change(ASHA, (profile) => ({
    ...profile,
    ...{ enlistments: [enlistment('1', '')], works: [], turnover: { '2024-25': 10.1 }, raisesValues: true },
  }));
  expect(await readBidProfile(db, ASHA)).toEqual({
    ...EMPTY_BID_PROFILE,
    ...{ enlistments: [enlistment('1', '')], turnover: { '2024-25': 10.1 }, raisesValues: true },
  });
  // the removed entries reach other devices as deletions
  expect((await db.records.get([ASHA, 'workDone', '2']))?.deleted).toBeDefined();
  expect((await readRecords(db, ASHA, 'profile'))[0]?.fields).toEqual({ turnover2024: 1_010, raisesValues: true });
});

test('entries stay in the order in which they were entered, also after one is changed', async () => {
  const add = (id: string) =>
    change(ASHA, (profile) => ({ ...profile, works: [...profile.works, work(id, `Work ${id}`)] }));
  for (const id of ['3', '1', '2']) await add(id);
  await change(ASHA, (profile) => ({
    ...profile,
    works: profile.works.map((each) => (each.id === '3' ? { ...each, value: 6 } : each)),
  }));
  const { works } = await readBidProfile(db, ASHA);
  expect(works.map(({ id, value }) => [id, value])).toEqual([
    ['3', 6],
    ['1', 5],
    ['2', 5],
  ]);
});

test("deleting an account removes its user's figures only", async () => {
  await enter(ASHA, 1);
  await enter(RAVI, 2);
  await deleteRecordsOf(db, ASHA);
  expect([await commitmentsOf(ASHA), await commitmentsOf(RAVI)]).toEqual([null, 2]);
});

test.each([
  ['2026-11-19', undefined],
  ['2026-11-20', undefined],
  ['2026-11-21', 'This day is in the future. Add the work when it is completed.'],
  ['', 'Choose the day'],
])('a work completed on "%s", entered early on 20 November in India: %s', (completedOn, message) => {
  const form = workForm(new Date('2026-11-20T00:30:00+05:30'));
  const { issues } = safeParse(form, { name: 'Road', value: '25,00,000', completedOn });
  expect(issues?.[0].message).toBe(message);
});
