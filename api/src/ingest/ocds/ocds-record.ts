/** Makes one release of an OCDS record: the compiled one, else its embedded releases merged, else its last versions. */
import { checkRecord, checkRelease, type Release } from './ocds-schema.ts';

/** The state of a record's process, or the reason why it is unknown. */
export type RecordRelease = { ocid: string; release: Release } | { ocid: string; reason: string };

/** Checks the whole record; throws UnreadableFileError. */
export function readOcdsRecord(value: unknown, place: string): RecordRelease {
  const { ocid, releases = [], compiledRelease, versionedRelease } = checkRecord(value, place);
  const linked = releases.filter(isLink).length;
  const embedded =
    linked > 0 && linked === releases.length
      ? []
      : releases.map((release, n) => checkRelease(release, place, `releases[${n}]`));
  if (compiledRelease !== undefined) return { ocid, release: checkRelease(compiledRelease, place, 'compiledRelease') };
  if (embedded.length > 0) return { ocid, release: mergeReleases(embedded) };
  if (versionedRelease !== undefined)
    return { ocid, release: checkRelease(latestValues(ocid, versionedRelease), place, 'versionedRelease') };
  return { ocid, reason: linked > 0 ? 'its releases are only links, which cannot be read' : 'holds no release' };
}

function isLink(release: unknown): boolean {
  return isObject(release) && typeof release.url === 'string' && release.ocid === undefined;
}

type JsonObject = Record<string, unknown>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The merge of the standard: in order of date, later values win; objects, and list entries with the same id, are merged. */
function mergeReleases(releases: Release[]): Release {
  const byDate = releases.toSorted((a, b) => Date.parse(a.date) - Date.parse(b.date));
  const merged = byDate.reduce((before, after) => mergeValues(before, after) as Release);
  return { ...merged, tag: ['compiled'] };
}

function mergeValues(before: unknown, after: unknown): unknown {
  if (isObject(before) && isObject(after)) {
    const both = { ...before };
    for (const [key, value] of Object.entries(after))
      if (value !== undefined) both[key] = mergeValues(both[key], value);
    return both;
  }
  if (Array.isArray(before) && Array.isArray(after) && [...before, ...after].every(hasId)) {
    const byId = new Map<unknown, unknown>(before.map((entry) => [entry.id, entry]));
    for (const entry of after) byId.set(entry.id, mergeValues(byId.get(entry.id), entry));
    return [...byId.values()];
  }
  return after;
}

function hasId(entry: unknown): entry is JsonObject {
  return isObject(entry) && entry.id !== undefined && entry.id !== null;
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
      if (newest === '' || Date.parse(date) > Date.parse(newest)) newest = date;
      return version.value;
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, last(inner)]));
  };
  const release = last(versioned) as JsonObject;
  return { ...release, ocid, id: ocid, date: newest, tag: ['compiled'] };
}
