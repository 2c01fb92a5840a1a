import { expect, test } from 'vitest';
import { packedKeys, packOffices, unpackOffice } from './award-pack.ts';
import type { AwardRange, OfficeAwards } from './awards.ts';

const COVERAGE = { count: 91, of: 100 };
const shown = (basis: 'office' | 'department', awards: number, low: number, high: number): AwardRange => ({
  ...{ isShown: true, basis, awards, low, high, coverage: COVERAGE },
  officeAwards: basis === 'office' ? awards : 4,
});
const withheld = (reason: 'too-few' | 'too-wide' | 'rates-changed', officeAwards: number): AwardRange => ({
  ...{ isShown: false, reason, officeAwards },
  changedOn: reason === 'rates-changed' ? '2026-01-03' : null,
});

const LARGE: Omit<OfficeAwards, 'isOld'> = {
  office: {
    id: '',
    key: 'PWD||Shimla Circle||Mandi Division',
    name: 'Mandi Division',
    kind: 'chain',
    department: 'PWD',
    state: 'Goa',
  },
  awards: 96,
  firstKnownOn: '2024-12-01',
  lastKnownOn: '2026-10-30',
  bidders: shown('office', 90, 2, 5),
  price: shown('office', 80, -1_000, 300),
  daysToContract: shown('office', 70, 72, 311),
  masses: [
    { price: 0, count: 40, of: 95 },
    { price: -1_000, count: 22, of: 94 },
  ],
  refused: { count: 14, of: 98, technical: 12, notAdmitted: 2, isMoreThanUsual: true },
  singleBid: { count: 9, of: 96 },
  lateBids: { count: 68, of: 97 },
  computedOn: '2026-11-09',
  isDemonstration: false,
};
const SMALL: typeof LARGE = {
  ...LARGE,
  office: { id: '', key: 'PWD||pin:781003', name: 'PIN 781003', kind: 'pin', department: 'PWD', state: 'Goa' },
  awards: 12,
  firstKnownOn: '2025-02-01',
  lastKnownOn: null,
  bidders: withheld('too-wide', 11),
  price: withheld('rates-changed', 10),
  daysToContract: withheld('too-few', 4),
  masses: [],
  refused: null,
  singleBid: null,
  lateBids: null,
};
const DEPARTMENT: typeof LARGE = {
  ...SMALL,
  office: { id: '', key: 'PWD||', name: 'PWD', kind: 'department', department: 'PWD', state: 'Goa' },
  awards: 0,
  firstKnownOn: null,
  lastKnownOn: '2026-11-09',
  bidders: { ...shown('department', 400, 1, 3), officeAwards: 0 } as AwardRange,
  price: withheld('too-few', 0),
  daysToContract: withheld('too-few', 0),
};
const TOO_FEW = { ...SMALL, office: { ...SMALL.office, key: 'PWD||Una Division' }, awards: 9 };
const UNKNOWN = {
  ...SMALL,
  bidders: withheld('too-few', 3),
  price: withheld('too-few', 3),
  office: { ...SMALL.office, key: 'PWD||Solan' },
};

test('a device reads the figures of each office as they were packed', () => {
  const columns = packOffices([SMALL, LARGE, TOO_FEW, DEPARTMENT, UNKNOWN]);
  const kept = [LARGE, SMALL, DEPARTMENT].toSorted((one, other) => (one.office.key < other.office.key ? -1 : 1));
  expect(packedKeys(columns)).toEqual(kept.map(({ office }) => office.key));
  for (const [at, { office, ...figures }] of kept.entries()) {
    const { id: _, ...reference } = office;
    expect(unpackOffice(columns, at, 'Goa')).toEqual({ office: reference, ...figures });
  }
});

test('a pack has offices with ten awards, and leaves out those with nine or with no range but "too few"', () => {
  const known = [9, 10].map((awards) => ({ ...SMALL, office: { ...SMALL.office, key: `PWD||${awards}` }, awards }));
  expect(packedKeys(packOffices([...known, UNKNOWN]))).toEqual(['PWD||10']);
  expect(packedKeys(packOffices([UNKNOWN]))).toEqual([]);
  const department = { ...DEPARTMENT, bidders: withheld('too-few', 0) };
  expect(packedKeys(packOffices([department]))).toEqual([]);
});

test('a demonstration is one on the device too, and refusals that are not unusual are not', () => {
  const demonstration = {
    ...LARGE,
    refused: { count: 5, of: 98, technical: 5, notAdmitted: 0, isMoreThanUsual: false },
    isDemonstration: true,
    firstKnownOn: '2025-11-01',
    lastKnownOn: '2025-12-31',
    computedOn: '2026-01-09',
  };
  const { id: _, ...office } = demonstration.office;
  expect(unpackOffice(packOffices([demonstration]), 0, 'Goa')).toEqual({ ...demonstration, office });
});

test('a value that all offices have is sent once', () => {
  const columns = packOffices([SMALL, LARGE, DEPARTMENT]);
  expect([columns.computedOn, columns.isDemonstration, columns.awards?.length]).toEqual([['2026-11-09'], [false], 3]);
});
