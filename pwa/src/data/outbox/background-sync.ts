/**
 * Background Sync: when the device is online, the browser starts the service worker, even if the app is
 * closed.
 */
import { t } from '@lingui/core/macro';

/** The tag of the only registration. At its event the service worker sends the whole outbox. */
export const SYNC_TAG = 'outbox';

interface SyncManager {
  register(tag: string): Promise<void>;
}

/** True in a browser with Background Sync (Chromium). Other browsers send while the app is open. */
export function hasBackgroundSync(): boolean {
  return 'SyncManager' in globalThis && navigator.serviceWorker !== undefined;
}

/** Asks the browser to start the service worker when the device is online. Never throws. */
export async function registerBackgroundSync(): Promise<void> {
  if (!hasBackgroundSync()) return;
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  if (registration) await registerSync(registration);
}

/** Asks the browser through a known registration. Works inside the service worker too. Never throws. */
export async function registerSync(registration: ServiceWorkerRegistration): Promise<void> {
  const { sync } = registration as { sync?: SyncManager };
  await sync?.register(SYNC_TAG).catch(() => undefined);
}

/** The text for a change that waits for a connection. */
export function sendsLaterText(): string {
  return hasBackgroundSync()
    ? t`Sent when there is a connection.`
    : t`Sent when this app is open and there is a connection.`;
}
