import { expect, test } from 'vitest';
import type { GepnicColumn } from './column-lists.ts';
import { GepnicHeader } from './gepnic-columns.ts';
import { SourceColumns } from './source-cells.ts';

const REQUIRED = ['Tender ID', 'Title', 'Organisation Chain', 'Publish Date', 'Bid Submission End Date'];

/** The kept cells of a row by the names of their columns. */
function keep(row: Record<string, string>, roles: ReadonlyMap<number, GepnicColumn> = new Map()) {
  const columns = new SourceColumns(Object.keys(row), roles);
  const { json, digest } = columns.row(Object.values(row), 2);
  const cells: string[] = JSON.parse(json);
  return {
    cells: Object.fromEntries(JSON.parse(columns.names).map((name: string, n: number) => [name, cells[n]])),
    digest,
  };
}

const namesOf = (...names: string[]) => Object.keys(keep(Object.fromEntries(names.map((name) => [name, 'x']))).cells);

test('columns that name people are left out, those with other names stay', () => {
  const header = [...REQUIRED, 'Name', 'Tender Inviting Authority', 'Tender Inviting Authority Address'];
  const columns = new SourceColumns(header, new GepnicHeader(header).roles);
  expect(JSON.parse(columns.names)).toEqual([...REQUIRED, 'Tender Inviting Authority Address']);
  expect(
    namesOf(
      ...['Contact Person', 'E-Mail ID', 'Mobile No.', 'Telephone', 'Name of Officer', 'Uploaded By', 'Name of Bidder'],
      ...['अधिकारी का नाम', 'संपर्क', 'नाम', 'L1 Bidder Name', 'Name of the Contractor/Firm', 'Bidder(s) Name'],
      ...['Successful Bidder Name & Address', 'Awarded To', 'Name of L1', 'Name of JE', 'EE Name', 'Owner Name'],
      ...['Proprietor', 'Executing Agency', 'Vendors'],
    ),
  ).toEqual([]);
  const kept = [
    'Name of Work',
    'कार्य का नाम',
    'Organisation Name',
    'Allow Preferential Bidder',
    'Contract Type',
    'No. of Bidders',
    'Class of Contractor',
    'Procuring Agency',
    'L1 Amount',
    'EE Office',
    'Tel aviv',
  ];
  expect(namesOf(...kept)).toEqual(kept.slice(0, -1));
});

test('columns of serial numbers are left out, those of other numbers stay', () => {
  const serials = ['S.No', 'S. No.', 'Sl No', 'Sr. No', 'SNo', 'Serial Number', '#', 'क्रम संख्या', 'क्र.सं.', 'क्रमांक'];
  expect(namesOf(...serials, 'NIT No', 'No. of Covers')).toEqual(['NIT No', 'No. of Covers']);
});

test('e-mail addresses and mobile numbers are hidden in cells, and no other number', () => {
  expect(
    keep({
      Note: 'Ask ee.shimla@hp.gov.in, je[at]nic[dot]in or +91-98160 12345, 98160-12345; 09816012345',
      Float: '9816012345.0',
      Numbers: '6000000000/7 of 123456789012, 750 900 1200, 40mm@2.5m, 2026-9816012345',
      Landline: '0177-2651234',
    }).cells,
  ).toEqual({
    Note: 'Ask •••, ••• or •••, •••; •••',
    Float: '•••',
    Numbers: '6000000000/7 of 123456789012, 750 900 1200, 40mm@2.5m, 2026-9816012345',
    Landline: '0177-2651234',
  });
  const lists = {
    '9816012345/9817012345': '•••/•••',
    '9816012345,9817012345': '•••,•••',
    '9816012345-9817012345': '•••-•••',
    '98160 12345/98170-12345,981-701-2345/9816-012-345/09816012345': '•••/•••,•••/•••/•••',
    'Mob.9816012345': 'Mob.•••',
    'Mob-9816012345': 'Mob-•••',
    'M.No.9816012345 Mob./+91-9816012345': 'M.No.••• Mob./•••',
    '0177-2651234,9816012345': '0177-2651234,•••',
    '9816012345/0177-2651234/9816012345': '•••/0177-2651234/•••',
    '९८१६०१२३४५': '•••',
    'सड़क १०': 'सड़क १०',
  };
  for (const [written, hidden] of Object.entries(lists)) expect(keep({ Note: written }).cells.Note).toBe(hidden);
  const others = [
    '2025_PWD_9816012345_1',
    '98,16,01,234.50',
    '9816012345.50',
    '2025-PWD-9816012345-1',
    '77.9816012345',
  ];
  for (const other of others) expect(keep({ Note: other }).cells.Note).toBe(other);
  const roles = new Map<number, GepnicColumn>([[0, 'Tender Value in ₹']]);
  expect(keep({ Cost: '9816012345' }, roles).cells).toEqual({ Cost: '9816012345' });
});

test('a row has a bound: long cells and rows are cut with a mark, later columns are left out', () => {
  const { Long: long } = keep({ Long: `${'a'.repeat(1_999)}😀b` }).cells;
  expect([long.length, long.endsWith('\ufffd…')]).toEqual([2_001, true]);
  const { cells } = keep(Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`c${n}`, 'é\0'.repeat(1_000)])));
  expect(Object.keys(cells)).toHaveLength(300);
  expect(cells.c299).toBe('…');
  expect(Buffer.byteLength(JSON.stringify(cells))).toBeLessThan(45_000);
});

test('equal digests mean equal columns and cells', () => {
  const { digest } = keep({ Title: 'Road', Cost: '5' });
  expect(keep({ Title: 'Road', Cost: '5' }).digest).toBe(digest);
  expect(keep({ Title: 'Road', Costs: '5' }).digest).not.toBe(digest);
  expect(keep({ Title: 'Road', Cost: '5.0' }).digest).not.toBe(digest);
});

test('a long text without an address is searched in a moment', () => {
  const started = performance.now();
  keep({ Note: `${'a'.repeat(200_000)}@${'1'.repeat(200_000)}` });
  expect(performance.now() - started).toBeLessThan(2_000);
});
