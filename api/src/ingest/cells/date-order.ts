/**
 * Finds files that write the month before the day. Only a day after the 12th shows it. The other dates would be stored with
 * day and month exchanged, so such a file waits for the operator.
 */
import type { Readable } from 'node:stream';
import { HeldBackFileError } from '../source-tender.ts';

const NUMERIC_DATE = /^\s*(\d{1,2})[-/ .](\d{1,2})[-/ .]\d{4}(?!\d)/;
const YEAR_FIRST_DATE = /^\s*\d{4}[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const LATE_DAY = '(?:1[3-9]|2\\d|3[01])';
const MONTH = '(?:0?[1-9]|1[0-2])';
/** A date of the wrong order anywhere in a text. */
const SUSPICIOUS = new RegExp(
  `(?<!\\d)${MONTH}[-/ .]${LATE_DAY}[-/ .](?:19|20|21)\\d\\d(?!\\d)|(?<!\\d)(?:19|20|21)\\d\\d[-/.]${LATE_DAY}[-/.]${MONTH}(?!\\d)`,
);
const MAX_DATE_CHARACTERS = 12;
/** Up to one wrong date in a hundred is a slip in a file of the right order. Then only the wrong cells are not read. */
const MAX_SLIP_SHARE = 0.01;

/** Whether a file contains a text like a date of the wrong order. Few files do, and only these are checked in full. */
export async function mayHoldMonthFirst(input: Readable): Promise<boolean> {
  let rest = '';
  for await (const chunk of input as AsyncIterable<Buffer>) {
    const text = rest + chunk.toString('latin1');
    if (SUSPICIOUS.test(text)) {
      input.destroy();
      return true;
    }
    rest = text.slice(-MAX_DATE_CHARACTERS);
  }
  return false;
}

/** The dates of one file by column: call `add` for each cell and `assertDayFirst` once. */
export class DateOrderCheck {
  private readonly columns = new Map<string, { right: number; wrong: number; example: string }>();

  add(column: string, value: string | undefined, line: number): void {
    const order = dateOrder(value ?? '');
    if (order === 'unknown') return;
    const found = this.columns.get(column) ?? { right: 0, wrong: 0, example: '' };
    found[order]++;
    if (order === 'wrong') found.example ||= `${value?.trim()} in line ${line}`;
    this.columns.set(column, found);
  }

  /** Throws HeldBackFileError when a column has the month first, or both orders. */
  assertDayFirst(): void {
    for (const [column, { right, wrong, example }] of this.columns) {
      if (wrong <= (right + wrong) * MAX_SLIP_SHARE) continue;
      const order = right > 0 ? 'dates of two orders' : 'the month before the day';
      throw new HeldBackFileError(
        `has ${order} in column "${column}" (${example}), so other dates could be stored with day and month exchanged. ` +
          'Nothing was stored; write the day before the month (17/09/2025), or the name of the month (17-Sep-2025)',
      );
    }
  }
}

/** The order of day and month. 'unknown' for a text that fits both orders, or that is no date in digits. */
function dateOrder(text: string): 'right' | 'wrong' | 'unknown' {
  const numeric = NUMERIC_DATE.exec(text);
  const iso = numeric ? null : YEAR_FIRST_DATE.exec(text);
  const [, first, second] = numeric ?? iso ?? [];
  const [day, month] = numeric ? [Number(first), Number(second)] : [Number(second), Number(first)];
  if (day > 12 && day <= 31 && month >= 1 && month <= 12) return 'right';
  return month > 12 && month <= 31 && day >= 1 && day <= 12 ? 'wrong' : 'unknown';
}
