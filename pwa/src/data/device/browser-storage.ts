/** Browser storage: `localStorage`, the quota, and permission to persist. */

/** `localStorage`, or undefined where it is missing or forbidden. Writing may still throw when it is full. */
export function browserStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/**
 * `sessionStorage`, or undefined where it is missing or forbidden. Writing may still throw when it is full.
 */
export function tabStorage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

/** Storage in bytes; null where the browser does not report it. */
export interface StorageEstimateState {
  usedBytes: number | null;
  quotaBytes: number | null;
  /** The browser does not delete the storage by itself. */
  isPersistent: boolean;
}

export async function readStorageEstimate(): Promise<StorageEstimateState> {
  const [estimate, isPersistent] = await Promise.all([
    navigator.storage?.estimate?.().catch(() => undefined),
    navigator.storage?.persisted?.().catch(() => false),
  ]);
  return {
    usedBytes: estimate?.usage ?? null,
    quotaBytes: estimate?.quota ?? null,
    isPersistent: isPersistent ?? false,
  };
}

/**
 * Asks the browser not to delete this storage. True when it agrees. Firefox asks the user, so call this when
 * the user saves a bookmark or a pack, never at the start. A browser that has agreed is not asked again.
 */
export async function requestPersistentStorage(): Promise<boolean> {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false;
  }
}
