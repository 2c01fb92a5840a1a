/** Actions of simulated phones, and which of them the server acknowledged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { AccessTokens } from '../../../src/auth/sessions/access-token.ts';
import { SessionsService } from '../../../src/auth/sessions/sessions.service.ts';
import { toPgOptions } from '../../../src/database/data-source.ts';
import type { EmbeddedPostgresConnection } from '../../../src/database/embedded-postgres.ts';
import { sandboxSecret } from '../../../src/payments/sandbox-gateway.ts';
import { UserEntity } from '../../../src/users/user.entity.ts';
import { createAccountRow } from '../../../test/support/accounts.ts';
import { BENCH_ORIGIN, BENCH_SESSION_KEY, post, type ServerProcesses } from './server-processes.ts';

const MAX_WAIT_MS = 60_000;
const RETRY_DELAY_MS = 250;
/** Below the limit of 50 saved searches of an account. */
const MAX_SEARCHES = 45;
const FIRST_SUCCESS_STATUS = 200;
const FIRST_REDIRECT_STATUS = 300;

/** A phone of an account with its session. */
export interface LoadClient {
  userId: string;
  mobileNo: string;
  headers: { authorization: string };
  /** Acknowledged bookmarks by tender: bookmarked or removed. */
  bookmarks: Map<number, boolean>;
  /** Number of its saved searches. */
  searches: number;
}

/** Stores accounts with one session each. */
export async function signInClients(
  dataSource: DataSource,
  address: EmbeddedPostgresConnection,
  count: number,
  passwordHash: string | null = null,
): Promise<LoadClient[]> {
  const users = Array.from({ length: count }, () => createAccountRow({ passwordHash }));
  await dataSource.getRepository(UserEntity).save(users, { chunk: 500 });
  const pool = new Pool(toPgOptions(address));
  const tokens = new AccessTokens([BENCH_SESSION_KEY], BENCH_ORIGIN);
  const sessions = new SessionsService(pool, dataSource, tokens, () => new Date());
  const phones: LoadClient[] = [];
  for (const user of users) {
    const authorization = `Bearer ${await sessions.start(user, true, 'Chrome on Android')}`;
    phones.push({
      userId: user.id,
      mobileNo: user.mobileNo.slice(3),
      headers: { authorization },
      bookmarks: new Map(),
      searches: 0,
    });
  }
  await pool.end();
  return phones;
}

/** The server that the phones call. */
export interface Workload {
  servers: ServerProcesses;
  sandboxPort: number;
  clients: LoadClient[];
  tenderIds: number[];
}

/** Acknowledged actions, and counts of the others. */
export class AcknowledgedActions {
  readonly searches = new Set<string>();
  readonly messages = new Map<string, string>();
  /** Paid orders, by public id. */
  readonly orders = new Set<string>();
  /** Attempts without a response, or with 500 and above; each was repeated. */
  retries = 0;
  /** Actions refused by a limit or rule. */
  readonly rejected: string[] = [];
  /** Actions without a response after the last attempt. */
  abandoned = 0;

  get count(): number {
    return this.searches.size + this.messages.size + this.orders.size;
  }
}

/** Acts from `clients` phones at a time until `isOver`, with some actions per second each. */
export async function runWorkload(
  workload: Workload,
  acknowledged: AcknowledgedActions,
  clients: number,
  isOver: () => boolean,
): Promise<void> {
  const share = Math.floor(workload.clients.length / clients);
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      // A phone does one action at a time.
      const phones = workload.clients.slice(client * share, (client + 1) * share);
      for (let turn = 0; !isOver(); turn++) {
        await runAction(workload, acknowledged, phones[turn % phones.length] as LoadClient, turn % 20);
        await wait(RETRY_DELAY_MS);
      }
    }),
  );
}

async function runAction(
  workload: Workload,
  acknowledged: AcknowledgedActions,
  client: LoadClient,
  kind: number,
): Promise<void> {
  if (kind < 9) return bookmark(workload, acknowledged, client);
  if (kind < 13)
    return client.searches < MAX_SEARCHES
      ? saveSearch(workload, acknowledged, client)
      : bookmark(workload, acknowledged, client);
  if (kind < 16) return sendContactMessage(workload, acknowledged);
  return placeOrder(workload, acknowledged, kind % 2 === 0);
}

