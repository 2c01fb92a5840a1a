/** Background Sync: the browser wakes the service worker when the device has a network, also with the app closed. */

/** The tag of the one registration; the service worker then sends everything that waits. */
export const SYNC_TAG = 'outbox';

interface SyncManager {
  register(tag: string): Promise<void>;
}

/** True where the browser has Background Sync (Chromium); elsewhere changes are sent while the app is open. */
export function hasBackgroundSync(): boolean {
  return 'SyncManager' in globalThis && navigator.serviceWorker !== undefined;
}

/** Asks the browser to wake the service worker for what waits. Never throws. */
export async function registerBackgroundSync(): Promise<void> {
  if (!hasBackgroundSync()) return;
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  if (registration) await registerSync(registration);
}

/** The same for a known registration, also inside the service worker. Never throws. */
export async function registerSync(registration: ServiceWorkerRegistration): Promise<void> {
  const { sync } = registration as { sync?: SyncManager };
  await sync?.register(SYNC_TAG).catch(() => undefined);
}

/** When a change is sent that waits without signal. */
export function sendsLaterText(): string {
  return hasBackgroundSync() ? 'Sent when there is signal.' : 'Sent when this app is open and there is signal.';
}
