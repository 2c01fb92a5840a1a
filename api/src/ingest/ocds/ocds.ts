/**
 * Reads OCDS 1.0 and 1.1: packages of releases or records, single releases or records, JSON lines, and lists of any of
 * these. A release that is unreadable or has no usable tender is one rejected row. A file without a readable release is
 * refused.
 */
import { Readable } from 'node:stream';
import { cleanText, jsonDepth, limitTexts } from '../cells/normalise.ts';
import {
  InvalidValueError,
  type Rejection,
  type SourceRow,
  type SourceTender,
  toRejection,
  UnreadableFileError,
} from '../source-tender.ts';
import { detectJsonLines, type JsonLine, readJsonLines } from './json-lines.ts';
import { numberWordsToNull } from './number-words.ts';
import { mergeReleases } from './ocds-merge.ts';
import { ELEMENT_LISTS, MAX_DEPTH, type OcdsPiece, OcdsPieces, TooDeepElement } from './ocds-pieces.ts';
import { NoReleaseError, readOcdsRecord } from './ocds-record.ts';
import { checkPackage, type ReadRelease, type Release, readRelease, type StatedRelease } from './ocds-schema.ts';
import { type OcdsOptions, toSourceTender } from './ocds-tender.ts';

/** Maximum number of releases held back until it is known whether they belong to a package or a record. */
const MAX_BUFFERED_RELEASES = 200;
const PACKAGE_KEYS = ['version', 'uri', 'publisher', 'publishedDate'];
const RELEASE_KEYS = ['tag', 'initiationType', 'tender'];
const RECORD_KEYS = ['ocid', 'compiledRelease', 'versionedRelease'];

/** A row of OCDS. Even a rejected row may have a readable release. */
export type OcdsRow = SourceRow & { release?: StatedRelease };

/**
 * Yields each release, or the current state of each record, as a source tender or a rejection, in the file's order. `line` is
 * its ordinal in the file. Throws UnreadableFileError with the position for invalid or truncated JSON, for an invalid
 * package, and for a file without a readable release.
 */
export async function* readOcds(file: Readable, options: OcdsOptions): AsyncGenerator<OcdsRow> {
  const plain = Readable.from(numberWordsToNull(file), { objectMode: false });
  const { isLines, input } = await detectJsonLines(plain);
  const reader = new OcdsReader(options);
  yield* isLines ? readLines(input, reader) : readPieces(input, reader);
  reader.assertSomeReadable();
}

async function* readPieces(input: Readable, reader: OcdsReader): AsyncGenerator<OcdsRow> {
  const pieces = new OcdsPieces();
  let isEmpty = true;
  for await (const piece of pieces.read(input)) {
    isEmpty = false;
    yield* piece.element ? reader.element(piece, piece.element) : reader.endDocument(piece.document);
    pieces.isBuffering = reader.isBuffering;
  }
  if (isEmpty) throw new UnreadableFileError('is empty: it holds no package, record or release');
}

/** A line without valid OCDS is one rejected row. */
async function* readLines(input: Readable, reader: OcdsReader): AsyncGenerator<OcdsRow> {
  for await (const line of readJsonLines(input)) {
    try {
      for (const row of reader.document(line)) yield withLine(row, line.number);
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      yield withLine(reader.reject(line, error), line.number);
    }
  }
}

/** A row with its line number. */
const withLine = (row: OcdsRow, line: number): OcdsRow => {
  const warnings = row.warnings && { warnings: row.warnings.map((warning) => ({ ...warning, line })) };
  return 'tender' in row
    ? { ...row, ...warnings, line }
    : { ...row, ...warnings, line, rejection: { ...row.rejection, line } };
};

/**
 * Decides whether an object is a package or a record: both contain `releases`, the other keys may follow, and the
 * releases of a package do not fit in memory.
 */
class OcdsReader {
  private rows = 0;
  private packages = 0;
  private bufferedReleases: unknown[] = [];
  private isPackage = false;

  /** Whether any release or record could be read. */
  private isSomeReadable = false;
  private firstFault: UnreadableFileError | undefined;

  constructor(private readonly options: OcdsOptions) {}

  /** Throws UnreadableFileError, with the first fault, when no release could be read. */
  assertSomeReadable(): void {
    if (this.firstFault && !this.isSomeReadable) throw this.firstFault;
  }

  get isBuffering(): boolean {
    return this.bufferedReleases.length > 0;
  }

