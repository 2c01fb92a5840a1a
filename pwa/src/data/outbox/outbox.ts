/**
 * The outbox in the app: requests and pending changes that wait on the device until the server answers.
 * - `addToOutbox({ kind, path, body, needs })` stores a request of the signed-in user and sends it.
 *   `registerOutboxHandler(kind, { sent, refused })` sets callbacks. The server must accept the same request
 *   twice, so put an id into the body.
 * - A feature stores its row and its pending change (`pending-changes.ts`) in one transaction, then calls
 *   `exchangeChanges`. `registerChanges(kind, { refused, receive })` sets what happens to the server's refusals
 *   and lists.
 *
 * Call the `register` functions at module level in a file that `sync.ts` imports. While the app is open, a
 * failed attempt is repeated after growing pauses. With Background Sync the service worker
 * (`outbox-worker.ts`) sends too. Both use `send-outbox.ts`.
 */
import { currentLanguage } from '@nivida/contract/i18n';
import { OutboxResponse } from '@nivida/contract/sync/outbox';
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import type { DeviceDatabase, OutboxRequestRow } from '../device/schema.ts';
import { writeSetting } from '../device/settings.ts';
import { LANGUAGE_KEY } from '../device/worker-database.ts';
import { withLock } from '../lock.ts';
import { api, apiOf, errorMessage, serverMessageOr } from '../server/api.ts';
import { classifySendError, createRetryLoop, type RetryLoop } from '../server/retry.ts';
import { currentOwner } from '../session.ts';
import { registerBackgroundSync } from './background-sync.ts';
import { isRequest, oldestFirst, type SentChangeRow } from './pending-changes.ts';
import {
  defaultRefusal,
  nextChanges,
  type OutboxStore,
  type RefusedChange,
  type SentChanges,
  sendChanges,
  sendRequests,
} from './send-outbox.ts';

/** A feature's callbacks. They are called only while the row's owner is signed in. */
export interface OutboxHandler {
  sent(row: OutboxRequestRow): void;
  /** The server has refused the request. The row stays until its owner removes it. */
  refused?(row: OutboxRequestRow, reason: string): void;
}

/** A request as a feature queues it. */
export interface OutboxRequestInput extends Pick<OutboxRequestRow, 'kind' | 'method' | 'path' | 'body' | 'needs'> {
  /** UUID. A new one is made when it is absent. */
  id?: string;
  authorization?: string;
}

const handlers = new Map<string, OutboxHandler>();

/** Sets the callbacks for sent and refused requests of a kind. */
export function registerOutboxHandler(kind: string, handler: OutboxHandler): void {
  handlers.set(kind, handler);
}

/**
 * The outbox row for a request of the signed-in user. Use it in a transaction that also writes other tables,
 * then call `sendOutbox`.
 */
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

/** Stores a request of the signed-in user and starts to send it. Throws where the browser stores nothing. */
export async function addToOutbox(request: OutboxRequestInput): Promise<void> {
  const row = toOutboxRow(request);
  await withDatabase((db) => db.outbox.put(row));
  void sendOutbox().catch(() => undefined);
}

export async function removeFromOutbox(id: string): Promise<void> {
  await withDatabase((db) => db.outbox.delete(id));
}

/** An owner's requests of a kind that are waiting or refused, oldest first. */
export async function waitingRequests(db: DeviceDatabase, owner: string, kind: string): Promise<OutboxRequestRow[]> {
  const rows = (await db.outbox.where({ owner, kind }).toArray()).filter(isRequest);
  return oldestFirst(rows.filter(({ sentAt }) => sentAt === null));
}

/**
 * Removes an owner's refused requests after the sign-out. Waiting requests are still sent, unless they need
 * the session.
 */
export async function deleteRefusedRequests(db: DeviceDatabase, owner: string): Promise<void> {
  await db.outbox
    .where('owner')
    .equals(owner)
    .and((row) => isRequest(row) && row.refusal !== null)
    .delete();
}

