import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout } from 'node:timers/promises';
import { S3Client, S3Errors } from '@bradenmacdonald/s3-lite-client';
import { HOUR_SECONDS } from '@nivida/contract/time';
import type { BucketLocation } from '../base/storage-location.ts';
import type { DownloadHeaders, FileStorage, LocalFile, StoredObject, StoredRange } from './file-storage.ts';
import { removeIfOlder } from './folder-storage.ts';

/** Size of the parts of an upload. The client has at most four in memory. The protocol allows 10,000 parts. */
const PART_BYTES = 16 * 1024 * 1024;
/** Long enough for a slow connection to begin its download, and to resume it. */
const DOWNLOAD_SECONDS = HOUR_SECONDS;
const ABSENT_STATUS = 404;
/** Timeout of the check. It is short because a scrape of the metrics waits for it. */
const CHECK_MS = 3_000;
/** No file has this name. */
const CHECKED_NAME = 'check';

/** A bucket of an object store with the S3 protocol. */
export class BucketStorage implements FileStorage {
  private readonly client: S3Client;

  constructor(
    private readonly location: BucketLocation,
    private readonly temporaryFolder: string,
  ) {
    this.client = new S3Client({
      endPoint: location.endpoint,
      region: location.region,
      bucket: location.bucket,
      accessKey: location.credentials.accessKeyId,
      secretKey: location.credentials.secretAccessKey,
      pathStyle: true,
    });
  }

  async write(name: string, source: Readable): Promise<void> {
    await this.client.putObject(this.nameOf(name), Readable.toWeb(source) as globalThis.ReadableStream<Uint8Array>, {
      partSize: PART_BYTES,
    });
  }

  async read(name: string, range?: StoredRange): Promise<Readable> {
    const part = range && { offset: range.start, length: range.end - range.start + 1 };
    const answer = part
      ? await this.client.getPartialObject(this.nameOf(name), part)
      : await this.client.getObject(this.nameOf(name));
    return Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  }

  has(name: string): Promise<boolean> {
    return this.client.exists(this.nameOf(name));
  }

  async remove(name: string): Promise<void> {
    await this.client.deleteObject(this.nameOf(name)).catch((error: unknown) => {
      if (!(error instanceof S3Errors.ServerError && error.statusCode === ABSENT_STATUS)) throw error;
    });
  }

  async *list(): AsyncIterable<StoredObject> {
    const { prefix } = this.location;
    for await (const { key, size, lastModified } of this.client.listObjects({ prefix }))
      yield { name: key.slice(prefix.length), bytes: size, storedAt: lastModified };
  }

  /** Removes local copies that a crash has left. Unfinished uploads are invisible, and a rule of the bucket removes them. */
  async removeUnfinished(before: Date): Promise<number> {
    let removed = 0;
    await mkdir(this.temporaryFolder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.temporaryFolder)) {
      if (await removeIfOlder(join(this.temporaryFolder, name), before)) removed += 1;
    }
    return removed;
  }

  async openLocal(name: string): Promise<LocalFile> {
    const path = join(this.temporaryFolder, randomUUID());
    const release = () => rm(path, { force: true });
    await mkdir(this.temporaryFolder, { recursive: true, mode: 0o700 });
    try {
      await pipeline(await this.read(name), createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      await release();
      throw error;
    }
    return { path, release };
  }

  async downloadUrl(name: string, headers: DownloadHeaders): Promise<string | undefined> {
    if (!this.location.redirectsDownloads) return undefined;
    return this.client.presignedGetObject(this.nameOf(name), {
      expirySeconds: DOWNLOAD_SECONDS,
      responseParams: {
        'response-content-type': headers.contentType,
        'response-content-disposition': headers.contentDisposition,
        'response-cache-control': 'private, no-store',
      },
    });
  }

  /** Reads an object that does not exist. The expected answer needs the bucket and valid credentials. */
  async check(): Promise<void> {
    const ended = new AbortController();
    const timeout = setTimeout(CHECK_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
      throw new Error('The object store does not answer');
    });
    await Promise.race([this.readAbsentObject(), timeout]).finally(() => ended.abort());
  }

  private async readAbsentObject(): Promise<void> {
    try {
      const answer = await this.client.getObject(this.nameOf(CHECKED_NAME));
      await answer.body?.cancel();
    } catch (error) {
      if (!(error instanceof S3Errors.ServerError && error.code === 'NoSuchKey')) throw error;
    }
  }

  private nameOf(name: string): string {
    return `${this.location.prefix}${name}`;
  }
}