  *element({ document }: OcdsPiece, { list, value }: { list: string; value: unknown }): Generator<OcdsRow> {
    if (list === 'releases' && !this.isPackage) {
      const isStillOpen = !hasAny(document, PACKAGE_KEYS) && this.bufferedReleases.length < MAX_BUFFERED_RELEASES;
      if (isStillOpen || hasAny(document, RECORD_KEYS)) {
        this.bufferedReleases.push(value);
        return;
      }
    }
    this.isPackage = true;
    yield* this.bufferedRows();
    yield list === 'records' ? this.recordRow(value) : this.releaseRow(value);
  }

  /** The rows of one JSON line; throws UnreadableFileError, with the line number, for invalid OCDS. */
  *document({ number, text, document }: JsonLine): Generator<OcdsRow> {
    if (document === undefined) {
      const fault = text.includes('\0') ? 'holds a NUL byte' : 'is not JSON';
      throw new UnreadableFileError(`line ${number} ${fault}`);
    }
    const depth = jsonDepth(document);
    if (depth > MAX_DEPTH) throw new UnreadableFileError(`line ${number} is nested ${depth} deep`);
    if (typeof document !== 'object' || document === null || Array.isArray(document))
      throw new UnreadableFileError(`line ${number} holds no package, record or release`);
    const around: Record<string, unknown> = { ...document };
    for (const list of ELEMENT_LISTS) if (Array.isArray(around[list])) around[list] = [];
    try {
      for (const list of ELEMENT_LISTS) {
        const values = (document as Record<string, unknown>)[list];
        if (Array.isArray(values))
          for (const value of values) yield* this.element({ document: around }, { list, value });
      }
      yield* this.endDocument(around);
    } catch (error) {
      throw error instanceof UnreadableFileError ? new UnreadableFileError(`line ${number} ${error.message}`) : error;
    }
  }

  /** The rejected row of an unreadable line. What was read of the line is discarded. */
  reject({ text }: JsonLine, fault: UnreadableFileError): OcdsRow {
    this.firstFault ??= fault;
    this.bufferedReleases = [];
    this.isPackage = false;
    const error = new InvalidValueError('', cleanText(text.slice(0, 1_000)), fault.message);
    return { line: this.rows, rejection: toRejection(error, this.rows) };
  }

  *endDocument(document: Record<string, unknown>): Generator<OcdsRow> {
    const wasPackage = this.isPackage;
    this.isPackage = false;
    if (!wasPackage && hasAny(document, RELEASE_KEYS)) {
      yield this.releaseRow(document);
      return;
    }
    if (!wasPackage && hasAny(document, RECORD_KEYS)) {
      const releases = this.bufferedReleases;
      this.bufferedReleases = [];
      yield this.recordRow(releases.length > 0 ? { ...document, releases } : document);
      return;
    }
    yield* this.bufferedRows();
    this.packages++;
    checkPackage(document, `package ${this.packages}`);
  }

  private *bufferedRows(): Generator<OcdsRow> {
    const releases = this.bufferedReleases;
    this.bufferedReleases = [];
    for (const release of releases) yield this.releaseRow(release);
  }

  private releaseRow(value: unknown): OcdsRow {
    return this.toRow(value, 'release', readRelease);
  }

  private recordRow(value: unknown): OcdsRow {
    return this.toRow(value, 'record', readOcdsRecord);
  }

  private toRow(value: unknown, kind: string, read: (value: unknown) => ReadRelease): OcdsRow {
    const line = ++this.rows;
    if (value instanceof TooDeepElement)
      return this.rejected(new InvalidValueError('', '', `is nested ${value.depth} deep`));
    let found: ReadRelease;
    try {
      found = read(value);
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      const { column, message } = error;
      if (error instanceof NoReleaseError) this.isSomeReadable = true;
      this.firstFault ??= new UnreadableFileError(
        `is no valid OCDS, ${kind} ${line}: ${column ? `${column} ` : ''}${message}`,
      );
      return this.rejected(error);
    }
    this.isSomeReadable = true;
    const { release, unread } = found;
    const warnings = unread.length > 0 && { warnings: unread.map((error) => toRejection(error, line)) };
    try {
      return { line, tender: toTender(mergeReleases(release), this.options), release, ...warnings };
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      return { ...this.rejected(error), release, ...warnings };
    }
  }

  private rejected({ column, value, message }: InvalidValueError): OcdsRow & { rejection: Rejection } {
    const line = this.rows;
    return { line, rejection: toRejection(new InvalidValueError(column, cleanText(value), message), line) };
  }
}

/** The source tender of a release; throws InvalidValueError. */
export const toTender = (release: Release, options: OcdsOptions): SourceTender =>
  limitTexts(toSourceTender(release, options));

function hasAny(document: object, keys: readonly string[]): boolean {
  return keys.some((key) => key in document);
}
