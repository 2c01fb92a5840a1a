/** Merges the releases of one OCDS process in the order of their dates. The later value wins. */
import { parseDate } from '../cells/normalise.ts';
import { isObject, type Release, type StatedRelease } from './ocds-schema.ts';

/** Milliseconds of a date of a release; 0 for one that cannot be read. */
export function instantOf(date: string): number {
  return parseDate('date', date)?.at.getTime() ?? 0;
}

/** Sorts by date. Releases with equal dates keep their order. */
export function byDate<Dated extends { date: string }>(releases: readonly Dated[]): Dated[] {
  return releases.toSorted((a, b) => instantOf(a.date) - instantOf(b.date));
}

/**
 * Merges values, objects, and list entries with the same id. A list that has an entry without an id is replaced. Null is
 * kept, because it must remove the value of a still earlier release too.
 */
export function mergeValues(before: unknown, after: unknown): unknown {
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

function hasId(entry: unknown): entry is Record<string, unknown> {
  return isObject(entry) && entry.id !== undefined && entry.id !== null;
}

/** The state after releases in order of date, with the id, the date and the tags of the last one. */
export function mergeReleases(first: StatedRelease, ...later: readonly StatedRelease[]): Release {
  return removeNulls(later.reduce((before, after) => mergeValues(before, after) as StatedRelease, first)) as Release;
}

function removeNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNulls);
  if (!isObject(value)) return value;
  const filled: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value))
    if (inner !== null && inner !== undefined) filled[key] = removeNulls(inner);
  return filled;
}
