/**
 * Reads OCDS 1.0 and 1.1: packages of releases or records, single ones, JSON lines and lists of any of these. A file
 * that breaks the standard is refused as a whole; a release that is no usable tender is one rejected row.
 */
import type { Readable } from 'node:stream';
import { cleanText } from './normalise.ts';
import { BadValue, type SourceRow, UnreadableFile } from './notice.ts';
import { type OcdsOptions, toNotice } from './ocds-notice.ts';
import { OcdsPieces, type Piece } from './ocds-pieces.ts';
import { type RecordState, readRecord } from './ocds-record.ts';
import { checkPackage, checkRelease } from './ocds-schema.ts';

/** The longest list of releases that is kept back until it is clear whether a package or a record holds it. */
const MAX_HELD = 200;
const PACKAGE_KEYS = ['version', 'uri', 'publisher', 'publishedDate'];
const RELEASE_KEYS = ['tag', 'initiationType', 'tender'];
const RECORD_KEYS = ['ocid', 'compiledRelease', 'versionedRelease'];
const MAX_VALUE_CHARACTERS = 200;

/**
 * Yields each release, or each record's present state, as a notice or a rejection, in the file's order; `line` is its
 * ordinal in the file. Throws UnreadableFile with the place when the file is no JSON, is cut or is no valid OCDS.
 */
export async function* readOcds(input: Readable, options: OcdsOptions): AsyncGenerator<SourceRow> {
  const pieces = new OcdsPieces();
  const reader = new OcdsReader(options);
  let isEmpty = true;
  for await (const piece of pieces.read(input)) {
    isEmpty = false;
    yield* piece.element ? reader.element(piece, piece.element) : reader.endOfDocument(piece.document);
    pieces.isHolding = reader.isHolding;
  }
  if (isEmpty) throw new UnreadableFile('is empty: it holds no package, record or release');
}

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
    this.rows++;
    const release = checkRelease(value, `release ${this.rows}`);
    return this.row(() => toNotice(release, this.options));
  }

  private recordRow(value: unknown): SourceRow {
    this.rows++;
    const record = readRecord(value, `record ${this.rows}`);
    return this.row(() => toNotice(releaseOf(record), this.options));
  }

  private row(make: () => ReturnType<typeof toNotice>): SourceRow {
    const line = this.rows;
    try {
      return { line, notice: make() };
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      const value = cleanText(error.value).slice(0, MAX_VALUE_CHARACTERS);
      return { line, rejection: { line, column: error.column, value, reason: error.message } };
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
