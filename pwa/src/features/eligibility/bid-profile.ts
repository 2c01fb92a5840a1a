/** The contractor's own figures: the records `profile`, `enlistment` and `workDone` of the user who entered them. */
import { t } from '@lingui/core/macro';
import { PROFILE_ID } from '@nivida/contract/bids/record-ids';
import type { RecordChange, RecordFields } from '@nivida/contract/bids/records';
import { type BidProfile, EMPTY_BID_PROFILE, ENLISTMENT_TRADES } from '@nivida/contract/rules/may-i-bid';
import { currentTime } from '../../data/clock.ts';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase, RecordRow } from '../../data/device/schema.ts';
import { currentRecordOwner } from '../../data/firms/space.ts';
import {
  deleteRecord,
  inRecordTransaction,
  type RecordWrite,
  readRecords,
  TooManyRecordsError,
  writeRecords,
} from '../../data/records/record-rows.ts';
import { sendRecordsSoon } from '../../data/records/sync-records.ts';
import { showToast } from '../../ui/feedback/toast.ts';

type Enlistment = BidProfile['enlistments'][number];
type WorkDone = BidProfile['works'][number];

const PAISE = 100;
const toPaise = (rupees: number): number => Math.round(rupees * PAISE);

function toEnlistment({ id, fields }: RecordRow<'enlistment'>): Enlistment {
  const { authority = '', class: className = '', limitPaise, validUntil = '' } = fields;
  const trade = ENLISTMENT_TRADES.find((each) => each === fields.category);
  const ownLimit = limitPaise === undefined ? null : limitPaise / PAISE;
  return { id, authority, ...(trade && { trade }), className, ownLimit, validUntil };
}

function toWork({ id, fields }: RecordRow<'workDone'>): WorkDone {
  const { name = '', client, valuePaise, completedOn = '' } = fields;
  const value = valuePaise === undefined ? null : valuePaise / PAISE;
  return { id, name, ...(client && { client }), value, completedOn };
}

const enlistmentFields = (entry: Enlistment): RecordChange<'enlistment'> => ({
  authority: entry.authority,
  category: entry.trade ?? null,
  class: entry.className,
  limitPaise: entry.ownLimit === null ? null : toPaise(entry.ownLimit),
  validUntil: entry.validUntil || null,
});

const workFields = ({ name, client, value, completedOn }: WorkDone): RecordChange<'workDone'> => ({
  name,
  client: client ?? null,
  valuePaise: value === null ? null : toPaise(value),
  completedOn: completedOn || null,
});

const oldestFirst = <Row extends RecordRow>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (a.fields.createdAt ?? '').localeCompare(b.fields.createdAt ?? '') || (a.id < b.id ? -1 : 1));

/** The record's field for a financial year such as '2025-26'. */
const turnoverField = (year: string) => `turnover${Number(year.slice(0, 4))}` as const;

/** Turnover in rupees, by financial year. */
function toTurnover(fields: RecordFields<'profile'>): Record<string, number> {
  const years = Object.entries(fields).flatMap(([name, paise]) => {
    const year = Number(/^turnover(\d{4})$/.exec(name)?.[1]);
    return year && typeof paise === 'number'
      ? [[`${year}-${String((year + 1) % 100).padStart(2, '0')}`, paise / PAISE]]
      : [];
  });
  return Object.fromEntries(years);
}

