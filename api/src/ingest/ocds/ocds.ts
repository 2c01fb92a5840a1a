/**
 * Reads OCDS 1.0 and 1.1: packages of releases or records, single ones, JSON lines and lists of any of these. A file
 * that violates the standard is rejected as a whole; a release without a usable tender is one rejected row.
 */
import type { Readable } from 'node:stream';
import { cleanText, jsonDepth, limitTexts } from '../normalise.ts';
import {
  InvalidValueError,
  type SourceRow,
  type SourceTender,
  toRejection,
  UnreadableFileError,
} from '../source-tender.ts';
import { detectJsonLines, type JsonLine, readJsonLines } from './json-lines.ts';
import { ELEMENT_LISTS, MAX_DEPTH, type OcdsPiece, OcdsPieces, TooDeepElement } from './ocds-pieces.ts';
import { type RecordRelease, readOcdsRecord } from './ocds-record.ts';
import { checkPackage, checkRelease, type Release } from './ocds-schema.ts';
import { type OcdsOptions, toSourceTender } from './ocds-tender.ts';

/** Maximum number of releases held back until it is known whether they belong to a package or a record. */
const MAX_BUFFERED_RELEASES = 200;
const PACKAGE_KEYS = ['version', 'uri', 'publisher', 'publishedDate'];
const RELEASE_KEYS = ['tag', 'initiationType', 'tender'];
const RECORD_KEYS = ['ocid', 'compiledRelease', 'versionedRelease'];

/**
 * Yields each release, or the current state of each record, as a source tender or a rejection, in the file's order. `line` is
 * its ordinal in the file. `onRelease` gets each release with its tender before the row. Throws UnreadableFileError with the position for invalid or truncated JSON and for invalid OCDS.
 */
export async function* readOcds(
  file: Readable,
  options: OcdsOptions,
  onRelease?: (release: Release, tender: SourceTender) => void,
): AsyncGenerator<SourceRow> {
  const { isLines, input } = await detectJsonLines(file);
  const reader = new OcdsReader(options, onRelease);
  if (isLines) return yield* readLines(input, reader);
  const pieces = new OcdsPieces();
  let isEmpty = true;
  for await (const piece of pieces.read(input)) {
    isEmpty = false;
    yield* piece.element ? reader.element(piece, piece.element) : reader.endDocument(piece.document);
    pieces.isBuffering = reader.isBuffering;
  }
  if (isEmpty) throw new UnreadableFileError('is empty: it holds no package, record or release');
}

/** A line without valid OCDS is one rejected row. Throws UnreadableFileError when every line is rejected. */
async function* readLines(input: Readable, reader: OcdsReader): AsyncGenerator<SourceRow> {
  let isOcds = false;
  let first: UnreadableFileError | undefined;
  for await (const line of readJsonLines(input)) {
    try {
      for (const row of reader.document(line)) {
        isOcds = true;
        yield withLine(row, line.number);
      }
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      first ??= error;
      yield withLine(reader.reject(line, error.message), line.number);
    }
  }
  if (first && !isOcds) throw first;
}

/** A row with its line number. */
const withLine = (row: SourceRow, line: number): SourceRow =>
  'tender' in row ? { ...row, line } : { line, rejection: { ...row.rejection, line } };

/**
 * Decides whether an object is a package or a record: both contain `releases`, the other keys may follow, and the
 * releases of a package do not fit in memory.
 */
class OcdsReader {
  private rows = 0;
  private packages = 0;
  private bufferedReleases: unknown[] = [];
  private isPackage = false;

  constructor(
    private readonly options: OcdsOptions,
    private readonly onRelease?: (release: Release, tender: SourceTender) => void,
  ) {}

  get isBuffering(): boolean {
    return this.bufferedReleases.length > 0;
  }

  *element({ document }: OcdsPiece, { list, value }: { list: string; value: unknown }): Generator<SourceRow> {
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
  *document({ number, text, document }: JsonLine): Generator<SourceRow> {
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

  /** The row of an unreadable line; its state is discarded. */
  reject({ text }: JsonLine, reason: string): SourceRow {
    this.bufferedReleases = [];
    this.isPackage = false;
    return {
      line: this.rows,
      rejection: toRejection(new InvalidValueError('', cleanText(text.slice(0, 1_000)), reason), this.rows),
    };
  }

  *endDocument(document: Record<string, unknown>): Generator<SourceRow> {
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

  private *bufferedRows(): Generator<SourceRow> {
    const releases = this.bufferedReleases;
    this.bufferedReleases = [];
    for (const release of releases) yield this.releaseRow(release);
  }

  private releaseRow(value: unknown): SourceRow {
    if (value instanceof TooDeepElement) return this.tooDeep(value);
    this.rows++;
    const release = checkRelease(value, `release ${this.rows}`);
    return this.toRow(() => this.toTender(release));
  }

  private tooDeep({ depth }: TooDeepElement): SourceRow {
    this.rows++;
    return {
      line: this.rows,
      rejection: toRejection(new InvalidValueError('', '', `is nested ${depth} deep`), this.rows),
    };
  }

  private recordRow(value: unknown): SourceRow {
    if (value instanceof TooDeepElement) return this.tooDeep(value);
    this.rows++;
    const record = readOcdsRecord(value, `record ${this.rows}`);
    return this.toRow(() => this.toTender(findRelease(record)));
  }

  private toTender(release: Release): SourceTender {
    const tender = limitTexts(toSourceTender(release, this.options));
    this.onRelease?.(release, tender);
    return tender;
  }

  private toRow(make: () => ReturnType<typeof toSourceTender>): SourceRow {
    const line = this.rows;
    try {
      return { line, tender: make() };
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      return {
        line,
        rejection: toRejection(new InvalidValueError(error.column, cleanText(error.value), error.message), line),
      };
    }
  }
}

function hasAny(document: object, keys: readonly string[]): boolean {
  return keys.some((key) => key in document);
}

function findRelease(record: RecordRelease) {
  if ('reason' in record) throw new InvalidValueError('releases', record.ocid, record.reason);
  return record.release;
}
