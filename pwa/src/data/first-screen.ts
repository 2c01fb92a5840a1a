/** When the first screen is visible. Everything that it does not show is fetched afterwards. */

/** Maximum wait for a screen that fails, or for a tab in the background, which never paints. */
const MAX_WAIT_MS = 5_000;

/** Maximum wait for data that the screen shows later than its own text. */
const MAX_PAINT_WAIT_MS = 1_000;

let resolveFirstScreen: () => void;
let isRendering = false;

/** Resolves when the first screen is painted, at the latest after five seconds; never on the server. */
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

/** Resolves when the first screen is painted, at the latest after a second; at once where no screen is rendered. */
export function whenPainted(): Promise<void> {
  if (!isRendering) return Promise.resolve();
  return Promise.race([firstScreen, new Promise<void>((resolve) => setTimeout(resolve, MAX_PAINT_WAIT_MS))]);
}

/** Resolves in a task of its own, so that the browser handles input and paints before the work goes on. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** The same; at once where no screen is rendered. */
export const afterInput = (): Promise<void> => (isRendering ? nextTask() : Promise.resolve());
