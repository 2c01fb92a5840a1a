import { t } from '@lingui/core/macro';
import { HOUR_MS, MINUTE_MS } from '@nivida/contract/time';
import type { TrustedScriptURL } from 'trusted-types/lib';
import { Workbox } from 'workbox-window';
import { storeAppWhenUsed, storeLoadedFiles } from '../../data/app-files/store-app.ts';
import { whenUsed } from '../../data/when-used.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { activateUpdate } from './activate-update.ts';

/** Minimum time between two checks when the user returns to the app. */
const MIN_CHECK_INTERVAL_MS = 10 * MINUTE_MS;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): TrustedScriptURL };
}

/** The script's address, as a trusted type of the policy `nivida-sw` where the browser has Trusted Types. */
function scriptUrl(): string | TrustedScriptURL {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('nivida-sw', { createScriptURL: () => '/sw.js' });
  return policy ? policy.createScriptURL('') : '/sw.js';
}

function checkForUpdates(registration: ServiceWorkerRegistration): void {
  let checkedAt = Date.now();
  const check = (shortestMs: number) => {
    if (document.visibilityState !== 'visible' || !navigator.onLine || Date.now() - checkedAt < shortestMs) return;
    checkedAt = Date.now();
    // The next check tries again.
    registration.update().catch(() => undefined);
  };
  setInterval(() => check(0), HOUR_MS);
  document.addEventListener('visibilitychange', () => check(MIN_CHECK_INTERVAL_MS));
  window.addEventListener('online', () => check(MIN_CHECK_INTERVAL_MS));
}

/**
 * On a new device, waits until the app is used: a visit without a touch does not load the worker. Returns
 * true after such a wait, and false when the device already has the worker.
 */
async function waitForFirstUse(): Promise<boolean> {
  if (await navigator.serviceWorker.getRegistration().catch(() => undefined)) return false;
  await new Promise<void>((resolve) => whenUsed(resolve));
  return true;
}

/**
 * Registers the service worker; on a new device only once the app is used. Checks for a new build hourly, and
 * when the app becomes visible or online. A new build is offered; only the user's tap reloads the page.
 */
export async function watchForUpdates(): Promise<void> {
  const isUsed = await waitForFirstUse();
  const workbox = new Workbox(scriptUrl());
  let registration: ServiceWorkerRegistration | undefined;
  workbox.addEventListener('waiting', () =>
    showToast({
      text: t`A new version is ready.`,
      action: {
        label: t`Reload`,
        run: () => activateUpdate(navigator.serviceWorker, registration?.waiting, () => location.reload()),
      },
    }),
  );
  try {
    registration = await workbox.register();
  } catch {
    // Private windows and full disks refuse the registration. The app then works only online.
    return;
  }
  if (registration) checkForUpdates(registration);
  void storeLoadedFiles();
  storeAppWhenUsed(isUsed);
}