async function bookmark(
  { servers, tenderIds }: Workload,
  acknowledged: AcknowledgedActions,
  client: LoadClient,
): Promise<void> {
  const id = tenderIds[Math.floor(Math.random() * tenderIds.length)] as number;
  const isBookmarked = !(client.bookmarks.get(id) ?? false);
  // Unknown until it is acknowledged.
  client.bookmarks.delete(id);
  const method = isBookmarked ? 'POST' : 'DELETE';
  const answer = await requestUntilAnswered(acknowledged, () =>
    servers.request(`/api/tenders/${id}/bookmark`, { method, headers: client.headers }),
  );
  if (answer) client.bookmarks.set(id, isBookmarked);
}

async function saveSearch({ servers }: Workload, acknowledged: AcknowledgedActions, client: LoadClient): Promise<void> {
  const id = randomUUID();
  const search = { id, name: 'Roads', filter: { state: 'Himachal Pradesh', q: 'road' }, openedUpTo: 0 };
  client.searches += 1;
  if (await requestUntilAnswered(acknowledged, () => servers.request('/api/searches', post(search, client.headers))))
    acknowledged.searches.add(id);
}

async function sendContactMessage({ servers }: Workload, acknowledged: AcknowledgedActions): Promise<void> {
  const messageId = randomUUID();
  const message = {
    messageId,
    name: 'Visitor',
    email: `${messageId.slice(0, 13)}@builders.example`,
    subject: `Message ${messageId}`,
    message: 'When does the next list come?',
    agreeToTerms: true,
  };
  if (await requestUntilAnswered(acknowledged, () => servers.request('/api/contact', post(message))))
    acknowledged.messages.set(messageId, message.subject);
}

/** Places and pays an order as a buyer without an account. */
async function placeOrder(
  { servers, sandboxPort, tenderIds }: Workload,
  acknowledged: AcknowledgedActions,
  isPlan: boolean,
): Promise<void> {
  const key = randomUUID();
  const tenderId = String(tenderIds[Math.floor(Math.random() * tenderIds.length)]);
  const order = {
    name: 'Asha Verma',
    mobileNo: '9805512345',
    email: `${key.slice(0, 13)}@builders.example`,
    redirectUrl: `${BENCH_ORIGIN}/payment-status`,
    ...(isPlan
      ? { product: 'yearly-subscription', planId: 'basic', amount: 5899 }
      : { product: 'tender-documents', tenderId, documentId: tenderId, amount: 99 }),
  };
  const started = await requestUntilAnswered(acknowledged, () =>
    servers.request('/api/create-order', post(order, { 'idempotency-key': key })),
  );
  if (!started) return;
  const { orderId } = started as { orderId: string };
  const scenario = post(
    { attemptRef: `${orderId}-1`, outcome: 'success', play: true },
    { authorization: `Bearer ${sandboxSecret(BENCH_SESSION_KEY, BENCH_ORIGIN)}` },
  );
  const paid = await requestUntilAnswered(acknowledged, async () => {
    const signal = AbortSignal.timeout(10_000);
    return fetch(`http://127.0.0.1:${sandboxPort}/v1/_scenarios`, { ...scenario, signal });
  });
  if (paid) acknowledged.orders.add(orderId);
}

/** Repeats a request until it gets a response, like the app. Returns the body; undefined when it is refused or never comes. */
async function requestUntilAnswered(
  acknowledged: AcknowledgedActions,
  call: () => Promise<Response>,
): Promise<unknown> {
  for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; await wait(RETRY_DELAY_MS)) {
    try {
      const answer = await call();
      const text = await answer.text();
      if (answer.status >= FIRST_SUCCESS_STATUS && answer.status < FIRST_REDIRECT_STATUS)
        return text ? JSON.parse(text) : {};
      // The limit is reached, or another process was working on the purchase, maybe until it was killed.
      const isEarly = answer.status === 429 || text.includes('try again in a second');
      if (answer.status < 500 && !isEarly) {
        acknowledged.rejected.push(`${answer.url}: ${answer.status} ${text.slice(0, 200)}`);
        return undefined;
      }
    } catch {
      // The process was down, or ended during the request.
    }
    acknowledged.retries += 1;
  }
  acknowledged.abandoned += 1;
  return undefined;
}
