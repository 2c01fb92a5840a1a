/** The columns of a GePNIC notice file, their spellings, and which of them are required. */
import { foldColumnName } from '../cells/column-names.ts';
import { agreedCell } from '../cells/doubled-cells.ts';
import { HeldBackFileError, UnreadableFileError } from '../source-tender.ts';
import { EXPECTED_COLUMNS, type GepnicColumn, KNOWN_COLUMNS, REQUIRED_COLUMNS } from './column-lists.ts';
import { findListKind, type ListKind, listPositions } from './list-kinds.ts';

/** Columns of dates. */
export const DATE_COLUMNS: readonly GepnicColumn[] = [
  'Publish Date',
  'Bid Submission Start Date',
  'Bid Submission End Date',
  'Bid Opening Date',
  'Pre Bid Meeting Date',
  'Document Download / Sale Start Date',
];
/** Columns whose names all mean the same fact. Names of other columns, like "Name" and "Tender Inviting Authority", may mean different facts. */
const FACT_COLUMNS: ReadonlySet<GepnicColumn> = new Set<GepnicColumn>([
  'Tender ID',
  'Title',
  ...DATE_COLUMNS,
  'Tender Reference Number',
  'Tender Value in ₹',
  'EMD Amount in ₹',
  'Tender Fee in ₹',
]);

/** Other names that portals and exports use. Case, punctuation and currency are ignored. */
const COLUMN_ALIASES: Partial<Record<GepnicColumn, string[]>> = {
  Title: ['Tender Title'],
  'Organisation Chain': ['Organization Chain', 'Organisation', 'Organisation Name'],
  'Publish Date': ['Published Date', 'e-Published Date', 'Publishing Date', 'Date of Publishing'],
  'Bid Submission End Date': [
    'Bid Submission Closing Date',
    'Submission End Date',
    'Bid Closing Date',
    'Closing Date',
    'Bid End Date',
    'Submission Closing Date',
    'Last Date of Submission',
    'Last Date of Bid Submission',
    'Due Date',
  ],
  'Tender Reference Number': ['Tender Reference No', 'Tender Ref No', 'Reference Number', 'Reference No', 'Ref No'],
  'Work Description': ['Description of Work', 'Tender Description', 'Description'],
  Name: ['Tender Inviting Authority', 'Tender Inviting Authority Name', 'Inviting Authority Name'],
  Address: ['Tender Inviting Authority Address', 'Inviting Authority Address'],
  Location: ['Work Location', 'Location of Work'],
  Pincode: ['Pin Code', 'Postal Code'],
  'Tender Category': ['Category'],
  'Form of contract': ['Contract Form'],
  'Tender Value in ₹': ['Tender Value', 'Estimated Value', 'Estimated Cost', 'Estimated Tender Value'],
  'EMD Amount in ₹': ['EMD', 'EMD Value', 'Earnest Money', 'Earnest Money Deposit', 'Earnest Money Amount'],
  'EMD Percentage': ['EMD %', 'EMD Percent'],
  'EMD Exemption Allowed': ['EMD Exemption'],
  'Tender Fee in ₹': ['Tender Fee Amount', 'Document Fee', 'Tender Document Fee'],
  'No. of Covers': ['Number of Covers', 'Covers'],
  'Period Of Work(Days)': ['Period of Work', 'Completion Period in Days', 'Work Period in Days'],
  'Bid Validity(Days)': ['Bid Validity', 'Bid Validity in Days'],
  'Bid Submission Start Date': ['Submission Start Date', 'Bid Start Date'],
  'Bid Opening Date': ['Opening Date', 'Tender Opening Date'],
  'Bid Opening Place': ['Opening Place'],
  'Pre Bid Meeting Date': ['Prebid Meeting Date', 'Pre Bid Date'],
  'Pre Bid Meeting Place': ['Prebid Meeting Place'],
  'Tender Stage': ['Current Stage', 'Stage', 'Tender Status'],
  'Cover Documents': ['Covers Information', 'Cover Details'],
  'Document Download / Sale Start Date': [
    'Document Sale Start Date',
    'Document Download Start Date',
    'Sale Start Date',
  ],
  'Contract Date': ['Date of Contract', 'AOC Date', 'Award Date', 'Date of Award'],
  State: ['State Name', 'State/UT', 'State of Work', 'Consignee State'],
};

const EMPTY_CELL = /^\s*(?:n\.?\/?a\.?|nil|null|-*)\s*$/i;

const COLUMN_BY_FOLDED_NAME = new Map<string, GepnicColumn>();
for (const column of KNOWN_COLUMNS)
  for (const name of [column, ...(COLUMN_ALIASES[column] ?? [])])
    COLUMN_BY_FOLDED_NAME.set(foldColumnName(name), column);

