/** Small settings of this device, such as the clock's offset and recent searches. */
import { hasDatabase, withDatabase } from './database.ts';

/** The key of the setting that downloads wait on a mobile connection. */
export const WIFI_ONLY_KEY = 'packs on wifi only';

/** A stored value; undefined without one, or where the browser stores nothing. The caller checks its shape. */
export async function readSetting(key: string): Promise<unknown> {
  if (!(await hasDatabase())) return undefined;
  try {
    return (await withDatabase((db) => db.settings.get(key)))?.value;
  } catch {
    return undefined;
  }
}

/** Stores a value. A browser that stores nothing loses it with the page. */
export async function writeSetting(key: string, value: unknown): Promise<void> {
  try {
    await withDatabase((db) => db.settings.put({ key, value }));
  } catch {
    // There is no database, or it is full.
  }
}
