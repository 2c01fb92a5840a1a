/** Makes one release of an OCDS record: the compiled one, else its embedded releases merged, else its last versions. */
import { cleanText } from '../cells/normalise.ts';
import { InvalidValueError } from '../source-tender.ts';
import { byDate, instantOf, mergeValues } from './ocds-merge.ts';
import { isObject, type ReadRelease, readRecordParts, readRelease } from './ocds-schema.ts';

/** A record by the standard whose state is unknown. */
export class NoReleaseError extends InvalidValueError {}

/**
 * The present state of a record's process. Throws NoReleaseError when it is unknown, and InvalidValueError with the path
 * within the record.
 */
export function readOcdsRecord(value: unknown): ReadRelease {
  const record = readRecordParts(value);
  const { compiledRelease, versionedRelease } = record;
  const releases = record.releases ?? [];
  // A release in a record may lack the ocid. Then the record's ocid is used.
  const withOcid = (release: unknown) =>
    isObject(release) && record.ocid != null ? { ocid: record.ocid, ...release } : release;
  if (compiledRelease != null) return within('compiledRelease', () => readRelease(withOcid(compiledRelease)));
  const links = releases.filter(isLink).length;
  if (releases.length > links) {
    if (links > 0) throw new NoReleaseError('releases', cleanText(record.ocid), 'some of its releases are only links');
    return mergeEmbedded(releases.map((release, n) => within(`releases[${n}]`, () => readRelease(withOcid(release)))));
  }
  if (versionedRelease != null)
    return within('versionedRelease', () => readRelease(latestValues(cleanText(record.ocid), versionedRelease)));
  if (record.ocid == null) throw new InvalidValueError('ocid', '', 'is missing');
  const reason = links > 0 ? 'its releases are only links, which cannot be read' : 'holds no release';
  throw new NoReleaseError('releases', cleanText(record.ocid), reason);
}

function within<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    throw new InvalidValueError(error.column ? `${path}.${error.column}` : path, error.value, error.message);
  }
}

function isLink(release: unknown): boolean {
  return isObject(release) && typeof release.url === 'string' && release.ocid == null;
}

function mergeEmbedded(embedded: readonly ReadRelease[]): ReadRelease {
  const merged = byDate(embedded.map(({ release }) => release)).reduce(
    (before, after) => mergeValues(before, after) as typeof after,
  );
  return {
    release: { ...merged, tag: ['compiled'], announced: undefined },
    unread: embedded.flatMap(({ unread }) => unread),
  };
}

/** A versioned release has each value as a list of { releaseID, releaseDate, releaseTag, value }, oldest first. */
function latestValues(ocid: string, versioned: unknown): unknown {
  if (!isObject(versioned)) return versioned;
  let newest = '';
  const last = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const version: unknown = value.at(-1);
      if (!isObject(version) || !('releaseDate' in version && 'value' in version)) return value.map(last);
      const date = String(version.releaseDate);
      if (newest === '' || isLater(date, newest)) newest = date;
      return version.value;
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, last(inner)]));
  };
  const release = last(versioned) as Record<string, unknown>;
  return { ...release, ocid, id: ocid, date: newest, tag: ['compiled'] };
}

function isLater(date: string, than: string): boolean {
  try {
    return instantOf(date) > instantOf(than);
  } catch {
    return false;
  }
}
