/**
 * The outbox: sends the requests that wait on the device until the server answers, and makes the retry loops. Pending
 * changes are in the same table (`pending-changes.ts`); their features send them: `pending-bookmarks.ts`,
 * `exchange-searches.ts`, `followed-offices.ts`, `exchange-records.ts`.
 *
 * 1. `addToOutbox({ kind, path, body, needs })` stores a request of the signed-in user and sends it.
 * 2. `registerOutboxHandler(kind, { sent, refused })` reacts; call it at module level in a file that `sync.ts` imports.
 * 3. `waitingRequests(db, owner, kind)` reads an owner's requests; `removeFromOutbox(id)` cancels one.
 *
 * While the app is open a failed request is repeated after growing pauses. With Background Sync the service worker
 * (`outbox-worker.ts`) sends requests that need no session, also when the app is closed or the owner has signed out.
 * The server must accept the same request twice: put an id into the body.
 */
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import type { DeviceDatabase, OutboxRequestRow } from '../device/schema.ts';
import { withLock } from '../lock.ts';
import { api, serverMessageOr } from '../server/api.ts';
import { classifySendError, createRetryLoop, type RetryLoop } from '../server/retry.ts';
import { currentOwner } from '../session.ts';
import { registerBackgroundSync } from './background-sync.ts';
import { DEFAULT_REFUSAL, isDue, isRequest, oldestFirst, sendDueRequests } from './pending-changes.ts';

/** A feature's reactions. They run only while the row's owner is signed in. */
export interface OutboxHandler {
  sent(row: OutboxRequestRow): void;
  /** The row stays until its owner removes it. */
  refused?(row: OutboxRequestRow, reason: string): void;
}

/** A request as a feature queues it. */
export interface OutboxRequestInput extends Pick<OutboxRequestRow, 'kind' | 'method' | 'path' | 'body' | 'needs'> {
  /** UUID; a new one when left out. */
  id?: string;
  authorization?: string;
}

const handlers = new Map<string, OutboxHandler>();

/** Sets the reactions to sent and refused requests of a kind. */
export function registerOutboxHandler(kind: string, handler: OutboxHandler): void {
  handlers.set(kind, handler);
}

/** The row of the signed-in user's request, for a transaction that also writes other tables. Call `sendOutbox` afterwards. */
export function toOutboxRow({ id, authorization, ...request }: OutboxRequestInput): OutboxRequestRow {
  return {
    ...request,
    id: id ?? crypto.randomUUID(),
    owner: currentOwner(),
    authorization: authorization ?? null,
    at: currentTime().getTime(),
    refusal: null,
    sentAt: null,
  };
}

/** Stores a request of the signed-in user and begins to send it. Throws where the browser stores nothing. */
export async function addToOutbox(request: OutboxRequestInput): Promise<void> {
  const row = toOutboxRow(request);
  await withDatabase((db) => db.outbox.put(row));
  void sendOutbox().catch(() => undefined);
}

export async function removeFromOutbox(id: string): Promise<void> {
  await withDatabase((db) => db.outbox.delete(id));
}

/** An owner's requests of a kind that wait or were refused, oldest first. */
export async function waitingRequests(db: DeviceDatabase, owner: string, kind: string): Promise<OutboxRequestRow[]> {
  const rows = (await db.outbox.where({ owner, kind }).toArray()).filter(isRequest);
  return oldestFirst(rows.filter(({ sentAt }) => sentAt === null));
}

/** Removes an owner's refused requests after the sign-out. Waiting ones are still sent unless they need the session. */
export async function deleteRefusedRequests(db: DeviceDatabase, owner: string): Promise<void> {
  await db.outbox
    .where('owner')
    .equals(owner)
    .and((row) => isRequest(row) && row.refusal !== null)
    .delete();
}

function callServer({ method = 'POST', path, body, needs, authorization }: OutboxRequestRow): Promise<unknown> {
  const headers = authorization === null ? {} : { authorization };
  // The request may belong to another user than the signed-in one.
  const context = { withoutSession: needs === 'nothing' };
  // The page may be closing.
  const keepalive = needs === 'authorization';
  const content = body === null ? {} : { json: body };
  return api(path.slice(1), { method, ...content, headers, context, keepalive }).text();
}

/** Sends one row. Throws when it must be repeated. */
async function sendRow(db: DeviceDatabase, { id }: OutboxRequestRow): Promise<void> {
  // The request may be cancelled by now, or another user signed in.
  const row = await db.outbox.get(id);
  if (!row || !isRequest(row) || !isDue(row, currentOwner())) return;
  const isOwn = () => row.owner === currentOwner();
  try {
    await callServer(row);
  } catch (error) {
    const failure = classifySendError(error);
    const isExpired = failure === 'wait' && row.needs === 'authorization';
    if (failure !== 'rejected' && !isExpired) throw error;
    if (row.needs !== 'authorization') {
      const refusal = serverMessageOr(error, DEFAULT_REFUSAL);
      await db.outbox.where({ id }).modify((refused) => void Object.assign(refused, { refusal }));
      if (isOwn()) handlers.get(row.kind)?.refused?.(row, refusal);
      return;
    }
  }
  await db.outbox.delete(id);
  if (isOwn()) handlers.get(row.kind)?.sent(row);
}

/** Reports to the owner what the service worker has sent. */
async function notifySent(db: DeviceDatabase): Promise<void> {
  const rows = (await db.outbox.toArray()).filter(isRequest);
  for (const row of rows.filter(({ sentAt }) => sentAt !== null)) {
    await db.outbox.delete(row.id);
    if (row.owner === currentOwner()) handlers.get(row.kind)?.sent(row);
  }
}

async function sendAll(db: DeviceDatabase): Promise<void> {
  await notifySent(db);
  await sendDueRequests(await db.outbox.toArray(), currentOwner(), (row) => sendRow(db, row));
}

/**
 * Repeats `attempt` under a lock that the tabs and the service worker share. While something is left, the browser also
 * wakes the service worker.
 */
export function createOutboxLoop(lock: string, attempt: () => Promise<void>): RetryLoop {
  const loop = createRetryLoop(() => withLock(lock, attempt));
  return {
    stop: loop.stop,
    async run() {
      if (globalThis.navigator?.onLine === false) await registerBackgroundSync();
      try {
        await loop.run();
      } catch (error) {
        await registerBackgroundSync();
        throw error;
      }
    },
  };
}

const sendLoop = createOutboxLoop('outbox', () => withDatabase(sendAll));

/** Cancels the next attempt. */
export const stopOutbox = sendLoop.stop;

/** Sends what waits and repeats what fails. Throws the first failure. */
export const sendOutbox = sendLoop.run;
