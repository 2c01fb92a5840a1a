import type { AccountExportResponse } from '@nivida/contract/account/account-export';
import { quotedCell } from '@nivida/contract/csv';

/** Excel needs it to detect UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * The account export as CSV. Each line has the part of the export, the row number, the field name and the value. All cells
 * are quoted.
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
