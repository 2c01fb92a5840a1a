/**
 * Sync files: columnar JSON, written by the server and read by devices. The codecs are those that compress the data of two
 * real portals best (bench sync-size). Readers find columns by name, see docs/decisions/0015.
 */

import * as v from 'valibot';
import { PACKAGE_KINDS, type PackageContents } from '../orders/document-package.ts';
import { TENDER_STAGES } from '../tenders/status.ts';
import { Corrigendum, OtherSource } from '../tenders/tender.ts';
import { TENDER_FIELD_LIST } from '../tenders/tender-fields.ts';
import { type DetailRows, type ListRows, SYNC_SCHEMA } from './sync.ts';
import {
  type ColumnCodec,
  CorruptSyncFileError,
  dictionaryColumn,
  differenceColumn,
  feeColumn,
  instantColumn,
  moneyColumn,
  numberColumn,
  sourceIdColumn,
  TYPE_GUARDS,
  type TypeGuard,
  textColumn,
} from './sync-columns.ts';

/** Higher than the rows of any file. The limit keeps a corrupt file from filling a phone's memory. */
const MAX_ROWS_PER_FILE = 100_000;

/** One packed file. Its header names each column as `name:codec`, for example `closesAt:instant(publishedAt)`. */
export interface PackedFile {
  schema: typeof SYNC_SCHEMA;
  rows: number;
  columns: unknown[];
  /** The header of `columns`. Absent in deltas, which have the columns of version 1.0. */
  names?: string[];
  /** Columns added after version 1.0, by `name:codec`. Columns without values are left out. */
  added?: Record<string, unknown>;
}
export type ListFile = PackedFile;
export type DetailFile = PackedFile;

/** The changes after a cursor, on the wire. */
export interface Delta {
  schema: typeof SYNC_SCHEMA;
  epoch: string;
  /** Where the next delta starts. Opaque. */
  cursor: string;
  /** True when there are more changes. The device requests them with the new cursor. */
  more: boolean;
  list: ListFile;
  /** Without the values that `like` refers to. */
  details: DetailFile;
  /** For each tender the similar stored tender and the equal fields; see `SimilarityMasks`. */
  like: unknown;
  /** Row numbers that are no longer in the scope; unknown ones are ignored. */
  removed: number[];
  /** When each portal was last compared, by portal. */
  checked: Record<string, string>;
}

/** A delta after reading. Its rows are complete new versions; some replace stored rows. */
export type DeltaRows = Omit<Delta, 'schema' | 'list' | 'details' | 'like'> & { list: ListRows; details: DetailRows };

/** Detail fields of one tender. */
export type DetailRow = { [Field in keyof DetailRows]: DetailRows[Field][number] };

/** The stored detail fields of a tender, at the cursor of the request; undefined when the device has none. */
export type StoredDetailLookup = (id: number) => Pick<DetailRow, (typeof COMPARED_FIELDS)[number]> | undefined;

/** Thrown for a delta that refers to a tender which the device lacks. The device must ask again without `details=1`. */
export class MissingRowError extends Error {
  override name = 'MissingRowError';
}

/** A field in the files: the codec by its name in headers, and the type of the values. */
interface WireField<T> {
  codec: string;
  check: TypeGuard<T>;
  /** For unknown values of later versions: a test that recognises them, and the value to read instead. */
  futureValues?: { check: TypeGuard<unknown>; readAs: T };
}
type WireFields<Rows> = { [Field in keyof Rows]: Rows[Field] extends (infer T)[] ? WireField<T> : never };
type AnyWireFields = Record<string, WireField<unknown>>;

const wireField = <T>(
  codec: string,
  check: TypeGuard<T>,
  futureValues?: WireField<T>['futureValues'],
): WireField<T> => ({
  codec,
  check,
  ...(futureValues && { futureValues }),
});
const dictionary = <T>(check: TypeGuard<T>): WireField<T> => wireField('dictionary', check);
const { text, number, boolean, texts, textOrNull, numberOrNull, booleanOrNull } = TYPE_GUARDS;

const isStage = (value: unknown): value is ListRows['stage'][number] => TENDER_STAGES.includes(value as never);
const isLastCorrigendum = (value: unknown): value is ListRows['lastCorrigendum'][number] =>
  value === null || value === 'date' || value === 'other';
const isCorrigenda = (value: unknown): value is Corrigendum[] => v.is(v.array(Corrigendum), value);

