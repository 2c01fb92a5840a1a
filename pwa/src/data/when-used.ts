/** Tells when a visitor uses a page and does not only pass through it. */

/** A page that is open for this time without a touch is being read. */
const READING_AFTER_MS = 12_000;

/** True when the visitor has touched this page, or has opened it by a link of the app. */
function isUsed(): boolean {
  const cameFrom = document.referrer;
  return navigator.userActivation?.hasBeenActive === true || cameFrom.startsWith(`${location.origin}/`);
}

/**
 * Calls `callback` once: at the first touch or key, or after twelve seconds, or at once when the visitor has
 * used the app before. Returns a function that cancels it.
 */
export function whenUsed(callback: () => void): () => void {
  if (isUsed()) {
    callback();
    return () => undefined;
  }
  const waiting = new AbortController();
  const timer = setTimeout(used, READING_AFTER_MS);
  function stop(): void {
    clearTimeout(timer);
    waiting.abort();
  }
  function used(): void {
    stop();
    callback();
  }
  // Listens for the end of a touch: content that appears earlier could be under the finger and receive its
  // click.
  for (const event of ['pointerup', 'pointercancel', 'keydown', 'wheel'])
    window.addEventListener(event, used, { signal: waiting.signal, passive: true });
  return stop;
}
