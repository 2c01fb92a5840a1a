/** Notice files in the form of a GePNIC portal, with invented tenders. */

/** The columns of the portals' form that are read. */
export const FORM = [
  ...['Tender ID', 'Tender Reference Number', 'Title', 'Work Description', 'Organisation Chain', 'Name', 'Address'],
  ...['Location', 'Pincode', 'Tender Category', 'Product Category', 'Tender Type', 'Form of contract'],
  ...['Tender Value in ₹', 'EMD Amount in ₹', 'EMD Percentage', 'EMD Exemption Allowed', 'Tender Fee in ₹'],
  ...['Publish Date', 'Document Download / Sale Start Date', 'Bid Submission Start Date', 'Bid Submission End Date'],
  ...['Bid Opening Date', 'Bid Opening Place', 'Pre Bid Meeting Place', 'Pre Bid Meeting Date', 'Bid Validity(Days)'],
  ...['Period Of Work(Days)', 'No. of Covers', 'Tender Stage', 'Corrigendum Title', 'Corrigendum Type'],
  ...['Revocation Title', 'Cover Documents'],
];

/** A file with one line for each of `rows`; cells that are not given are empty. */
export function gepnicFile(rows: Record<string, string>[], columns: readonly string[] = FORM): string {
  const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','));
  return `${[columns.map(quoted).join(','), ...lines].join('\n')}\n`;
}

const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
