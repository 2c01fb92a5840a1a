/** The stored page in the browser: its note of age, and the deletion of all stored pages. */

/** Name prefix of the caches of stored pages. Each build has its own cache. */
export const STORED_PAGES_PREFIX = 'stored-pages-';
/** The app's message to the worker: store the page of this address. */
export const STORE_PAGE = 'STORE_PAGE';

/** Shows texts that depend on the clock again, because the app has rendered them for the current time. */
export function showClockTexts(): void {
  delete document.documentElement.dataset.clockHidden;
}

/** True while the page is a stored one that shows when it was saved. */
export const isSavedNoteShown = (): boolean => globalThis.document?.documentElement.dataset.saved !== undefined;

/** Removes the note of age, because the page shows a new answer or another page is shown. */
export function removeSavedNote(): void {
  delete document.documentElement.dataset.saved;
}

/** Deletes all stored pages. Call it when the user changes. */
export async function deleteStoredPages(): Promise<void> {
  const names = (await globalThis.caches?.keys()) ?? [];
  await Promise.all(names.filter((name) => name.startsWith(STORED_PAGES_PREFIX)).map((name) => caches.delete(name)));
}
