/** Where the browser keeps things: its small storage, the room it grants, and whether it may clear it by itself. */

/** `localStorage`, or undefined where it is missing or forbidden; writing to it may still throw when it is full. */
export function browserStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

/** Room on the device in bytes; null where the browser does not tell. */
export interface StorageEstimateState {
  usedBytes: number | null;
  quotaBytes: number | null;
  /** The browser has promised not to clear it by itself. */
  isPersistent: boolean;
}

/** How much is used and promised. */
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
 * Asks the browser not to clear what is kept here; true when it promises. Call it at the first bookmark or the first
 * pack saved by a tap, never at the start: Firefox asks the user. Asking again after a yes costs nothing.
 */
export async function requestPersistentStorage(): Promise<boolean> {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false;
  }
}
