/** When the first screen can be read: whatever it does not show is fetched only then, and shares its connection with nothing. */

/** A screen that fails, and a tab in the background, which paints nothing, are not waited for. */
const MAX_WAIT_MS = 5_000;

/** For what a screen does show, but from the device or later than its own words. */
const MAX_PAINT_WAIT_MS = 1_000;

let resolveFirstScreen: () => void;
let isRendering = false;

/** Resolves when the first screen has been painted, after five seconds at the latest; never where the server draws it. */
export const firstScreen: Promise<void> = new Promise((resolve) => {
  resolveFirstScreen = resolve;
  if (globalThis.document) setTimeout(resolve, MAX_WAIT_MS);
});

/** Called when a screen stands in the page, complete; it is painted with the next frame. */
export function reportScreenReady(): void {
  requestAnimationFrame(() => setTimeout(resolveFirstScreen));
}

/** Called before the app draws: there is a first screen to wait for. */
export function expectFirstScreen(): void {
  isRendering = true;
}

/** Resolves when the first screen has been painted, after a second at the latest; where no screen is drawn, at once. */
export function whenPainted(): Promise<void> {
  if (!isRendering) return Promise.resolve();
  return Promise.race([firstScreen, new Promise<void>((resolve) => setTimeout(resolve, MAX_PAINT_WAIT_MS))]);
}
