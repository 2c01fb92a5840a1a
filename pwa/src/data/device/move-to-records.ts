/**
 * Marks of checklists and the contractor's figures, as earlier builds stored them, become records. The upgrade of the
 * database runs it, so it uses no schema library.
 */
import { newDeviceId, nextStamp } from '@nivida/contract/bids/hybrid-clock';
import { PROFILE_ID, recordIdFor } from '@nivida/contract/bids/record-ids';
import type { RecordKind } from '@nivida/contract/bids/records';
import type { Transaction } from 'dexie';
import { recordChange } from '../outbox/pending-changes.ts';
import { consentRecordKey, figuresConsentRow } from '../records/figures-consent.ts';
import type { CheckRow, RecordRow, SettingRow } from './schema.ts';

const PROFILE_KEY = 'bid profile of ';
const CLOCK_KEY = 'record clock';

type Entry = Record<string, unknown> & { id: string };

interface EarlierRecord {
  owner: string;
  kind: RecordKind;
  id: string;
  fields: Record<string, unknown>;
  at: number;
}

const withoutNone = (fields: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );

function markRecord({ owner, tenderId, key, text, at, ...mark }: CheckRow): EarlierRecord {
  const createdAt = text === undefined ? undefined : new Date(at).toISOString();
  const fields = withoutNone({ ...mark, tenderId, kind: key, text, createdAt });
  return { owner, kind: 'check', id: recordIdFor('check', tenderId, key), fields, at };
}

const isAmount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1e12;
const isText = (value: unknown): value is string => typeof value === 'string';
const toPaise = (rupees: number) => Math.round(rupees * 100);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function enlistmentFields({ authority, className, ownLimit, validUntil }: Record<string, unknown>) {
  const limitPaise = isAmount(ownLimit) ? toPaise(ownLimit) : null;
  return withoutNone({ authority, class: className, limitPaise, validUntil });
}

function workFields({ name, value, completedOn }: Record<string, unknown>) {
  return withoutNone({ name, valuePaise: isAmount(value) ? toPaise(value) : null, completedOn });
}

/** The records of one owner's figures; undefined when they have the shape of another version. */
function profileRecords(owner: string, value: unknown, at: number): EarlierRecord[] | undefined {
  if (!isObject(value)) return undefined;
  const { enlistments, works, turnover, commitments, multiplier, raisesValues } = value;
  const isEntry = (each: unknown): each is Entry => isObject(each) && isText(each.id);
  const hasShape =
    Array.isArray(enlistments) &&
    enlistments.every(isEntry) &&
    Array.isArray(works) &&
    works.every(isEntry) &&
    works.every(({ value: worth }) => isAmount(worth)) &&
    isObject(turnover) &&
    Object.entries(turnover).every(([year, amount]) => /^\d{4}-\d{2}$/.test(year) && isAmount(amount)) &&
    (commitments === null || isAmount(commitments));
  if (!hasShape) return undefined;
  const enlisted: Entry[] = enlistments;
  const done: Entry[] = works;
  const years = Object.entries(turnover as Record<string, number>);
  const byYear = years.map(([year, amount]) => [`turnover${year.slice(0, 4)}`, toPaise(amount)]);
  const worksInHandPaise = commitments === null ? null : toPaise(commitments as number);
  const profile = withoutNone({
    ...Object.fromEntries(byYear),
    ...{ worksInHandPaise, multiplier, raisesValues },
  });
  return [
    ...(Object.keys(profile).length > 0
      ? [{ owner, kind: 'profile' as const, id: PROFILE_ID, fields: profile, at }]
      : []),
    ...enlisted.map((each) => ({
      owner,
      kind: 'enlistment' as const,
      id: each.id,
      fields: enlistmentFields(each),
      at,
    })),
    ...done.map((each) => ({ owner, kind: 'workDone' as const, id: each.id, fields: workFields(each), at })),
  ];
}

/**
 * Moves all marks and figures. Those of a user are unsent; figures wait for consent too, since earlier builds promised not
 * to send them. Figures of another shape stay as they are.
 */
export async function moveToRecords(transaction: Transaction, now: number): Promise<void> {
  const [checks, settings] = [transaction.table<CheckRow>('checks'), transaction.table<SettingRow>('settings')];
  const moved = (await checks.toArray()).map(markRecord);
  for (const { key, value } of await settings.where('key').startsWith(PROFILE_KEY).toArray()) {
    const owner = key.slice(PROFILE_KEY.length);
    const records = profileRecords(owner, value, now);
    if (!records) continue;
    moved.push(...records);
    if (records.length > 0) await settings.put(figuresConsentRow(owner, records.map(consentRecordKey)));
    await settings.delete(key);
  }
  if (moved.length === 0) return;
  const clock = ((await settings.get(CLOCK_KEY))?.value as { device: string; latest?: string }) ?? {
    device: newDeviceId(),
  };
  const table = transaction.table<RecordRow>('records');
  let latest = clock.latest;
  for (const { owner, kind, id, fields, at } of moved) {
    // The time of the mark: a later one of another device is newer.
    const stamp = nextStamp(undefined, at, clock.device);
    if (stamp > (latest ?? '')) latest = stamp;
    const stamps = Object.fromEntries(Object.keys(fields).map((name) => [name, stamp]));
    await table.put({ owner, kind, id, fields, stamps, at, refusal: null } as RecordRow);
    if (owner !== '') await transaction.table('outbox').put(recordChange(owner, kind, id, at));
  }
  await settings.put({ key: CLOCK_KEY, value: { ...clock, latest } });
}
