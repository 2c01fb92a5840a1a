/** Fetches a scope's manifest, segment files and deltas. Every response is validated before use. */

import type { ErrorCode } from '@nivida/contract/errors';
import {
  type DetailRows,
  type ListRows,
  ManifestResponse,
  type SegmentFileRef,
  SYNC_SCHEMA,
} from '@nivida/contract/sync/sync';
import { CorruptSyncFileError as UnreadableColumns } from '@nivida/contract/sync/sync-columns';
import {
  type DeltaRows,
  type DetailRow,
  MissingRowError,
  openDelta,
  readDetails,
  readList,
} from '@nivida/contract/sync/sync-wire';
import { isHTTPError } from 'ky';
import * as v from 'valibot';
import { hashContent } from '../../data/hash.ts';
import { api } from '../../data/server/api.ts';
import { CorruptSegmentIndexError } from '../segments/segment-index-file.ts';
import type { DownloadedFile, FileAddress } from './download-file.ts';

/** The server uses another schema version: the stored pack stays as it is until the app is updated. */
export class SchemaMismatchError extends Error {
  override name = 'SchemaMismatchError';
}

/** A file does not match its manifest, even after a second fetch. */
export class CorruptPackFileError extends Error {
  override name = 'CorruptPackFileError';
}

/** The server is preparing the pack (503): the device asks again after `retryMs`. */
export class PackNotReadyError extends Error {
  override name = 'PackNotReadyError';

  constructor(readonly retryMs: number) {
    super('the pack is being prepared');
  }
}

const NOT_READY: ErrorCode = 'NOT_READY';

/** Converts a 503 of a pack that is being prepared; undefined for other errors. */
function toNotReadyError(error: unknown): PackNotReadyError | undefined {
  if (!isHTTPError(error) || error.response.status !== 503) return undefined;
  const { code } = (error.data ?? {}) as { code?: unknown };
  const seconds = Number(error.response.headers.get('retry-after'));
  return code === NOT_READY ? new PackNotReadyError(1_000 * (seconds > 0 ? seconds : 1)) : undefined;
}

function checkSchema(answer: unknown): void {
  const schema = typeof answer === 'object' && answer !== null && 'schema' in answer ? answer.schema : undefined;
  if (schema !== SYNC_SCHEMA) throw new SchemaMismatchError(`schema ${String(schema)}`);
}

/** Throws PackNotReadyError, SchemaMismatchError and the errors of the call. */
export async function fetchManifest(scope: string): Promise<ManifestResponse> {
  const answer: unknown = await api
    .get(`api/sync/${scope}`)
    .json()
    .catch((error) => {
      throw toNotReadyError(error) ?? error;
    });
  checkSchema(answer);
  return v.parse(ManifestResponse, answer);
}

/** Downloads the files of one scope. */
export interface FileSource {
  get(address: FileAddress): Promise<DownloadedFile>;
  /** Deletes what is stored of a file, so that the next download starts over. */
  discard(address: FileAddress): Promise<void>;
}

/**
 * Reads stored details by tender id. They must be as of the request's cursor. Tenders that are not stored are
 * absent.
 */
type ReadStoredDetails = (ids: readonly number[]) => Promise<ReadonlyMap<number, DetailRow>>;

/**
 * The delta after `cursor`. Null when nothing changed. 'reset' when the server no longer knows the cursor, or
 * when it has newer segments and more than `maxChanges` changes.
 *
 * With `readStoredDetails` the delta contains only differences from the stored details, which is a sixth
 * shorter. Pass it only when all details are stored.
 */
export async function fetchDelta(
  files: FileSource,
  scope: string,
  cursor: string,
  readStoredDetails: ReadStoredDetails | null,
  maxChanges?: number,
): Promise<DeltaRows | null | 'reset'> {
  const path = `api/sync/${scope}/delta`;
  // The second request asks for the whole delta: stored details that are missing or unreadable would fail
  // again.
  for (const read of [readStoredDetails, null]) {
    const max = maxChanges !== undefined && { max: String(maxChanges) };
    const address = { path, searchParams: { cursor, ...(read && { details: '1' }), ...max } };
    try {
      const { status, bytes } = await files.get(address);
      if (status === 204) return null;
      const answer: unknown = parseJson(bytes);
      checkSchema(answer);
      const delta = openDelta(answer);
      const storedDetails = read && delta.comparedIds.length > 0 ? await read(delta.comparedIds) : undefined;
      return delta.readRows((id) => storedDetails?.get(id));
    } catch (error) {
      if (isHTTPError(error) && error.response.status === 409) return 'reset';
      if (!isUnreadableResponse(error)) throw error;
      await files.discard(address);
    }
  }
  throw new CorruptPackFileError(path);
}

/** True when a response is malformed, or refers to stored details that are missing or unreadable. */
function isUnreadableResponse(error: unknown): boolean {
  const kinds = [SyntaxError, UnreadableColumns, MissingRowError, CorruptSegmentIndexError];
  return kinds.some((kind) => error instanceof kind);
}

/** Throws SyntaxError, also when the bytes are not UTF-8. */
function parseJson(bytes: Uint8Array | ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new SyntaxError('The file is not JSON', { cause: error });
  }
}

/** A file and its parsed rows. */
interface ParsedFile<Rows> {
  file: ArrayBuffer;
  rows: Rows;
}

/**
 * The first attempt may continue an earlier download. When its result is wrong, the second one starts over.
 */
async function fetchFile<Rows>(
  files: FileSource,
  { url, hash, size }: SegmentFileRef,
  read: (file: ArrayBuffer) => Rows,
): Promise<ParsedFile<Rows>> {
  const address = { path: url.replace(/^\//, ''), size };
  for (const _attempt of [1, 2]) {
    const { buffer: file } = (await files.get(address)).bytes;
    try {
      if ((await hashContent(file)) === hash) return { file, rows: read(file) };
    } catch {
      // The hash is right, but the shape is not.
    }
    await files.discard(address);
  }
  throw new CorruptPackFileError(url);
}

/** Throws when the file's shape is wrong. */
export function parseListFile(file: ArrayBuffer): ListRows {
  return readList(parseJson(file));
}

function parseDetailFile(file: ArrayBuffer): DetailRows {
  return readDetails(parseJson(file));
}

/** A segment's list fields. Throws CorruptPackFileError and the errors of the call. */
export function fetchListFile(files: FileSource, file: SegmentFileRef): Promise<ParsedFile<ListRows>> {
  return fetchFile(files, file, parseListFile);
}

/** A segment's details. Throws CorruptPackFileError and the errors of the call. */
export function fetchDetailFile(files: FileSource, file: SegmentFileRef): Promise<ParsedFile<DetailRows>> {
  return fetchFile(files, file, parseDetailFile);
}
