/**
 * Sync files: columnar JSON, written by the server and read by devices. What compresses best was measured on two real
 * portals (bench sync-size). A file names no field: columns stand in the order of the tables below, so a changed table
 * means another SYNC_SCHEMA. Longer than most, since the tables and both directions of the files belong together.
 */
import * as v from 'valibot';
import { PACKAGE_KINDS, type PackageContents } from './document-package.ts';
import { type DetailRows, type ListRows, STAGES, SYNC_SCHEMA } from './sync.ts';
import {
  type Column,
  CorruptFile,
  dictionary,
  fees,
  IS,
  instants,
  money,
  numbers,
  sourceIds,
  steps,
  texts,
} from './sync-columns.ts';
import { Corrigendum } from './tender.ts';

/** More rows than any file holds; a corrupt file must not fill a phone's memory. */
const MOST_ROWS = 100_000;

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
export type Held = (id: number) => Pick<DetailRow, (typeof RESEMBLING)[number]> | undefined;

/** Thrown for a delta that speaks of a tender which is not held: ask again without `details=1`. */
export class MissingRow extends Error {
  override name = 'MissingRow';
}

/** The detail fields that came after the first version of the file. */
type AddedField = 'documentPackage';
type Columns<Rows> = { [Field in keyof Rows]: Rows[Field] extends (infer T)[] ? Column<T> : never };

const isStage = (value: unknown): value is ListRows['stage'][number] => STAGES.includes(value as never);
const isLastCorrigendum = (value: unknown): value is ListRows['lastCorrigendum'][number] =>
  value === null || value === 'date' || value === 'other';
const isCorrigenda = (value: unknown): value is Corrigendum[] => v.is(v.array(Corrigendum), value);

const stages = dictionary(IS.number);
const stage: Column<ListRows['stage'][number]> = {
  pack: (values, all) =>
    stages.pack(
      values.map((value) => STAGES.indexOf(value)),
      all,
    ),
  read(column, rows, all) {
    const values = stages.read(column, rows, all).map((value) => STAGES[value]);
    if (!values.every(isStage)) throw new CorruptFile('an unknown stage');
    return values;
  },
};

type Documents = DetailRows['documents'][number];

/** Lists of documents repeat as wholes; of each the names, then covers and types of all of them in one go. */
const documents: Column<Documents> = {
  pack(values, all) {
    const [lists, rows] = dictionary((_: unknown): _ is Documents => true).pack(values, all) as [Documents[], number[]];
    const every = lists.flat();
    const inOneGo = (read: (document: Documents[number]) => string) => dictionary(IS.text).pack(every.map(read), all);
    return [
      lists.map((list) => list.map(({ name }) => name)),
      inOneGo(({ cover }) => cover),
      inOneGo(({ type }) => type),
      rows,
    ];
  },
  read(column, rows, all) {
    if (!Array.isArray(column) || !Array.isArray(column[0]) || !column[0].every(IS.texts))
      throw new CorruptFile('documents are no lists of names');
    const names: string[][] = column[0];
    const total = names.reduce((sum, list) => sum + list.length, 0);
    const covers = dictionary(IS.text).read(column[1], total, all);
    const types = dictionary(IS.text).read(column[2], total, all);
    let at = 0;
    const lists = names.map((list) =>
      list.map((name) => {
        const document = { cover: covers[at] as string, type: types[at] as string, name };
        at++;
        return document;
      }),
    );
    return dictionary((_: unknown): _ is Documents => true).read([lists, column[3]], rows, all);
  },
};

const LIST: Columns<ListRows> = {
  id: steps,
  title: texts,
  orgName: dictionary(IS.text),
  state: dictionary(IS.text),
  district: dictionary(IS.textOrNull),
  department: dictionary(IS.textOrNull),
  category: dictionary(IS.textOrNull),
  price: money,
  priceText: dictionary(IS.textOrNull),
  emd: money,
  publishedAt: instants(),
  bidStartAt: instants('publishedAt'),
  closesAt: instants('publishedAt'),
  closingTimeKnown: dictionary(IS.boolean),
  stage,
  lastCorrigendum: dictionary(isLastCorrigendum),
  demonstration: dictionary(IS.boolean),
  portal: dictionary(IS.text),
  sourceTenderId: sourceIds,
  nitWorks: numbers,
};

