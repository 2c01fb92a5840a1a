/**
 * Settings that must not be lost when the user leaves the page at once: the recent searches and the last
 * filters. Browser storage is written synchronously; the device's database is not. Without browser storage
 * they last until the page is closed.
 */
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import { currentOwner } from '../session.ts';
import { browserStorage } from './browser-storage.ts';

const pageSettings = new Map<string, string>();

/** The stored text; null when there is none. */
function readText(key: string): string | null {
  return browserStorage()?.getItem(key) ?? pageSettings.get(key) ?? null;
}

/** A stored value; undefined when there is none. The caller must check its shape. */
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

/** A setting of each user and of the signed-out device, a list or a record. */
interface OwnerSetting<T> {
  /** The current owner's value for screens. Empty until `show` is called. */
  useShown: UseBoundStore<StoreApi<{ value: T }>>;
  read(owner: string): T;
  /** Stores a value at once, because the user may leave the page. */
  write(owner: string, value: T): void;
  /** Sets `useShown` to the current owner's value. */
  show(): void;
  /** Deletes a user's value at the sign-out. The value of the signed-out device ('') stays. */
  deleteOf(owner: string): void;
}

/**
 * A setting with the key `name`; for a user the key is '`name` of 7'. `parse` returns a valid value for a
 * stored one, and an empty value for undefined.
 */
export function createOwnerSetting<T extends object>(name: string, parse: (value: unknown) => T): OwnerSetting<T> {
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
    show,
    deleteOf(owner) {
      if (owner !== '') write(owner, parse(undefined));
    },
  };
}
