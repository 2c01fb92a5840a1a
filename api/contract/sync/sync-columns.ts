/**
 * Columns of the sync files. A codec writes the values of one field so that they are small after brotli, and reads them
 * back exactly. Reading checks shapes and bounds in plain loops, because a schema per value would take seconds for all
 * India.
 */

/** Thrown for a file that no `pack…` function can have written. Nothing of it may be used. */
export class CorruptSyncFileError extends Error {
  override name = 'CorruptSyncFileError';
}

/** Writes and reads the values of one field. `all` has the fields of the file; when reading, only the earlier ones. */
export interface ColumnCodec<T> {
  encode(values: T[], all: Record<string, unknown>): unknown;
  decode(column: unknown, rows: number, all: Record<string, unknown>): T[];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isNull = (value: unknown): value is null => value === null;
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** Whether a value has this type. */
export type TypeGuard<T> = (value: unknown) => value is T;

/** Checks for the values of dictionary columns. */
export const TYPE_GUARDS = {
  text: isText,
  number: isNumber,
  boolean: isBoolean,
  texts: isTexts,
  textOrNull: (value: unknown): value is string | null => isNull(value) || isText(value),
  numberOrNull: (value: unknown): value is number | null => isNull(value) || isNumber(value),
  booleanOrNull: (value: unknown): value is boolean | null => isNull(value) || isBoolean(value),
};

/** The array, if it has one value per row. With `allowsSingle` a single value may stand for all rows. */
function columnValues(column: unknown, rows: number, allowsSingle = false): unknown[] {
  if (!Array.isArray(column)) throw new CorruptSyncFileError('a column is no list');
  if (allowsSingle && column.length === 1 && rows > 1) return new Array(rows).fill(column[0]);
  if (column.length !== rows) throw new CorruptSyncFileError('a column has another length');
  return column;
}

function checkedValues<T>(values: unknown[], check: TypeGuard<T>): T[] {
  for (const value of values) if (!check(value)) throw new CorruptSyncFileError('a value is of another kind');
  return values as T[];
}

/** Replaces a list of equal values by a single one. */
function collapseEqual<T>(values: T[]): T[] {
  return values.length > 1 && values.every((value) => value === values[0]) ? values.slice(0, 1) : values;
}

/** Texts that rarely repeat, unchanged. */
export const textColumn: ColumnCodec<string> = {
  encode: (values) => values,
  decode: (column, rows) => checkedValues(columnValues(column, rows), isText),
};

/** Whole numbers, each as the difference from the one before. */
export const differenceColumn: ColumnCodec<number> = {
  encode: (values) => collapseEqual(values.map((value, row) => value - (values[row - 1] ?? 0))),
  decode(column, rows) {
    const values = checkedValues(columnValues(column, rows, true), isNumber).slice();
    for (let row = 1; row < rows; row++) values[row] = (values[row] as number) + (values[row - 1] as number);
    for (const value of values)
      if (!Number.isSafeInteger(value)) throw new CorruptSyncFileError('a number is not whole');
    return values;
  },
};

/** Small numbers, unchanged. */
export const numberColumn: ColumnCodec<number> = {
  encode: (values) => collapseEqual(values),
  decode: (column, rows) => checkedValues(columnValues(column, rows, true), isNumber),
};

/** Values that repeat: the distinct values in the order of their first row, then the index of each row's value. */
export function dictionaryColumn<T>(check: TypeGuard<T>): ColumnCodec<T> {
  return {
    encode(values) {
      const places = new Map<unknown, number>();
      const different: T[] = [];
      const rows = values.map((value) => {
        const key = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
        let place = places.get(key);
        if (place === undefined) {
          place = different.push(value) - 1;
          places.set(key, place);
        }
        return place;
      });
      return [different, collapseEqual(rows)];
    },
    decode(column, rows) {
      const [different, places] = columnValues(column, 2);
      if (!Array.isArray(different)) throw new CorruptSyncFileError('a dictionary is no list');
      checkedValues(different, check);
      const values = columnValues(places, rows, true);
      return values.map((place) => {
        if (!Number.isInteger(place) || (place as number) < 0 || (place as number) >= different.length)
          throw new CorruptSyncFileError('a row has no value');
        return different[place as number];
      });
    },
  };
}

type Money = string | null;
const isMoney = (value: unknown): value is number | string | null => isNull(value) || isText(value) || isNumber(value);
/** The amount as a number. It stays text if a number is not precise enough. */
const moneyToWire = (value: Money) => (value !== null && Number(value).toFixed(2) === value ? Number(value) : value);
const moneyFromWire = (value: number | string | null): Money => (typeof value === 'number' ? value.toFixed(2) : value);

/** Rupees as text with two decimals, on the wire as numbers. */
export const moneyColumn: ColumnCodec<Money> = {
  encode: (values) => collapseEqual(values.map(moneyToWire)),
  decode: (column, rows) => checkedValues(columnValues(column, rows, true), isMoney).map(moneyFromWire),
};

/** Amounts with few distinct values. */
export const feeColumn: ColumnCodec<Money> = {
  encode: (values, all) => dictionaryColumn(isMoney).encode(values.map(moneyToWire), all),
  decode: (column, rows, all) => dictionaryColumn(isMoney).decode(column, rows, all).map(moneyFromWire),
};

const INSTANT_UNITS_MS = [60_000, 1_000, 1];

/**
 * Instants in the largest unit in which all of them are whole numbers. Each is written as the difference from `base` in the
 * same row or, without `base`, from the previous row. `base` is an earlier field of the file without nulls.
 */
export function instantColumn<T extends number | null>(base?: string): ColumnCodec<T> {
  return {
    encode(values, all) {
      const bases = base ? (all[base] as number[]) : previousValues(values);
      const differences = values.map((value, row) => (value === null ? null : value - (bases[row] as number)));
      const unit = INSTANT_UNITS_MS.find((each) => differences.every((value) => (value ?? 0) % each === 0)) as number;
      return [unit, collapseEqual(differences.map((value) => value && value / unit))];
    },
    decode(column, rows, all) {
      const [unit, packed] = columnValues(column, 2);
      if (base && !all[base]) throw new CorruptSyncFileError('an instant without its base');
      if (!INSTANT_UNITS_MS.includes(unit as number)) throw new CorruptSyncFileError('an unknown unit');
      const differences = checkedValues(columnValues(packed, rows, true), TYPE_GUARDS.numberOrNull);
      const values: (number | null)[] = [];
      let last = 0;
      for (let row = 0; row < rows; row++) {
        const difference = differences[row] as number | null;
        const from = base ? ((all[base] as number[])[row] as number) : last;
        const value = difference === null ? null : from + difference * (unit as number);
        if (value !== null && !Number.isSafeInteger(value)) throw new CorruptSyncFileError('an instant is not whole');
        last = value ?? last;
        values.push(value);
      }
      return values as T[];
    },
  };
}

/** For each row the last value in the rows before it; 0 before the first value. */
function previousValues(values: (number | null)[]): number[] {
  let last = 0;
  return values.map((value) => {
    const previous = last;
    last = value ?? last;
    return previous;
  });
}

/** Splits ids of GePNIC portals, 'ORG_serial_work', into parts. Any other id is kept whole, with -1 as the work. */
const SOURCE_ID_PATTERN = /^(.*\D)?(0|[1-9]\d{0,8})_(0|[1-9]\d{0,3})$/s;

/** Ids of tenders at their portals. */
export const sourceIdColumn: ColumnCodec<string> = {
  encode(values, all) {
    const parts = values.map((value) => {
      const match = SOURCE_ID_PATTERN.exec(value);
      return match ? ([match[1] ?? '', Number(match[2]), Number(match[3])] as const) : ([value, 0, -1] as const);
    });
    return [
      dictionaryColumn(isText).encode(
        parts.map(([prefix]) => prefix),
        all,
      ),
      differenceColumn.encode(
        parts.map(([, serial]) => serial),
        all,
      ),
      collapseEqual(parts.map(([, , work]) => work)),
    ];
  },
  decode(column, rows, all) {
    const [prefixes, serials, works] = columnValues(column, 3);
    const prefix = dictionaryColumn(isText).decode(prefixes, rows, all);
    const serial = differenceColumn.decode(serials, rows, all);
    const work = numberColumn.decode(works, rows, all);
    return prefix.map((text, row) => ((work[row] as number) < 0 ? text : `${text}${serial[row]}_${work[row]}`));
  },
};