const DETAILS: Columns<Omit<DetailRows, AddedField>> = {
  id: steps,
  description: texts,
  reference: dictionary(IS.textOrNull),
  nitId: dictionary(IS.textOrNull),
  organisationChain: dictionary(IS.texts),
  address: dictionary(IS.textOrNull),
  place: dictionary(IS.textOrNull),
  pincode: dictionary(IS.textOrNull),
  bidOpeningPlace: dictionary(IS.textOrNull),
  contactDesignation: dictionary(IS.textOrNull),
  subCategory: dictionary(IS.textOrNull),
  tenderType: dictionary(IS.textOrNull),
  formOfContract: dictionary(IS.textOrNull),
  covers: dictionary(IS.numberOrNull),
  tenderFee: fees,
  emdPercent: dictionary(IS.numberOrNull),
  emdExemptionAllowed: dictionary(IS.booleanOrNull),
  periodOfWorkDays: dictionary(IS.numberOrNull),
  bidValidityDays: dictionary(IS.numberOrNull),
  // The list's closing instants are in the other file, so these two go from row to row.
  opensAt: instants(),
  preBidAt: instants(),
  preBidPlace: dictionary(IS.textOrNull),
  documents,
  corrigenda: dictionary(isCorrigenda),
  districtConfidence: dictionary(IS.numberOrNull),
  version: dictionary(IS.number),
  updatedAt: instants(),
};

const isContents = (value: unknown): value is PackageContents | null => {
  if (value === null) return true;
  const { kind, works } = (typeof value === 'object' ? value : {}) as Partial<PackageContents>;
  return PACKAGE_KINDS.some((known) => known === kind) && typeof works === 'number';
};

const ADDED: Columns<Pick<DetailRows, AddedField>> = { documentPackage: dictionary(isContents) };

/**
 * What an office's notices mostly have in common: a new one is then told as being like a held one. Without this, half of
 * a day's delta would be lists of documents that the device knows by heart.
 */
