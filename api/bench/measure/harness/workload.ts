/** Actions of simulated phones, and which of them the server acknowledged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { nextStamp } from '@nivida/contract/bids/hybrid-clock';
import { Pool } from 'pg';
import type { Email } from 'postal-mime';
import type { DataSource } from 'typeorm';
import { AccessTokens } from '../../../src/auth/sessions/access-token.ts';
import { SessionsService } from '../../../src/auth/sessions/sessions.service.ts';
import { UserEntity } from '../../../src/auth/user.entity.ts';
import type { EmbeddedPostgresConnection } from '../../../src/database/embedded-postgres.ts';
import { sandboxSecret } from '../../../src/payments/sandbox-gateway.ts';
import { toPgOptions } from '../../../src/schema/data-source.ts';
import { createAccountRow } from '../../../test/support/accounts.ts';
import { createSourceTender, importTenders } from '../../../test/support/source-tenders.ts';
import { BENCH_ORIGIN, BENCH_SESSION_KEY, post, type ServerProcesses } from './server-processes.ts';

const MAX_WAIT_MS = 120_000;
const RETRY_DELAY_MS = 250;
const MAX_PAYMENT_MS = 10_000;
const DAY_MS = 86_400_000;
/** Below the limit of 50 saved searches of an account. */
const MAX_SEARCHES = 45;
const FIRST_SUCCESS_STATUS = 200;
const FIRST_REDIRECT_STATUS = 300;
/** A user who waits longer for a code gives up. */
const MAX_CODE_WAIT_MS = 30_000;
const PASSWORD = 'Footbridge-Over-Pabbar-7';

/** The kinds of actions, in the plural for figures. */
export const ACTION_KINDS = ['bookmarks', 'searches', 'messages', 'orders', 'bid_records', 'sign_ups'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** Every kind comes early and again and again. */
const TURNS: readonly ActionKind[] = [
  ...(['bookmarks', 'orders', 'searches', 'messages', 'bid_records', 'sign_ups'] as const),
  ...(['bookmarks', 'bid_records', 'bookmarks', 'orders', 'searches', 'messages', 'bookmarks'] as const),
];

/** A phone of an account with its session. */
export interface LoadClient {
  userId: string;
  mobileNo: string;
  headers: { authorization: string };
  /** The last acknowledged change of each bookmark, by tender. */
  bookmarks: Map<number, AcknowledgedAction>;
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

/** Stores tenders with generated packages that are ready for sale. Returns their ids. */
export async function storeTendersForSale(dataSource: DataSource, count: number): Promise<number[]> {
  const now = new Date();
  const times = { publishedAt: new Date(now.getTime() - DAY_MS), closesAt: new Date(now.getTime() + 20 * DAY_MS) };
  const notices = Array.from({ length: count }, (_, n) =>
    createSourceTender({ ...times, sourceId: `2026_PWD_${n}_1` }),
  );
  await importTenders(dataSource, notices, { now, origin: 'generated' });
  const rows: { id: number }[] = await dataSource.query('SELECT id FROM tender ORDER BY id');
  return rows.map(({ id }) => id);
}

/** The server that the phones call. */
export interface Workload {
  servers: ServerProcesses;
  sandboxPort: number;
  clients: LoadClient[];
  tenderIds: number[];
  /** The mailbox of all users. */
  mails: readonly Email[];
}

/** An action that the server has confirmed. */
export interface AcknowledgedAction {
  kind: ActionKind;
  /** An id of the user, or of the thing that was stored. */
  key: string;
  /** What must be stored: the note of a record, the subject of a message, 'yes' or 'no' for a bookmark. */
  content: string;
  /** The process that was killed last before the confirmation. */
  phase: string;
}

/** Acknowledged actions, and counts of the others. */
export class AcknowledgedActions {
  readonly actions: AcknowledgedAction[] = [];
  /** Addresses to which the server has promised a code. */
  readonly codes = new Set<string>();
  /** Sets `phase` of the following actions. */
  phase = '';
  /** Attempts without a response, or with 500 and above; each was repeated. */
  retries = 0;
  /** Actions refused by a limit or rule. */
  readonly rejected: string[] = [];
  /** Actions without a response after the last attempt. */
  readonly abandoned: string[] = [];
  /** Sign-ups whose code came too late. */
  lateCodes = 0;

  add(kind: ActionKind, key: string, content = ''): AcknowledgedAction {
    const action = { kind, key, content, phase: this.phase };
    this.actions.push(action);
    return action;
  }

  of(kind: ActionKind, phase?: string): AcknowledgedAction[] {
    return this.actions.filter((action) => action.kind === kind && (phase === undefined || action.phase === phase));
  }

  keysOf(kind: ActionKind): string[] {
    return this.of(kind).map(({ key }) => key);
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
      for (let turn = 2 * client; !isOver(); turn++) {
        const kind = TURNS[turn % TURNS.length] as ActionKind;
        await ACTIONS[kind](workload, acknowledged, phones[turn % phones.length] as LoadClient);
        await wait(RETRY_DELAY_MS);
      }
    }),
  );
}

