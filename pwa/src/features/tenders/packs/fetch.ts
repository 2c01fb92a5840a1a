/** What the server has of a scope: its manifest, its files and what changed since. Nothing is believed unchecked. */
import { type DetailRows, type ListRows, Manifest, type SegmentFile, SYNC_SCHEMA } from '@nivida/contract/sync';
import { CorruptFile as UnreadableColumns } from '@nivida/contract/sync-columns';
import { type DeltaRows, readDelta, readDetails, readList } from '@nivida/contract/sync-wire';
import { isHTTPError } from 'ky';
import * as v from 'valibot';
import { api } from '../../../data/api.ts';

/** The server speaks another version: the copy here stays as it is until the app is updated. */
export class OtherSchema extends Error {
  override name = 'OtherSchema';
}

/** A file that is not what its manifest promised, also when it was fetched once more. */
export class CorruptFile extends Error {
  override name = 'CorruptFile';
}

function checkSchema(answer: unknown): void {
  const schema = typeof answer === 'object' && answer !== null && 'schema' in answer ? answer.schema : undefined;
  if (schema !== SYNC_SCHEMA) throw new OtherSchema(`schema ${String(schema)}`);
}

/** The manifest of a scope. Throws OtherSchema, or what the call throws. */
export async function fetchManifest(scope: string): Promise<Manifest> {
  const answer: unknown = await api.get(`api/sync/${scope}`).json();
  checkSchema(answer);
  return v.parse(Manifest, answer);
}

/** What changed after `cursor`: a delta, null when nothing did, 'reset' when the server cannot tell any more. */
export async function fetchDelta(scope: string, cursor: string): Promise<DeltaRows | null | 'reset'> {
  const url = `api/sync/${scope}/delta`;
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    try {
      const response = await api.get(url, { searchParams: { cursor } });
      if (response.status === 204) return null;
      const answer: unknown = await response.json();
      checkSchema(answer);
      return readDelta(answer);
    } catch (error) {
      if (isHTTPError(error) && error.response.status === 409) return 'reset';
      if (!isUnreadable(error)) throw error;
    }
  }
  throw new CorruptFile(url);
}

/** True when an answer came and was not what it should be: cut within, or of another shape. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof UnreadableColumns;
}

async function hashOf(file: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', file));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A file and what it says. */
export interface ReadFile<Rows> {
  file: ArrayBuffer;
  rows: Rows;
}

async function fetchFile<Rows>({ url, hash }: SegmentFile, read: (file: ArrayBuffer) => Rows): Promise<ReadFile<Rows>> {
  // its name is its content: a kept copy is as good as a new one, unless it turns out to be broken
  for (const cache of ['default', 'reload'] as const) {
    const file = await api.get(url.replace(/^\//, ''), { cache, timeout: 120_000 }).arrayBuffer();
    if ((await hashOf(file)) !== hash) continue;
    try {
      return { file, rows: read(file) };
    } catch {
      // the right bytes of a wrong shape
    }
  }
  throw new CorruptFile(url);
}

/** The rows of a list file. Throws when it has another shape. */
export function readListFile(file: ArrayBuffer): ListRows {
  return readList(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file)));
}

function readDetailFile(file: ArrayBuffer): DetailRows {
  return readDetails(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file)));
}

/** A segment's list fields. Throws CorruptFile, or what the call throws. */
export function fetchList(file: SegmentFile): Promise<ReadFile<ListRows>> {
  return fetchFile(file, readListFile);
}

/** A segment's details. Throws CorruptFile, or what the call throws. */
export function fetchDetails(file: SegmentFile): Promise<ReadFile<DetailRows>> {
  return fetchFile(file, readDetailFile);
}