const stageNumberColumn = dictionaryColumn(TYPE_GUARDS.number);
const stageColumn: ColumnCodec<ListRows['stage'][number]> = {
  encode: (values, all) =>
    stageNumberColumn.encode(
      values.map((value) => TENDER_STAGES.indexOf(value)),
      all,
    ),
  decode(column, rows, all) {
    const numbers = stageNumberColumn.decode(column, rows, all);
    if (!numbers.every((number) => Number.isInteger(number) && number >= 0))
      throw new CorruptSyncFileError('a stage that is no number');
    // For an unknown stage of a later version, the status is derived from the dates.
    return numbers.map((number) => TENDER_STAGES[number] ?? 'published');
  },
};

type DocumentListValue = DetailRows['documents'][number];

/** Lists of documents. Whole lists repeat. The names are written per list, then the covers and types of all lists together. */
const documentsColumn: ColumnCodec<DocumentListValue> = {
  encode(values, all) {
    const [lists, rows] = dictionaryColumn((_: unknown): _ is DocumentListValue => true).encode(values, all) as [
      DocumentListValue[],
      number[],
    ];
    const every = lists.flat();
    const inOneGo = (read: (document: DocumentListValue[number]) => string) =>
      dictionaryColumn(TYPE_GUARDS.text).encode(every.map(read), all);
    return [
      lists.map((list) => list.map(({ name }) => name)),
      inOneGo(({ cover }) => cover),
      inOneGo(({ type }) => type),
      rows,
    ];
  },
  decode(column, rows, all) {
    if (!Array.isArray(column) || !Array.isArray(column[0]) || !column[0].every(TYPE_GUARDS.texts))
      throw new CorruptSyncFileError('documents are no lists of names');
    const names: string[][] = column[0];
    const total = names.reduce((sum, list) => sum + list.length, 0);
    const covers = dictionaryColumn(TYPE_GUARDS.text).decode(column[1], total, all);
    const types = dictionaryColumn(TYPE_GUARDS.text).decode(column[2], total, all);
    let at = 0;
    const lists = names.map((list) =>
      list.map((name) => {
        const document = { cover: covers[at] as string, type: types[at] as string, name };
        at++;
        return document;
      }),
    );
    return dictionaryColumn((_: unknown): _ is DocumentListValue => true).decode([lists, column[3]], rows, all);
  },
};

const isDocumentList = (value: unknown): value is DocumentListValue =>
  Array.isArray(value) &&
  value.every((each) => each !== null && text(each?.cover) && text(each.type) && text(each.name));

/** Creates a codec by its name in headers, where `base` is in brackets. */
const CODECS = new Map<string, (check: TypeGuard<unknown>, base?: string) => ColumnCodec<never>>([
  ['text', () => textColumn as ColumnCodec<never>],
  ['difference', () => differenceColumn as ColumnCodec<never>],
  ['number', () => numberColumn as ColumnCodec<never>],
  ['dictionary', (check) => dictionaryColumn(check) as ColumnCodec<never>],
  ['money', () => moneyColumn as ColumnCodec<never>],
  ['fee', () => feeColumn as ColumnCodec<never>],
  ['instant', (_, base) => instantColumn(base)],
  ['stage', () => stageColumn as ColumnCodec<never>],
  ['documents', () => documentsColumn as ColumnCodec<never>],
  ['sourceId', () => sourceIdColumn as ColumnCodec<never>],
]);

function findCodec(codec: string, check: TypeGuard<unknown>): ColumnCodec<unknown> | undefined {
  const [, name = '', base] = /^(\w+)(?:\((\w+)\))?$/.exec(codec) ?? [];
  return CODECS.get(name)?.(check, base) as ColumnCodec<unknown> | undefined;
}

/** The order is part of the format, because deltas are read by it. Columns that few files have are read by name. */
const LIST_FIELDS: WireFields<ListRows> = {
  id: wireField('difference', number),
  title: wireField('text', text),
  orgName: dictionary(text),
  state: dictionary(text),
  district: dictionary(textOrNull),
  department: dictionary(textOrNull),
  category: dictionary(textOrNull),
  price: wireField('money', textOrNull),
  priceText: dictionary(textOrNull),
  emd: wireField('money', textOrNull),
  publishedAt: wireField('instant', number),
  bidStartAt: wireField('instant(publishedAt)', numberOrNull),
  closesAt: wireField('instant(publishedAt)', number),
  closingTimeKnown: dictionary(boolean),
  stage: wireField('stage', isStage),
  lastCorrigendum: wireField('dictionary', isLastCorrigendum, { check: text, readAs: 'other' }),
  demonstration: dictionary(boolean),
  portal: dictionary(text),
  sourceTenderId: wireField('sourceId', text),
  nitWorks: wireField('number', number),
  secondDistrict: dictionary(textOrNull),
  isListed: dictionary(booleanOrNull),
};