const storeOf = (db: DeviceDatabase): OutboxStore => ({
  read: () => db.outbox.toArray(),
  change: (work) => db.transaction('rw', db.outbox, () => work(db.outbox)),
});

async function callServer({
  method = 'POST',
  path,
  body,
  needs,
  authorization,
}: OutboxRequestRow): Promise<string | null> {
  const headers = authorization === null ? {} : { authorization };
  // The request may belong to another user than the signed-in one.
  const context = { withoutSession: needs === 'nothing' };
  // The page may be closing.
  const keepalive = needs === 'authorization';
  const content = body === null ? {} : { json: body };
  try {
    await api(path.slice(1), { method, ...content, headers, context, keepalive }).text();
    return null;
  } catch (error) {
    const failure = classifySendError(error);
    const isExpired = failure === 'wait' && needs === 'authorization';
    if (failure !== 'rejected' && !isExpired) throw error;
    return serverMessageOr(error, defaultRefusal());
  }
}

/** The callbacks for a row, if its owner is signed in. */
const handlerOf = ({ owner, kind }: OutboxRequestRow): OutboxHandler | undefined =>
  owner === currentOwner() ? handlers.get(kind) : undefined;

/**
 * Tells the owner what was sent, including what the service worker has sent. A hidden page leaves that to the
 * page that is visible next: its message would have disappeared by then.
 */
async function notifySent(db: DeviceDatabase): Promise<void> {
  for (const row of (await db.outbox.toArray()).filter(isRequest)) {
    if (row.sentAt === null) continue;
    if (globalThis.document?.visibilityState === 'hidden') {
      document.addEventListener('visibilitychange', announceWhenVisible, { once: true });
      return;
    }
    // Without Web Locks another call may have announced it.
    const deleted = await db.outbox.where('id').equals(row.id).delete();
    if (deleted > 0) handlerOf(row)?.sent(row);
  }
}

const announceSent = () => withLock('outbox', () => withDatabase(notifySent));
const announceWhenVisible = () => void announceSent().catch(() => undefined);

async function sendAll(db: DeviceDatabase): Promise<void> {
  await notifySent(db);
  try {
    await sendRequests(storeOf(db), callServer, currentOwner, currentTime().getTime(), (row, reason) =>
      handlerOf(row)?.refused?.(row, reason),
    );
  } finally {
    await notifySent(db);
  }
}

/**
 * Repeats `attempt` under a lock that the tabs and the service worker share. While there is something left to
 * send, the browser also wakes the service worker.
 */
export const createOutboxLoop = (lock: string, attempt: () => Promise<void>): RetryLoop =>
  createRetryLoop(
    () => withLock(lock, attempt),
    () => writeSetting(LANGUAGE_KEY, currentLanguage()).then(registerBackgroundSync),
  );

const sendLoop = createOutboxLoop('outbox', () => withDatabase(sendAll));

/** Cancels the next attempt. */
export const stopOutbox = sendLoop.stop;

/**
 * Sends everything that waits, and retries what fails. Announces what was sent before, also without a connection.
 * Throws the first failure.
 */
export async function sendOutbox(): Promise<void> {
  await Promise.all([sendLoop.run(), announceSent()]);
}

/** What a feature does with the server's answer to its pending changes. */
export interface ChangeReceiver {
  /**
   * Handles refused changes. Either removes them from the outbox and reverts what they changed, or leaves
   * them there with their reason.
   */
  refused(db: DeviceDatabase, refused: readonly RefusedChange[]): Promise<void>;
  /**
   * Replaces an owner's rows by the server's. Rows with a pending change stay. One transaction. Does nothing
   * after a sign-out.
   */
  receive(db: DeviceDatabase, owner: string, present: OutboxResponse['present']): Promise<void>;
  /** Selects the owner's changes that may be sent now. */
  select?(db: DeviceDatabase, owner: string, changes: readonly SentChangeRow[]): Promise<SentChangeRow[]>;
}

