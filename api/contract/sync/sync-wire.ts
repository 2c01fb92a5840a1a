/**
 * Sync files: columnar JSON, written by the server and read by devices. What compresses best was measured on two real
 * portals (bench sync-size). A file names no field: columns stand in the order of the tables below, so a changed table
 * means another SYNC_SCHEMA. Longer than most, since the tables and both directions of the files belong together.
 */
import * as v from 'valibot';
import { PACKAGE_KINDS, type PackageContents } from '../orders/document-package.ts';
import { Corrigendum } from '../tenders/tender.ts';
import { type DetailRows, type ListRows, SYNC_SCHEMA, TENDER_STAGES } from './sync.ts';
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
  textColumn,
} from './sync-columns.ts';

/** More rows than any file holds; a corrupt file must not fill a phone's memory. */
const MAX_ROWS_PER_FILE = 100_000;

/** One packed file; `columns` are in the order of its table. */
export interface PackedFile {
  schema: typeof SYNC_SCHEMA;
  rows: number;
  columns: unknown[];
  /** Columns by name that came later: older readers pass over them. Left out when all their values are null. */
  added?: Record<string, unknown>;
}
export type ListFile = PackedFile;
export type DetailFile = PackedFile;

/** What changed after a cursor, on the wire. */
export interface Delta {
  schema: typeof SYNC_SCHEMA;
  epoch: string;
  /** Where the next delta goes on from; opaque. */
  cursor: string;
  /** More changes wait: ask again with the new cursor. */
  more: boolean;
  list: ListFile;
  /** Without the values that `like` tells. */
  details: DetailFile;
  /** Which held tender each one resembles, and in which fields; see `Likeness`. */
  like: unknown;
  /** Row numbers that are no longer in the scope; unknown ones are ignored. */
  removed: number[];
  /** When each portal was last compared, by portal. */
  checked: Record<string, string>;
}

/** A delta as it is read: whole new versions of rows, of which some replace what the device holds. */
export type DeltaRows = Omit<Delta, 'schema' | 'list' | 'details' | 'like'> & { list: ListRows; details: DetailRows };

/** Detail fields of one tender. */
export type DetailRow = { [Field in keyof DetailRows]: DetailRows[Field][number] };

/** The detail fields of a tender that the device holds, as of the cursor it asked with; undefined when it has none. */
export type StoredDetailLookup = (id: number) => Pick<DetailRow, (typeof COMPARED_FIELDS)[number]> | undefined;

/** Thrown for a delta that speaks of a tender which is not held: ask again without `details=1`. */
export class MissingRowError extends Error {
  override name = 'MissingRow';
}

/** The detail fields that came after the first version of the file. */
type AddedField = 'documentPackage';
type ColumnCodecs<Rows> = { [Field in keyof Rows]: Rows[Field] extends (infer T)[] ? ColumnCodec<T> : never };

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
    const values = stageNumberColumn.decode(column, rows, all).map((value) => TENDER_STAGES[value]);
    if (!values.every(isStage)) throw new CorruptSyncFileError('an unknown stage');
    return values;
  },
};

type DocumentListValue = DetailRows['documents'][number];

/** Lists of documents repeat as wholes; of each the names, then covers and types of all of them in one go. */
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

const LIST_COLUMNS: ColumnCodecs<ListRows> = {
  id: differenceColumn,
  title: textColumn,
  orgName: dictionaryColumn(TYPE_GUARDS.text),
  state: dictionaryColumn(TYPE_GUARDS.text),
  district: dictionaryColumn(TYPE_GUARDS.textOrNull),
  department: dictionaryColumn(TYPE_GUARDS.textOrNull),
  category: dictionaryColumn(TYPE_GUARDS.textOrNull),
  price: moneyColumn,
  priceText: dictionaryColumn(TYPE_GUARDS.textOrNull),
  emd: moneyColumn,
  publishedAt: instantColumn(),
  bidStartAt: instantColumn('publishedAt'),
  closesAt: instantColumn('publishedAt'),
  closingTimeKnown: dictionaryColumn(TYPE_GUARDS.boolean),
  stage: stageColumn,
  lastCorrigendum: dictionaryColumn(isLastCorrigendum),
  demonstration: dictionaryColumn(TYPE_GUARDS.boolean),
  portal: dictionaryColumn(TYPE_GUARDS.text),
  sourceTenderId: sourceIdColumn,
  nitWorks: numberColumn,
};

