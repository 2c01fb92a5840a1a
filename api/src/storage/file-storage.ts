/** Files by name, in a folder or in a bucket of an object store. */
import type { Readable } from 'node:stream';

/** The bytes from `start` to `end`, both included. */
export interface StoredRange {
  start: number;
  end: number;
}

export interface StoredObject {
  name: string;
  bytes: number;
  storedAt: Date;
}

/** A local file for random access. The caller must release it. */
export interface LocalFile {
  path: string;
  release(): Promise<void>;
}

/** How a browser receives a file. */
export interface DownloadHeaders {
  contentType: string;
  contentDisposition: string;
}

/** Names are relative paths with slashes, made by this program. A file is complete or absent. */
export interface FileStorage {
  /** Stores a stream under a name. Throws the errors of the stream. */
  write(name: string, source: Readable): Promise<void>;
  /** The whole file, or a part. Throws when it is absent. */
  read(name: string, range?: StoredRange): Promise<Readable>;
  has(name: string): Promise<boolean>;
  /** Removes a file; an absent file is no error. */
  remove(name: string): Promise<void>;
  /** All complete files. */
  list(): AsyncIterable<StoredObject>;
  /** Removes unfinished files with these names that were begun before an instant. Returns their number. */
  removeUnfinished(before: Date, names: RegExp): Promise<number>;
  openLocal(name: string): Promise<LocalFile>;
  /** An address at which a browser gets the file for a limited time; undefined if this server must send the file. */
  downloadUrl(name: string, headers: DownloadHeaders): Promise<string | undefined>;
  /** Throws when the storage does not answer. */
  check(): Promise<void>;
}
