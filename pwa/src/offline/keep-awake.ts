/** Keeps the screen on while a pack is being downloaded, because a phone that sleeps stops the download. */
import { usePacks } from './packs/pack-status.ts';

/** True while a whole pack is downloaded. Updates of a pack take a moment and do not count. */
const isDownloading = (): boolean =>
  Object.values(usePacks.getState().scopes).some(({ isRunning, row }) => isRunning && row.next !== null);

/** Set while the screen is kept on, also when the browser has refused it. */
let lock: Promise<WakeLockSentinel | undefined> | undefined;

function update(): void {
  const isNeeded = document.visibilityState === 'visible' && isDownloading();
  if (isNeeded === (lock !== undefined)) return;
  if (isNeeded) {
    // The browser refuses it on a low battery.
    lock = navigator.wakeLock?.request('screen').catch(() => undefined) ?? Promise.resolve(undefined);
    return;
  }
  const released = lock;
  lock = undefined;
  void released?.then((sentinel) => sentinel?.release()).catch(() => undefined);
}

/**
 * Watches the downloads of packs. The screen may sleep again when they have ended or failed, and while the app is hidden.
 * Returns a function that ends the watch.
 */
export function keepAwakeWhileDownloading(): () => void {
  const unsubscribe = usePacks.subscribe(update);
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', update);
  };
}
