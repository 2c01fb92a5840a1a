/** When the first screen can be read: whatever it does not show is fetched only then, and shares its connection with nothing. */

/** A screen that fails, and a tab in the background, which paints nothing, are not waited for. */
const LATEST_MS = 5_000;

let done: () => void;

/** Resolves when the first screen has been painted, after five seconds at the latest. */
export const firstScreen: Promise<void> = new Promise((resolve) => {
  done = resolve;
  setTimeout(resolve, LATEST_MS);
});

/** Called when a screen stands in the page, complete; it is painted with the next frame. */
export function tellScreen(): void {
  requestAnimationFrame(() => setTimeout(done));
}
