/** The list of tenders that the user pasted, shared or chose as a file. It stays on the device until the user removes it. */
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import type { DeviceDatabase } from '../../data/device/schema.ts';

/** Maximum size of a chosen file. */
export const MAX_LIST_BYTES = 1_000_000;
/** Maximum lines of the list. */
export const MAX_LIST_LINES = 2_000;

export interface AddedList {
  /** The lines as they came. */
  text: string;
  /** What the server knows of them. */
  known: TenderSummary[];
  /** When the server was asked about all lines (milliseconds since 1970). Null while some wait for a connection. */
  askedAt: number | null;
}

/** Thrown when the list would have more than `MAX_LIST_LINES` lines. */
export class ListTooLongError extends Error {
  override name = 'ListTooLongError';
}

const keyOf = (owner: string) => `added list ${owner}`;

const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');

/** The owner's list, or that of the signed-out device; null without one. */
export async function readAddedList(db: DeviceDatabase, owner: string): Promise<AddedList | null> {
  const [own, unowned] = await db.settings.bulkGet([keyOf(owner), keyOf('')]);
  return ((own?.value ?? unowned?.value) as AddedList | null | undefined) ?? null;
}

async function writeAddedList(db: DeviceDatabase, owner: string, list: AddedList | null): Promise<void> {
  await db.settings.bulkDelete([keyOf(owner), keyOf('')]);
  if (list) await db.settings.put({ key: keyOf(owner), value: list });
}

/** Adds the lines of a text that the list does not have. Throws ListTooLongError. One transaction. */
export function addToList(db: DeviceDatabase, owner: string, text: string): Promise<void> {
  return db.transaction('rw', db.settings, async () => {
    const list = await readAddedList(db, owner);
    if (!list) {
      if (linesOf(text).length > MAX_LIST_LINES) throw new ListTooLongError();
      return writeAddedList(db, owner, { text, known: [], askedAt: null });
    }
    const present = new Set(linesOf(list.text).map((line) => line.trim()));
    const added = linesOf(text).filter((line) => !present.has(line.trim()));
    if (added.length === 0) return;
    if (present.size + added.length > MAX_LIST_LINES) throw new ListTooLongError();
    return writeAddedList(db, owner, { ...list, text: [list.text, ...added].join('\n'), askedAt: null });
  });
}

/** Stores the server's answer about a text, unless lines were added in the meantime. One transaction. */
export function storeAnswer(
  db: DeviceDatabase,
  owner: string,
  answer: Omit<AddedList, 'askedAt'> & { askedAt: number },
): Promise<boolean> {
  return db.transaction('rw', db.settings, async () => {
    if ((await readAddedList(db, owner))?.text !== answer.text) return false;
    await writeAddedList(db, owner, answer);
    return true;
  });
}

/** Removes the list and returns it. One transaction. */
export function takeAddedList(db: DeviceDatabase, owner: string): Promise<AddedList | null> {
  return db.transaction('rw', db.settings, async () => {
    const list = await readAddedList(db, owner);
    await writeAddedList(db, owner, null);
    return list;
  });
}

/** Puts back a list that was removed. */
export const restoreAddedList = (db: DeviceDatabase, owner: string, list: AddedList): Promise<void> =>
  db.transaction('rw', db.settings, async () => {
    await writeAddedList(db, owner, list);
  });

/** Called after a sign-out. */
export const deleteListAtSignOut = (db: DeviceDatabase, owner: string): Promise<void> =>
  db.settings.delete(keyOf(owner));