const isPackageContents = (value: unknown): value is PackageContents | null => {
  if (value === null) return true;
  const { kind, works } = (typeof value === 'object' ? value : {}) as Partial<PackageContents>;
  return PACKAGE_KINDS.some((known) => known === kind) && typeof works === 'number';
};

const isOtherSources = (value: unknown): value is OtherSource[] | null => v.is(v.nullable(v.array(OtherSource)), value);

const isAnything = (_: unknown): _ is unknown => true;

const FIELD_TYPES = {
  text: dictionary(textOrNull),
  number: dictionary(numberOrNull),
  rupees: wireField('fee', textOrNull),
  boolean: dictionary(booleanOrNull),
};

/** This order and that of `TENDER_FIELDS` are part of the format, because deltas are read by them. */
const DETAIL_FIELDS = {
  id: wireField('difference', number),
  description: wireField('text', text),
  reference: dictionary(textOrNull),
  nitId: dictionary(textOrNull),
  organisationChain: dictionary(texts),
  ...Object.fromEntries(TENDER_FIELD_LIST.map(({ key, type }) => [key, FIELD_TYPES[type]])),
  // The closing instants are in the list file, so these two have no base.
  opensAt: wireField('instant', numberOrNull),
  preBidAt: wireField('instant', numberOrNull),
  documents: wireField('documents', isDocumentList),
  corrigenda: dictionary(isCorrigenda),
  districtConfidence: dictionary(numberOrNull),
  version: dictionary(number),
  updatedAt: wireField('instant', number),
  documentPackage: wireField('dictionary', isPackageContents, { check: isAnything, readAs: null }),
  otherSources: wireField('dictionary', isOtherSources, { check: isAnything, readAs: null }),
} satisfies Partial<WireFields<DetailRows>>;

/** A file's fields, and the columns of version 1.0 in the order by which deltas are read. */
interface FileFormat {
  fields: AnyWireFields;
  positionalNames: string[];
}
const LIST_FORMAT: FileFormat = {
  fields: LIST_FIELDS as unknown as AnyWireFields,
  positionalNames: Object.keys(LIST_FIELDS).filter((name) => name !== 'secondDistrict' && name !== 'isListed'),
};
const LATER_FIELDS = new Set<string>(TENDER_FIELD_LIST.flatMap(({ key, later }) => (later ? [key] : [])));
const DETAIL_FORMAT: FileFormat = {
  fields: DETAIL_FIELDS as unknown as AnyWireFields,
  positionalNames: Object.keys(DETAIL_FIELDS).filter((name) => !LATER_FIELDS.has(name)),
};

/**
 * Fields that are mostly equal in all notices of an office. A delta sends them only if they differ from a stored tender of
 * that office. Otherwise half of a day's delta would be known lists of documents. Their order is part of the format.
 */
const COMPARED_FIELDS = [
  'organisationChain',
  'address',
  'place',
  'pincode',
  'bidOpeningPlace',
  'contactDesignation',
  'subCategory',
  'tenderType',
  'formOfContract',
  'covers',
  'tenderFee',
  'emdExemptionAllowed',
  'periodOfWorkDays',
  'bidValidityDays',
  'documents',
] as const satisfies (keyof DetailRows)[];

type AnyRows = Record<string, unknown[]>;

/** `hasHeader` is false for deltas, because a header would be more than 5 % of a day's bytes. */
function packFile({ fields, positionalNames }: FileFormat, rows: AnyRows, hasHeader: boolean): PackedFile {
  const entry = (name: string) => `${name}:${fields[name]?.codec}`;
  const encode = (name: string) => {
    const { codec, check } = fields[name] as WireField<unknown>;
    return findCodec(codec, check)?.encode(rows[name] as unknown[], rows);
  };
  const isFilled = (name: string) => rows[name]?.some((value) => value !== null) ?? false;
  const addedNames = Object.keys(fields).filter((name) => !positionalNames.includes(name) && isFilled(name));
  return {
    schema: SYNC_SCHEMA,
    rows: rows.id?.length ?? 0,
    columns: positionalNames.map(encode),
    ...(hasHeader && { names: positionalNames.map(entry) }),
    ...(addedNames.length > 0 && { added: Object.fromEntries(addedNames.map((name) => [entry(name), encode(name)])) }),
  };
}

