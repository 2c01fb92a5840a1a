/**
 * Earlier builds promised that the contractor's figures stay on the phone. Figures moved from such a build are unsent
 * records that are not sent before the user agrees. A setting for each owner lists them.
 */
import type { RecordKind } from '@nivida/contract/bids/records';
import type { DeviceDatabase, SettingRow } from '../device/schema.ts';

/** The records of an owner that wait for consent. */
export interface FiguresConsent {
  /** A key of `consentRecordKey` for each record. */
  records: readonly string[];
  /** The user has chosen to keep them on the phone. */
  isDeclined: boolean;
}

interface RecordName {
  kind: RecordKind;
  id: string;
}

/** The key of the setting. */
export const figuresConsentKey = (owner: string): string => `figures without consent of ${owner}`;

/** A record in the setting. */
export const consentRecordKey = ({ kind, id }: RecordName): string => `${kind} ${id}`;

/** The setting that lets an owner's records wait until the user is asked. */
export function figuresConsentRow(owner: string, records: readonly string[]): SettingRow {
  return { key: figuresConsentKey(owner), value: { records, isDeclined: false } satisfies FiguresConsent };
}

/** The records of an owner that wait for consent; undefined for none. */
export async function readFiguresConsent(db: DeviceDatabase, owner: string): Promise<FiguresConsent | undefined> {
  return (await db.settings.get(figuresConsentKey(owner)))?.value as FiguresConsent | undefined;
}

/** Returns a test whether a record of an owner may be sent. */
export async function sendableRecords(db: DeviceDatabase, owner: string): Promise<(record: RecordName) => boolean> {
  const waiting = new Set((await readFiguresConsent(db, owner))?.records);
  return (record) => !waiting.has(consentRecordKey(record));
}

/** After a sign-in: `moved` records of the signed-out device that wait for consent wait for the user's. For a transaction. */
export async function moveFiguresConsent(
  db: DeviceDatabase,
  owner: string,
  moved: readonly RecordName[],
): Promise<void> {
  const isSendable = await sendableRecords(db, '');
  const waiting = moved.filter((record) => !isSendable(record)).map(consentRecordKey);
  await deleteFiguresConsent(db, '');
  if (waiting.length === 0) return;
  const own = (await readFiguresConsent(db, owner))?.records ?? [];
  await db.settings.put(figuresConsentRow(owner, [...new Set([...own, ...waiting])]));
}

/** Removes the setting of an owner. */
export async function deleteFiguresConsent(db: DeviceDatabase, owner: string): Promise<void> {
  await db.settings.delete(figuresConsentKey(owner));
}

/** Removes figures that an earlier build stored in a shape which this build cannot read, when the account is deleted. */
export async function deleteEarlierBidProfile(db: DeviceDatabase, owner: string): Promise<void> {
  await db.settings.delete(`bid profile of ${owner}`);
}
