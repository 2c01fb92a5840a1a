/** What the server has of a scope: its manifest, its files and what changed since. Nothing is believed unchecked. */
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
import { api } from '../../../data/server/api.ts';
import { CorruptSegmentIndexError } from '../segments/segment-index-file.ts';

/** The server speaks another version: the copy here stays as it is until the app is updated. */
export class SchemaMismatchError extends Error {
  override name = 'SchemaMismatchError';
}

/** A file that is not what its manifest promised, also when it was fetched once more. */
export class CorruptPackFileError extends Error {
  override name = 'CorruptPackFileError';
}

function checkSchema(answer: unknown): void {
  const schema = typeof answer === 'object' && answer !== null && 'schema' in answer ? answer.schema : undefined;
  if (schema !== SYNC_SCHEMA) throw new SchemaMismatchError(`schema ${String(schema)}`);
}

/** The manifest of a scope. Throws SchemaMismatchError, or what the call throws. */
export async function fetchManifest(scope: string): Promise<ManifestResponse> {
  const answer: unknown = await api.get(`api/sync/${scope}`).json();
  checkSchema(answer);
  return v.parse(ManifestResponse, answer);
}

/** Gives the details of those of some tenders that the device holds, as of the cursor that it asks with. */
export type ReadStoredDetails = (ids: readonly number[]) => Promise<ReadonlyMap<number, DetailRow>>;

/**
 * What changed after `cursor`: a delta, null when nothing did, 'reset' when the server cannot tell any more. With
 * `readStoredDetails`, which is for a device that holds all details, it comes as differences from those: by a sixth shorter.
 */
export async function fetchDelta(
  scope: string,
  cursor: string,
  readStoredDetails: ReadStoredDetails | null,
): Promise<DeltaRows | null | 'reset'> {
  const url = `api/sync/${scope}/delta`;
  // The second time it is asked for whole: what is not held, or can no longer be read, will not come by asking again.
  for (const read of [readStoredDetails, null]) {
    try {
      const response = await api.get(url, { searchParams: { cursor, ...(read && { details: '1' }) } });
      if (response.status === 204) return null;
      const answer: unknown = await response.json();
      checkSchema(answer);
      const delta = openDelta(answer);
      const storedDetails = read && delta.comparedIds.length > 0 ? await read(delta.comparedIds) : undefined;
      return delta.readRows((id) => storedDetails?.get(id));
    } catch (error) {
      if (isHTTPError(error) && error.response.status === 409) return 'reset';
      if (!isUnreadableResponse(error)) throw error;
    }
  }
  throw new CorruptPackFileError(url);
}

/** True when an answer came and was not what it should be, or the device cannot read what it speaks of. */
function isUnreadableResponse(error: unknown): boolean {
  const kinds = [SyntaxError, UnreadableColumns, MissingRowError, CorruptSegmentIndexError];
  return kinds.some((kind) => error instanceof kind);
}

async function sha256Hex(file: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', file));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A file and what it says. */
export interface ParsedFile<Rows> {
  file: ArrayBuffer;
  rows: Rows;
}

async function fetchFile<Rows>(
  { url, hash }: SegmentFileRef,
  read: (file: ArrayBuffer) => Rows,
): Promise<ParsedFile<Rows>> {
  // a slow line takes as long as it needs: only silence ends the call
  // its name is its content: a kept copy is as good as a new one, unless it turns out to be broken
  for (const cache of ['default', 'reload'] as const) {
    const file = await api.get(url.replace(/^\//, ''), { cache, timeout: false }).arrayBuffer();
    if ((await sha256Hex(file)) !== hash) continue;
    try {
      return { file, rows: read(file) };
    } catch {
      // the right bytes of a wrong shape
    }
  }
  throw new CorruptPackFileError(url);
}

/** The rows of a list file. Throws when it has another shape. */
export function parseListFile(file: ArrayBuffer): ListRows {
  return readList(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file)));
}

function parseDetailFile(file: ArrayBuffer): DetailRows {
  return readDetails(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file)));
}

/** A segment's list fields. Throws CorruptFile, or what the call throws. */
export function fetchListFile(file: SegmentFileRef): Promise<ParsedFile<ListRows>> {
  return fetchFile(file, parseListFile);
}

/** A segment's details. Throws CorruptFile, or what the call throws. */
export function fetchDetailFile(file: SegmentFileRef): Promise<ParsedFile<DetailRows>> {
  return fetchFile(file, parseDetailFile);
}
