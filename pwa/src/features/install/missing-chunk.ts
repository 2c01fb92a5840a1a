const RELOADED_FOR_KEY = 'reloadedFor';

/**
 * Reloads the page when a chunk is no longer on the server because of a newer build. Reloads once per chunk, and never
 * offline, where the screen shows its error.
 */
export function reloadOnceForMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const chunk = event.payload.message;
    if (!navigator.onLine || sessionStorage.getItem(RELOADED_FOR_KEY) === chunk) return;
    sessionStorage.setItem(RELOADED_FOR_KEY, chunk);
    location.reload();
  });
}
