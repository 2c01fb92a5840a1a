import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TENDER_FIELD_LIST, type TenderFieldValues } from '../tenders/tender-fields.ts';
import format from './fixtures/format-1.0.json' with { type: 'json' };
import type { DetailRows, ListRows } from './sync.ts';
import {
  type DeltaRows,
  type DetailRow,
  openDelta,
  packDelta,
  packDetails,
  packList,
  readDelta,
  readDetails,
  readList,
} from './sync-wire.ts';

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'सड़क', '\u0000', '"', '2026_PWD_100001_1'));
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const instant = fc.oneof(
  fc.integer({ min: -2_000_000_000_000, max: 4_000_000_000_000 }),
  fc.integer({ min: 0, max: 60_000_000 }).map((minutes) => minutes * 60_000),
);
const rupees = fc.oneof(
  fc.integer({ min: 0, max: 99_999_999_999 }).map((paise) => (paise / 100).toFixed(2)),
  fc.constantFrom('0.00', '-1.50', '99999999999999.99', '12345678901234.57', '01.00', '1', ''),
);
const sourceId = fc.oneof(
  fc.tuple(text, fc.nat(), fc.nat(200)).map(([prefix, serial, work]) => `${prefix}_${serial}_${work}`),
  fc.constantFrom('GEM/2026/B/7132339', '2026_PWD_007_1', '2026_PWD_1_01', '1_1', '12345678901234_5', '_', 'x_1_99999'),
  text,
);
const document = fc.record({ cover: text, type: text, name: text });
const corrigendum = fc.record({
  title: text,
  type: orNull(text),
  noticed_at: fc.constant('2026-11-10T06:00:00.816+00:00'),
  changes: fc.array(
    fc.record({ field: fc.constantFrom('closing_date', 'documents'), old: orNull(text), new: orNull(text) }),
    { maxLength: 2 },
  ),
});

const LIST_ROW = fc.record({
  id: fc.integer({ min: 1, max: 2_147_483_647 }),
  title: text,
  orgName: text,
  state: fc.constantFrom('Himachal Pradesh', 'Assam'),
  district: orNull(text),
  secondDistrict: orNull(text),
  isListed: orNull(fc.constant(true)),
  department: orNull(text),
  category: orNull(text),
  price: orNull(rupees),
  priceText: orNull(text),
  emd: orNull(rupees),
  publishedAt: instant,
  bidStartAt: orNull(instant),
  closesAt: instant,
  closingTimeKnown: fc.boolean(),
  stage: fc.constantFrom('published', 'under_evaluation', 'awarded', 'cancelled', 'retendered'),
  lastCorrigendum: fc.constantFrom('date', 'other', null),
  demonstration: fc.boolean(),
  portal: text,
  sourceTenderId: sourceId,
  nitWorks: fc.integer({ min: 1, max: 200 }),
});

const number = fc.oneof(
  fc.nat(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0 || 0),
);
const VALUES_BY_TYPE = { text, number, rupees, boolean: fc.boolean() };
const fieldValues = Object.fromEntries(
  TENDER_FIELD_LIST.map(({ key, type }) => [key, orNull<unknown>(VALUES_BY_TYPE[type])]),
) as unknown as { [Key in keyof TenderFieldValues]: fc.Arbitrary<TenderFieldValues[Key]> };

