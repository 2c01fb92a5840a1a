/**
 * Stores the app on the device. A visit without a touch downloads only what its page loads. The rest of the app, more
 * than half of it, is downloaded when the app is used.
 */
import { isMeteredConnection, onConnectionChange } from '../device/connection.ts';
import { whenUsed } from '../when-used.ts';

/** The app's message to the worker: store all files of the build. */
export const STORE_APP = 'STORE_APP';

/** The app's message to the worker: store these files, which the page has loaded. */
export const STORE_FILES = 'STORE_FILES';

/**
 * Asks the worker to store the files that the page has loaded, including those loaded before the worker was
 * active.
 */
export async function storeLoadedFiles(): Promise<void> {
  const registration = await navigator.serviceWorker?.ready;
  // A CDN may have sent the files.
  const isFile = (url: string) => new URL(url, location.origin).pathname.startsWith('/assets/');
  new PerformanceObserver((list) => {
    const urls = list.getEntries().map(({ name }) => name);
    registration?.active?.postMessage({ type: STORE_FILES, urls: urls.filter(isFile) });
  }).observe({ type: 'resource', buffered: true });
}

/** Asks the worker to store all files of the app. */
export async function storeApp(): Promise<void> {
  const registration = await navigator.serviceWorker?.ready;
  registration?.active?.postMessage({ type: STORE_APP });
}

/** True for an app on the home screen. It must open every address without a connection. */
const isInstalledApp = () => globalThis.matchMedia?.('(display-mode: standalone)').matches === true;

/**
 * Stores the app once the visitor uses it, on an unmetered connection or from the home screen. `isUsed` is
 * true when the visitor uses it already.
 */
export function storeAppWhenUsed(isUsed: boolean): void {
  let stop = () => {};
  const store = () => void storeApp().catch(() => undefined);
  const prepare = () => {
    stop();
    if (isMeteredConnection() && !isInstalledApp()) return;
    if (isUsed) store();
    else stop = whenUsed(store);
  };
  prepare();
  onConnectionChange(prepare);
}
