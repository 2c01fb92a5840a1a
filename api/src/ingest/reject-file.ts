import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'csv-stringify';
import type { Rejection } from './source-tender.ts';

/** Writes rejected rows as CSV; the first of them creates the file. */
export class RejectFile {
  private csv: ReturnType<typeof stringify> | undefined;
  private written: Promise<void> | undefined;

  constructor(readonly path: string) {}

  async add({ line, column, value, reason }: Rejection): Promise<void> {
    this.csv ??= await this.open();
    if (!this.csv.write([line, column, value, reason])) await new Promise((done) => this.csv?.once('drain', done));
  }

  /** Logs the path of the file, if there is one. */
  async close(log: (line: string) => void): Promise<void> {
    this.csv?.end();
    await this.written;
    if (this.csv) log(`Rejected rows with their reasons: ${this.path}`);
  }

  private async open() {
    await mkdir(dirname(this.path), { recursive: true });
    // A cell that begins with '=' would be a formula in a spreadsheet.
    const csv = stringify({ header: true, columns: ['line', 'column', 'value', 'reason'], escape_formulas: true });
    const file = csv.pipe(createWriteStream(this.path));
    this.written = new Promise((done, fail) => file.on('finish', done).on('error', fail));
    return csv;
  }
}
