/** The kept page in the browser: its note of age, and the deletion of all of them. */
import { KEPT_PAGES_PREFIX } from './names.ts';

/** Shows texts that depend on the clock again: the app has rendered them for the present. */
export function showClockTexts(): void {
  delete document.documentElement.dataset.clockHidden;
}

/** Removes the note of age: the page shows a new answer, or another page is shown. */
export function dropKeptNote(): void {
  delete document.documentElement.dataset.kept;
}

/** Deletes all kept pages, when the user changes. */
export async function forgetKeptPages(): Promise<void> {
  const names = (await globalThis.caches?.keys()) ?? [];
  await Promise.all(names.filter((name) => name.startsWith(KEPT_PAGES_PREFIX)).map((name) => caches.delete(name)));
}
