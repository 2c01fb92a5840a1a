/**
 * Marks that are not in the device's database yet. A mark is recorded in browser storage at once, so that it
 * is not lost when the user leaves the page. The checklist stores the mark when it is opened again.
 */
import { browserStorage } from '../../data/device/browser-storage.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { type CheckChange, type CheckKey, changeCheck, readChecks } from './checks.ts';

const PREFIX = 'unsaved-check ';

const nameOf = (key: CheckKey) => PREFIX + JSON.stringify(key);

/**
 * Records a change of a mark; `at` is in milliseconds. Returns a function that deletes the record, unless a
 * later change has replaced it.
 */
export function recordMark(key: CheckKey, change: CheckChange, at: number): () => void {
  const [name, text] = [nameOf(key), JSON.stringify({ change, at })];
  try {
    browserStorage()?.setItem(name, text);
  } catch {
    // Browser storage is full or forbidden.
  }
  return () => {
    if (browserStorage()?.getItem(name) === text) browserStorage()?.removeItem(name);
  };
}

/** The recorded changes of a checklist, by the key of their rows. */
function notesOf(storage: Storage, owner: string, tenderId: string): [string, CheckChange, number][] {
  const start = JSON.stringify([owner, tenderId]).slice(0, -1);
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return names
    .filter((name) => name.startsWith(`${PREFIX}${start},`))
    .map((name) => {
      const { change, at } = JSON.parse(storage.getItem(name) ?? '');
      return [JSON.parse(name.slice(PREFIX.length))[2], change, at];
    });
}

/** Stores the recorded marks of a checklist, except rows that were changed later. */
export async function storeUnsavedMarks(db: DeviceDatabase, owner: string, tenderId: string): Promise<void> {
  const storage = browserStorage();
  const notes = storage ? notesOf(storage, owner, tenderId) : [];
  if (notes.length === 0) return;
  const stored = new Map((await readChecks(db, owner, tenderId)).map((row) => [row.key, row.at]));
  for (const [key, change, at] of notes) {
    if ((stored.get(key) ?? 0) < at) await changeCheck(db, [owner, tenderId, key], change, at);
    storage?.removeItem(nameOf([owner, tenderId, key]));
  }
}
