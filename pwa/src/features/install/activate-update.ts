const MAX_ACTIVATION_MS = 4000;

/**
 * Activates the waiting build at the user's request, then reloads once. If there is no waiting worker,
 * another tab has activated it, and the page reloads at once. Safari sometimes omits the change event; then
 * the page reloads after 4 s.
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
