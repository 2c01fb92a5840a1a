/**
 * Requests for documents of tenders without a package. A request is put into the outbox. Its tender is
 * stored, so that the tender's page shows the request.
 */

import { t } from '@lingui/core/macro';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { readSetting, writeSetting } from '../../data/device/settings.ts';
import { addToOutbox, registerOutboxHandler } from '../../data/outbox/outbox.ts';
import { currentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';

const OUTBOX_KIND = 'document-request';
const EMAIL_KEY = 'e-mail for document requests';
const MAX_REMEMBERED = 200;

const requestsKey = (owner: string) => `document requests of ${owner}`;

const isString = (value: unknown): value is string => typeof value === 'string';

/** The tenders whose documents an owner has requested, newest first. */
export async function requestedIds(db: DeviceDatabase, owner: string): Promise<string[]> {
  const stored = (await db.settings.get(requestsKey(owner)))?.value;
  return Array.isArray(stored) ? stored.filter(isString) : [];
}

async function updateRequestedIds(owner: string, change: (ids: string[]) => string[]): Promise<void> {
  await withDatabase((db) =>
    db.transaction('rw', db.settings, async () => {
      const value = change(await requestedIds(db, owner)).slice(0, MAX_REMEMBERED);
      await db.settings.put({ key: requestsKey(owner), value });
    }),
  ).catch(() => undefined);
}

/**
 * Deletes a user's list at the sign-out. Queued requests stay in the outbox; they are sent after the next
 * sign-in.
 */
export const deleteRequestsOf = (owner: string): Promise<void> =>
  withDatabase((db) => db.settings.delete(requestsKey(owner))).catch(() => undefined);

/** The e-mail address that a signed-out user of this device last entered; '' for none. */
export async function readLastEmail(): Promise<string> {
  const stored = await readSetting(EMAIL_KEY);
  return isString(stored) ? stored : '';
}

/**
 * Queues a request. It is sent now or when there is a connection. Without a session the answer goes to
 * `email`. Throws without storage.
 */
export async function requestDocuments(tenderId: string, email: string | null): Promise<void> {
  const owner = currentOwner();
  const path = `/api/tenders/${tenderId}/document-requests`;
  const body = email === null ? {} : { email };
  const without = (ids: string[]) => ids.filter((id) => id !== tenderId);
  if (email !== null) await writeSetting(EMAIL_KEY, email);
  // Stored before the call, because the server may refuse the request at once.
  await updateRequestedIds(owner, (ids) => [tenderId, ...without(ids)]);
  try {
    await addToOutbox({ kind: OUTBOX_KIND, path, body, needs: email === null ? 'session' : 'nothing' });
  } catch (error) {
    await updateRequestedIds(owner, without);
    throw error;
  }
}

/** Calls `requestDocuments`. Returns why the request was not saved, or null. */
export async function tryRequestDocuments(tenderId: string, email: string | null): Promise<string | null> {
  try {
    await requestDocuments(tenderId, email);
    return null;
  } catch (error) {
    if (error instanceof DatabaseUnavailableError)
      return t`${{ problem: storageProblem() }}, so the request cannot be saved.`;
    return t`The request was not saved.`;
  }
}

const tenderIdOfPath = (path: string) => /\/tenders\/(\d+)\//.exec(path)?.[1] ?? '';

registerOutboxHandler(OUTBOX_KIND, {
  sent: () => showToast({ text: t`Your request for documents was sent.` }),
  refused({ path, owner }, reason) {
    void updateRequestedIds(owner, (ids) => ids.filter((id) => id !== tenderIdOfPath(path)));
    showToast({ text: t`Your request for documents was not sent: ${reason}` });
  },
});
