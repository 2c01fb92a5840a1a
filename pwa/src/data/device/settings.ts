/** Small settings of this device, such as the clock's offset and recent searches. */
import { hasDatabase, withDatabase } from './database.ts';

/** The key of the setting that downloads wait on a mobile connection. */
export const WIFI_ONLY_KEY = 'packs on wifi only';

/**
 * A stored value. Undefined when there is none, or where the browser stores nothing. The caller must check
 * its shape.
 */
export async function readSetting(key: string): Promise<unknown> {
  if (!(await hasDatabase())) return undefined;
  try {
    return (await withDatabase((db) => db.settings.get(key)))?.value;
  } catch {
    return undefined;
  }
}

/**
 * Removes a setting if `isOurs` returns true for its value. Does nothing where the browser stores nothing.
 * One transaction.
 */
export async function clearSetting(key: string, isOurs: (value: unknown) => boolean): Promise<void> {
  if (!(await hasDatabase())) return;
  try {
    await withDatabase((db) =>
      db.settings
        .where('key')
        .equals(key)
        .modify((row) => {
          if (isOurs(row.value)) row.value = null;
        }),
    );
  } catch {
    // There is no database.
  }
}

/** Stores a value. Where the browser stores nothing, the value is lost when the page closes. */
export async function writeSetting(key: string, value: unknown): Promise<void> {
  try {
    await withDatabase((db) => db.settings.put({ key, value }));
  } catch {
    // There is no database, or it is full.
  }
}
