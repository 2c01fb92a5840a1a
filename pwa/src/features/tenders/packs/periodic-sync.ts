/** Periodic background sync, where the browser has it and grants it to the installed app. */

/** The tag under which the service worker is woken. */
const PERIODIC_SYNC_TAG = 'delta';
/** Chromium wakes no app more often. */
const MIN_INTERVAL_MS = 12 * 3_600_000;

interface PeriodicSyncManager {
  register(tag: string, options: { minInterval: number }): Promise<void>;
}

/** Registers for it; silent where it is missing or refused, since each start of the app syncs anyway. */
export async function registerPeriodicSync(): Promise<void> {
  try {
    // TypeScript's list of permissions ends before this one
    const name = 'periodic-background-sync' as PermissionName;
    if ((await navigator.permissions.query({ name })).state !== 'granted') return;
    const registration = await navigator.serviceWorker.ready;
    const { periodicSync } = registration as { periodicSync?: PeriodicSyncManager };
    await periodicSync?.register(PERIODIC_SYNC_TAG, { minInterval: MIN_INTERVAL_MS });
  } catch {
    // no such permission in this browser
  }
}
