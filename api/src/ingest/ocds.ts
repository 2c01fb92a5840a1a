/**
 * Reads OCDS 1.0 and 1.1: packages of releases or records, single ones, JSON lines and lists of any of these. A file
 * that breaks the standard is refused as a whole; a release that is no usable tender is one rejected row.
 */
import type { Readable } from 'node:stream';
import { detectJsonLines, type JsonLine, readJsonLines } from './json-lines.ts';
import { cleanText, depthOf, limitTexts } from './normalise.ts';
import { BadValue, rejectionFor, type SourceRow, UnreadableFile } from './notice.ts';
import { type OcdsOptions, toNotice } from './ocds-notice.ts';
import { LISTS, MAX_DEPTH, OcdsPieces, type Piece, TooDeep } from './ocds-pieces.ts';
import { type RecordState, readRecord } from './ocds-record.ts';
import { checkPackage, checkRelease } from './ocds-schema.ts';

/** The longest list of releases that is kept back until it is clear whether a package or a record holds it. */
const MAX_HELD = 200;
const PACKAGE_KEYS = ['version', 'uri', 'publisher', 'publishedDate'];
const RELEASE_KEYS = ['tag', 'initiationType', 'tender'];
const RECORD_KEYS = ['ocid', 'compiledRelease', 'versionedRelease'];

/**
 * Yields each release, or each record's present state, as a notice or a rejection, in the file's order; `line` is its
 * ordinal in the file. Throws UnreadableFile with the place when the file is no JSON, is cut or is no valid OCDS.
 */
export async function* readOcds(file: Readable, options: OcdsOptions): AsyncGenerator<SourceRow> {
  const { isLines, input } = await detectJsonLines(file);
  const reader = new OcdsReader(options);
  if (isLines) return yield* readLines(input, reader);
  const pieces = new OcdsPieces();
  let isEmpty = true;
  for await (const piece of pieces.read(input)) {
    isEmpty = false;
    yield* piece.element ? reader.element(piece, piece.element) : reader.endOfDocument(piece.document);
    pieces.isHolding = reader.isHolding;
  }
  if (isEmpty) throw new UnreadableFile('is empty: it holds no package, record or release');
}

/** A line that is no JSON or no OCDS is one rejected row; throws UnreadableFile when every line is. */
async function* readLines(input: Readable, reader: OcdsReader): AsyncGenerator<SourceRow> {
  let isOcds = false;
  let first: UnreadableFile | undefined;
  for await (const line of readJsonLines(input)) {
    try {
      for (const row of reader.document(line)) {
        isOcds = true;
        yield at(row, line.number);
      }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      first ??= error;
      yield at(reader.reject(line, error.message), line.number);
    }
  }
  if (first && !isOcds) throw first;
}

/** A row by the line where it stands. */
const at = (row: SourceRow, line: number): SourceRow =>
  'notice' in row ? { ...row, line } : { line, rejection: { ...row.rejection, line } };

/**
 * Tells packages from records: both hold `releases`, the keys that differ may come after them, and a package's are too
 * many to be kept.
 */
class OcdsReader {
  private rows = 0;
  private packages = 0;
  private held: unknown[] = [];
  private isPackage = false;

  constructor(private readonly options: OcdsOptions) {}

  get isHolding(): boolean {
    return this.held.length > 0;
  }

  *element({ document }: Piece, { list, value }: { list: string; value: unknown }): Generator<SourceRow> {
    if (list === 'releases' && !this.isPackage) {
      const isStillOpen = !hasAny(document, PACKAGE_KEYS) && this.held.length < MAX_HELD;
      if (isStillOpen || hasAny(document, RECORD_KEYS)) {
        this.held.push(value);
        return;
      }
    }
    this.isPackage = true;
    yield* this.heldRows();
    yield list === 'records' ? this.recordRow(value) : this.releaseRow(value);
  }

  /** The rows of one JSON line; throws UnreadableFile, with the line, for what is no OCDS. */
  *document({ number, text, document }: JsonLine): Generator<SourceRow> {
    if (document === undefined) {
      const fault = text.includes('\0') ? 'holds a NUL byte' : 'is not JSON';
      throw new UnreadableFile(`line ${number} ${fault}`);
    }
    const depth = depthOf(document);
    if (depth > MAX_DEPTH) throw new UnreadableFile(`line ${number} is nested ${depth} deep`);
    if (typeof document !== 'object' || document === null || Array.isArray(document))
      throw new UnreadableFile(`line ${number} holds no package, record or release`);
    const around: Record<string, unknown> = { ...document };
    for (const list of LISTS) if (Array.isArray(around[list])) around[list] = [];
    try {
      for (const list of LISTS) {
        const values = (document as Record<string, unknown>)[list];
        if (Array.isArray(values))
          for (const value of values) yield* this.element({ document: around }, { list, value });
      }
      yield* this.endOfDocument(around);
    } catch (error) {
      throw error instanceof UnreadableFile ? new UnreadableFile(`line ${number} ${error.message}`) : error;
    }
  }

  /** The row of a line that cannot be read; nothing of it is kept for the next one. */
  reject({ text }: JsonLine, reason: string): SourceRow {
    this.held = [];
    this.isPackage = false;
    return {
      line: this.rows,
      rejection: rejectionFor(new BadValue('', cleanText(text.slice(0, 1_000)), reason), this.rows),
    };
  }

  *endOfDocument(document: Record<string, unknown>): Generator<SourceRow> {
    const wasPackage = this.isPackage;
    this.isPackage = false;
    if (!wasPackage && hasAny(document, RELEASE_KEYS)) {
      yield this.releaseRow(document);
      return;
    }
    if (!wasPackage && hasAny(document, RECORD_KEYS)) {
      const releases = this.held;
      this.held = [];
      yield this.recordRow(releases.length > 0 ? { ...document, releases } : document);
      return;
    }
    yield* this.heldRows();
    this.packages++;
    checkPackage(document, `package ${this.packages}`);
  }

  private *heldRows(): Generator<SourceRow> {
    const releases = this.held;
    this.held = [];
    for (const release of releases) yield this.releaseRow(release);
  }

  private releaseRow(value: unknown): SourceRow {
    if (value instanceof TooDeep) return this.tooDeep(value);
    this.rows++;
    const release = checkRelease(value, `release ${this.rows}`);
    return this.row(() => limitTexts(toNotice(release, this.options)));
  }

  private tooDeep({ depth }: TooDeep): SourceRow {
    this.rows++;
    return { line: this.rows, rejection: rejectionFor(new BadValue('', '', `is nested ${depth} deep`), this.rows) };
  }

  private recordRow(value: unknown): SourceRow {
    if (value instanceof TooDeep) return this.tooDeep(value);
    this.rows++;
    const record = readRecord(value, `record ${this.rows}`);
    return this.row(() => limitTexts(toNotice(releaseOf(record), this.options)));
  }

  private row(make: () => ReturnType<typeof toNotice>): SourceRow {
    const line = this.rows;
    try {
      return { line, notice: make() };
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      return { line, rejection: rejectionFor(new BadValue(error.column, cleanText(error.value), error.message), line) };
    }
  }
}

function hasAny(document: object, keys: readonly string[]): boolean {
  return keys.some((key) => key in document);
}

function releaseOf(record: RecordState) {
  if ('reason' in record) throw new BadValue('releases', record.ocid, record.reason);
  return record.release;
}
