/** The columns of a GePNIC notice file: how portals spell them, and which of them a file must have. */
import { HeldBack, UnreadableFile } from './notice.ts';

/** Without these a row is no tender. */
const REQUIRED = ['Tender ID', 'Title', 'Organisation Chain', 'Publish Date', 'Bid Submission End Date'] as const;

/** A portal's file has these; one that is missing would empty its field in every tender. */
const EXPECTED = [
  'Tender Reference Number',
  'Work Description',
  'Name',
  'Address',
  'Location',
  'Pincode',
  'Tender Category',
  'Product Category',
  'Tender Type',
  'Form of contract',
  'Tender Value in ₹',
  'EMD Amount in ₹',
  'EMD Percentage',
  'EMD Exemption Allowed',
  'Tender Fee in ₹',
  'No. of Covers',
  'Period Of Work(Days)',
  'Bid Validity(Days)',
  'Bid Submission Start Date',
  'Bid Opening Date',
  'Bid Opening Place',
  'Pre Bid Meeting Date',
  'Pre Bid Meeting Place',
  'Tender Stage',
  'Corrigendum Title',
  'Corrigendum Type',
  'Revocation Title',
  'Cover Documents',
] as const;

/** Read where a portal gives them. */
type Extra = 'Document Download / Sale Start Date' | 'Contract Date';

/** A column that is read, by its usual name. */
export type Column = (typeof REQUIRED)[number] | (typeof EXPECTED)[number] | Extra;

/** Other names that portals and exports use; case, signs and the currency in a name never matter. */
const ALIASES: Partial<Record<Column, string[]>> = {
  Title: ['Tender Title'],
  'Organisation Chain': ['Organization Chain', 'Organisation', 'Organisation Name'],
  'Publish Date': ['Published Date', 'e-Published Date', 'Publishing Date', 'Date of Publishing'],
  'Bid Submission End Date': ['Bid Submission Closing Date', 'Submission End Date', 'Bid Closing Date', 'Closing Date'],
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
};

const EMPTY = /^\s*(?:n\.?\/?a\.?|nil|null|-*)\s*$/i;

/** One letter case, no signs, no currency, and not the number that a spreadsheet library adds to a doubled name. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.\d+$/, '')
    .replaceAll('%', ' percent ')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/\b(?:inr|rs|rupees?)\b/g, ' ')
    .replace(/\bin\s*$/, ' ')
    .replace(/\s+/g, '');
}

const BY_FOLDED = new Map<string, Column>();
for (const column of [...REQUIRED, ...EXPECTED, 'Document Download / Sale Start Date', 'Contract Date'] as const)
  for (const name of [column, ...(ALIASES[column] ?? [])]) BY_FOLDED.set(fold(name), column);

/** The column that a file means by a name; undefined for one that is not read. */
export function columnOf(name: string): Column | undefined {
  return BY_FOLDED.get(fold(name));
}

/** Whether a file may do without a column, when the operator says so. */
export function mayBeMissing(column: Column): boolean {
  return !REQUIRED.some((name) => name === column);
}

/** Reads one row by the names of its columns. */
export type Row = (column: Column) => string;

/** Where the columns of a file stand. */
export class Columns {
  readonly count: number;
  /** As the file spells them. */
  readonly names: readonly string[];
  private readonly positions = new Map<Column, number[]>();

  /** Throws for a missing column, except for those of `allowed`. */
  constructor(header: string[], allowed: ReadonlySet<Column> = new Set()) {
    this.count = header.length;
    this.names = header;
    header.forEach((name, position) => {
      const column = columnOf(name);
      if (!column) return;
      const others = this.positions.get(column) ?? [];
      // The usual name goes before its aliases.
      const isUsual = fold(name) === fold(column);
      this.positions.set(column, isUsual ? [position, ...others] : [...others, position]);
    });
    this.refuseMissing(allowed);
  }

  /** Of a column that stands in the file twice the filled cell counts. */
  row(record: string[]): Row {
    return (column) => {
      const positions = this.positions.get(column);
      if (!positions) return '';
      const [first = -1, ...others] = positions;
      const value = record[first] ?? '';
      if (others.length === 0 || !EMPTY.test(value)) return value;
      const filled = others.find((position) => !EMPTY.test(record[position] ?? ''));
      return filled === undefined ? value : (record[filled] ?? '');
    };
  }

  /** Where the one column of a name stands; undefined when it stands in the file twice or not at all. */
  positionOf(column: Column): number | undefined {
    const positions = this.positions.get(column) ?? [];
    return positions.length === 1 ? positions[0] : undefined;
  }

  private refuseMissing(allowed: ReadonlySet<Column>): void {
    const isMissing = (column: Column) => !this.positions.has(column);
    const required = REQUIRED.find(isMissing);
    if (required) throw new UnreadableFile(`is no GePNIC notice CSV: no column "${required}"`);
    const missing = EXPECTED.filter((column) => isMissing(column) && !allowed.has(column));
    // With less than half of the columns it is a short list of tenders, not the portal's form.
    if (missing.length === 0 || EXPECTED.filter(isMissing).length > EXPECTED.length / 2) return;
    const names = missing.map((name) => `"${name}"`).join(', ');
    throw new HeldBack(
      `has no column ${names}, so nothing was imported. If the portal renamed it, correct the header; ` +
        `if the portal does not give it, add ${missing.map((name) => `--allow-missing "${name}"`).join(' ')}`,
    );
  }
}