/** The column with this name; undefined for an unknown one. */
export function findColumn(name: string): GepnicColumn | undefined {
  return COLUMN_BY_FOLDED_NAME.get(foldColumnName(name));
}

/** Whether the header has most columns of a notice file. */
export function isNoticeForm(header: readonly string[]): boolean {
  const columns = new Set(header.map(findColumn));
  return EXPECTED_COLUMNS.filter((column) => columns.has(column)).length >= EXPECTED_COLUMNS.length / 2;
}

/** Whether the operator may allow a file without this column. */
export function mayBeMissing(column: GepnicColumn): boolean {
  return !REQUIRED_COLUMNS.some((name) => name === column);
}

/** Reads one row by the names of its columns. */
export type RowReader = (column: GepnicColumn) => string;

/** Positions of the columns of a file. */
export class GepnicHeader {
  readonly count: number;
  /** Names as the file spells them. */
  readonly names: readonly string[];
  /** Absent for a notice file. */
  readonly kind: ListKind | undefined;
  /** Whether it is a list with less than half of the columns of a notice. */
  readonly isList: boolean;
  private positions = new Map<GepnicColumn, number[]>();

  /** Throws for a missing column, except for those of `allowed`. The columns of a mapped table are those that it has. */
  constructor(
    header: string[],
    allowed: ReadonlySet<GepnicColumn> = new Set(),
    private readonly isMapped = false,
  ) {
    this.count = header.length;
    this.names = header;
    this.kind = findListKind(header);
    if (this.kind) this.positions = listPositions(this.kind, header);
    header.forEach((name, position) => {
      const column = findColumn(name);
      if (!column || (this.kind && this.positions.has(column))) return;
      const others = this.positions.get(column) ?? [];
      // The usual name has precedence over its aliases.
      const isUsual = foldColumnName(name) === foldColumnName(column);
      this.positions.set(column, isUsual ? [position, ...others] : [...others, position]);
    });
    this.isList = EXPECTED_COLUMNS.filter((column) => !this.positions.has(column)).length > EXPECTED_COLUMNS.length / 2;
    this.assertNoneMissing(allowed);
  }

  /** A reader of one row. If a column occurs twice, the filled cell is read. The reader throws InvalidValueError for a contradiction. */
  row(record: string[]): RowReader {
    return (column) => {
      const positions = this.positions.get(column);
      if (!positions) return '';
      const value = record[positions[0] ?? -1] ?? '';
      if (positions.length === 1) return value;
      const isFact = FACT_COLUMNS.has(column) && !this.kind;
      const same = isFact ? positions : positions.filter((position) => this.isSameName(position, positions[0] ?? 0));
      const agreed = agreedCell(
        column,
        same.map((position) => record[position] ?? ''),
      );
      if (!EMPTY_CELL.test(agreed)) return agreed;
      const filled = positions.find((position) => !EMPTY_CELL.test(record[position] ?? ''));
      return filled === undefined ? value : (record[filled] ?? '');
    };
  }

  /** The columns that are read, by their positions. */
  get roles(): ReadonlyMap<number, GepnicColumn> {
    return new Map([...this.positions].flatMap(([column, all]) => all.map((position) => [position, column])));
  }

  has(column: GepnicColumn): boolean {
    return this.positions.has(column);
  }

  private isSameName(position: number, other: number): boolean {
    return foldColumnName(this.names[position] ?? '') === foldColumnName(this.names[other] ?? '');
  }

  /** Position of the column with this name; undefined unless it occurs exactly once. */
  positionOf(column: GepnicColumn): number | undefined {
    const positions = this.positions.get(column) ?? [];
    return positions.length === 1 ? positions[0] : undefined;
  }

  private assertNoneMissing(allowed: ReadonlySet<GepnicColumn>): void {
    const isMissing = (column: GepnicColumn) => !this.positions.has(column);
    // A list from a portal's search has no publishing date.
    const isOther = this.kind !== undefined || this.isMapped;
    const required = REQUIRED_COLUMNS.find((column) => isMissing(column) && !(isOther && column === 'Publish Date'));
    if (required) throw new UnreadableFileError(`is no GePNIC notice CSV: no column "${required}"`);
    if (isOther) return;
    const missing = EXPECTED_COLUMNS.filter((column) => isMissing(column) && !allowed.has(column));
    // A file with less than half of the columns is a short list of tenders, not the portal's form.
    if (missing.length === 0 || this.isList) return;
    const names = missing.map((name) => `"${name}"`).join(', ');
    throw new HeldBackFileError(
      `has no column ${names}, so nothing was imported. If the portal renamed it, correct the header; ` +
        `if the portal does not give it, add ${missing.map((name) => `--allow-missing "${name}"`).join(' ')}`,
    );
  }
}
