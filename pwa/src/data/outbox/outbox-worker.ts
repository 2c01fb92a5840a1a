/** Sends the outbox and messages to support from the service worker, without Dexie and without a session. */
import type { Language } from '@nivida/contract/languages';
import type { OutboxResponse } from '@nivida/contract/sync/outbox';
import {
  isSendTokensSetting,
  LANGUAGE_KEY,
  SEND_TOKENS_KEY,
  type SendTokensSetting,
  withStores,
} from '../device/worker-database.ts';
import { withLock } from '../lock.ts';
import { fetchWithTimeout } from '../server/fetch-with-timeout.ts';
import { isTemporaryStatus } from '../server/retry.ts';
import { type SupportCall, type SupportStore, sendMessages } from '../support/send-messages.ts';
import { toThreadRow } from '../support/thread-rows.ts';
import { defaultRefusal, nextChanges, type OutboxStore, sendChanges, sendRequests } from './send-outbox.ts';

const STORE: OutboxStore = {
  read: () => withStores(['outbox'], 'readonly', ({ outbox }) => outbox.all()),
  change: (work) => withStores(['outbox'], 'readwrite', ({ outbox }) => work(outbox)),
};

interface WorkerCall {
  method?: string | undefined;
  path: string;
  authorization: string | null;
  body: unknown;
}

const readSetting = (key: string): Promise<unknown> =>
  withStores(['settings'], 'readonly', async ({ settings }) => (await settings.get(key))?.value);

async function callServer({ method = 'POST', path, authorization, body }: WorkerCall): Promise<Response> {
  const isFile = body instanceof Blob;
  const content = body === null ? null : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' };
  // The app shows a refusal later, so it is in the app's language.
  const language = (await readSetting(LANGUAGE_KEY)) as Language | undefined;
  return fetchWithTimeout(path, {
    method,
    headers: {
      ...content,
      ...(authorization !== null && { authorization }),
      ...(language && { 'accept-language': language }),
    },
    ...(content && { body: isFile ? body : JSON.stringify(body) }),
    credentials: 'omit',
  });
}

/** Sends the request. Throws when it must be sent again. */
async function fetchAnswer(call: WorkerCall): Promise<Response> {
  const response = await callServer(call);
  if (isTemporaryStatus(response.status)) throw new Error(`status ${response.status}`);
  return response;
}

async function refusalOf(response: Response): Promise<string | null> {
  if (response.ok) return null;
  const answer: { message?: unknown } = await response.json().catch(() => ({}));
  return typeof answer.message === 'string' ? answer.message : defaultRefusal();
}

/** The stored tokens. Undefined when there are none. The user may sign out at any time. */
async function readTokens(): Promise<SendTokensSetting | undefined> {
  const setting = await readSetting(SEND_TOKENS_KEY);
  return isSendTokensSetting(setting) ? setting : undefined;
}

/** Removes a token that the server has answered. Each token works once. */
function removeToken(used: string): Promise<void> {
  return withStores(['settings'], 'readwrite', async ({ settings }) => {
    const stored = (await settings.get(SEND_TOKENS_KEY))?.value;
    if (!isSendTokensSetting(stored)) return;
    settings.put({
      key: SEND_TOKENS_KEY,
      value: { ...stored, tokens: stored.tokens.filter((token) => token !== used) },
    });
  });
}

/** The server has refused a call as a whole. */
class RefusedCallError extends Error {}

/**
 * A token is used up when its request arrived but the answer was lost, so a second one is tried. A second
 * refusal means that the session has ended.
 */
async function callWithToken(tokens: readonly string[], body: object): Promise<OutboxResponse> {
  for (const token of tokens.slice(-2).reverse()) {
    const response = await fetchAnswer({ path: '/api/outbox', authorization: `Once ${token}`, body });
    await removeToken(token);
    if (response.ok) return response.json();
    if (response.status !== 401) break;
  }
  throw new RefusedCallError();
}

/**
 * Sends changes with a one-time token. Without a token all changes wait for the app. Changes that the server
 * refuses wait too, and the app shows why.
 */
async function sendPendingChanges(): Promise<void> {
  const { owner, tokens } = (await readTokens()) ?? { owner: '', tokens: [] };
  const changes = tokens.length > 0 ? nextChanges(await STORE.read(), owner) : [];
  if (changes.length === 0) return;
  try {
    await sendChanges(STORE, (body) => callWithToken(tokens, body), changes);
  } catch (error) {
    if (!(error instanceof RefusedCallError)) throw error;
  }
}

const SUPPORT_STORE: SupportStore = {
  read: STORE.read,
  readFile: (owner, id) =>
    withStores(['supportFiles'], 'readonly', async ({ supportFiles }) => (await supportFiles.get([owner, id]))?.file),
  change: (work) =>
    withStores(['outbox', 'supportThreads'], 'readwrite', ({ outbox, supportThreads }) => work(outbox, supportThreads)),
};

/** There is no token that the server takes, so messages wait for the app. */
class NoTokenError extends Error {}

/** Uploads of files do not use a token up; messages do. */
const callForSupport: SupportCall = async (call) => {
  for (const token of (await readTokens())?.tokens.slice(-2).reverse() ?? []) {
    const response = await callServer({ ...call, authorization: `Once ${token}` });
    if (call.method === 'POST' || response.status === 401) await removeToken(token);
    if (response.status !== 401) return response;
  }
  throw new NoTokenError();
};

/** Sends messages to support with one-time tokens. Without a token they wait for the app. */
async function sendPendingMessages(): Promise<void> {
  const owner = (await readTokens())?.owner;
  if (owner === undefined) return;
  try {
    await sendMessages(SUPPORT_STORE, callForSupport, owner, (thread, present) => toThreadRow(owner, thread, present));
  } catch (error) {
    if (!(error instanceof NoTokenError)) throw error;
  }
}

/** One after the other, because both use the same tokens. */
async function sendWithTokens(): Promise<void> {
  try {
    await withLock('changes', sendPendingChanges);
  } finally {
    await withLock('support', sendPendingMessages);
  }
}

const sendWaitingRequests = (now: number) =>
  sendRequests(
    STORE,
    async (row) => refusalOf(await fetchAnswer(row)),
    () => null,
    now,
  );

/**
 * Sends everything that needs no session, under the same locks as the app. `now` is in milliseconds. After an
 * error the browser calls it again.
 */
export async function sendFromWorker(now: number): Promise<void> {
  const results = await Promise.allSettled([withLock('outbox', () => sendWaitingRequests(now)), sendWithTokens()]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
