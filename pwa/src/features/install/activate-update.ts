const MAX_ACTIVATION_MS = 4000;

/**
 * Lets the waiting build take over and then reloads, once. Called only when the user asked for it: nothing else of the
 * update flow reloads. Without a waiting worker another tab has moved already and the reload comes at once; without a
 * sign of the change, which Safari sometimes omits, it comes after 4 s.
 */
export function activateUpdate(
  container: EventTarget,
  waiting: { postMessage(message: unknown): void } | null | undefined,
  reload: () => void,
): void {
  if (!waiting) {
    reload();
    return;
  }
  let isMoved = false;
  const move = () => {
    if (isMoved) return;
    isMoved = true;
    reload();
  };
  container.addEventListener('controllerchange', move);
  setTimeout(move, MAX_ACTIVATION_MS);
  waiting.postMessage({ type: 'SKIP_WAITING' });
}
