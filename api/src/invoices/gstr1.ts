/**
 * Tax invoices and credit notes for the accountant, in the columns of the GSTR-1 offline tool. No invoice reaches the value
 * from which B2CL applies. So credit notes to unregistered buyers are subtracted in B2CS, and CDNUR stays empty.
 */

import { csvLine } from '@nivida/contract/csv';
import { formatDate } from '@nivida/contract/format';
import { gstStateCode } from '@nivida/contract/orders/gst';
import type { DataSource } from 'typeorm';
import { GST_PERCENT } from './gst-split.ts';
import type { InvoiceContent } from './invoice.ts';
import { INVOICES_OF_PERIOD } from './invoices.sql.ts';

export const GSTR1_TABLES = ['b2b', 'b2cs', 'cdnr'] as const;
export type Gstr1Table = (typeof GSTR1_TABLES)[number];

const GSTR1_COLUMNS: Readonly<Record<Gstr1Table, readonly string[]>> = {
  b2b: [
    'GSTIN/UIN of Recipient',
    'Receiver Name',
    'Invoice Number',
    'Invoice date',
    'Invoice Value',
    'Place Of Supply',
    'Reverse Charge',
    'Applicable % of Tax Rate',
    'Invoice Type',
    'E-Commerce GSTIN',
    'Rate',
    'Taxable Value',
    'Cess Amount',
  ],
  b2cs: [
    'Type',
    'Place Of Supply',
    'Applicable % of Tax Rate',
    'Rate',
    'Taxable Value',
    'Cess Amount',
    'E-Commerce GSTIN',
  ],
  cdnr: [
    'GSTIN/UIN of Recipient',
    'Receiver Name',
    'Note Number',
    'Note Date',
    'Note Type',
    'Place Of Supply',
    'Reverse Charge',
    'Note Supply Type',
    'Note Value',
    'Applicable % of Tax Rate',
    'Rate',
    'Taxable Value',
    'Cess Amount',
  ],
};

interface InvoiceRow {
  kind: 'invoice' | 'credit_note';
  number: string;
  issued_at: Date;
  content: InvoiceContent;
}

/**
 * The tables of an Indian period, `from` and `to` included (YYYY-MM-DD), each as CSV with its header. Receipts without
 * tax and invoices of the sandbox are left out.
 */
export async function exportGstr1(
  dataSource: DataSource,
  from: string,
  to: string,
): Promise<Record<Gstr1Table, string>> {
  const rows: InvoiceRow[] = await dataSource.query(INVOICES_OF_PERIOD, [from, to]);
  const registered = rows.filter(({ content }) => content.buyer.gstin !== '');
  const tables: Record<Gstr1Table, string[][]> = {
    b2b: registered.filter(({ kind }) => kind === 'invoice').map(toB2b),
    b2cs: toB2cs(rows.filter(({ content }) => content.buyer.gstin === '')),
    cdnr: registered.filter(({ kind }) => kind === 'credit_note').map(toCdnr),
  };
  const toCsv = (table: Gstr1Table) => [GSTR1_COLUMNS[table], ...tables[table]].map(csvLine).join('');
  return { b2b: toCsv('b2b'), b2cs: toCsv('b2cs'), cdnr: toCsv('cdnr') };
}

function toB2b({ number, issued_at, content }: InvoiceRow): string[] {
  const { buyer, totalPaise, taxablePaise } = content;
  return [
    buyer.gstin,
    buyer.firm || buyer.name,
    number,
    gstDate(issued_at),
    rupees(totalPaise),
    placeOfSupply(content),
    'N',
    '',
    'Regular B2B',
    '',
    String(GST_PERCENT),
    rupees(taxablePaise),
    '',
  ];
}

function toCdnr({ number, issued_at, content }: InvoiceRow): string[] {
  const { buyer, totalPaise, taxablePaise } = content;
  return [
    buyer.gstin,
    buyer.firm || buyer.name,
    number,
    gstDate(issued_at),
    'C',
    placeOfSupply(content),
    'N',
    'Regular B2B',
    rupees(totalPaise),
    '',
    String(GST_PERCENT),
    rupees(taxablePaise),
    '',
  ];
}

/** One row per place of supply: invoices less credit notes. */
function toB2cs(rows: readonly InvoiceRow[]): string[][] {
  const sums = new Map<string, number>();
  for (const { kind, content } of rows) {
    const place = placeOfSupply(content);
    const signed = kind === 'invoice' ? content.taxablePaise : -content.taxablePaise;
    sums.set(place, (sums.get(place) ?? 0) + signed);
  }
  return [...sums]
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([place, paise]) => ['OE', place, '', String(GST_PERCENT), rupees(paise), '', '']);
}

/** '02-Himachal Pradesh', '01-Jammu & Kashmir'. */
const placeOfSupply = ({ buyer: { state } }: InvoiceContent): string =>
  `${gstStateCode(state) ?? ''}-${state.replaceAll(' and ', ' & ')}`;

/** '10-Nov-2026' */
const gstDate = (at: Date): string => formatDate(at).padStart(11, '0').replaceAll(' ', '-');

const rupees = (paise: number): string => (paise / 100).toFixed(2);
