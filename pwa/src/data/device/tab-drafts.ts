/** What is typed and not yet sent, kept for this tab. Each draft belongs to a user, or to the signed-out device (''). */

function tabStorage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

const SEPARATOR = ' of ';
const draftKey = (name: string, owner: string) => `${name}${SEPARATOR}${owner}`;

/** An owner's draft; null when there is none. The caller checks its shape. */
export function readTabDraft(name: string, owner: string): unknown {
  try {
    return JSON.parse(tabStorage()?.getItem(draftKey(name, owner)) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps an owner's draft, or with null forgets it; where the browser keeps nothing it is lost with the page. */
export function saveTabDraft(name: string, owner: string, draft: object | null): void {
  try {
    if (draft === null) tabStorage()?.removeItem(draftKey(name, owner));
    else tabStorage()?.setItem(draftKey(name, owner), JSON.stringify(draft));
  } catch {
    // no room
  }
}

/** Forgets in this tab the drafts of all users for whom `isGone` is true; those of the signed-out device stay. */
export function deleteTabDrafts(isGone: (owner: string) => boolean): void {
  const storage = tabStorage();
  for (const key of Object.keys(storage ?? {})) {
    const owner = key.split(SEPARATOR)[1];
    if (owner && isGone(owner)) storage?.removeItem(key);
  }
}
