/**
 * Columns of the sync files: how the values of one field are written so that they are small after brotli, and read back
 * exactly. Reading checks shapes and bounds in plain loops, since a schema per value would cost seconds for all India.
 */

/** Thrown for a file that cannot have been written by `pack…`; nothing of it may be used. */
export class CorruptFile extends Error {
  override name = 'CorruptFile';
}

/** One field's way to the wire and back; `all` are the fields of the file, those before it when reading. */
export interface Column<T> {
  pack(values: T[], all: Record<string, unknown>): unknown;
  read(column: unknown, rows: number, all: Record<string, unknown>): T[];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isNull = (value: unknown): value is null => value === null;
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

type Check<T> = (value: unknown) => value is T;

/** The checks that columns of a dictionary are made with. */
export const IS = {
  text: isText,
  number: isNumber,
  boolean: isBoolean,
  texts: isTexts,
  textOrNull: (value: unknown): value is string | null => isNull(value) || isText(value),
  numberOrNull: (value: unknown): value is number | null => isNull(value) || isNumber(value),
  booleanOrNull: (value: unknown): value is boolean | null => isNull(value) || isBoolean(value),
};

/** The array, if it holds as many values as there are rows; `one` says that a single value may stand for all. */
function listOf(column: unknown, rows: number, one = false): unknown[] {
  if (!Array.isArray(column)) throw new CorruptFile('a column is no list');
  if (one && column.length === 1 && rows > 1) return new Array(rows).fill(column[0]);
  if (column.length !== rows) throw new CorruptFile('a column has another length');
  return column;
}

function checked<T>(values: unknown[], check: Check<T>): T[] {
  for (const value of values) if (!check(value)) throw new CorruptFile('a value is of another kind');
  return values as T[];
}

/** Equal values stand once. */
function squeeze<T>(values: T[]): T[] {
  return values.length > 1 && values.every((value) => value === values[0]) ? values.slice(0, 1) : values;
}

/** Texts that hardly ever repeat, as they are. */
export const texts: Column<string> = {
  pack: (values) => values,
  read: (column, rows) => checked(listOf(column, rows), isText),
};

/** Whole numbers, each as the difference from the one before. */
export const steps: Column<number> = {
  pack: (values) => squeeze(values.map((value, row) => value - (values[row - 1] ?? 0))),
  read(column, rows) {
    const values = checked(listOf(column, rows, true), isNumber).slice();
    for (let row = 1; row < rows; row++) values[row] = (values[row] as number) + (values[row - 1] as number);
    for (const value of values) if (!Number.isSafeInteger(value)) throw new CorruptFile('a number is not whole');
    return values;
  },
};

/** Numbers that are small as they are. */
export const numbers: Column<number> = {
  pack: (values) => squeeze(values),
  read: (column, rows) => checked(listOf(column, rows, true), isNumber),
};

/** Values that repeat: the different ones in the order of their first row, then each row's place among them. */
export function dictionary<T>(check: Check<T>): Column<T> {
  return {
    pack(values) {
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
      return [different, squeeze(rows)];
    },
    read(column, rows) {
      const [different, places] = listOf(column, 2);
      if (!Array.isArray(different)) throw new CorruptFile('a dictionary is no list');
      checked(different, check);
      const values = listOf(places, rows, true);
      return values.map((place) => {
        if (!Number.isInteger(place) || (place as number) < 0 || (place as number) >= different.length)
          throw new CorruptFile('a row has no value');
        return different[place as number];
      });
    },
  };
}

type Money = string | null;
const isMoney = (value: unknown): value is number | string | null => isNull(value) || isText(value) || isNumber(value);
/** A number where that says the same; an amount beyond a number's precision stays text. */
const toNumber = (value: Money) => (value !== null && Number(value).toFixed(2) === value ? Number(value) : value);
const toMoney = (value: number | string | null): Money => (typeof value === 'number' ? value.toFixed(2) : value);

/** Rupees as text with two decimals, on the wire as numbers. */
export const money: Column<Money> = {
  pack: (values) => squeeze(values.map(toNumber)),
  read: (column, rows) => checked(listOf(column, rows, true), isMoney).map(toMoney),
};

/** Amounts of which there are few. */
export const fees: Column<Money> = {
  pack: (values, all) => dictionary(isMoney).pack(values.map(toNumber), all),
  read: (column, rows, all) => dictionary(isMoney).read(column, rows, all).map(toMoney),
};

const UNITS = [60_000, 1_000, 1];

/**
 * Instants in the largest unit that all of them are whole in, each as the difference from `base`'s of the same row, or
 * from the row before. `base` is a field without nulls that stands earlier in the file or in the rows that are packed.
 */
export function instants<T extends number | null>(base?: string): Column<T> {
  return {
    pack(values, all) {
      const bases = base ? (all[base] as number[]) : before(values);
      const differences = values.map((value, row) => (value === null ? null : value - (bases[row] as number)));
      const unit = UNITS.find((each) => differences.every((value) => (value ?? 0) % each === 0)) as number;
      return [unit, squeeze(differences.map((value) => value && value / unit))];
    },
    read(column, rows, all) {
      const [unit, packed] = listOf(column, 2);
      if (!UNITS.includes(unit as number)) throw new CorruptFile('an unknown unit');
      const differences = checked(listOf(packed, rows, true), IS.numberOrNull);
      const values: (number | null)[] = [];
      let last = 0;
      for (let row = 0; row < rows; row++) {
        const difference = differences[row] as number | null;
        const from = base ? ((all[base] as number[])[row] as number) : last;
        const value = difference === null ? null : from + difference * (unit as number);
        if (value !== null && !Number.isSafeInteger(value)) throw new CorruptFile('an instant is not whole');
        last = value ?? last;
        values.push(value);
      }
      return values as T[];
    },
  };
}

/** For each row the last value before it; 0 before the first. */
function before(values: (number | null)[]): number[] {
  let last = 0;
  return values.map((value) => {
    const previous = last;
    last = value ?? last;
    return previous;
  });
}

/** 'ORG_serial_work' in its parts, as GePNIC portals name tenders; any other id stays whole with the work -1. */
const PARTS = /^(.*\D)?(0|[1-9]\d{0,8})_(0|[1-9]\d{0,3})$/s;

/** The portals' own ids. */
export const sourceIds: Column<string> = {
  pack(values, all) {
    const parts = values.map((value) => {
      const match = PARTS.exec(value);
      return match ? ([match[1] ?? '', Number(match[2]), Number(match[3])] as const) : ([value, 0, -1] as const);
    });
    return [
      dictionary(isText).pack(
        parts.map(([prefix]) => prefix),
        all,
      ),
      steps.pack(
        parts.map(([, serial]) => serial),
        all,
      ),
      squeeze(parts.map(([, , work]) => work)),
    ];
  },
  read(column, rows, all) {
    const [prefixes, serials, works] = listOf(column, 3);
    const prefix = dictionary(isText).read(prefixes, rows, all);
    const serial = steps.read(serials, rows, all);
    const work = numbers.read(works, rows, all);
    return prefix.map((text, row) => ((work[row] as number) < 0 ? text : `${text}${serial[row]}_${work[row]}`));
  },
};
