/** Small things this device remembers: the clock's offset, recent searches, what was removed. */
import { withDatabase } from './database.ts';

/** A remembered value; undefined when there is none or the browser keeps nothing. The caller checks its shape. */
export async function readSetting(key: string): Promise<unknown> {
  try {
    return (await withDatabase((db) => db.settings.get(key)))?.value;
  } catch {
    return undefined;
  }
}

/** Remembers a value; where the browser keeps nothing it is lost with the page, which is all a setting promises. */
export async function writeSetting(key: string, value: unknown): Promise<void> {
  try {
    await withDatabase((db) => db.settings.put({ key, value }));
  } catch {
    // no database, or no room in it
  }
}
