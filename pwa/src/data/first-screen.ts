/** When the first screen can be read: whatever it does not show is fetched only then, and shares its connection with nothing. */

/** A screen that fails, and a tab in the background, which paints nothing, are not waited for. */
const LATEST_MS = 5_000;

/** For what a screen does show, but from the device or later than its own words. */
const LATEST_PAINT_MS = 1_000;

let done: () => void;
let isDrawing = false;

/** Resolves when the first screen has been painted, after five seconds at the latest; never where the server draws it. */
export const firstScreen: Promise<void> = new Promise((resolve) => {
  done = resolve;
  if (globalThis.document) setTimeout(resolve, LATEST_MS);
});

/** Called when a screen stands in the page, complete; it is painted with the next frame. */
export function tellScreen(): void {
  requestAnimationFrame(() => setTimeout(done));
}

/** Called before the app draws: there is a first screen to wait for. */
export function expectScreen(): void {
  isDrawing = true;
}

/** Resolves when the first screen has been painted, after a second at the latest; where no screen is drawn, at once. */
export function painted(): Promise<void> {
  if (!isDrawing) return Promise.resolve();
  return Promise.race([firstScreen, new Promise<void>((resolve) => setTimeout(resolve, LATEST_PAINT_MS))]);
}
