/** The columns of an award file, and their names in the award lists that portals publish. */
import { foldColumnName } from '../cells/column-names.ts';
import { isNoticeForm } from '../gepnic/gepnic-columns.ts';
import { UnreadableFileError } from '../source-tender.ts';

const REQUIRED_COLUMNS = ['tender_id', 'org_chain', 'title', 'awarded_value', 'bids'];

/** Names in the results of GePNIC portals and eprocure.gov.in. If a file has several names of a column, the first one here is read. */
const LIST_NAMES: Readonly<Record<string, readonly string[]>> = {
  portal: ['portal'],
  state: ['State', 'State Name'],
  tender_id: ['Tender ID', 'Tender Reference ID', 'Bid Number', 'Bid No', 'Tender No', 'Tender Ref. No.'],
  org_chain: [
    'Organisation Chain',
    'Organization Chain',
    'Organisation Name',
    'Organisation',
    'Organization',
    'Department',
  ],
  title: ['Title', 'Tender Title', 'Work Title', 'Work Description', 'Tender Description', 'Title and Ref.No.'],
  category: ['Tender Category', 'Category'],
  pincode: ['Pincode', 'Pin Code'],
  estimate: ['Tender Value in ₹', 'Tender Value', 'Estimated Value', 'Estimated Cost', 'Estimated Bid Value'],
  awarded_value: [
    'Awarded Value',
    'Awarded Value in ₹',
    'Awarded Amount',
    'Award Value',
    'Contract Value',
    'Contract Amount',
  ],
  publish_date: ['Publish Date', 'Published Date', 'e-Published Date', 'Tender Published Date'],
  closing_date: ['Bid Submission End Date', 'Bid Submission Closing Date', 'Closing Date', 'Bid End Date'],
  contract_date: ['Contract Date', 'AOC Date', 'Award Date', 'Date of Award', 'Date of Contract'],
  bidder: [
    ...['Awarded Bidder', 'Awarded Bidder Name', 'Awarded To', 'Selected Bidder', 'Name of the Selected Bidder(s)'],
    ...['Name of Selected Bidder', 'Successful Bidder', 'Bidder Name', 'Contractor Name', 'Contract Seller'],
  ],
  bidders: ['Number of bids received', 'No. of Bids Received', 'Number of Bids', 'No. of Bids', 'No. of Bidders'],
};

/** Our columns of a file, by position; '' for a column that is not read. */
export interface AwardHeader {
  columns: string[];
  /** Whether each row names its winner instead of a list of bids. */
  isList: boolean;
}

/** Whether this is the header of a portal's award list. It has an id, and a winner or the value or day of a contract. */
export function isAwardList(header: readonly string[]): boolean {
  if (isNoticeForm(header)) return false;
  const columns = listColumns(header);
  const has = (column: string) => columns.includes(column);
  return (
    has('tender_id') &&
    (has('bidder') ? has('awarded_value') || has('contract_date') : has('awarded_value') && has('contract_date'))
  );
}

/** Reads the header of our own form or of a portal's list. Throws UnreadableFileError for any other. */
export function readAwardHeader(cells: readonly string[]): AwardHeader {
  // Spreadsheet libraries number a repeated name.
  const columns = cells.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replace(/\.\d+$/, ''),
  );
  const missing = REQUIRED_COLUMNS.filter((column) => !columns.includes(column));
  if (missing.length === 0) return { columns, isList: false };
  if (!columns.includes('bids') && isAwardList(cells)) return { columns: listColumns(cells), isList: true };
  throw new UnreadableFileError(`is no award file: it has no column ${missing.map((name) => `"${name}"`).join(', ')}`);
}

/** The column of each cell. If several names mean one column, the first of them in LIST_NAMES is read. */
function listColumns(header: readonly string[]): string[] {
  const folded = header.map(foldColumnName);
  const columns = header.map(() => '');
  for (const [column, names] of Object.entries(LIST_NAMES)) {
    const name = names.map(foldColumnName).find((each) => folded.includes(each));
    folded.forEach((each, position) => {
      if (each === name) columns[position] = column;
    });
  }
  return columns;
}
