/** The outbox as the service worker sends it, with the app closed: without Dexie and without anybody's session. */
import type { OutboxRow } from './db.ts';
import { fetchInTime } from './fetch-in-time.ts';
import { onStores } from './stores.ts';

/** Statuses that may pass: the request is repeated later. */
const mayPass = (status: number) => status >= 500 || status === 429 || status === 408;

const isDue = ({ refusal, sentAt, needs }: OutboxRow) => refusal === null && sentAt === null && needs !== 'session';

async function reasonOf(response: Response): Promise<string> {
  const answer: { message?: unknown } = await response.json().catch(() => ({}));
  return typeof answer.message === 'string' ? answer.message : 'The server did not accept this.';
}

/** What becomes of a row by the server's answer; null removes it. */
async function rowAfter(row: OutboxRow, response: Response, now: number): Promise<OutboxRow | null> {
  // nobody waits for the end of a session, and a dead token has none
  if (row.needs === 'authorization') return null;
  if (!response.ok) return { ...row, refusal: await reasonOf(response) };
  // the app tells the owner; of the body only the subject is left for that
  const { subject } = (row.body ?? {}) as { subject?: unknown };
  return { ...row, sentAt: now, body: { subject } };
}

async function send(row: OutboxRow, now: number): Promise<void> {
  const { id, path, body, authorization } = row;
  const response = await fetchInTime(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization !== null && { authorization }) },
    body: JSON.stringify(body),
    credentials: 'omit',
  });
  if (mayPass(response.status)) throw new Error(`status ${response.status}`);
  const after = await rowAfter(row, response, now);
  await onStores(['outbox'], 'readwrite', async ({ outbox }) => {
    // it may have been taken back meanwhile
    if (!(await outbox.get(id))) return;
    if (after) outbox.put(after);
    else outbox.delete(id);
  });
}

/** Sends what needs no session; `now` in milliseconds. Throws when something is left: the browser then tries again. */
export async function sendFromWorker(now: number): Promise<void> {
  const work = async () => {
    const rows = await onStores(['outbox'], 'readonly', ({ outbox }) => outbox.all());
    const failures: unknown[] = [];
    for (const row of rows.filter(isDue).sort((one, other) => one.at - other.at)) {
      await send(row, now).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  await (locks ? locks.request('outbox', work) : work());
}
