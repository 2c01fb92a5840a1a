/** The file store: files under random keys, in a folder or a bucket. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Config } from '../base/config.ts';
import type { StorageLocation } from '../base/storage-location.ts';
import { BucketStorage } from './bucket-storage.ts';
import type { DownloadHeaders, FileStorage, LocalFile, StoredRange } from './file-storage.ts';
import { FolderStorage } from './folder-storage.ts';

/** Keys are generated here, so that no part of a path comes from a user, a portal or a file name. */
const KEY_PATTERN = /^[\da-f]{32}$/;
const NAME_PATTERN = /^[\da-f]{2}\/[\da-f]{32}$/;
const KEY_BYTES = 16;
/** Folder of local copies below DATA_DIR. */
const TEMPORARY_FOLDER = 'files.tmp';

/** A stored file. */
export interface StoredFile {
  key: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** The stream was longer than allowed; nothing was stored. */
export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError';
}

/** The relative name of a file, which is the same in a folder and in a bucket. */
export function storedName(key: string): string {
  if (!KEY_PATTERN.test(key)) throw new Error('That is no key of the file store');
  // Sub-folders have at most a few hundred files, so that listings are fast.
  return `${key.slice(0, 2)}/${key}`;
}

/** Files by opaque keys. A file is complete or absent, and never changes. */
export class FileStore {
  constructor(private readonly storage: FileStorage) {}

  /** Stores the stream, at most `maxBytes`. Throws FileTooLargeError and the errors of the source. */
  async put(source: Readable, maxBytes = Number.POSITIVE_INFINITY): Promise<StoredFile> {
    const key = randomBytes(KEY_BYTES).toString('hex');
    const hash = createHash('sha256');
    let bytes = 0;
    async function* measure() {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new FileTooLargeError(`is larger than ${maxBytes} bytes`);
        hash.update(chunk);
        yield chunk;
      }
    }
    await this.write(key, Readable.from(measure()));
    return { key, bytes, sha256: hash.digest('hex') };
  }

  /** Stores a file under the key that it had before. */
  write(key: string, source: Readable): Promise<void> {
    return this.storage.write(storedName(key), source);
  }

  /** The bytes of the range; the whole file without one. */
  read(key: string, range?: StoredRange): Promise<Readable> {
    return this.storage.read(storedName(key), range);
  }

  async has(key: string): Promise<boolean> {
    return this.storage.has(storedName(key));
  }

  /** Removes unfinished files that were begun before an instant. Returns their number. */
  removeUnfinished(before: Date): Promise<number> {
    return this.storage.removeUnfinished(before, NAME_PATTERN);
  }

  /** Removes a file; an absent file is no error. */
  remove(key: string): Promise<void> {
    return this.storage.remove(storedName(key));
  }

  /** A local file for random access. The caller must release it. */
  openLocal(key: string): Promise<LocalFile> {
    return this.storage.openLocal(storedName(key));
  }

  /** An address of the object store for browsers; undefined if this server must send the file. */
  downloadUrl(key: string, headers: DownloadHeaders): Promise<string | undefined> {
    return this.storage.downloadUrl(storedName(key), headers);
  }
}

/** `temporaryFolder` holds local copies of files of a bucket. */
export const openStorage = (location: StorageLocation, temporaryFolder: string): FileStorage =>
  location.kind === 'folder' ? new FolderStorage(location.path) : new BucketStorage(location, temporaryFolder);

/** Throws when the storage does not answer. */
export const checkFileStore = (config: Pick<Config, 'files' | 'dataDir'>): Promise<void> => storageOf(config).check();

const storageOf = ({ files, dataDir }: Pick<Config, 'files' | 'dataDir'>): FileStorage =>
  openStorage(files, join(dataDir, TEMPORARY_FOLDER));

/** The file store of the settings. */
export const openFileStore = (config: Pick<Config, 'files' | 'dataDir'>): FileStore => new FileStore(storageOf(config));
