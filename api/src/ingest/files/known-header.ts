/** Headers by which a table is recognised, and how its rows become rows of the readers. */
import { isAwardList } from '../award-files/award-columns.ts';
import { findColumn, isNoticeForm } from '../gepnic/gepnic-columns.ts';
import { gepnicListConverter } from '../gepnic/gepnic-list.ts';
import { findListKind } from '../gepnic/list-kinds.ts';
import { hasColumnsOf, mappingConverter, type StoredMapping } from '../mapping/mapped-table.ts';
import type { TableConverter } from './table.ts';

/** The formats of tables. */
export type TableFormat = 'gepnic' | 'gepnic-list' | 'pincodes' | 'awards';

/** What a header says about its table. */
export interface KnownHeader {
  format: TableFormat;
  /** Number of columns that are read. */
  columns: number;
  /** Absent when the reader takes the rows as they are. */
  converter?: TableConverter;
  /** The saved mapping with these columns. */
  mapping?: StoredMapping;
}

/** Finds out what a header says. `mappings` are those of the file's portal, the newest first. */
export function readHeader(names: readonly string[], mappings: readonly StoredMapping[] = []): KnownHeader | undefined {
  const mapping = mappings.find((each) => hasColumnsOf(each.columns, names));
  if (mapping)
    return {
      format: 'gepnic',
      columns: mapping.columns.columns.filter(({ field }) => field !== null).length,
      converter: mappingConverter(mapping.columns, names),
      mapping,
    };
  const list = gepnicListConverter(names);
  if (list) return { format: 'gepnic-list', columns: list.header.length, converter: list };
  const format = formatOfHeader(names);
  if (!format) return undefined;
  // A portal with mappings may have changed its table. Only its full form needs no mapping.
  if (format === 'gepnic' && mappings.length > 0 && !isNoticeForm(names)) return undefined;
  return { format, columns: names.filter((name) => findColumn(name) !== undefined).length };
}

/** The format of a table with this header; undefined for an unknown one, and for flattened OCDS. */
export function formatOfHeader(header: readonly string[]): Exclude<TableFormat, 'gepnic-list'> | undefined {
  const names = header.map((name) => name.trim().toLowerCase());
  if (names.includes('ocid')) return undefined;
  if ((names.includes('awarded_value') && names.includes('bids')) || isAwardList(header)) return 'awards';
  if (findListKind(header) || header.some((name) => findColumn(name) === 'Tender ID')) return 'gepnic';
  return names.includes('pincode') && names.includes('district') ? 'pincodes' : undefined;
}