type Action = (workload: Workload, acknowledged: AcknowledgedActions, client: LoadClient) => Promise<void>;

const ACTIONS: Record<ActionKind, Action> = {
  bookmarks: bookmark,
  searches: (workload, acknowledged, client) =>
    client.searches < MAX_SEARCHES
      ? saveSearch(workload, acknowledged, client)
      : bookmark(workload, acknowledged, client),
  messages: sendContactMessage,
  orders: placeOrder,
  bid_records: saveRecord,
  sign_ups: signUp,
};

async function bookmark(
  { servers, tenderIds }: Workload,
  acknowledged: AcknowledgedActions,
  client: LoadClient,
): Promise<void> {
  const id = tenderIds[Math.floor(Math.random() * tenderIds.length)] as number;
  const isBookmarked = client.bookmarks.get(id)?.content !== 'yes';
  // Unknown until it is acknowledged.
  client.bookmarks.delete(id);
  const method = isBookmarked ? 'POST' : 'DELETE';
  const answer = await requestUntilAnswered(acknowledged, () =>
    servers.request(`/api/tenders/${id}/bookmark`, { method, headers: client.headers }),
  );
  if (!answer) return;
  client.bookmarks.set(id, acknowledged.add('bookmarks', `${client.userId} ${id}`, isBookmarked ? 'yes' : 'no'));
}

async function saveSearch({ servers }: Workload, acknowledged: AcknowledgedActions, client: LoadClient): Promise<void> {
  const id = randomUUID();
  const search = { id, name: `Roads ${id}`, filter: { state: 'Himachal Pradesh', q: 'road' }, openedUpTo: 0 };
  client.searches += 1;
  if (await requestUntilAnswered(acknowledged, () => servers.request('/api/searches', post(search, client.headers))))
    acknowledged.add('searches', id, search.name);
}

/** Stores a new bid, or another note of it. */
async function saveRecord({ servers }: Workload, acknowledged: AcknowledgedActions, client: LoadClient): Promise<void> {
  const id = randomUUID();
  const note = `Note ${id}`;
  const stamp = nextStamp(undefined, Date.now(), id.replaceAll('-', '').slice(0, 16));
  const records = [{ kind: 'bid', id, fields: { title: 'Road', note }, stamps: { title: stamp, note: stamp } }];
  const answer = await requestUntilAnswered(acknowledged, () =>
    servers.request('/api/bids/changes', post({ records }, client.headers)),
  );
  const { results } = (answer?.json ?? {}) as { results?: { result: string }[] };
  if (results?.[0]?.result === 'accepted') acknowledged.add('bid_records', id, note);
  else if (answer) acknowledged.rejected.push(`a record: ${JSON.stringify(results)}`);
}

/** Registers as the wizard does: a code by mail, its proof, the account. */
export async function signUp({ servers, mails }: Workload, acknowledged: AcknowledgedActions): Promise<void> {
  const id = randomUUID();
  const email = `new-${id}@builders.example`;
  const mobileNo = `9${String(Number.parseInt(id.slice(0, 8), 16) % 1e9).padStart(9, '0')}`;
  const asked = await requestUntilAnswered(
    acknowledged,
    () => servers.request('/api/auth/otp/generate', post({ email })),
    // One code a minute: the response to the first attempt was lost, and its code is useless without the cookie.
    (text) => text.includes('"TOO_MANY"'),
  );
  if (!asked?.isOk) return;
  const cookie = asked.cookies.map((each) => each.split(';', 1)[0]).join('; ');
  acknowledged.codes.add(email);
  const otp = await waitForCode(mails, email);
  if (otp === undefined) {
    acknowledged.lateCodes += 1;
    return;
  }
  const proven = await requestUntilAnswered(
    acknowledged,
    () => servers.request('/api/auth/otp/verify', post({ email, otp }, { cookie })),
    (text) => text.includes('already used'),
  );
  if (!proven) return;
  const account = {
    ...{ name: 'Asha Verma', email, mobileNo: `+91${mobileNo}`, countryCode: '+91', password: PASSWORD },
    ...{ companyName: 'Hill Works', companyType: 'private', address: '', minPrice: 0, maxPrice: null },
    ...{ state: 'Himachal Pradesh', districts: ['Shimla'], departments: ['PWD'] },
  };
  const registered = await requestUntilAnswered(
    acknowledged,
    () => servers.request('/api/auth/register', post(account, { cookie })),
    // The response to an earlier attempt was lost. The user signs in.
    (text) => text.includes('"CONFLICT"') || text.includes('verify your email'),
  );
  if (!registered) return;
  const isSignedIn =
    registered.isOk ||
    (await requestUntilAnswered(acknowledged, () =>
      servers.request('/api/auth/login', post({ mobileNo, password: PASSWORD })),
    ));
  if (isSignedIn) acknowledged.add('sign_ups', email, `+91${mobileNo}`);
}