/** A column of a known field; undefined when its codec is unknown. */
function decodeColumn(
  field: WireField<unknown>,
  codec: string,
  column: unknown,
  count: number,
  all: AnyRows,
): unknown[] | undefined {
  const { check, futureValues } = field;
  const isReadable = (value: unknown): value is unknown => check(value) || futureValues?.check(value) === true;
  const values = findCodec(codec, isReadable)?.decode(column, count, all);
  if (codec !== field.codec && values && !values.every(isReadable))
    throw new CorruptSyncFileError('a value is of another kind');
  return futureValues ? values?.map((value) => (check(value) ? value : futureValues.readAs)) : values;
}

/**
 * The rows of a file of this, an earlier or a later version. Unknown columns are ignored. Values are null for columns that
 * are missing, have an unknown codec, or came later and cannot be read. `counts` has the lengths of columns that are shorter
 * than the file. Throws CorruptSyncFileError, for example when a field that cannot be null is missing.
 */
function readFile(
  { fields, positionalNames }: FileFormat,
  file: unknown,
  counts: Record<string, number> = {},
): AnyRows {
  const { schema, rows = -1, columns, names = positionalNames, added } = (file ?? {}) as Partial<PackedFile>;
  if (schema !== SYNC_SCHEMA) throw new CorruptSyncFileError('another schema');
  if (!Number.isInteger(rows) || rows < 0 || rows > MAX_ROWS_PER_FILE) throw new CorruptSyncFileError('no rows');
  if (!Array.isArray(columns) || !texts(names) || columns.length !== names.length)
    throw new CorruptSyncFileError('another number of columns');
  const all: AnyRows = {};
  const read = (entry: string, column: unknown) => {
    const [name = '', codec] = entry.split(':');
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const values = field && decodeColumn(field, codec ?? field.codec, column, counts[name] ?? rows, all);
    if (values) all[name] = values;
  };
  for (const [at, entry] of names.entries()) read(entry, columns[at]);
  for (const [entry, column] of Object.entries(added ?? {})) {
    try {
      read(entry, column);
    } catch (error) {
      if (!(error instanceof CorruptSyncFileError)) throw error;
    }
  }
  for (const [name, { check }] of Object.entries(fields)) {
    if (name in all) continue;
    if (!check(null)) throw new CorruptSyncFileError(`no column ${name}`);
    all[name] = new Array(counts[name] ?? rows).fill(null);
  }
  return all;
}

/** List fields as one file. */
export const packList = (rows: ListRows): ListFile => packFile(LIST_FORMAT, rows as never, true);

/** The rows of a list file; throws CorruptSyncFileError. */
export const readList = (file: unknown): ListRows => readFile(LIST_FORMAT, file) as unknown as ListRows;

/** Detail fields as one file. */
export const packDetails = (rows: DetailRows): DetailFile => packFile(DETAIL_FORMAT, rows as never, true);

/** The rows of a detail file; throws CorruptSyncFileError. */
export const readDetails = (file: unknown): DetailRows => readFile(DETAIL_FORMAT, file) as unknown as DetailRows;

/** Bit n of a row's mask is set if its n-th compared field equals that of the stored tender and is not in the file. */
interface SimilarityMasks {
  /** The stored tender's row number as its distance below this tender's; 0 for none. */
  below: number[];
  masks: number[];
}

const isSame = ({ masks }: SimilarityMasks, row: number, field: number) =>
  (((masks[row] as number) >> field) & 1) === 1;

/** Whether a tender differs from the stored one in a field. Only then the field is in the file. */
const differsFromStored = (likeness: SimilarityMasks, field: number) => (_: unknown, row: number) =>
  !isSame(likeness, row, field);

function compareWithStored(
  details: DetailRows,
  like: (number | null)[],
  findStored: StoredDetailLookup,
): SimilarityMasks {
  const below: number[] = [];
  const masks: number[] = [];
  for (const [row, id] of details.id.entries()) {
    const other = like[row] ? findStored(like[row]) : undefined;
    const bits = COMPARED_FIELDS.map((field, bit) =>
      other && JSON.stringify(other[field]) === JSON.stringify(details[field][row]) ? 1 << bit : 0,
    );
    const mask = bits.reduce((sum, bit) => sum | bit, 0);
    masks.push(mask);
    below.push(mask === 0 ? 0 : id - (like[row] as number));
  }
  return { below, masks };
}