const receivers = new Map<SentChangeRow['kind'], ChangeReceiver>();

/** Sets the receiver for a kind of changes. Changes of a kind without a receiver wait. */
export function registerChanges(kind: SentChangeRow['kind'], receiver: ChangeReceiver): void {
  receivers.set(kind, receiver);
}

/**
 * The changes to send next. A change that was sent in this exchange is sent again only if the user has
 * changed it since.
 */
async function readChanges(db: DeviceDatabase, owner: string, sent: ReadonlySet<string>): Promise<SentChangeRow[]> {
  const rows = (await db.outbox.toArray()).filter((row) => !sent.has(sentKey(row)));
  const changes = nextChanges(rows, owner);
  const selected = [...receivers].map(([kind, { select }]) => {
    const own = changes.filter((change) => change.kind === kind);
    return select ? select(db, owner, own) : own;
  });
  return (await Promise.all(selected)).flat();
}

const sentKey = ({ id, at }: { id: string; at: number }) => `${id} ${at}`;

async function reportRefused(db: DeviceDatabase, refused: readonly RefusedChange[]): Promise<void> {
  for (const [kind, receiver] of receivers) {
    const own = refused.filter(({ change }) => change.kind === kind);
    if (own.length > 0) await receiver.refused(db, own);
  }
}

/**
 * The result of one call. If the server refuses the whole call, each half of its changes is sent in a
 * separate call. `present` is null when the server has refused each of them.
 */
async function sendInHalves(
  db: DeviceDatabase,
  owner: string,
  changes: readonly SentChangeRow[],
): Promise<SentChanges | { refused: RefusedChange[]; present: null }> {
  const call = (json: object) => apiOf(owner).post('api/outbox', { json }).json(OutboxResponse);
  try {
    return await sendChanges(storeOf(db), call, changes);
  } catch (error) {
    const [change] = changes;
    if (!change || classifySendError(error) !== 'rejected') throw error;
    if (changes.length === 1) {
      const refusal = { code: 'REFUSED', message: errorMessage(error, defaultRefusal()) };
      return { refused: [{ change, refusal }], present: null };
    }
    const middle = Math.ceil(changes.length / 2);
    const first = await sendInHalves(db, owner, changes.slice(0, middle));
    const second = await sendInHalves(db, owner, changes.slice(middle));
    return { refused: [...first.refused, ...second.refused], present: second.present ?? first.present };
  }
}

/** False once the lists are received, so that one answer serves all who have asked for them meanwhile. */
let isReceiveWanted = false;

/**
 * Sends the user's changes in as many calls as needed. When there are none, it only receives, if
 * `isReceiving` is true or an earlier call has not received.
 */
export async function exchangeOnce(db: DeviceDatabase, isReceiving = false): Promise<void> {
  isReceiveWanted ||= isReceiving;
  const owner = currentOwner();
  const sent = new Set<string>();
  while (owner !== '' && owner === currentOwner()) {
    const changes = await readChanges(db, owner, sent);
    if (changes.length === 0 && !isReceiveWanted) return;
    const { refused, present } = await sendInHalves(db, owner, changes);
    for (const change of changes) sent.add(sentKey(change));
    await reportRefused(db, refused);
    if (!present) continue;
    for (const receiver of receivers.values()) await receiver.receive(db, owner, present);
    if (owner === currentOwner()) isReceiveWanted = false;
  }
}

const changeLoop = createOutboxLoop('changes', () => withDatabase(exchangeOnce));

/**
 * Sends the pending changes of the signed-in user, receives the server's lists, and retries what fails. Throws
 * the first failure.
 */
export async function exchangeChanges(): Promise<void> {
  if (currentOwner() === '') return changeLoop.stop();
  isReceiveWanted = true;
  await changeLoop.run();
}
