/** Notice files in the form of a GePNIC portal, with invented tenders. */

/** The columns that are read. */
export const GEPNIC_COLUMNS = [
  ...['Tender ID', 'Tender Reference Number', 'Title', 'Work Description', 'Organisation Chain', 'Name', 'Address'],
  ...['Location', 'Pincode', 'Tender Category', 'Product Category', 'Tender Type', 'Form of contract'],
  ...['Tender Value in ₹', 'EMD Amount in ₹', 'EMD Percentage', 'EMD Exemption Allowed', 'Tender Fee in ₹'],
  ...['Publish Date', 'Document Download / Sale Start Date', 'Bid Submission Start Date', 'Bid Submission End Date'],
  ...['Bid Opening Date', 'Bid Opening Place', 'Pre Bid Meeting Place', 'Pre Bid Meeting Date', 'Bid Validity(Days)'],
  ...['Period Of Work(Days)', 'No. of Covers', 'Tender Stage', 'Corrigendum Title', 'Corrigendum Type'],
  ...['Revocation Title', 'Cover Documents'],
];

/** A file with one line for each of `rows`; missing cells are empty. */
export function gepnicFile(rows: Record<string, string>[], columns: readonly string[] = GEPNIC_COLUMNS): string {
  const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','));
  return `${[columns.map(quoted).join(','), ...lines].join('\n')}\n`;
}

const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Column names of the portal of a third state. */
const OTHER_NAMES: Record<string, string> = {
  'Tender ID': 'TENDER_ID',
  'Tender Reference Number': 'Tender Ref No.',
  Title: 'Tender Title',
  'Work Description': 'Description of Work',
  'Organisation Chain': 'Organization Chain',
  'Tender Value in ₹': 'Estimated Cost (INR)',
  'EMD Amount in ₹': 'EMD Amount in (INR)',
  'Tender Fee in ₹': 'Tender Fee (Rs.)',
  'Publish Date': 'e-Published Date',
  'Bid Submission End Date': 'Bid Submission Closing Date',
  Pincode: 'PIN Code',
  'No. of Covers': 'Number of Covers',
};
const ORGANISATIONS = ['Orissa Lift Irrigation Corporation Ltd', 'ST and SC Development Deptt', 'Cuttack Municipality'];

/**
 * An invented file of a third state's portal: other headers with two EMD columns, revoked evaluations, mistyped years,
 * and three odd rows. `values` have precedence in every ordinary row.
 */
export function thirdPortalFile(rows: number, values: Record<string, string> = {}): string {
  const columns = GEPNIC_COLUMNS.map((column) => OTHER_NAMES[column] ?? column);
  const ordinary = Array.from({ length: rows }, (_, n) => thirdPortalRow(n, values));
  const odd = [
    { ...thirdPortalRow(rows, {}), Title: 'Drain\0age' },
    { ...thirdPortalRow(rows + 1, {}), 'Work Description': 'Drain, '.repeat(160_000) },
    { ...thirdPortalRow(rows + 2, {}), 'Cover Documents': '['.repeat(5_000) + ']'.repeat(5_000) },
  ];
  const named = [...ordinary.slice(0, 1), ...odd, ...ordinary.slice(1)].map((row) => ({
    ...Object.fromEntries(Object.entries(row).map(([column, cell]) => [OTHER_NAMES[column] ?? column, cell])),
    'EMD Amount': '',
  }));
  return gepnicFile(named, ['EMD Amount', ...columns]);
}

function thirdPortalRow(n: number, values: Record<string, string>): Record<string, string> {
  const title = `Construction of \u202edrain\u202c no. ${n + 1}`;
  return {
    'Tender ID': `2026_OLIC_${7_000 + n}_1`,
    'Tender Reference Number': `OLIC/${n}`,
    Title: title,
    'Work Description': `${title} with culvert`,
    'Organisation Chain': `${ORGANISATIONS[n % 3]}||Division ${n % 5}`,
    Pincode: '753001',
    'Tender Category': 'Works',
    'Tender Value in ₹': `${4 + (n % 5)},00,000.00`,
    'EMD Amount in ₹': '8,000.00',
    'Tender Fee in ₹': '500',
    'Publish Date': n % 10 === 3 ? '02-Nov-2027 09:00 AM' : '02-Nov-2026 09:00 AM',
    'Document Download / Sale Start Date': '02-Nov-2026 10:00 AM',
    'Bid Submission Start Date': '03-Nov-2026 10:00 AM',
    'Bid Submission End Date': '20-Nov-2026 11:00 AM',
    'Bid Opening Date': '21-Nov-2026 11:00 AM',
    'No. of Covers': '2',
    'Tender Stage': n % 2 === 0 ? 'AOC' : '',
    'Revocation Title': n % 4 === 0 ? 'Cancelled by mistake' : '',
    'Cover Documents': '[["Finance",".xls","BOQ"]]',
    ...values,
  };
}
