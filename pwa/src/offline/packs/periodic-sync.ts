import { HOUR_MS } from '@nivida/contract/time';

/** Periodic background sync, where the browser supports it and grants it to the installed app. */

/** The tag of the service worker's event. */
const PERIODIC_SYNC_TAG = 'delta';
/** Chromium wakes an app at most this often. */
const MIN_INTERVAL_MS = 12 * HOUR_MS;

interface PeriodicSyncManager {
  register(tag: string, options: { minInterval: number }): Promise<void>;
}

/** Never throws where it is missing or refused: the app syncs at each start anyway. */
export async function registerPeriodicSync(): Promise<void> {
  try {
    // TypeScript's list of permissions lacks this one.
    const name = 'periodic-background-sync' as PermissionName;
    if ((await navigator.permissions.query({ name })).state !== 'granted') return;
    const registration = await navigator.serviceWorker.ready;
    const { periodicSync } = registration as { periodicSync?: PeriodicSyncManager };
    await periodicSync?.register(PERIODIC_SYNC_TAG, { minInterval: MIN_INTERVAL_MS });
  } catch {
    // The browser does not know this permission.
  }
}
