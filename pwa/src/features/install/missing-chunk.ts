const RELOADED_FOR_KEY = 'reloadedFor';

/**
 * Loads the page again when a chunk of it is gone from the server, since then a newer build is there. Once for the
 * same chunk, and not without a network, where a reload cannot help: then the screen's error stays.
 */
export function reloadOnceForMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const chunk = event.payload.message;
    if (!navigator.onLine || sessionStorage.getItem(RELOADED_FOR_KEY) === chunk) return;
    sessionStorage.setItem(RELOADED_FOR_KEY, chunk);
    location.reload();
  });
}
