/** Periodic background sync, where the browser has it and grants it to the installed app. */

/** The tag under which the service worker is woken. */
const TAG = 'delta';
/** Chromium wakes no app more often. */
const SELDOM_MS = 12 * 3_600_000;

interface PeriodicSync {
  register(tag: string, options: { minInterval: number }): Promise<void>;
}

/** Registers for it; silent where it is missing or refused, since each start of the app syncs anyway. */
export async function askForPeriodicSync(): Promise<void> {
  try {
    // TypeScript's list of permissions ends before this one
    const name = 'periodic-background-sync' as PermissionName;
    if ((await navigator.permissions.query({ name })).state !== 'granted') return;
    const registration = await navigator.serviceWorker.ready;
    const { periodicSync } = registration as { periodicSync?: PeriodicSync };
    await periodicSync?.register(TAG, { minInterval: SELDOM_MS });
  } catch {
    // no such permission in this browser
  }
}
