/** The stored page in the browser: its note of age, and the deletion of all of them. */

/** Prefix of the caches of stored pages, one for each build. Devices have caches of this name. */
export const STORED_PAGES_PREFIX = 'stored-pages-';
/** The app's message to the worker: store the page of this address. */
export const STORE_PAGE = 'STORE_PAGE';

/** Shows texts that depend on the clock again: the app has rendered them for the present. */
export function showClockTexts(): void {
  delete document.documentElement.dataset.clockHidden;
}

/** True while a stored page is shown that says when it was saved. */
export const isSavedNoteShown = (): boolean => globalThis.document?.documentElement.dataset.saved !== undefined;

/** Removes the note of age: the page shows a new answer, or another page is shown. */
export function removeSavedNote(): void {
  delete document.documentElement.dataset.saved;
}

/** Deletes all stored pages, when the user changes. */
export async function deleteStoredPages(): Promise<void> {
  const names = (await globalThis.caches?.keys()) ?? [];
  await Promise.all(names.filter((name) => name.startsWith(STORED_PAGES_PREFIX)).map((name) => caches.delete(name)));
}
