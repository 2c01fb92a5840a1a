/** Ids of records that an owner has only once. No schema library. */
import type { RecordKind } from './records.ts';

/** 32 bits of a text, different for each seed. */
function hash32(value: string, seed: number): number {
  let hash = seed;
  for (const character of new TextEncoder().encode(value)) hash = Math.imul(hash ^ character, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The id of a record that exists once for `parts`, such as the mark of one row of one tender. Devices that create it
 * independently get the same id.
 */
export function recordIdFor(kind: RecordKind, ...parts: readonly string[]): string {
  const name = [kind, ...parts].join('\n');
  const hex = [0x811c9dc5, 0x3c6ef372, 0x9e3779b9, 0x510e527f]
    .map((seed) => hash32(name, seed).toString(16).padStart(8, '0'))
    .join('');
  // the form of a UUID of version 8
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** The id of the only profile of an owner. */
export const PROFILE_ID = recordIdFor('profile');

/** The id of a user's own saved search that follows a firm's shared one. It is deleted when the user leaves the firm. */
export const followedSearchId = (searchId: string, userId: string): string =>
  recordIdFor('sharedSearch', searchId.toLowerCase(), userId.toLowerCase());
