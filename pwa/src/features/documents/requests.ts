/** Requests for documents that have no package yet: put into the outbox, and remembered so that the tender says so. */
import { queueRequest, whenSent } from '../../data/outbox.ts';
import { currentOwner } from '../../data/session.ts';
import { readSetting, writeSetting } from '../../data/settings.ts';
import { showToast } from '../../ui/toast.ts';

const KIND = 'document-request';
const EMAIL = 'e-mail for document requests';
const MAX_REMEMBERED = 200;

const settingOf = (owner: string) => `document requests of ${owner}`;
const listeners = new Set<() => void>();

const isText = (value: unknown): value is string => typeof value === 'string';

/** The tenders whose documents this user of the device has asked for, the newest first. */
export async function readRequested(owner: string): Promise<string[]> {
  const kept = await readSetting(settingOf(owner));
  return Array.isArray(kept) ? kept.filter(isText) : [];
}

async function remember(owner: string, change: (ids: string[]) => string[]): Promise<void> {
  await writeSetting(settingOf(owner), change(await readRequested(owner)).slice(0, MAX_REMEMBERED));
  for (const listener of listeners) listener();
}

/** The user has signed out: what waits in the outbox is still sent at the next sign-in. */
export const forgetRequestsOf = (owner: string): Promise<void> => remember(owner, () => []);

/** Runs `then` after each request and each refusal, until stopped. */
export function onRequests(then: () => void): () => void {
  listeners.add(then);
  return () => listeners.delete(then);
}

/** The e-mail address that a signed-out user of this device gave last; '' for none. */
export async function lastEmail(): Promise<string> {
  const kept = await readSetting(EMAIL);
  return isText(kept) ? kept : '';
}

/**
 * Queues a request, which is sent now or when there is signal; without a session `email` says where the answer goes.
 * Throws where the browser keeps nothing.
 */
export async function requestDocuments(tenderId: string, email: string | null): Promise<void> {
  const owner = currentOwner();
  const path = `/api/tenders/${tenderId}/document-requests`;
  const body = email === null ? {} : { email };
  const without = (ids: string[]) => ids.filter((id) => id !== tenderId);
  if (email !== null) await writeSetting(EMAIL, email);
  // First, since a refusal may come at once.
  await remember(owner, (ids) => [tenderId, ...without(ids)]);
  try {
    await queueRequest({ kind: KIND, path, body, needs: email === null ? 'session' : 'nothing' });
  } catch (error) {
    await remember(owner, without);
    throw error;
  }
}

const tenderOf = (path: string) => /\/tenders\/(\d+)\//.exec(path)?.[1] ?? '';

whenSent(KIND, {
  sent: () => showToast({ text: 'Your request for documents was sent.' }),
  refused({ path, owner }, reason) {
    void remember(owner, (ids) => ids.filter((id) => id !== tenderOf(path)));
    showToast({ text: `Your request for documents was not sent: ${reason}` });
  },
});
