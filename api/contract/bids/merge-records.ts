/**
 * Merges two states of one record, field by field. The order and the number of merges do not affect the result. So devices
 * and server are equal when each has received the changes of the others.
 */
import { correctStampsAhead, isAhead, laterStamp } from './hybrid-clock.ts';

/** A record's state. A removed field has a stamp and no value. */
export interface BidRecordState {
  fields: Readonly<Record<string, unknown>>;
  /** The stamp of each field's last change. */
  stamps: Readonly<Record<string, string>>;
  /** The stamp of the last deletion. */
  deleted?: string | undefined;
}

/** Values of fields to set; null removes a field. */
export type FieldChanges = Readonly<Record<string, unknown>>;

const isNone = (value: unknown) => value === null || value === undefined;

function withoutNone(fields: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.fromEntries([...fields].filter(([, value]) => !isNone(value)));
}

/** The later value of each field and the later deletion. If stamps are equal, the value of the first state is used. */
export function mergeRecords(one: BidRecordState, other: BidRecordState): BidRecordState {
  const stamps = new Map(Object.entries(one.stamps));
  const fields = new Map(Object.entries(one.fields));
  for (const [name, stamp] of Object.entries(other.stamps)) {
    if ((stamps.get(name) ?? '') >= stamp) continue;
    stamps.set(name, stamp);
    fields.set(name, Object.hasOwn(other.fields, name) ? other.fields[name] : undefined);
  }
  return toState(withoutNone(fields), Object.fromEntries(stamps), laterStamp(one.deleted, other.deleted));
}

function toState(fields: BidRecordState['fields'], stamps: BidRecordState['stamps'], deleted?: string): BidRecordState {
  return { fields, stamps, ...(deleted !== undefined && { deleted }) };
}

/** The state after a change of some fields at `stamp`; `state` is undefined for a new record. */
export function changeFields(state: BidRecordState | undefined, change: FieldChanges, stamp: string): BidRecordState {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  return toState(
    withoutNone(new Map([...Object.entries(state?.fields ?? {}), ...entries])),
    { ...state?.stamps, ...Object.fromEntries(entries.map(([name]) => [name, stamp])) },
    state?.deleted,
  );
}

/** The state after a deletion at `stamp`. The fields are kept, because a later change restores the record. */
export const deleteState = (state: BidRecordState, stamp: string): BidRecordState => ({ ...state, deleted: stamp });

/** The latest stamp of a state; undefined for an empty one. */
export function latestStamp({ stamps, deleted }: BidRecordState): string | undefined {
  return Object.values(stamps).reduce(laterStamp, deleted);
}

/** True when no field has changed since the deletion. */
export function isDeleted(state: BidRecordState): boolean {
  return state.deleted !== undefined && latestStamp(state) === state.deleted;
}

/** True when two states have the same stamps, and therefore the same values. */
export function isSameState(one: BidRecordState, other: BidRecordState): boolean {
  const names = Object.keys(one.stamps);
  return (
    one.deleted === other.deleted &&
    names.length === Object.keys(other.stamps).length &&
    names.every((name) => one.stamps[name] === other.stamps[name])
  );
}

/** All stamps of a state. */
export const stampsOf = ({ stamps, deleted }: BidRecordState): string[] => [
  ...Object.values(stamps),
  ...(deleted === undefined ? [] : [deleted]),
];

/**
 * The server's merge of a change at its time `now`. Returns 'ahead' for a new stamp from a wrong clock, which would win over
 * all later changes.
 */
export function acceptChange(
  stored: BidRecordState | undefined,
  change: BidRecordState,
  now: number,
): BidRecordState | 'ahead' {
  const merged = mergeRecords(stored ?? { fields: {}, stamps: {} }, change);
  const latest = stored && latestStamp(stored);
  return stampsOf(merged).some((stamp) => isAhead(stamp, now, latest)) ? 'ahead' : merged;
}

/** The state with new stamps for those that are ahead of the server's time; see `correctStampsAhead`. */
export function correctState(
  state: BidRecordState,
  now: number,
  device: string,
  floor: string | undefined,
): BidRecordState {
  const { fields, stamps, deleted } = state;
  const correct = correctStampsAhead(stampsOf(state), now, device, floor);
  const corrected = Object.fromEntries(Object.entries(stamps).map(([name, stamp]) => [name, correct(stamp)]));
  return toState(fields, corrected, deleted && correct(deleted));
}