export const RESEMBLING = [
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

type AnyColumns = Record<string, Column<unknown>>;

function pack(table: AnyColumns, all: Record<string, unknown[]>): PackedFile {
  const columns = Object.entries(table).map(([field, column]) => column.pack(all[field] as unknown[], all));
  return { schema: SYNC_SCHEMA, rows: all.id?.length ?? 0, columns };
}

function packAdded(table: AnyColumns, all: Record<string, unknown[]>): Pick<PackedFile, 'added'> {
  const filled = Object.entries(table).filter(([field]) => all[field]?.some((value) => value !== null));
  if (filled.length === 0) return {};
  return { added: Object.fromEntries(filled.map(([field, column]) => [field, column.pack(all[field] ?? [], all)])) };
}

/** The columns that came later; nulls where the file has none, or holds what this version does not know. */
function readAdded(table: AnyColumns, file: unknown, rows: number): Record<string, unknown[]> {
  const { added = {} } = (file ?? {}) as Partial<PackedFile>;
  const read = ([field, column]: [string, Column<unknown>]): [string, unknown[]] => {
    try {
      return [field, field in added ? column.read(added[field], rows, {}) : new Array(rows).fill(null)];
    } catch (error) {
      if (!(error instanceof CorruptFile)) throw error;
      return [field, new Array(rows).fill(null)];
    }
  };
  return Object.fromEntries(Object.entries(table).map(read));
}

/** The columns of a file; `counts` are the lengths of those that are shorter than the file. */
function readFile(table: AnyColumns, file: unknown, counts: Record<string, number> = {}): Record<string, unknown[]> {
  const { schema, rows, columns } = (file ?? {}) as Partial<PackedFile>;
  const fields = Object.entries(table);
  if (schema !== SYNC_SCHEMA) throw new CorruptFile('another schema');
  if (!Number.isInteger(rows) || (rows as number) < 0 || (rows as number) > MOST_ROWS) throw new CorruptFile('no rows');
  if (!Array.isArray(columns) || columns.length !== fields.length) throw new CorruptFile('another number of columns');
  const all: Record<string, unknown[]> = {};
  for (const [index, [field, column]] of fields.entries())
    all[field] = column.read(columns[index], counts[field] ?? (rows as number), all);
  return all;
}

/** List fields as one file. */
export const packList = (rows: ListRows): ListFile => pack(LIST as unknown as AnyColumns, rows as never);

/** The rows of a list file; throws CorruptFile. */
export const readList = (file: unknown): ListRows =>
  readFile(LIST as unknown as AnyColumns, file) as unknown as ListRows;

/** Detail fields as one file. */
export const packDetails = (rows: DetailRows): DetailFile => packDetailColumns(rows as never);

const packDetailColumns = (rows: Record<string, unknown[]>): DetailFile => ({
  ...pack(DETAILS as unknown as AnyColumns, rows),
  ...packAdded(ADDED as unknown as AnyColumns, rows),
});

/** The rows of a detail file; throws CorruptFile. */
export const readDetails = (file: unknown): DetailRows => readDetailColumns(file);

function readDetailColumns(file: unknown, counts?: Record<string, number>): DetailRows {
  const all = readFile(DETAILS as unknown as AnyColumns, file, counts);
  return { ...all, ...readAdded(ADDED as unknown as AnyColumns, file, all.id?.length ?? 0) } as unknown as DetailRows;
}

/** Bit n of a row's mask: its n-th resembling field is as in the held tender, and not in the file. */
interface Likeness {
  /** A row number as its distance below this tender's; 0 for none. */
  below: number[];
  masks: number[];
}

const isSame = ({ masks }: Likeness, row: number, field: number) => (((masks[row] as number) >> field) & 1) === 1;

/** The tenders that differ from what is held in a field: only these have it in the file. */
const differing = (likeness: Likeness, field: number) => (_: unknown, row: number) => !isSame(likeness, row, field);

function compare(details: DetailRows, like: (number | null)[], held: Held): Likeness {
  const below: number[] = [];
  const masks: number[] = [];
  for (const [row, id] of details.id.entries()) {
    const other = like[row] ? held(like[row]) : undefined;
    const bits = RESEMBLING.map((field, bit) =>
      other && JSON.stringify(other[field]) === JSON.stringify(details[field][row]) ? 1 << bit : 0,
    );
    const mask = bits.reduce((sum, bit) => sum | bit, 0);
    masks.push(mask);
    below.push(mask === 0 ? 0 : id - (like[row] as number));
  }
  return { below, masks };
}

const masked = dictionary(IS.number);

/**
 * A delta for the wire; `list` and `details` hold the same tenders in the same order. `like` names for each a tender that
 * the device holds and `held` knows, for a device that asked with `details=1`.
 */
export function packDelta(
  { list, details, ...rest }: DeltaRows,
  like: (number | null)[] = [],
  held: Held = () => undefined,
): Delta {
  const likeness = compare(details, like, held);
  const kept: Record<string, unknown[]> = { ...details };
  for (const [bit, field] of RESEMBLING.entries())
    kept[field] = (details[field] as unknown[]).filter(differing(likeness, bit));
  return {
    schema: SYNC_SCHEMA,
    ...rest,
    list: packList(list),
    details: packDetailColumns(kept),
    like: [masked.pack(likeness.below, {}), masked.pack(likeness.masks, {})],
  };
}

const Envelope = v.object({
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
  resembled: number[];
  /** The rows; throws CorruptFile, and MissingRow when `held` lacks one of `resembled`. */
  read(held: Held): DeltaRows;
}

/** Opens a delta, for a device whose tenders cannot be looked up at once; throws CorruptFile. */
export function openDelta(file: unknown): OpenDelta {
  const parsed = v.safeParse(Envelope, file);
  if (!parsed.success) throw new CorruptFile(`a delta's ${v.getDotPath(parsed.issues[0])}`);
  const { schema: _, list, details, like, ...rest } = parsed.output;
  const rows = readList(list);
  const count = rows.id.length;
  const likeness = { below: masked.read(like[0], count, {}), masks: masked.read(like[1], count, {}) };
  const others = rows.id.map((id, row) => (likeness.masks[row] === 0 ? null : id - (likeness.below[row] as number)));
  return {
    resembled: [...new Set(others.filter((id) => id !== null))],
    read(held) {
      const delta = { ...rest, list: rows, details: readAlike(details, likeness, others, held) };
      if (delta.details.id.length !== count || rows.id.some((id, row) => id !== delta.details.id[row]))
        throw new CorruptFile('list and details are of different tenders');
      return delta;
    },
  };
}

/** The rows of a delta; throws CorruptFile, and MissingRow when `held` lacks a tender that the delta speaks of. */
export const readDelta = (file: unknown, held: Held = () => undefined): DeltaRows => openDelta(file).read(held);

/** The details of a delta; `others` are the row numbers of the held tenders that its rows resemble. */
function readAlike(file: unknown, likeness: Likeness, others: (number | null)[], held: Held): DetailRows {
  const counts: Record<string, number> = {};
  for (const [bit, field] of RESEMBLING.entries())
    counts[field] = likeness.masks.filter(differing(likeness, bit)).length;
  const read = readDetailColumns(file, counts);
  const resembled = others.map((id) => {
    const other = id === null ? undefined : held(id);
    if (id !== null && !other) throw new MissingRow('a delta speaks of a tender that is not held');
    return other;
  });
  for (const [bit, field] of RESEMBLING.entries()) {
    let at = 0;
    const values = resembled.map((other, row) => (isSame(likeness, row, bit) ? other?.[field] : read[field][at++]));
    (read as unknown as Record<string, unknown[]>)[field] = values;
  }
  return read;
}
