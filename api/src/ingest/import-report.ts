/** What an import could not use: rejected rows, and cells that were left empty. */
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatCount, truncateText } from '@nivida/contract/format';
import { stringify } from 'csv-stringify';
import type { CellWarning } from './cells/cell-warnings.ts';
import type { Rejection } from './source-tender.ts';

/** The reports of one file. */
export class ImportReport {
  private readonly rejects: RejectFile;
  private readonly warnings: RejectFile;
  private readonly summary = new WarningSummary();

  /** `path` is the file for rejected rows. Warnings go into a second file in the same folder. */
  constructor(
    path: string,
    private readonly onReject?: (rejection: Rejection) => void,
  ) {
    this.rejects = new RejectFile(path, 'Rejected rows with their reasons');
    this.warnings = new RejectFile(path.replace(/(?:\.csv)?$/i, '.warnings.csv'), 'Cells that were left empty');
  }

  async reject(rejection: Rejection): Promise<void> {
    this.onReject?.(rejection);
    await this.rejects.add(rejection);
  }

  /** Returns the number of warnings. */
  async warn(warnings: readonly CellWarning[] = []): Promise<number> {
    for (const warning of warnings) {
      this.summary.add(warning);
      await this.warnings.add(warning);
    }
    return warnings.length;
  }

  /** Logs the cells that were left empty, and the paths of the files that were written. */
  async close(log: (line: string) => void, file: string): Promise<void> {
    if (this.summary.text !== undefined) log(`${file}: ${this.summary.text}`);
    await this.warnings.close(log);
    await this.rejects.close(log);
  }
}

/** Writes rows or cells with their reasons as CSV. The first one creates the file. */
class RejectFile {
  private csv: ReturnType<typeof stringify> | undefined;
  private written: Promise<void> | undefined;

  constructor(
    readonly path: string,
    /** Start of the log line that names the file. */
    private readonly content: string,
  ) {}

  async add({ line, column, value, reason }: Rejection): Promise<void> {
    this.csv ??= await this.open();
    if (!this.csv.write([line, column, value, reason])) await new Promise((done) => this.csv?.once('drain', done));
  }

  /** Logs the path of the file, if there is one. */
  async close(log: (line: string) => void): Promise<void> {
    this.csv?.end();
    await this.written;
    if (this.csv) log(`${this.content}: ${this.path}`);
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

const MAX_NAMED_COLUMNS = 5;

/** The warnings of one file by column. */
class WarningSummary {
  private readonly columns = new Map<string, { count: number; example: string }>();
  private total = 0;

  add({ column, value }: CellWarning): void {
    this.total++;
    const found = this.columns.get(column);
    if (found) found.count++;
    else this.columns.set(column, { count: 1, example: value });
  }

  /** The sentence of the report; undefined without warnings. */
  get text(): string | undefined {
    if (this.total === 0) return undefined;
    const columns = [...this.columns].sort(([, a], [, b]) => b.count - a.count);
    const named = columns
      .slice(0, MAX_NAMED_COLUMNS)
      .map(([column, { count, example }]) => `"${column}" ${formatCount(count)} (like "${truncateText(example, 40)}")`);
    if (columns.length > named.length) named.push(`${columns.length - named.length} more columns`);
    const cells =
      this.total === 1
        ? '1 cell was not usable and stays empty'
        : `${formatCount(this.total)} cells were not usable and stay empty`;
    return `${cells}: ${named.join(', ')}`;
  }
}
