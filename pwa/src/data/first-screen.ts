/** Tells when the first screen is visible. Everything that it does not show is fetched afterwards. */

/** Maximum wait for the first screen: a screen may fail, and a background tab never paints. */
const MAX_WAIT_MS = 5_000;

/** Maximum wait for the first paint, for data that the screen shows after its own text. */
const MAX_PAINT_WAIT_MS = 1_000;

let resolveFirstScreen: () => void;
let isRendering = false;

/**
 * Resolves when the first screen is painted, after five seconds at the latest. Never resolves on the server.
 */
export const firstScreen: Promise<void> = new Promise((resolve) => {
  resolveFirstScreen = resolve;
  if (globalThis.document) setTimeout(resolve, MAX_WAIT_MS);
});

/** Called when a screen is complete in the page; the next frame paints it. */
export function reportScreenReady(): void {
  requestAnimationFrame(() => setTimeout(resolveFirstScreen));
}

/** Called before the app renders, to announce a first screen. */
export function expectFirstScreen(): void {
  isRendering = true;
}

/**
 * Resolves when the first screen is painted, after a second at the latest. Resolves at once when no screen is
 * being rendered.
 */
export function whenPainted(): Promise<void> {
  if (!isRendering) return Promise.resolve();
  return Promise.race([firstScreen, new Promise<void>((resolve) => setTimeout(resolve, MAX_PAINT_WAIT_MS))]);
}

/** Resolves in a new task, so that the browser can handle input and paint before the work continues. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** `nextTask` while the first screen is being rendered; otherwise resolves at once. */
export const afterInput = (): Promise<void> => (isRendering ? nextTask() : Promise.resolve());
