/** The spreadsheets of a package. Cells are typed, so a text that looks like a formula stays text. */
import { formatDateTime } from '@nivida/contract/format';
import writeExcel from 'write-excel-file/node';
import type { NitContents } from './nit.ts';

const textCell = (value: string | null) => ({ type: String, value: value ?? '' });
const numberCell = (value: string | number | null, format?: string) =>
  value === null ? null : { type: Number, value: Number(value), ...(format && { format }) };
const headerRow = (...names: string[]) => names.map((value) => ({ value, fontWeight: 'bold' as const }));

/** One row for each work of the NIT. */
export function worksSpreadsheet({ works }: NitContents): Promise<Buffer> {
  const rows = works.map((work) => [
    textCell(work.sourceId),
    textCell(work.title),
    numberCell(work.price, '#,##0.00'),
    numberCell(work.emd, '#,##0.00'),
    numberCell(work.tenderFee, '#,##0.00'),
    numberCell(work.periodOfWorkDays),
    textCell(formatDateTime(work.closesAt)),
  ]);
  const columns = [22, 60, 16, 16, 14, 14, 24].map((width) => ({ width }));
  return writeExcel(
    [headerRow('Tender ID', 'Work', 'Estimate (₹)', 'EMD (₹)', 'Tender fee (₹)', 'Period (days)', 'Closing'), ...rows],
    { sheet: 'Works', columns, stickyRowsCount: 1 },
  ).toBuffer();
}

/** The bill of quantities without prices, which the bidder fills in. */
export function boqSpreadsheet({ works, boq }: NitContents): Promise<Buffer> {
  const ids = new Map(works.map(({ id, sourceId }) => [id, sourceId]));
  const rows = boq.map(({ tenderId, no, description, quantity, unit }) => [
    textCell(ids.get(tenderId) ?? ''),
    numberCell(no),
    textCell(description),
    numberCell(quantity),
    textCell(unit),
  ]);
  const columns = [22, 8, 70, 14, 14].map((width) => ({ width }));
  return writeExcel([headerRow('Tender ID', 'No.', 'Item', 'Quantity', 'Unit'), ...rows], {
    sheet: 'Bill of quantities',
    columns,
    stickyRowsCount: 1,
  }).toBuffer();
}
