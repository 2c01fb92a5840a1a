const RELOADED_FOR_KEY = 'reloadedFor';

/**
 * Reloads the page when one of its chunks is no longer on the server, since a newer build is there. Once per chunk, and
 * not without a network, where the screen's error stays.
 */
export function reloadOnceForMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const chunk = event.payload.message;
    if (!navigator.onLine || sessionStorage.getItem(RELOADED_FOR_KEY) === chunk) return;
    sessionStorage.setItem(RELOADED_FOR_KEY, chunk);
    location.reload();
  });
}
