/**
 * Handles chunks that cannot be loaded: there is no network, or a newer build has removed them from the
 * server.
 */
import { t } from '@lingui/core/macro';

const RELOADED_FOR_KEY = 'reloadedFor';

const missingChunks = new WeakSet<object>();
let hasEnteredText = () => false;

/**
 * Remembers the errors of chunks, which Vite reports before it throws them. A failed preload does not change
 * the screen. `hasText` returns whether the user has typed text on the page.
 */
export function watchMissingChunks(hasText = hasEnteredText): void {
  hasEnteredText = hasText;
  window.addEventListener('vite:preloadError', ({ payload }) => void missingChunks.add(payload));
}

/**
 * Reloads the page when a newer build has removed a chunk. Reloads once per chunk, never offline, and never a
 * page with typed text, which would be lost. Returns false when the page stays.
 */
export function reloadOnceForMissingChunk(error: unknown): boolean {
  if (!(error instanceof Error) || !missingChunks.has(error) || !navigator.onLine || hasEnteredText()) return false;
  if (sessionStorage.getItem(RELOADED_FOR_KEY) === error.message) return false;
  sessionStorage.setItem(RELOADED_FOR_KEY, error.message);
  location.reload();
  return true;
}

/**
 * Says above the server-rendered page that the app has not started. The page's texts, links and typed words
 * stay.
 */
export function showStartError(): void {
  const message = document.createElement('p');
  message.setAttribute('role', 'alert');
  message.className = 'start-error';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = t`Try Again`;
  button.addEventListener('click', () => location.reload());
  message.append(t`A part of this page could not be loaded, so its buttons do not work.`, ' ', button);
  document.body.prepend(message);
}