const DETAIL_COLUMNS: ColumnCodecs<Omit<DetailRows, AddedField>> = {
  id: differenceColumn,
  description: textColumn,
  reference: dictionaryColumn(TYPE_GUARDS.textOrNull),
  nitId: dictionaryColumn(TYPE_GUARDS.textOrNull),
  organisationChain: dictionaryColumn(TYPE_GUARDS.texts),
  address: dictionaryColumn(TYPE_GUARDS.textOrNull),
  place: dictionaryColumn(TYPE_GUARDS.textOrNull),
  pincode: dictionaryColumn(TYPE_GUARDS.textOrNull),
  bidOpeningPlace: dictionaryColumn(TYPE_GUARDS.textOrNull),
  contactDesignation: dictionaryColumn(TYPE_GUARDS.textOrNull),
  subCategory: dictionaryColumn(TYPE_GUARDS.textOrNull),
  tenderType: dictionaryColumn(TYPE_GUARDS.textOrNull),
  formOfContract: dictionaryColumn(TYPE_GUARDS.textOrNull),
  covers: dictionaryColumn(TYPE_GUARDS.numberOrNull),
  tenderFee: feeColumn,
  emdPercent: dictionaryColumn(TYPE_GUARDS.numberOrNull),
  emdExemptionAllowed: dictionaryColumn(TYPE_GUARDS.booleanOrNull),
  periodOfWorkDays: dictionaryColumn(TYPE_GUARDS.numberOrNull),
  bidValidityDays: dictionaryColumn(TYPE_GUARDS.numberOrNull),
  // The list's closing instants are in the other file, so these two go from row to row.
  opensAt: instantColumn(),
  preBidAt: instantColumn(),
  preBidPlace: dictionaryColumn(TYPE_GUARDS.textOrNull),
  documents: documentsColumn,
  corrigenda: dictionaryColumn(isCorrigenda),
  districtConfidence: dictionaryColumn(TYPE_GUARDS.numberOrNull),
  version: dictionaryColumn(TYPE_GUARDS.number),
  updatedAt: instantColumn(),
};

const isPackageContents = (value: unknown): value is PackageContents | null => {
  if (value === null) return true;
  const { kind, works } = (typeof value === 'object' ? value : {}) as Partial<PackageContents>;
  return PACKAGE_KINDS.some((known) => known === kind) && typeof works === 'number';
};

const ADDED_COLUMNS: ColumnCodecs<Pick<DetailRows, AddedField>> = {
  documentPackage: dictionaryColumn(isPackageContents),
};

/**
 * What an office's notices mostly have in common: a new one is then told as being like a held one. Without this, half of
 * a day's delta would be lists of documents that the device knows by heart.
 */
