/**
 * Settings that must survive a page which is left at once: the recent searches and the last filters. Browser storage is
 * written synchronously, the device's database is not. A browser without it has them as long as the page.
 */
import { browserStorage } from './browser-storage.ts';
import { readSetting, writeSetting } from './settings.ts';

const pageSettings = new Map<string, string>();

/** The stored text; null without one. */
function readText(key: string): string | null {
  return browserStorage()?.getItem(key) ?? pageSettings.get(key) ?? null;
}

/** A stored value; undefined without one. The caller checks its shape. */
export function readInstantSetting(key: string): unknown {
  try {
    return JSON.parse(readText(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value at once; undefined removes it. */
export function writeInstantSetting(key: string, value: unknown): void {
  pageSettings.delete(key);
  if (value === undefined) {
    browserStorage()?.removeItem(key);
    return;
  }
  const text = JSON.stringify(value);
  try {
    const storage = browserStorage();
    if (storage) storage.setItem(key, text);
    else pageSettings.set(key, text);
  } catch {
    // browser storage is full
    browserStorage()?.removeItem(key);
    pageSettings.set(key, text);
  }
}

/** Takes the value of this key out of the device's database, where earlier versions stored it; undefined without one. */
export async function takeEarlierSetting(key: string): Promise<unknown> {
  const value = (await readSetting(key)) ?? undefined;
  if (value !== undefined) await writeSetting(key, null);
  return value;
}
