/** A segment index returns details unchanged: the next delta has differences from them. */
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import type { DetailRow } from '@nivida/contract/sync/sync-wire';
import { TENDER_FIELD_LIST, type TenderFieldValues } from '@nivida/contract/tenders/tender-fields';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildSegmentIndex } from '../segments/build-segment-index.ts';
import { SegmentIndex } from '../segments/segment-index.ts';
import { EngineClient } from './engine-client.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', ' ', 'सड़क', 'a\nb', '\u0000', '"\\"', '\u2028', '\ud800', 'null', '00.10'),
);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const instant = fc.integer({ min: -2_000_000_000_000, max: 4_000_000_000_000 });
const rupees = fc.constantFrom('0.00', '500.00', '99999999999999.99', '01.00', '');
const corrigendum = fc.record({
  title: text,
  type: orNull(text),
  noticed_at: fc.constant('2026-11-10T06:00:00.816+00:00'),
  changes: fc.array(
    fc.record({ field: fc.constantFrom('closing_date', 'documents'), old: orNull(text), new: orNull(text) }),
    { maxLength: 2 },
  ),
});

const number = fc.oneof(
  fc.nat(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0 || 0),
);
const VALUES_BY_TYPE = { text, number, rupees, boolean: fc.boolean() };
const fieldValues = Object.fromEntries(
  TENDER_FIELD_LIST.map(({ key, type }) => [key, orNull<unknown>(VALUES_BY_TYPE[type])]),
) as unknown as { [Key in keyof TenderFieldValues]: fc.Arbitrary<TenderFieldValues[Key]> };

const DETAILS: fc.Arbitrary<Omit<DetailRow, 'id'>> = fc.record({
  description: text,
  reference: orNull(text),
  nitId: orNull(text),
  organisationChain: fc.array(text, { maxLength: 3 }),
  ...fieldValues,
  opensAt: orNull(instant),
  preBidAt: orNull(instant),
  documents: fc.array(fc.record({ cover: text, type: text, name: text }), { maxLength: 3 }),
  corrigenda: fc.array(corrigendum, { maxLength: 2 }),
  districtConfidence: orNull(fc.constantFrom(0, 0.8, 1)),
  version: fc.integer({ min: 1, max: 50 }),
  updatedAt: instant,
  documentPackage: orNull(
    fc.record({ kind: fc.constantFrom('nit' as const, 'nit-boq' as const), works: fc.integer({ min: 1, max: 200 }) }),
  ),
  otherSources: orNull(
    fc.array(
      fc.record({
        portal: text,
        closing_date: instant.map((at) => new Date(at).toISOString()),
        closing_time_known: fc.boolean(),
        stage: fc.constantFrom('published' as const, 'cancelled' as const),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  ),
});

/** Tenders with unique ids, as the wire sends them: JSON has no negative zero. */
const TENDERS: fc.Arbitrary<DetailRow[]> = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 2_147_483_647 }), DETAILS), { selector: ([id]) => id, maxLength: 12 })
  .map((rows) => JSON.parse(JSON.stringify(rows.map(([id, details]) => ({ id, ...details })))));

const NOW = Date.parse('2026-03-10T06:00:00Z');

function listOf(ids: number[]): ListRows {
  const all = <T>(value: T): T[] => ids.map(() => value);
  return {
    id: ids,
    title: all('Repair of road'),
    orgName: all('PWD'),
    state: all('Assam'),
    district: all(null),
    secondDistrict: all(null),
    isListed: all(null),
    department: all(null),
    category: all(null),
    price: all(null),
    priceText: all(null),
    emd: all(null),
    publishedAt: all(NOW),
    bidStartAt: all(null),
    closesAt: all(NOW),
    closingTimeKnown: all(true),
    stage: all('published' as const),
    lastCorrigendum: all(null),
    demonstration: all(false),
    portal: all('assamtenders'),
    sourceTenderId: all('2026_A_1_1'),
    nitWorks: all(1),
  };
}

const FIELDS = Object.keys(fc.sample(DETAILS, 1)[0] as object);
const packOf = (rows: DetailRow[]) => {
  const columns = ['id', ...FIELDS].map((field) => [field, rows.map((row) => row[field as keyof DetailRow])]);
  const details = Object.fromEntries(columns) as unknown as DetailRows;
  return buildSegmentIndex(listOf(details.id), details);
};

test('an index returns the details of a tender unchanged', () => {
  fc.assert(
    fc.property(TENDERS, (rows) => {
      const pack = SegmentIndex.open(packOf(rows));
      expect(rows.map(({ id }) => pack.detailsAt(pack.rowOf(id)))).toStrictEqual(rows);
    }),
    { numRuns: 300 },
  );
});

test('an index returns the requested details that it has; without details it returns none', async () => {
  const client = EngineClient.start();
  const [row] = fc.sample(TENDERS, { numRuns: 20, seed: 4 }).find(({ length }) => length > 1) as DetailRow[];
  const { id } = row as DetailRow;
  expect(await client.details(packOf([row as DetailRow]), [id - 1, id, id + 1])).toStrictEqual([row]);
  expect(await client.details(buildSegmentIndex(listOf([id]), null), [id])).toEqual([]);
  await expect(client.details(new ArrayBuffer(64), [id])).rejects.toMatchObject({ name: 'CorruptSegmentIndexError' });
});
