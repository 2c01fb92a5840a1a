/**
 * Settings that must survive a page which is left at once: the recent searches and the last filters. Browser storage is
 * written synchronously, the device's database is not. A browser without it has them as long as the page.
 */
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import { currentOwner } from '../session.ts';
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

/** A setting of each user and of the signed-out device, a list or a record. */
export interface OwnerSetting<T> {
  /** The current owner's value for screens; empty until `load`. */
  useShown: UseBoundStore<StoreApi<{ value: T }>>;
  read(owner: string): T;
  /** Stores a value at once: the page may be left. */
  write(owner: string, value: T): void;
  /** Shows the current owner's value, with the one of `owner` that an earlier version stored in the device's database. */
  load(owner: string): Promise<void>;
  /** Deletes the value of a user at sign-out; that of the signed-out device ('') stays. */
  deleteOf(owner: string): Promise<void>;
}

/**
 * A setting with the key `name`, for a user '`name` of 7'. `parse` makes a valid value of a stored one, an empty value of
 * undefined; `merge` joins the stored value with that of an earlier version.
 */
export function createOwnerSetting<T extends object>(
  name: string,
  parse: (value: unknown) => T,
  merge: (stored: T, earlier: T) => T,
): OwnerSetting<T> {
  const keyOf = (owner: string) => (owner === '' ? name : `${name} of ${owner}`);
  const isEmpty = (value: T) => Object.keys(value).length === 0;
  const useShown = create<{ value: T }>(() => ({ value: parse(undefined) }));
  const read = (owner: string) => parse(readInstantSetting(keyOf(owner)));
  const show = () => useShown.setState({ value: read(currentOwner()) });
  const write = (owner: string, value: T) => {
    writeInstantSetting(keyOf(owner), isEmpty(value) ? undefined : value);
    show();
  };
  return {
    useShown,
    read,
    write,
    async load(owner) {
      show();
      const earlier = parse(await takeEarlierSetting(keyOf(owner)));
      if (!isEmpty(earlier)) write(owner, merge(read(owner), earlier));
    },
    async deleteOf(owner) {
      if (owner === '') return;
      write(owner, parse(undefined));
      await takeEarlierSetting(keyOf(owner));
    },
  };
}