/** The code of a mail to the address; undefined when none comes in time. */
async function waitForCode(mails: readonly Email[], email: string): Promise<string | undefined> {
  for (const deadline = Date.now() + MAX_CODE_WAIT_MS; Date.now() < deadline; await wait(RETRY_DELAY_MS)) {
    const mail = mails.find(({ to }) => to?.some(({ address }) => address === email));
    const code = mail?.text?.match(/^\d{6}$/m)?.[0];
    if (code) return code;
  }
  return undefined;
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
    acknowledged.add('messages', messageId, message.subject);
}

/** Places and pays an order as a buyer without an account: a plan or a package. */
async function placeOrder(
  { servers, sandboxPort, tenderIds }: Workload,
  acknowledged: AcknowledgedActions,
): Promise<void> {
  const key = randomUUID();
  const tenderId = String(tenderIds[Math.floor(Math.random() * tenderIds.length)]);
  const { tenderId: _, documentId, ...buyer } = packageOrder(tenderId, `${key.slice(0, 13)}@builders.example`);
  const order =
    Math.random() < 0.5
      ? { ...buyer, product: 'yearly-subscription', planId: 'basic', amount: 5899 }
      : { ...buyer, tenderId, documentId };
  const started = await requestUntilAnswered(acknowledged, () =>
    servers.request('/api/create-order', post(order, { 'idempotency-key': key })),
  );
  if (!started) return;
  const { orderId } = started.json as { orderId: string };
  const paid = await requestUntilAnswered(acknowledged, () => payInSandbox(sandboxPort, orderId));
  if (paid) acknowledged.add('orders', orderId);
}

/** An order of a package as a buyer without an account sends it. */
export const packageOrder = (tenderId: string, email: string) => ({
  name: 'Asha Verma',
  mobileNo: '9805512345',
  email,
  redirectUrl: `${BENCH_ORIGIN}/payment-status`,
  product: 'tender-documents',
  tenderId,
  documentId: tenderId,
  amount: 99,
});

/** Pays the first attempt of an order on the provider's page. */
export function payInSandbox(sandboxPort: number, orderId: string, maxMs = MAX_PAYMENT_MS): Promise<Response> {
  const scenario = post(
    { attemptRef: `${orderId}-1`, outcome: 'success' },
    { authorization: `Bearer ${sandboxSecret(BENCH_SESSION_KEY, BENCH_ORIGIN)}` },
  );
  const signal = AbortSignal.timeout(maxMs);
  return fetch(`http://127.0.0.1:${sandboxPort}/v1/_scenarios`, { ...scenario, signal });
}

interface Answer {
  /** False for a response that only `isDone` accepts. */
  isOk: boolean;
  json: unknown;
  cookies: string[];
}

/**
 * Repeats a request until it gets a response, like the app. `isDone` accepts other responses, such as those to a repeated
 * request. Undefined when it is refused or never comes.
 */
async function requestUntilAnswered(
  acknowledged: AcknowledgedActions,
  call: () => Promise<Response>,
  isDone: (text: string) => boolean = () => false,
): Promise<Answer | undefined> {
  let failure: unknown;
  for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; await wait(RETRY_DELAY_MS)) {
    try {
      const answer = await call();
      const text = await answer.text();
      const isOk = answer.status >= FIRST_SUCCESS_STATUS && answer.status < FIRST_REDIRECT_STATUS;
      if (isOk || (answer.status < 500 && isDone(text)))
        return { isOk, json: text ? JSON.parse(text) : {}, cookies: answer.headers.getSetCookie() };
      failure = `${answer.url}: ${answer.status} ${text.slice(0, 200)}`;
      // The limit is reached, or another process was working on the purchase, maybe until it was killed.
      const isEarly = answer.status === 429 || text.includes('try again in a second');
      if (answer.status < 500 && !isEarly) {
        acknowledged.rejected.push(String(failure));
        return undefined;
      }
    } catch (error) {
      // The process was down, or ended during the request.
      failure = error;
    }
    acknowledged.retries += 1;
  }
  acknowledged.abandoned.push(String(failure));
  return undefined;
}