/** An owner's figures. An empty profile when none are stored. */
export async function readBidProfile(db: DeviceDatabase, owner: string): Promise<BidProfile> {
  // At once: a live query loses track of what nested functions read one after the other.
  const [[profile], enlistments, works] = await Promise.all([
    readRecords(db, owner, 'profile'),
    readRecords(db, owner, 'enlistment'),
    readRecords(db, owner, 'workDone'),
  ]);
  const fields: RecordFields<'profile'> = profile?.fields ?? {};
  const { multiplier = EMPTY_BID_PROFILE.multiplier, raisesValues = EMPTY_BID_PROFILE.raisesValues } = fields;
  return {
    enlistments: oldestFirst(enlistments).map(toEnlistment),
    works: oldestFirst(works).map(toWork),
    turnover: toTurnover(fields),
    commitments: fields.worksInHandPaise === undefined ? null : fields.worksInHandPaise / PAISE,
    multiplier,
    raisesValues,
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The fields of the profile that have changed. */
function profileChange(present: BidProfile, next: BidProfile): RecordChange<'profile'> {
  const years = new Set([...Object.keys(present.turnover), ...Object.keys(next.turnover)]);
  const changedYears = [...years].filter((year) => present.turnover[year] !== next.turnover[year]);
  const turnover = changedYears.map((year) => {
    const rupees = next.turnover[year];
    return [turnoverField(year), rupees === undefined ? null : toPaise(rupees)];
  });
  return {
    ...Object.fromEntries(turnover),
    ...(present.commitments !== next.commitments && {
      worksInHandPaise: next.commitments === null ? null : toPaise(next.commitments),
    }),
    ...(present.multiplier !== next.multiplier && { multiplier: next.multiplier }),
    ...(present.raisesValues !== next.raisesValues && { raisesValues: next.raisesValues }),
  };
}

/** The entries of `next` that are new or have changed. */
function changedEntries<Entry extends { id: string }>(present: readonly Entry[], next: readonly Entry[]): Entry[] {
  const before = new Map(present.map((entry) => [entry.id, entry]));
  return next.filter((entry) => !isSame(before.get(entry.id), entry));
}

const removedIds = (present: readonly { id: string }[], next: readonly { id: string }[]): string[] =>
  present.map(({ id }) => id).filter((id) => !next.some((entry) => entry.id === id));

/** Changes an owner's figures; `now` is in milliseconds. One transaction. */
export async function changeBidProfile(
  db: DeviceDatabase,
  owner: string,
  change: (profile: BidProfile) => BidProfile,
  now: number,
): Promise<void> {
  await inRecordTransaction(db, async () => {
    const present = await readBidProfile(db, owner);
    const next = change(present);
    const known = new Set([...present.enlistments, ...present.works].map(({ id }) => id));
    const createdAt = (id: string) => (known.has(id) ? {} : { createdAt: new Date(now).toISOString() });
    const profile = profileChange(present, next);
    const writes: RecordWrite[] = [
      ...(Object.keys(profile).length > 0 ? [{ kind: 'profile' as const, id: PROFILE_ID, change: profile }] : []),
      ...changedEntries(present.enlistments, next.enlistments).map((entry) => ({
        ...{ kind: 'enlistment' as const, id: entry.id },
        change: { ...enlistmentFields(entry), ...createdAt(entry.id) },
      })),
      ...changedEntries(present.works, next.works).map((entry) => ({
        ...{ kind: 'workDone' as const, id: entry.id },
        change: { ...workFields(entry), ...createdAt(entry.id) },
      })),
    ];
    await writeRecords(db, owner, writes, now);
    for (const id of removedIds(present.enlistments, next.enlistments))
      await deleteRecord(db, owner, 'enlistment', id, now);
    for (const id of removedIds(present.works, next.works)) await deleteRecord(db, owner, 'workDone', id, now);
  });
  sendRecordsSoon();
}

/** Stores a change of the user's figures. False when it was not stored. */
export async function saveBidProfile(change: (profile: BidProfile) => BidProfile): Promise<boolean> {
  try {
    await withDatabase((db) => changeBidProfile(db, currentRecordOwner(), change, currentTime().getTime()));
    return true;
  } catch (error) {
    showToast({ text: notSavedText(error) });
    return false;
  }
}

function notSavedText(error: unknown): string {
  if (error instanceof TooManyRecordsError) return t`There are too many entries. Remove one first.`;
  return error instanceof DatabaseUnavailableError
    ? t`${{ problem: storageProblem() }}, so your figures cannot be saved.`
    : t`Your figures were not saved. Free some storage and save again.`;
}
