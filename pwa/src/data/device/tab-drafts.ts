/** Unsent form drafts of this tab. Each draft belongs to a user, or to the signed-out device (''). */
import { tabStorage } from './browser-storage.ts';

const SEPARATOR = ' of ';
const draftKey = (name: string, owner: string) => `${name}${SEPARATOR}${owner}`;

/** An owner's draft; null when there is none. The caller must check its shape. */
export function readTabDraft(name: string, owner: string): unknown {
  try {
    return JSON.parse(tabStorage()?.getItem(draftKey(name, owner)) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * Stores an owner's draft; null removes it. Where the browser stores nothing, it is lost when the page
 * closes.
 */
export function saveTabDraft(name: string, owner: string, draft: object | null): void {
  try {
    if (draft === null) tabStorage()?.removeItem(draftKey(name, owner));
    else tabStorage()?.setItem(draftKey(name, owner), JSON.stringify(draft));
  } catch {
    // The storage is full.
  }
}

/**
 * Removes this tab's drafts of the users for whom `isGone` returns true. Drafts of the signed-out device
 * stay.
 */
export function deleteTabDrafts(isGone: (owner: string) => boolean): void {
  const storage = tabStorage();
  for (const key of Object.keys(storage ?? {})) {
    const owner = key.split(SEPARATOR)[1];
    if (owner && isGone(owner)) storage?.removeItem(key);
  }
}
