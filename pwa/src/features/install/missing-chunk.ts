/** Chunks that cannot be loaded: without a network, or because a newer build has removed them from the server. */

const RELOADED_FOR_KEY = 'reloadedFor';

const missingChunks = new WeakSet<object>();
let hasEnteredText = () => false;

/**
 * Remembers the errors of chunks, which Vite reports before it throws them. A failed preload changes nothing on the screen.
 * `hasText` says whether the page has typed text.
 */
export function watchMissingChunks(hasText = hasEnteredText): void {
  hasEnteredText = hasText;
  window.addEventListener('vite:preloadError', ({ payload }) => void missingChunks.add(payload));
}

/**
 * Reloads the page for a chunk that a newer build has removed, once per chunk and never offline. Only for a page without
 * typed text: a reload would lose it. Returns false when the page stays.
 */
export function reloadOnceForMissingChunk(error: unknown): boolean {
  if (!(error instanceof Error) || !missingChunks.has(error) || !navigator.onLine || hasEnteredText()) return false;
  if (sessionStorage.getItem(RELOADED_FOR_KEY) === error.message) return false;
  sessionStorage.setItem(RELOADED_FOR_KEY, error.message);
  location.reload();
  return true;
}

/** Says above the rendered page that the app has not started. Its texts, links and typed words stay. */
export function showStartError(): void {
  const message = document.createElement('p');
  message.setAttribute('role', 'alert');
  message.className = 'start-error';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Try Again';
  button.addEventListener('click', () => location.reload());
  message.append('A part of this page could not be loaded, so its buttons do not work. ', button);
  document.body.prepend(message);
}
