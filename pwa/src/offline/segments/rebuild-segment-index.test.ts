// @vitest-environment node
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { expect, test } from 'vitest';
import { buildSegmentIndex } from './build-segment-index.ts';
import { DETAIL_VALUE_COLUMNS } from './columns.ts';
import { rebuildSegmentIndex } from './rebuild-segment-index.ts';
import { SegmentIndex } from './segment-index.ts';
import { readSegmentIndex, writeSegmentIndex } from './segment-index-file.ts';

const list = {
  id: [3, 7],
  title: ['Drain in Ward No. 07', 'पुल, चंबा'],
  orgName: ['HPPWD', 'Jal Shakti'],
  state: ['Himachal Pradesh', 'Himachal Pradesh'],
  district: ['Solan', null],
  secondDistrict: ['Sirmaur', null],
  isListed: [null, true],
  department: ['PWD', null],
  category: ['Works', null],
  price: [250_000.5, null],
  priceText: [null, '12 USD'],
  emd: ['5000.00', null],
  publishedAt: [1_000, 2_000],
  bidStartAt: [null, 2_500],
  closesAt: [3_000, 4_000],
  closingTimeKnown: [true, false],
  stage: ['published', 'awarded'],
  lastCorrigendum: [null, 'date'],
  demonstration: [false, true],
  portal: ['hptenders', 'hptenders'],
  sourceTenderId: ['2026_PWD_5_1', '2026_JSV_6_1'],
  nitWorks: [1, 4],
} as unknown as ListRows;
const details = {
  id: [3, 7],
  ...Object.fromEntries(DETAIL_VALUE_COLUMNS.map((column) => [column, [null, null]])),
  description: ['A drain of 40 m', ''],
  nitId: ['nit', null],
  organisationChain: [['HPPWD', 'Solan'], ['Jal Shakti']],
  pincode: ['173204', null],
  place: ['Kasauli', null],
} as unknown as DetailRows;

/** The index as an earlier version of the app built it, by other rules for its terms. */
function withEarlierTerms(buffer: ArrayBuffer): SegmentIndex {
  const { facts, sections } = readSegmentIndex(buffer);
  return SegmentIndex.open(writeSegmentIndex({ ...facts, termsVersion: facts.termsVersion - 1 }, sections));
}

test('a tender of an index that was built before works could have two districts has one', () => {
  const { facts, sections } = readSegmentIndex(buildSegmentIndex(list, details));
  const { secondDistrict: _, ...rest } = sections;
  const old = SegmentIndex.open(writeSegmentIndex(facts, rest));
  expect([old.nameAt('district', 0), old.nameAt('secondDistrict', 0)]).toEqual(['Solan', null]);
});

test.each([
  ['with details', details],
  ['of the list fields only', null],
])('an index %s of an earlier version is rebuilt from what it holds', (_, own) => {
  const built = buildSegmentIndex(list, own);
  const old = withEarlierTerms(built);
  expect([old.hasPresentTerms, SegmentIndex.open(built).hasPresentTerms]).toEqual([false, true]);
  expect(new Uint8Array(rebuildSegmentIndex(old))).toEqual(new Uint8Array(built));
});
