/** The account export for spreadsheets. */
import type { AccountExportResponse } from '@nivida/contract/account/account-export';
import { quotedCell } from '../http/csv.ts';

/** Without it Excel reads Hindi as something else. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * One line for each value: the part of the export, the number of its row, the name of the field, and the value. Every
 * cell is quoted, and one that could be a formula begins with an apostrophe: '+91 98… too.
 */
export function accountExportCsv(accountData: AccountExportResponse): string {
  const { exportedAt, ...parts } = accountData;
  const lines = [
    ['part', 'row', 'field', 'value'],
    ['export', '1', 'exportedAt', exportedAt],
  ];
  for (const [part, content] of Object.entries(parts)) {
    const rows = Array.isArray(content) ? content : [content];
    for (const [index, row] of rows.entries())
      for (const [field, value] of Object.entries(row)) lines.push([part, String(index + 1), field, toText(value)]);
  }
  return BYTE_ORDER_MARK + lines.map((cells) => `${cells.map(quotedCell).join(',')}\r\n`).join('');
}

function toText(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join('; ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