export const COMPARED_FIELDS = [
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

type AnyColumnCodecs = Record<string, ColumnCodec<unknown>>;

function packColumns(table: AnyColumnCodecs, all: Record<string, unknown[]>): PackedFile {
  const columns = Object.entries(table).map(([field, column]) => column.encode(all[field] as unknown[], all));
  return { schema: SYNC_SCHEMA, rows: all.id?.length ?? 0, columns };
}

function packAddedColumns(table: AnyColumnCodecs, all: Record<string, unknown[]>): Pick<PackedFile, 'added'> {
  const filled = Object.entries(table).filter(([field]) => all[field]?.some((value) => value !== null));
  if (filled.length === 0) return {};
  return { added: Object.fromEntries(filled.map(([field, column]) => [field, column.encode(all[field] ?? [], all)])) };
}

/** The columns that came later; nulls where the file has none, or holds what this version does not know. */
function readAddedColumns(table: AnyColumnCodecs, file: unknown, rows: number): Record<string, unknown[]> {
  const { added = {} } = (file ?? {}) as Partial<PackedFile>;
  const read = ([field, column]: [string, ColumnCodec<unknown>]): [string, unknown[]] => {
    try {
      return [field, field in added ? column.decode(added[field], rows, {}) : new Array(rows).fill(null)];
    } catch (error) {
      if (!(error instanceof CorruptSyncFileError)) throw error;
      return [field, new Array(rows).fill(null)];
    }
  };
  return Object.fromEntries(Object.entries(table).map(read));
}

/** The columns of a file; `counts` are the lengths of those that are shorter than the file. */
function readColumns(
  table: AnyColumnCodecs,
  file: unknown,
  counts: Record<string, number> = {},
): Record<string, unknown[]> {
  const { schema, rows, columns } = (file ?? {}) as Partial<PackedFile>;
  const fields = Object.entries(table);
  if (schema !== SYNC_SCHEMA) throw new CorruptSyncFileError('another schema');
  if (!Number.isInteger(rows) || (rows as number) < 0 || (rows as number) > MAX_ROWS_PER_FILE)
    throw new CorruptSyncFileError('no rows');
  if (!Array.isArray(columns) || columns.length !== fields.length)
    throw new CorruptSyncFileError('another number of columns');
  const all: Record<string, unknown[]> = {};
  for (const [index, [field, column]] of fields.entries())
    all[field] = column.decode(columns[index], counts[field] ?? (rows as number), all);
  return all;
}

/** List fields as one file. */
export const packList = (rows: ListRows): ListFile =>
  packColumns(LIST_COLUMNS as unknown as AnyColumnCodecs, rows as never);

/** The rows of a list file; throws CorruptFile. */
export const readList = (file: unknown): ListRows =>
  readColumns(LIST_COLUMNS as unknown as AnyColumnCodecs, file) as unknown as ListRows;

/** Detail fields as one file. */
export const packDetails = (rows: DetailRows): DetailFile => packDetailColumns(rows as never);

const packDetailColumns = (rows: Record<string, unknown[]>): DetailFile => ({
  ...packColumns(DETAIL_COLUMNS as unknown as AnyColumnCodecs, rows),
  ...packAddedColumns(ADDED_COLUMNS as unknown as AnyColumnCodecs, rows),
});

/** The rows of a detail file; throws CorruptFile. */
export const readDetails = (file: unknown): DetailRows => readDetailColumns(file);

function readDetailColumns(file: unknown, counts?: Record<string, number>): DetailRows {
  const all = readColumns(DETAIL_COLUMNS as unknown as AnyColumnCodecs, file, counts);
  return {
    ...all,
    ...readAddedColumns(ADDED_COLUMNS as unknown as AnyColumnCodecs, file, all.id?.length ?? 0),
  } as unknown as DetailRows;
}

/** Bit n of a row's mask: its n-th resembling field is as in the held tender, and not in the file. */
interface SimilarityMasks {
  /** A row number as its distance below this tender's; 0 for none. */
  below: number[];
  masks: number[];
}

const isSame = ({ masks }: SimilarityMasks, row: number, field: number) =>
  (((masks[row] as number) >> field) & 1) === 1;

/** The tenders that differ from what is held in a field: only these have it in the file. */
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
 * A delta for the wire; `list` and `details` hold the same tenders in the same order. `like` names for each a tender that
 * the device holds and `held` knows, for a device that asked with `details=1`.
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
    list: packList(list),
    details: packDetailColumns(differingColumns),
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

/** A delta whose frame has been read; the held tenders that it speaks of are still to be looked up. */
export interface OpenDelta {
  /** Row numbers of those tenders, each once. */
  comparedIds: number[];
  /** The rows; throws CorruptFile, and MissingRow when `held` lacks one of `resembled`. */
  readRows(held: StoredDetailLookup): DeltaRows;
}

/** Opens a delta, for a device whose tenders cannot be looked up at once; throws CorruptFile. */
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

/** The rows of a delta; throws CorruptFile, and MissingRow when `held` lacks a tender that the delta speaks of. */
export const readDelta = (file: unknown, findStored: StoredDetailLookup = () => undefined): DeltaRows =>
  openDelta(file).readRows(findStored);

/** The details of a delta; `others` are the row numbers of the held tenders that its rows resemble. */
function readSimilarDetails(
  file: unknown,
  likeness: SimilarityMasks,
  others: (number | null)[],
  findStored: StoredDetailLookup,
): DetailRows {
  const counts: Record<string, number> = {};
  for (const [bit, field] of COMPARED_FIELDS.entries())
    counts[field] = likeness.masks.filter(differsFromStored(likeness, bit)).length;
  const read = readDetailColumns(file, counts);
  const resembled = others.map((id) => {
    const other = id === null ? undefined : findStored(id);
    if (id !== null && !other) throw new MissingRowError('a delta speaks of a tender that is not held');
    return other;
  });
  for (const [bit, field] of COMPARED_FIELDS.entries()) {
    let at = 0;
    const values = resembled.map((other, row) => (isSame(likeness, row, bit) ? other?.[field] : read[field][at++]));
    (read as unknown as Record<string, unknown[]>)[field] = values;
  }
  return read;
}
