/** When a visitor uses a page, rather than only passing through it. */

/** A page that is open for this long without a touch is being read. */
const READING_AFTER_MS = 12_000;

/** True when the visitor has touched this page, or came to it by a link of the app. */
function isUsed(): boolean {
  const cameFrom = document.referrer;
  return navigator.userActivation?.hasBeenActive === true || cameFrom.startsWith(`${location.origin}/`);
}

/**
 * Calls `callback` once: at the first touch or key, after twelve seconds without one, or at once when the visitor has used
 * the app before. Returns the function that cancels it.
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
  // At the end of a touch: content that appears earlier could get under the finger and receive its click.
  for (const event of ['pointerup', 'pointercancel', 'keydown', 'wheel'])
    window.addEventListener(event, used, { signal: waiting.signal, passive: true });
  return stop;
}