const DETAIL_ROW = fc.record({
  description: text,
  reference: orNull(text),
  nitId: orNull(text),
  organisationChain: fc.array(text, { maxLength: 3 }),
  ...fieldValues,
  opensAt: orNull(instant),
  preBidAt: orNull(instant),
  documents: fc.array(document, { maxLength: 3 }),
  corrigenda: fc.array(corrigendum, { maxLength: 2 }),
  districtConfidence: fc.constantFrom(null, 0, 0.8, 1),
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

/** Rows of which some resemble each other, as columns. */
const ROWS = fc
  .array(fc.tuple(LIST_ROW, DETAIL_ROW, fc.nat(3)), { maxLength: 12 })
  .map((rows) => rows.flatMap(([list, detail, again]) => Array.from({ length: 1 + again }, () => ({ list, detail }))))
  .map((rows) => {
    const columnsOf = (fields: string[], read: (row: (typeof rows)[number]) => object) =>
      Object.fromEntries(fields.map((field) => [field, rows.map((row) => read(row)[field as never])]));
    const list = columnsOf(Object.keys(LIST_FIELDS), (row) => row.list) as unknown as ListRows;
    const details = columnsOf(Object.keys(DETAIL_FIELDS), (row) => row.detail) as unknown as DetailRows;
    return { list, details: { ...details, id: list.id } };
  });
const LIST_FIELDS = fc.sample(LIST_ROW, 1)[0] as object;
const DETAIL_FIELDS = fc.sample(DETAIL_ROW, 1)[0] as object;

type Rows = { list: ListRows; details: DetailRows };
const rowOf = (details: DetailRows, row: number) =>
  Object.fromEntries(Object.entries(details).map(([field, values]) => [field, values[row]])) as DetailRow;

/** The server's data as received by a device. */
const overTheWire = (file: unknown): unknown => JSON.parse(JSON.stringify(file));

describe('a packed file', () => {
  test('gives back exactly the rows that it was made of', () => {
    fc.assert(
      fc.property(ROWS, ({ list, details }) => {
        expect(readList(overTheWire(packList(list)))).toEqual(list);
        expect(readDetails(overTheWire(packDetails(details)))).toEqual(details);
      }),
      { numRuns: 300 },
    );
  });

  test('as a delta, too', () => {
    fc.assert(
      fc.property(ROWS, fc.array(fc.nat()), ({ list, details }, removed) => {
        const delta: DeltaRows = {
          epoch: 'e',
          cursor: 'e.5.x',
          more: false,
          list,
          details,
          removed,
          checked: { hptenders: '2026-11-10T06:00:00.000Z' },
        };
        expect(readDelta(overTheWire(packDelta(delta)))).toEqual(delta);
      }),
      { numRuns: 100 },
    );
  });

  test('as a delta that refers to a stored tender with the same details, even if the device stores others', () => {
    const PAIR = fc.tuple(ROWS, ROWS, fc.infiniteStream(fc.nat(20)));
    fc.assert(
      fc.property(PAIR, ([{ list, details }, base, choices]) => {
        // Half of the stored tenders equal this one; ids of the base are made different from each other.
        const storedRows = [...base.details.id.keys()].map((row) => rowOf(base.details, row));
        const mixed = [...storedRows, ...[...details.id.keys()].map((row) => rowOf(details, row))];
        const findStored = (id: number) => mixed[id - 1];
        const like = details.id.map(() => (choices.next().value as number) || null);
        const delta: DeltaRows = { epoch: 'e', cursor: 'c', more: true, list, details, removed: [], checked: {} };
        const packed = overTheWire(packDelta(delta, like, findStored));
        expect(readDelta(packed, findStored)).toEqual(delta);
        // Those that it names beforehand are all that it needs.
        const { comparedIds: resembled, readRows: read } = openDelta(packed);
        const lookedUp = new Map(resembled.map((id) => [id, findStored(id)]));
        expect(read((id) => lookedUp.get(id))).toEqual(delta);
        expect(new Set(resembled).size).toBe(resembled.length);
      }),
      { numRuns: 200 },
    );
  });

  test('is short for a tender that is similar to a stored one, and is read with the stored one', () => {
    const { list, details } = fc.sample(ROWS, { numRuns: 30, seed: 5 }).find((rows) => rows.list.id.length > 0) as Rows;
    const documents = [{ cover: 'Finance', type: 'pdf', name: 'Affidavit that no near relative works here' }];
    const same = { ...details, documents: details.id.map(() => documents) };
    const delta: DeltaRows = { epoch: 'e', cursor: 'c', more: false, list, details: same, removed: [], checked: {} };
    const packed = overTheWire(
      packDelta(
        delta,
        details.id.map(() => 1),
        () => rowOf(same, 0),
      ),
    );
    expect(JSON.stringify(packed)).not.toContain('Affidavit');
    expect(JSON.stringify(packDelta(delta))).toContain('Affidavit');
    expect(openDelta(packed).comparedIds).toEqual([1]);
    expect(() => readDelta(packed)).toThrow(expect.objectContaining({ name: 'MissingRowError' }));
    expect(readDelta(packed, () => rowOf(same, 0))).toEqual(delta);
  });

  test('holds each name and equal values once, and a delta holds no names', () => {
    const found = fc.sample(ROWS, { numRuns: 20, seed: 7 }).find((rows) => rows.list.id.length > 2) as Rows;
    const list = { ...found.list, state: found.list.id.map(() => 'Himachal Pradesh') };
    const packed = JSON.stringify(packList(list));
    expect(packed.split('title:text')).toHaveLength(2);
    expect(packed.split('Himachal Pradesh')).toHaveLength(2);
    const rest = { epoch: 'e', cursor: 'c', more: false, removed: [], checked: {} };
    expect(JSON.stringify(packDelta({ ...rest, list, details: found.details }))).not.toContain('title:text');
  });
});

test('a package of an unknown kind and another portal in an unknown form are dropped, and the other fields are read', () => {
  const { details } = fc.sample(ROWS, { numRuns: 30, seed: 5 }).find(({ list }) => list.id.length > 1) as Rows;
  const none = details.id.map(() => null);
  const later = {
    ...details,
    documentPackage: none.map(() => ({ kind: 'drawings', works: 1 })),
    otherSources: none.map(() => 'x'),
  };
  const read = readDetails(overTheWire(packDetails(later as never)));
  expect(read).toEqual({ ...details, documentPackage: none.map(() => null), otherSources: none.map(() => null) });
});

test('a second district and the mark of a listed tender are sent only in a file with a tender that has them', () => {
  const { list } = fc.sample(ROWS, { numRuns: 30, seed: 5 }).find((rows) => rows.list.id.length > 1) as Rows;
  const none = { ...list, secondDistrict: list.id.map(() => null), isListed: list.id.map(() => null) };
  const first = <T>(value: T) => list.id.map((_, at) => (at === 0 ? value : null));
  const some = { ...list, secondDistrict: first('Sirmaur'), isListed: first(true) };
  expect(packList(none)).not.toHaveProperty('added');
  expect(packList(some).columns).toEqual(packList(none).columns);
  expect(readList(overTheWire(packList(some)))).toEqual(some);
});

describe('between versions of the app', () => {
  // Recorded from version 1.0.0; the tenders are invented.
  const { rows, list, details, delta } = format;
  const listRows = {
    ...rows.list,
    secondDistrict: rows.list.id.map(() => null),
    isListed: rows.list.id.map(() => null),
  } as ListRows;
  const later = TENDER_FIELD_LIST.filter((field) => field.later).map(({ key }) => [
    key,
    rows.details.id.map(() => null),
  ]);
  const detailRows = { ...rows.details, ...Object.fromEntries(later) } as unknown as DetailRows;
  const findStored = (id: number) => (id === 11 ? rowOf(detailRows, 0) : undefined);
  const { epoch, cursor, more, removed, checked } = delta;
  const deltaRows: DeltaRows = { epoch, cursor, more, removed, checked, list: listRows, details: detailRows } as never;

  test('files of version 1.0.0 are read, also without their names', () => {
    expect(readList(list)).toEqual(listRows);
    expect(readDetails(details)).toEqual(detailRows);
    expect(readDetails({ ...details, names: undefined })).toEqual(detailRows);
    expect(readDelta(delta, findStored)).toEqual(deltaRows);
  });

  test('an app of version 1.0.0 finds the columns that it counts, in its order and codecs', () => {
    expect(overTheWire(packList(listRows))).toEqual(list);
    expect(overTheWire(packDetails(detailRows))).toEqual(details);
    expect(overTheWire(packDelta(deltaRows, [null, null, 11], findStored))).toEqual(delta);
  });

  test('columns are found by name: in another order, with unknown ones between them', () => {
    const { columns, names = [], ...rest } = packDetails(detailRows);
    const newer = { ...rest, columns: [{ x: 1 }, ...columns.toReversed()], names: ['x:zip', ...names.toReversed()] };
    expect(readDetails(overTheWire({ ...newer, added: { 'y:dictionary': [['a'], [0]] } }))).toEqual(detailRows);
  });

  test('missing columns and columns with an unknown codec are null', () => {
    const { columns, names = [], ...rest } = packDetails(detailRows);
    const at = names.indexOf('tenderType:dictionary');
    const none = { ...detailRows, tenderType: [null, null, null] };
    const without = { ...rest, columns: columns.toSpliced(at, 1), names: names.toSpliced(at, 1) };
    expect(readDetails(overTheWire(without))).toEqual(none);
    expect(readDetails(overTheWire({ ...rest, columns, names: names.with(at, 'tenderType:zip') }))).toEqual(none);
  });

  test('with a stage and a mark of a later version the status follows from the dates, and the change has no name', () => {
    const { columns, names = [], ...rest } = packList(listRows);
    const withColumn = (name: string, column: unknown) => columns.with(names.indexOf(name), column);
    expect(
      readList(
        overTheWire({
          ...rest,
          names,
          columns: withColumn('stage:stage', [
            [9, 0],
            [0, 1, 1],
          ]),
        }),
      ),
    ).toEqual({
      ...listRows,
      stage: ['published', 'published', 'published'],
    });
    const marks = withColumn('lastCorrigendum:dictionary', [
      ['venue', null],
      [0, 1, 1],
    ]);
    expect(readList(overTheWire({ ...rest, names, columns: marks }))).toEqual({
      ...listRows,
      lastCorrigendum: ['other', null, null],
    });
  });

  test('a column is read by the codec that its file names', () => {
    const { columns, names = [], ...rest } = packDetails(detailRows);
    const at = names.indexOf('version:dictionary');
    const newer = { ...rest, columns: columns.with(at, [2, 1, 1]), names: names.with(at, 'version:number') };
    expect(readDetails(overTheWire(newer))).toEqual(detailRows);
  });

  test.each<[string, (names: string[]) => string[]]>([
    ['a column that no tender can lack is missing', (names) => names.with(0, 'number:difference')],
    ['a codec gives values of another type', (names) => names.with(1, 'description:number')],
    ['the codec of a column that no tender can lack is unknown', (names) => names.with(1, 'description:constructor')],
    ['an instant counts from a column that is not there', (names) => names.with(19, 'opensAt:instant(closesAt)')],
    ['there are more names than columns', (names) => [...names, 'extra:text']],
    ['a name is a number', (names) => names.with(0, 5 as never)],
  ])('a file is refused when %s', (_name, change) => {
    const { names = [], ...rest } = packDetails(detailRows);
    expect(() => readDetails(overTheWire({ ...rest, names: change(names) }))).toThrow(
      expect.objectContaining({ name: 'CorruptSyncFileError' }),
    );
  });
});

describe('a corrupt file is refused', () => {
  const [rows] = fc.sample(ROWS, { numRuns: 50, seed: 3 }).filter(({ list }) => list.id.length > 3);
  const { list, details } = rows as { list: ListRows; details: DetailRows };
  const delta = (changes: object) => ({
    ...packDelta({ epoch: 'e', cursor: 'c', more: false, list, details, removed: [], checked: {} }),
    ...changes,
  });
  /** The file with one of its columns exchanged; columns stand in the order of ListRows. */
  const column = (index: number, value: unknown) => {
    const file = packList(list);
    return { ...file, columns: file.columns.toSpliced(index, 1, value) };
  };
  const count = list.id.length;
  const texts = list.id.map(() => '');

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'file'],
    ['an empty object', {}],
    ['another schema', { ...packList(list), schema: 2 }],
    ['no number of rows', { ...packList(list), rows: '3' }],
    ['a negative number of rows', { ...packList(list), rows: -1 }],
    ['more rows than a phone can hold', { ...packList(list), rows: 1e9 }],
    ['another number of rows', { ...packList(list), rows: count + 1 }],
    ['fewer columns', { ...packList(list), columns: packList(list).columns.slice(1) }],
    ['more columns', { ...packList(list), columns: [...packList(list).columns, []] }],
    ['a column that is no list', column(1, {})],
    ['ids that are texts', column(0, texts)],
    [
      'ids that are not whole',
      column(
        0,
        list.id.map(() => 0.5),
      ),
    ],
    [
      'ids beyond what numbers can say',
      column(
        0,
        list.id.map(() => 9e15),
      ),
    ],
    ['a title that is a number', column(1, [1, ...texts.slice(1)])],
    ['fewer titles than rows', column(1, texts.slice(1))],
    ['a dictionary that is a text', column(2, ['PWD', [0]])],
    ['a value that the dictionary does not hold', column(2, [['PWD'], [1]])],
    ['a place before the dictionary', column(2, [['PWD'], [-1]])],
    ['a place that is a name', column(2, [['PWD'], ['length']])],
    ['an organisation that is null', column(2, [[null], [0]])],
    ['a price that is an object', column(7, [{}])],
    ['an instant in an unknown unit', column(10, [7, [0]])],
    ['a closing that is a text', column(12, [60_000, ['now']])],
    ['a closing beyond all calendars', column(12, [60_000, [1e300]])],
    ['a stage that is no number', column(14, [[-1], [0]])],
    ['a mark of a corrigendum that is no text', column(15, [[5], [0]])],
    ['source ids without their parts', column(18, [[['2026_'], [0]]])],
  ])('%s', (_name, file) => {
    expect(() => readList(overTheWire(file ?? null))).toThrow(
      expect.objectContaining({ name: 'CorruptSyncFileError' }),
    );
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['another schema', delta({ schema: 2 })],
    ['a cursor that is a number', delta({ cursor: 5 })],
    ['removed ids that are texts', delta({ removed: ['5'] })],
    ['times that are none', delta({ checked: { hptenders: 'yesterday' } })],
    ['no details', delta({ details: undefined })],
    ['no likeness', delta({ like: undefined })],
    ['a likeness that is a text', delta({ like: 'all' })],
    [
      'a likeness of other rows',
      delta({
        like: [
          [[0], [0, 0]],
          [[0], [0, 0]],
        ],
      }),
    ],
    [
      'fewer values than its likeness says',
      delta({
        like: [
          [[0], [0]],
          [[1], [0]],
        ],
      }),
    ],
    ['details of other tenders', delta({ details: packDetails({ ...details, id: details.id.map((id) => id + 1) }) })],
  ])('a delta with %s', (_name, file) => {
    expect(() => readDelta(overTheWire(file ?? null))).toThrow(
      expect.objectContaining({ name: 'CorruptSyncFileError' }),
    );
  });

  test.each<[string, number, unknown]>([
    ['an organisation chain that is a text', 4, [['PWD'], [0]]],
    ['documents that are a text', 22, 'BOQ'],
    ['documents without covers', 22, [[['BOQ']], [[], []], [['xls'], [0]], [0]]],
    ['a corrigendum without a title', 23, [[[{ type: null, noticed_at: '2026-11-10T06:00:00Z', changes: [] }]], [0]]],
  ])('details with %s', (_name, index, value) => {
    const file = packDetails(details);
    const broken = { ...file, columns: file.columns.toSpliced(index, 1, value) };
    expect(() => readDetails(overTheWire(broken))).toThrow(expect.objectContaining({ name: 'CorruptSyncFileError' }));
  });
});
