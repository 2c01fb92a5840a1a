/** Tables as files have them, and as readers take them. */
import type { GepnicColumn } from '../gepnic/column-lists.ts';

/** The encodings of texts that are read. */
export type Charset = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Turns the rows of a table into rows of a notice file. */
export interface TableConverter {
  header: readonly GepnicColumn[];
  /** What the columns at positions of the table become. */
  roles: ReadonlyMap<number, GepnicColumn>;
  /** The cells in the order of `header`; null for a row that is no tender, such as a repeated header or a pager. */
  convert(cells: readonly string[]): string[] | null;
}

/** One table of a workbook, a page or a copied list. */
export interface SourceTable {
  /** Name of the sheet; null where tables have no names. */
  name: string | null;
  /** Set when tables with the same header belong together. */
  isPiece?: true;
  /** The first rows. */
  first: readonly (readonly string[])[];
  rows(): AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
}

/** A text that holds one table, or JSON. */
export interface TextFilePart {
  /** Name of the file in its archive; null when it is not in one. */
  name: string | null;
  path: string;
  charset: Charset;
  sample: string;
  isJson: boolean;
}

/** A file that holds tables. */
export interface TablesFilePart {
  name: string | null;
  tables: SourceTable[];
  /** The portal of the address from which a page was saved. */
  portal?: string | undefined;
  /** The error when no table is known. */
  unknown: Error;
}
