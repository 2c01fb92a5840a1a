/** Invented tenders for tests of the engine. */
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { TENDER_FIELD_LIST, type TenderFieldKey } from '@nivida/contract/tenders/tender-fields';
import { HOUR_MS } from '@nivida/contract/time';
import { Engine } from '../engine/engine.ts';
import { buildSegmentIndex } from '../segments/build-segment-index.ts';

/** A tender as the server sends it: list fields and details. */
export type TestRow = { [Field in keyof ListRows]: ListRows[Field][number] } & {
  [Field in keyof DetailRows]: DetailRows[Field][number];
};

/** 11:30 in the morning in India. */
export const TEST_NOW = new Date('2026-03-10T06:00:00Z');

/** An open tender of Himachal Pradesh with the given fields. */
export const toRow = (row: Partial<TestRow>): TestRow => ({
  id: 1,
  title: 'Construction of link road',
  orgName: 'HPPWD',
  state: 'Himachal Pradesh',
  district: 'Shimla',
  secondDistrict: null,
  isListed: null,
  department: 'PWD',
  category: 'Works',
  price: '250000.00',
  priceText: null,
  emd: '5000.00',
  publishedAt: TEST_NOW.getTime() - 48 * HOUR_MS,
  bidStartAt: null,
  closesAt: TEST_NOW.getTime() + 48 * HOUR_MS,
  closingTimeKnown: true,
  stage: 'published',
  lastCorrigendum: null,
  demonstration: false,
  portal: 'hptenders',
  sourceTenderId: `2026_PWD_${row.id ?? 1}_1`,
  nitWorks: 1,
  description: '',
  reference: null,
  nitId: null,
  organisationChain: ['HPPWD', 'Shimla Circle'],
  ...(Object.fromEntries(TENDER_FIELD_LIST.map(({ key }) => [key, null])) as Record<TenderFieldKey, null>),
  opensAt: null,
  preBidAt: null,
  documents: [],
  corrigenda: [],
  districtConfidence: null,
  version: 1,
  updatedAt: TEST_NOW.getTime(),
  documentPackage: null,
  otherSources: null,
  ...row,
});

export const toColumns = (rows: readonly TestRow[]) =>
  Object.fromEntries(
    (Object.keys(toRow({})) as (keyof TestRow)[]).map((field) => [field, rows.map((row) => row[field])]),
  ) as unknown as ListRows & DetailRows;

/** An index with details. */
export const packTestRows = (rows: readonly TestRow[]) => buildSegmentIndex(toColumns(rows), toColumns(rows));
/** An index without details. */
export const packTestList = (rows: readonly TestRow[]) => buildSegmentIndex(toColumns(rows), null);
/** An engine with these tenders, in two segments. */
export function openTestEngine(...rows: TestRow[]): Engine {
  const half = Math.ceil(rows.length / 2);
  const parts = [rows.slice(0, half), rows.slice(half)].filter(({ length }) => length > 0);
  return Engine.open({ indexes: parts.map(packTestRows), delta: null, removed: [] });
}
