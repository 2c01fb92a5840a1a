/** The marks in checklists. A mark is a record of the kind `check`. */
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import type { RecordChange } from '@nivida/contract/bids/records';
import type { CheckRow } from '../../data/bid-documents/checklist-rows.ts';
import type { DeviceDatabase, RecordRow } from '../../data/device/schema.ts';
import {
  deleteRecord,
  inRecordTransaction,
  readRecord,
  readRecords,
  restoreDeletedRecord,
  writeRecords,
} from '../../data/records/record-rows.ts';
import { sendRecordsSoon } from '../../data/records/sync-records.ts';

/** The key of a mark: its owner, its tender (or the bid of an own entry) and its row. */
export type CheckKey = [owner: string, tenderId: string, key: string];

/** Maximum number of own rows in one checklist. */
export const MAX_OWN_ROWS = 50;

/**
 * The record's field for the subject of a checklist: a tender, or the bid of an own entry, whose id is a
 * UUID.
 */
const subjectOf = (id: string): { tenderId: string } | { bidId: string } =>
  /^\d+$/.test(id) ? { tenderId: id } : { bidId: id };

const idOf = (tenderId: string, key: string): string => recordIdFor('check', tenderId, key);

function toCheckRow({ owner, fields, at }: RecordRow<'check'>): CheckRow {
  const {
    bidId = '',
    tenderId = bidId,
    kind = '',
    state = null,
    reason,
    validUntil,
    text,
    documentId,
    assigneeId,
    createdAt,
  } = fields;
  return {
    ...{ owner, tenderId, key: kind, state },
    ...(reason !== undefined && { reason }),
    ...(validUntil !== undefined && { validUntil }),
    ...(text !== undefined && { text }),
    ...(documentId !== undefined && { documentId }),
    ...(assigneeId !== undefined && { assigneeId }),
    at: createdAt === undefined ? at : Date.parse(createdAt),
  };
}

/** An owner's marks in the checklist of a tender or an own entry, oldest first. */
export async function readChecks(db: DeviceDatabase, owner: string, tenderId: string): Promise<CheckRow[]> {
  const rows = await readRecords(db, owner, 'check', subjectOf(tenderId));
  return rows.map(toCheckRow).sort((a, b) => a.at - b.at);
}

/** A change of a mark. A null state removes the mark; the assignee stays unless it changes, and null removes it. */
export type CheckChange = Pick<CheckRow, 'state'> &
  Partial<Pick<CheckRow, 'reason' | 'validUntil' | 'text' | 'documentId'>> & { assigneeId?: string | null };

/** The mark after a change; null when nothing is left of it. An own row preserves its time and place. */
function changedCheck(
  previous: CheckRow | undefined,
  [owner, tenderId, key]: CheckKey,
  change: CheckChange,
  now: number,
): CheckRow | null {
  const {
    validUntil = previous?.validUntil,
    text = previous?.text,
    assigneeId = previous?.assigneeId,
    ...rest
  } = change;
  if (rest.state === null && text === undefined && !assigneeId) return null;
  return {
    ...rest,
    ...(validUntil && { validUntil }),
    ...(text !== undefined && { text }),
    ...(assigneeId && { assigneeId }),
    ...{ owner, tenderId, key },
    at: text === undefined ? now : (previous?.at ?? now),
  };
}

/** The stored marks, with the changes that are still being stored. */
export function withPending(
  rows: readonly CheckRow[],
  tenderId: string,
  pending: ReadonlyMap<string, CheckChange>,
): CheckRow[] {
  const changed = new Map(rows.map((row) => [row.key, row]));
  for (const [key, change] of pending) {
    const row = changedCheck(changed.get(key), ['', tenderId, key], change, 0);
    if (row) changed.set(key, row);
    else changed.delete(key);
  }
  return [...changed.values()];
}

/** The fields of a mark. Absent fields are null. */
function toFields({ tenderId, key, state, at, ...row }: CheckRow): RecordChange<'check'> {
  const { reason, validUntil, text, documentId, assigneeId } = row;
  const createdAt = text === undefined ? null : new Date(at).toISOString();
  const optional = { reason, validUntil, text, documentId, assigneeId };
  const values = Object.entries(optional).map(([name, value]) => [name, value ?? null]);
  return { ...subjectOf(tenderId), kind: key, state, createdAt, ...Object.fromEntries(values) };
}

/** The fields that differ from a stored mark. The state is always included, so that the mark has a time. */
function changedFields(stored: RecordRow<'check'> | undefined, row: CheckRow): RecordChange<'check'> {
  const fields = toFields(row);
  if (!stored) return fields;
  const before: Record<string, unknown> = stored.fields;
  const changed = Object.entries(fields).filter(([name, value]) => (before[name] ?? null) !== value);
  return { ...Object.fromEntries(changed), state: row.state };
}

/** Changes a mark. One transaction. */
export async function changeCheck(db: DeviceDatabase, key: CheckKey, change: CheckChange, now: number): Promise<void> {
  const [owner, tenderId, name] = key;
  const id = idOf(tenderId, name);
  await inRecordTransaction(db, async () => {
    const stored = await readRecord(db, owner, 'check', id);
    const row = changedCheck(stored && toCheckRow(stored), key, change, now);
    if (row) await writeRecords(db, owner, [{ kind: 'check', id, change: changedFields(stored, row) }], now);
    else await deleteRecord(db, owner, 'check', id, now);
  });
  sendRecordsSoon();
}

export async function deleteCheck(
  db: DeviceDatabase,
  owner: string,
  tenderId: string,
  key: string,
  now: number,
): Promise<void> {
  await deleteRecord(db, owner, 'check', idOf(tenderId, key), now);
  sendRecordsSoon();
}

/** Restores an own row that was removed. */
export async function restoreCheck(db: DeviceDatabase, row: CheckRow, now: number): Promise<void> {
  await restoreDeletedRecord(db, row.owner, 'check', idOf(row.tenderId, row.key), now);
  sendRecordsSoon();
}
