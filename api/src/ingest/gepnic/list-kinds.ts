/** Lists of other portals, recognised by their header. They are read like a notice file, by a table of their column names. */
import { foldColumnName } from '../cells/column-names.ts';
import type { GepnicColumn } from './column-lists.ts';

/** One kind of list. */
export interface ListKind {
  /** Groups of column names. A list of this kind has one name of each group. */
  marks: readonly (readonly string[])[];
  /** The list's names of each of our columns. A name may stand for several columns. */
  columns: Partial<Record<GepnicColumn, readonly string[]>>;
  /** Separates the levels of the organisation. */
  levels: RegExp;
  /** Set when ids are unique only within an organisation. */
  hasIdsOfOrganisations?: true;
}

const GEM_NUMBER = ['Bid No', 'Bid Number', 'Bid/RA No', 'BidNo'];
const GEM_ITEMS = ['Items', 'Item', 'Item(s)', 'Item Category', 'Title / Items'];
const GEM_OFFICE = ['Department Name And Address', 'Department Name', 'Department', 'Ministry', 'Buyer'];
const RAILWAY_UNIT = ['Deptt./Rly. Unit', 'Dept/Rly Unit', 'Department/Railway Unit', 'Railway Unit', 'Rly Unit'];
const RAILWAY_NUMBER = ['Tender No', 'Tender Number'];

/** The columns of the search results at ireps.gov.in and of the list of bids at bidplus.gem.gov.in. */
const LIST_KINDS: readonly ListKind[] = [
  {
    marks: [RAILWAY_UNIT, RAILWAY_NUMBER],
    columns: {
      'Tender ID': RAILWAY_NUMBER,
      Title: ['Tender Title', 'Title', 'Name of Work'],
      'Organisation Chain': RAILWAY_UNIT,
      'Publish Date': ['Tender Uploading Date', 'Uploading Date', 'Published On', 'Date of Issue'],
      'Bid Submission End Date': ['Due Date/Time', 'Due Date', 'Tender Closing Date', 'Closing Date'],
      'Bid Opening Date': ['Opening Date/Time'],
      'Tender Category': ['Work Area'],
      'Tender Type': ['Type', 'Tender Type'],
      'Tender Value in ₹': ['Advertised Value', 'Estimated Value'],
      'EMD Amount in ₹': ['Earnest Money', 'EMD Amount'],
      'Tender Fee in ₹': ['Tender Doc. Cost', 'Document Cost'],
      'Tender Stage': ['Status', 'Tender Status'],
    },
    levels: /\|\||[\r\n]+/,
    hasIdsOfOrganisations: true,
  },
  {
    marks: [GEM_NUMBER, GEM_ITEMS],
    columns: {
      'Tender ID': GEM_NUMBER,
      Title: GEM_ITEMS,
      'Organisation Chain': GEM_OFFICE,
      Address: ['Address', 'Buyer Address', 'Consignee Address'],
      'Publish Date': ['Start Date', 'Bid Start Date'],
      'Bid Submission Start Date': ['Start Date', 'Bid Start Date'],
      'Bid Submission End Date': ['End Date', 'Bid End Date'],
      'Bid Opening Date': ['Bid Opening Date'],
      'Tender Type': ['Bid Type', 'Type of Bid'],
      'Tender Value in ₹': ['Estimated Bid Value', 'Bid Value'],
      'EMD Amount in ₹': ['EMD Amount'],
      'Tender Stage': ['Bid Status', 'Status'],
      Quantity: ['Quantity', 'Quantity Required', 'Total Quantity'],
    },
    levels: /\|\||[\r\n]+/,
  },
];

/** The kind of list with this header; undefined for a notice file and for an unknown one. */
export function findListKind(header: readonly string[]): ListKind | undefined {
  const names = new Set(header.map(foldColumnName));
  const has = (mark: readonly string[]) => mark.some((name) => names.has(foldColumnName(name)));
  return names.has('tenderid') ? undefined : LIST_KINDS.find(({ marks }) => marks.every(has));
}

/** Positions of our columns in a list with this header. They follow the order of the names in `columns`. */
export function listPositions({ columns }: ListKind, header: readonly string[]): Map<GepnicColumn, number[]> {
  const folded = header.map(foldColumnName);
  const found = new Map<GepnicColumn, number[]>();
  for (const [column, names] of Object.entries(columns) as [GepnicColumn, readonly string[]][]) {
    const positions = names.flatMap((name) =>
      folded.flatMap((each, position) => (each === foldColumnName(name) ? [position] : [])),
    );
    if (positions.length > 0) found.set(column, [...new Set(positions)]);
  }
  return found;
}
