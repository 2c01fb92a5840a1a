/**
 * Warnings about unreadable cells that do not reject their row. Such a cell becomes empty, and the import counts it
 * (import-report.ts).
 */

import { ContradictionError, InvalidValueError, type Rejection, toRejection } from '../source-tender.ts';
import { cleanText, isEmptyText } from './normalise.ts';

/** A cell that was left empty; `line` is that of its row. */
export type CellWarning = Rejection;

/** The warnings of one row. */
export class RowWarnings {
  private readonly unread: InvalidValueError[] = [];

  /** The value that `read` returns. When `read` throws InvalidValueError: null, with a warning. A ContradictionError is rethrown. */
  optional<T>(read: () => T | null): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InvalidValueError) || error instanceof ContradictionError) throw error;
      this.unread.push(error);
      return null;
    }
  }

  /** The value that `read` finds in a cell. A filled cell without a value gets a warning. */
  known<T>(column: string, raw: unknown, read: (raw: unknown) => T | null, reason: string): T | null {
    const value = read(raw);
    if (value === null && !isEmptyText(raw)) this.add(column, raw, reason);
    return value;
  }

  add(column: string, raw: unknown, reason: string): void {
    this.unread.push(new InvalidValueError(column, cleanText(raw), reason));
  }

  /** The property `warnings` to spread into the row; empty without warnings. */
  of(line: number): { warnings?: CellWarning[] } {
    return this.unread.length === 0 ? {} : { warnings: this.unread.map((error) => toRejection(error, line)) };
  }
}