const maskColumn = dictionaryColumn(TYPE_GUARDS.number);

/**
 * Packs a delta for the wire. `list` and `details` have the same tenders in the same order. For a device that asked with
 * `details=1`, `like` has for each tender a similar one that the device has; `findStored` finds it.
 */
export function packDelta(
  { list, details, ...rest }: DeltaRows,
  like: (number | null)[] = [],
  findStored: StoredDetailLookup = () => undefined,
): Delta {
  const likeness = compareWithStored(details, like, findStored);
  const differingColumns: Record<string, unknown[]> = { ...details };
  for (const [bit, field] of COMPARED_FIELDS.entries())
    differingColumns[field] = (details[field] as unknown[]).filter(differsFromStored(likeness, bit));
  return {
    schema: SYNC_SCHEMA,
    ...rest,
    list: packFile(LIST_FORMAT, list as never, false),
    details: packFile(DETAIL_FORMAT, differingColumns, false),
    like: [maskColumn.encode(likeness.below, {}), maskColumn.encode(likeness.masks, {})],
  };
}

const DeltaEnvelope = v.object({
  schema: v.literal(SYNC_SCHEMA),
  epoch: v.string(),
  cursor: v.string(),
  more: v.boolean(),
  list: v.unknown(),
  details: v.unknown(),
  like: v.tuple([v.unknown(), v.unknown()]),
  removed: v.array(v.pipe(v.number(), v.safeInteger())),
  checked: v.record(v.string(), v.pipe(v.string(), v.isoTimestamp())),
});

/** A delta whose envelope has been checked. The stored tenders that it refers to have not been read yet. */
export interface OpenDelta {
  /** Row numbers of the stored tenders, each once. */
  comparedIds: number[];
  /** The rows; throws CorruptSyncFileError, and MissingRowError when `findStored` lacks one of `comparedIds`. */
  readRows(findStored: StoredDetailLookup): DeltaRows;
}

/** Opens a delta, for a device that must look up its tenders asynchronously. Throws CorruptSyncFileError. */
export function openDelta(file: unknown): OpenDelta {
  const parsed = v.safeParse(DeltaEnvelope, file);
  if (!parsed.success) throw new CorruptSyncFileError(`a delta's ${v.getDotPath(parsed.issues[0])}`);
  const { schema: _, list, details, like, ...rest } = parsed.output;
  const rows = readList(list);
  const count = rows.id.length;
  const likeness = { below: maskColumn.decode(like[0], count, {}), masks: maskColumn.decode(like[1], count, {}) };
  const others = rows.id.map((id, row) => (likeness.masks[row] === 0 ? null : id - (likeness.below[row] as number)));
  return {
    comparedIds: [...new Set(others.filter((id) => id !== null))],
    readRows(findStored) {
      const delta = { ...rest, list: rows, details: readSimilarDetails(details, likeness, others, findStored) };
      if (delta.details.id.length !== count || rows.id.some((id, row) => id !== delta.details.id[row]))
        throw new CorruptSyncFileError('list and details are of different tenders');
      return delta;
    },
  };
}

/** The rows of a delta; throws CorruptSyncFileError, and MissingRowError when `findStored` lacks a tender that it refers to. */
export const readDelta = (file: unknown, findStored: StoredDetailLookup = () => undefined): DeltaRows =>
  openDelta(file).readRows(findStored);

/** The details of a delta. `others` has the ids of the similar stored tenders. */
function readSimilarDetails(
  file: unknown,
  likeness: SimilarityMasks,
  others: (number | null)[],
  findStored: StoredDetailLookup,
): DetailRows {
  const counts: Record<string, number> = {};
  for (const [bit, field] of COMPARED_FIELDS.entries())
    counts[field] = likeness.masks.filter(differsFromStored(likeness, bit)).length;
  const read = readFile(DETAIL_FORMAT, file, counts) as unknown as DetailRows;
  const resembled = others.map((id) => {
    const other = id === null ? undefined : findStored(id);
    if (id !== null && !other) throw new MissingRowError('a delta refers to a tender that is not stored');
    return other;
  });
  for (const [bit, field] of COMPARED_FIELDS.entries()) {
    let at = 0;
    const values = resembled.map((other, row) => (isSame(likeness, row, bit) ? other?.[field] : read[field][at++]));
    (read as unknown as Record<string, unknown[]>)[field] = values;
  }
  return read;
}
