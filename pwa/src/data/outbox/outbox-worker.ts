/** Sends the outbox from the service worker, without Dexie and without a session. */

import { MAX_BOOKMARK_CHANGES, MAX_FOLLOWED_OFFICES, MAX_SEARCHES } from '@nivida/contract/limits';
import type { OutboxResponse } from '@nivida/contract/sync/outbox';
import type {
  OutboxRequestRow,
  OutboxRow,
  PendingChangeRow,
  PendingRecordRow,
  PendingSearchRow,
} from '../device/schema.ts';
import { isSendTokensSetting, SEND_TOKENS_KEY, withStores } from '../device/worker-database.ts';
import { withLock } from '../lock.ts';
import { fetchWithTimeout } from '../server/fetch-with-timeout.ts';
import { isTemporaryStatus } from '../server/retry.ts';
import { DEFAULT_REFUSAL, deleteSentChanges, isRequest, sendDueRequests } from './pending-changes.ts';

async function readRefusal(response: Response): Promise<string> {
  const answer: { message?: unknown } = await response.json().catch(() => ({}));
  return typeof answer.message === 'string' ? answer.message : DEFAULT_REFUSAL;
}

/** The row after the server's response; null removes it. */
async function rowAfterResponse(
  row: OutboxRequestRow,
  response: Response,
  now: number,
): Promise<OutboxRequestRow | null> {
  // The end of a session or of alerts: a refusal means that it has ended already.
  if (row.needs === 'authorization') return null;
  if (!response.ok) return { ...row, refusal: await readRefusal(response) };
  // The app reports it to the owner with the subject; the rest of the body is not needed any more.
  const { subject } = (row.body ?? {}) as { subject?: unknown };
  return { ...row, sentAt: now, body: { subject } };
}

type SentRequest = Pick<OutboxRequestRow, 'method' | 'path' | 'authorization' | 'body'>;

/** Throws when the request must be repeated. */
async function fetchAnswer({ method = 'POST', path, authorization, body }: SentRequest): Promise<Response> {
  const content = body === null ? null : { 'content-type': 'application/json' };
  const response = await fetchWithTimeout(path, {
    method,
    headers: { ...content, ...(authorization !== null && { authorization }) },
    ...(content && { body: JSON.stringify(body) }),
    credentials: 'omit',
  });
  if (isTemporaryStatus(response.status)) throw new Error(`status ${response.status}`);
  return response;
}

async function sendAndStore(row: OutboxRequestRow, now: number): Promise<void> {
  const { id } = row;
  const response = await fetchAnswer(row);
  const after = await rowAfterResponse(row, response, now);
  await withStores(['outbox'], 'readwrite', async ({ outbox }) => {
    // The user may have cancelled it in the meantime.
    if (!(await outbox.get(id))) return;
    if (after) outbox.put(after);
    else outbox.delete(id);
  });
}

/** The next token in the settings; undefined without one. */
function readSendToken(): Promise<{ owner: string; token: string } | undefined> {
  return withStores(['settings'], 'readonly', async ({ settings }) => {
    const stored = (await settings.get(SEND_TOKENS_KEY))?.value;
    const token = isSendTokensSetting(stored) ? stored.tokens.at(-1) : undefined;
    return isSendTokensSetting(stored) && token !== undefined ? { owner: stored.owner, token } : undefined;
  });
}

/** Removes a token that the server has answered, since each is used once. */
function removeSendToken(used: string): Promise<void> {
  return withStores(['settings'], 'readwrite', async ({ settings }) => {
    const stored = (await settings.get(SEND_TOKENS_KEY))?.value;
    // The user may have signed out in the meantime.
    if (!isSendTokensSetting(stored)) return;
    const tokens = stored.tokens.filter((token) => token !== used);
    settings.put({ key: SEND_TOKENS_KEY, value: { ...stored, tokens } });
  });
}

type WorkerChange = Exclude<PendingChangeRow, PendingRecordRow>;

/** Records wait for the app, since they are corrected and merged with the response. */
const isWorkerChange = (row: OutboxRow): row is WorkerChange => !isRequest(row) && row.kind !== 'record';

/** The unsent bookmarks, searches and followed offices of an owner, or of all owners without one. */
async function readPendingChanges(owner?: string): Promise<WorkerChange[]> {
  const rows = await withStores(['outbox'], 'readonly', ({ outbox }) => outbox.all());
  return rows.filter(isWorkerChange).filter((row) => (owner ?? row.owner) === row.owner);
}

/** Numbers of a filter are text in the request. */
const numberToText = (value: unknown) => (typeof value === 'number' ? String(value) : value);

function searchToWire({ wanted, search }: PendingSearchRow): object {
  const { id, name, filter, openedUpTo } = search;
  const texts = Object.fromEntries(Object.entries(filter).map(([field, value]) => [field, numberToText(value)]));
  return { wanted, search: { id, name, filter: texts, openedUpTo } };
}

/** Sends unsent bookmarks, searches and followed offices with a one-time token; true when the server refuses the token. */
async function sendPendingChangesOnce(): Promise<boolean> {
  if ((await readPendingChanges()).length === 0) return false;
  const sendToken = await readSendToken();
  if (!sendToken) return false;
  const changes = await readPendingChanges(sendToken.owner);
  const bookmarks = changes.filter((row) => row.kind === 'bookmark').slice(0, MAX_BOOKMARK_CHANGES);
  const searches = changes.filter((row) => row.kind === 'search').slice(0, MAX_SEARCHES);
  const offices = changes.filter((row) => row.kind === 'office').slice(0, MAX_FOLLOWED_OFFICES);
  if (changes.length === 0) return false;
  const response = await fetchAnswer({
    path: '/api/outbox',
    authorization: `Once ${sendToken.token}`,
    body: {
      bookmarks: bookmarks.map(({ tenderId, wanted }) => ({ tenderId, wanted })),
      searches: searches.map(searchToWire),
      offices: offices.map(({ office, wanted }) => ({ officeId: office.id, wanted })),
    },
  });
  await removeSendToken(sendToken.token);
  // The server refuses the changes: the app sends them and shows why.
  if (!response.ok) return response.status === 401;
  const { tenderIds, searchIds, officeIds }: OutboxResponse = await response.json();
  const accepted = [
    ...bookmarks.filter(({ tenderId }) => tenderIds.includes(tenderId)),
    ...searches.filter(({ search }) => searchIds.includes(search.id)),
    ...offices.filter(({ office }) => officeIds.includes(office.id)),
  ];
  await withStores(['outbox'], 'readwrite', ({ outbox }) => deleteSentChanges(outbox, accepted));
  return false;
}

/** Without a token the changes wait for the app. */
async function sendPendingChanges(): Promise<void> {
  // A token is used up when its request arrived but the answer was lost. A second refusal means that the session has ended.
  if (await sendPendingChangesOnce()) await sendPendingChangesOnce();
}

async function sendRequests(now: number): Promise<void> {
  const rows = await withStores(['outbox'], 'readonly', ({ outbox }) => outbox.all());
  await sendDueRequests(rows, null, (row) => sendAndStore(row, now));
}

/**
 * Sends what needs no session, under the locks of the app; `now` is in milliseconds. After an error the browser calls it
 * again.
 */
export async function sendFromWorker(now: number): Promise<void> {
  const results = await Promise.allSettled([
    withLock('outbox', () => sendRequests(now)),
    withLock('bookmarks', () => withLock('searches', () => withLock('offices', sendPendingChanges))),
  ]);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
