/** A device for tests: it fetches the files of a scope and stores its rows, like the app. */
import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { type DetailRows, type ListRows, ManifestResponse } from '@nivida/contract/sync/sync';
import { readDelta, readDetails, readList } from '@nivida/contract/sync/sync-wire';
import * as v from 'valibot';
import { buildPack } from '../../src/sync/build-pack.ts';
import type { TestApp } from '../support/start-app.ts';

/** One tender on a device. */
export type StoredTender = { [F in keyof ListRows]: ListRows[F][number] } & {
  [F in keyof DetailRows]: DetailRows[F][number];
};

/** A response whose body may be compressed. */
export interface CompressedResponse {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

/** Sends a request like a browser. */
export async function fetchCompressed(
  app: TestApp,
  url: string,
  headers: Record<string, string> = {},
): Promise<CompressedResponse> {
  const reply = await app.app.inject({ method: 'GET', url, headers: { 'accept-encoding': 'gzip, br', ...headers } });
  return { status: reply.statusCode, headers: reply.headers as Record<string, string>, bytes: reply.rawPayload };
}

/** The manifest of a scope. Without a worker the test builds the pack that the server has asked for. */
export async function requestManifest(app: TestApp, scope: string): Promise<CompressedResponse> {
  const response = await fetchCompressed(app, `/api/sync/${scope}`);
  if (response.status !== 503) return response;
  const { dataSource } = app.database;
  await buildPack(scope, -1, { dataSource, now: app.clock.now });
  // The server has cached for a second that there is none.
  app.clock.now = new Date(app.clock.now.getTime() + 1_000);
  return fetchCompressed(app, `/api/sync/${scope}`);
}

/** The JSON of a plain or brotli response. */
export function parseJsonBody({ headers, bytes }: CompressedResponse) {
  return JSON.parse((headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes).toString());
}

/** The stored rows of one scope. */
export class SyncDevice {
  readonly rows = new Map<number, StoredTender>();
  cursor = '';
  private deltaCount = 0;
  checked: Record<string, string> = {};

  constructor(readonly scope: string) {}

  /** Fetches the manifest and all of its segments. */
  async start(app: TestApp): Promise<ManifestResponse> {
    const manifest = v.parse(ManifestResponse, parseJsonBody(await requestManifest(app, this.scope)));
    this.rows.clear();
    for (const { list, detail, rows } of manifest.segments) {
      const lists = readList(await fetchFile(app, list));
      this.storeRows(lists, readDetails(await fetchFile(app, detail)));
      if (lists.id.length !== rows) throw new Error('a segment holds another number of rows');
    }
    this.cursor = manifest.cursor;
    this.checked = manifest.checked;
    return manifest;
  }

  /**
   * Fetches deltas until nothing is new (204) and returns the status of each response. Throws for any other status than
   * 200 and 204. Every second delta is requested like by a device without details.
   */
  async update(app: TestApp): Promise<number[]> {
    const statuses: number[] = [];
    for (let more = true; more; ) {
      const answer = await fetchCompressed(
        app,
        `/api/sync/${this.scope}/delta?cursor=${this.cursor}${this.deltaCount++ % 2 ? '' : '&details=1'}`,
      );
      statuses.push(answer.status);
      if (answer.status === 204) break;
      if (answer.status !== 200) throw new Error(`the delta of ${this.scope} was answered with ${answer.status}`);
      const delta = readDelta(parseJsonBody(answer), (id) => this.rows.get(id));
      for (const id of delta.removed) this.rows.delete(id);
      this.storeRows(delta.list, delta.details);
      ({ more, cursor: this.cursor, checked: this.checked } = delta);
    }
    return statuses;
  }

  /** The portal ids of its tenders, sorted. */
  sourceTenderIds(): string[] {
    return [...this.rows.values()].map(({ sourceTenderId }) => sourceTenderId).sort();
  }

  /** Its tender with a portal id. */
  find(sourceTenderId: string): StoredTender | undefined {
    return [...this.rows.values()].find((row) => row.sourceTenderId === sourceTenderId);
  }

  private storeRows(list: ListRows, details: DetailRows): void {
    for (const [at, id] of list.id.entries()) {
      const fields = [...Object.entries(list), ...Object.entries(details)].map(([field, values]) => [
        field,
        values[at],
      ]);
      this.rows.set(id, Object.fromEntries(fields));
    }
  }
}

async function fetchFile(app: TestApp, file: ManifestResponse['segments'][number]['list']): Promise<unknown> {
  const answer = await fetchCompressed(app, file.url);
  if (answer.bytes.length !== file.bytes) throw new Error('a file has another size');
  const plain = brotliDecompressSync(answer.bytes);
  if (createHash('sha256').update(plain).digest('hex') !== file.hash) throw new Error('a file has another hash');
  return JSON.parse(plain.toString());
}
