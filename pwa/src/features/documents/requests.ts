/** Requests for documents that have no package yet: put into the outbox, and remembered so that the tender says so. */

import { readSetting, writeSetting } from '../../data/device/settings.ts';
import { addToOutbox, registerOutboxHandler } from '../../data/outbox/outbox.ts';
import { currentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';

const OUTBOX_KIND = 'document-request';
const EMAIL_KEY = 'e-mail for document requests';
const MAX_REMEMBERED = 200;

const requestsKey = (owner: string) => `document requests of ${owner}`;
const listeners = new Set<() => void>();

const isString = (value: unknown): value is string => typeof value === 'string';

/** The tenders whose documents this user of the device has asked for, the newest first. */
export async function readRequestedIds(owner: string): Promise<string[]> {
  const stored = await readSetting(requestsKey(owner));
  return Array.isArray(stored) ? stored.filter(isString) : [];
}

async function updateRequestedIds(owner: string, change: (ids: string[]) => string[]): Promise<void> {
  await writeSetting(requestsKey(owner), change(await readRequestedIds(owner)).slice(0, MAX_REMEMBERED));
  for (const listener of listeners) listener();
}

/** The user has signed out: what waits in the outbox is still sent at the next sign-in. */
export const deleteRequestsOf = (owner: string): Promise<void> => updateRequestedIds(owner, () => []);

/** Runs `then` after each request and each refusal, until stopped. */
export function onRequestsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The e-mail address that a signed-out user of this device gave last; '' for none. */
export async function readLastEmail(): Promise<string> {
  const stored = await readSetting(EMAIL_KEY);
  return isString(stored) ? stored : '';
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
  if (email !== null) await writeSetting(EMAIL_KEY, email);
  // First, since a refusal may come at once.
  await updateRequestedIds(owner, (ids) => [tenderId, ...without(ids)]);
  try {
    await addToOutbox({ kind: OUTBOX_KIND, path, body, needs: email === null ? 'session' : 'nothing' });
  } catch (error) {
    await updateRequestedIds(owner, without);
    throw error;
  }
}

const tenderIdOfPath = (path: string) => /\/tenders\/(\d+)\//.exec(path)?.[1] ?? '';

registerOutboxHandler(OUTBOX_KIND, {
  sent: () => showToast({ text: 'Your request for documents was sent.' }),
  refused({ path, owner }, reason) {
    void updateRequestedIds(owner, (ids) => ids.filter((id) => id !== tenderIdOfPath(path)));
    showToast({ text: `Your request for documents was not sent: ${reason}` });
  },
});
