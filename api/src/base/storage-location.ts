/** Where files are stored: a folder, or a bucket of an object store with the S3 protocol. */
import { fileURLToPath } from 'node:url';
import { hasPlainHost } from './plain-host.ts';

/** A bucket, or the part of it below a prefix. */
export interface BucketLocation {
  kind: 'bucket';
  /** Origin of the object store. */
  endpoint: string;
  region: string;
  bucket: string;
  /** '' or a path that ends with a slash. */
  prefix: string;
  /** Whether browsers download from the object store itself. */
  redirectsDownloads: boolean;
  credentials: StorageCredentials;
}

export interface FolderLocation {
  kind: 'folder';
  /** Absolute. */
  path: string;
}

export type StorageLocation = FolderLocation | BucketLocation;

export interface StorageCredentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** The names of the buckets of S3: lower case, digits, hyphens and dots. */
const BUCKET_PATTERN = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX_PATTERN = /^(?:[\w.-]+\/)*$/;
const DEFAULT_REGION = 'us-east-1';
const OPTIONS = ['endpoint', 'region', 'downloads'];

/** What is wrong with an address. The message is written after the name of its setting. */
export class InvalidStorageUrlError extends Error {
  override name = 'InvalidStorageUrlError';
}

/**
 * Reads `file:///folder` or `s3://bucket[/prefix]?endpoint=https://host[&region=R][&downloads=redirect]`.
 * Throws InvalidStorageUrlError, which does not repeat the address.
 */
export function readStorageUrl(url: string, credentials: StorageCredentials | undefined): StorageLocation {
  if (/^file:\/\/\/[^?#]+$/.test(url)) return { kind: 'folder', path: fileURLToPath(url) };
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 's3:')
    throw new InvalidStorageUrlError(
      'must be the address of a folder, like file:///srv/nivida/files, or of a bucket, like s3://nivida?endpoint=https://s3.example.org',
    );
  if (parsed.username !== '' || parsed.password !== '')
    throw new InvalidStorageUrlError('must not contain credentials: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  const prefix = parsed.pathname.replace(/^\//, '').replace(/[^/]$/, '$&/');
  if (!BUCKET_PATTERN.test(parsed.host) || !PREFIX_PATTERN.test(prefix) || parsed.hash !== '')
    throw new InvalidStorageUrlError('must name a bucket, like s3://nivida or s3://nivida/folder');
  const options = parsed.searchParams;
  const unknown = [...options.keys()].find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined)
    throw new InvalidStorageUrlError(`must have the options ${OPTIONS.join(', ')} only, not "${unknown}"`);
  const region = options.get('region') ?? DEFAULT_REGION;
  const endpoint = URL.parse(options.get('endpoint') ?? `https://s3.${region}.amazonaws.com`);
  if (!hasPlainHost(endpoint) || !/^https?:$/.test(endpoint.protocol) || endpoint.href !== `${endpoint.origin}/`)
    throw new InvalidStorageUrlError('must have an origin as its endpoint, like endpoint=https://s3.example.org');
  const downloads = options.get('downloads') ?? 'server';
  if (downloads !== 'server' && downloads !== 'redirect')
    throw new InvalidStorageUrlError('must have downloads=server or downloads=redirect');
  if (!credentials) throw new InvalidStorageUrlError('needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  return {
    kind: 'bucket',
    endpoint: endpoint.origin,
    region,
    bucket: parsed.host,
    prefix,
    redirectsDownloads: downloads === 'redirect',
    credentials,
  };
}

/** The folder, or the bucket without credentials, for messages. */
export const describeLocation = (location: StorageLocation): string =>
  location.kind === 'folder'
    ? location.path
    : `bucket ${location.bucket} of ${new URL(location.endpoint).host}${location.prefix && `, below ${location.prefix}`}`;
