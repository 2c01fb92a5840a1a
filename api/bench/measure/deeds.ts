/** What simulated phones did and were told that it was done, each with the header of its account. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { AccessTokens } from '../../src/auth/access-token.ts';
import { SessionsService } from '../../src/auth/sessions.service.ts';
import { toPgOptions } from '../../src/database/data-source.ts';
import type { EmbeddedConnection } from '../../src/database/embedded.ts';
import { sandboxSecret } from '../../src/payments/sandbox.ts';
import { UserEntity } from '../../src/users/user.entity.ts';
import { account } from '../../test/accounts.ts';
import { type Fleet, ORIGIN, post, SESSION_KEY } from './fleet.ts';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 250;
/** An account may keep 50. */
const MOST_SEARCHES = 45;
const SUCCESS = 200;
const REDIRECT = 300;

/** A phone of an account, and what it may show. */
export interface Phone {
  userId: string;
  mobileNo: string;
  headers: { authorization: string };
  /** What it was told about its bookmarks: kept or let go, by tender. */
  bookmarks: Map<number, boolean>;
  /** How many searches it has saved. */
  searches: number;
}

/** Stores accounts with a session each. */
export async function signInPhones(
  dataSource: DataSource,
  address: EmbeddedConnection,
  count: number,
  passwordHash: string | null = null,
): Promise<Phone[]> {
  const users = Array.from({ length: count }, () => account({ passwordHash }));
  await dataSource.getRepository(UserEntity).save(users, { chunk: 500 });
  const pool = new Pool(toPgOptions(address));
  const tokens = new AccessTokens([SESSION_KEY], ORIGIN);
  const sessions = new SessionsService(pool, dataSource, tokens, () => new Date());
  const phones: Phone[] = [];
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

/** Where deeds are done. */
export interface Deeds {
  fleet: Fleet;
  sandboxPort: number;
  phones: Phone[];
  tenderIds: number[];
}

/** What was acknowledged, and what was not. */
export class Acknowledged {
  readonly searches = new Set<string>();
  readonly messages = new Map<string, string>();
  /** Paid orders, by public id. */
  readonly orders = new Set<string>();
  /** Tries that got no answer, or one of 500 and more; each was made again. */
  retries = 0;
  /** Deeds that were refused: a limit, a rule. */
  readonly refused: string[] = [];
  /** Deeds that were given up. */
  givenUp = 0;

  get count(): number {
    return this.searches.size + this.messages.size + this.orders.size;
  }
}

/** Does deeds from `clients` phones at a time until `isOver`, some a second each. */
export async function doDeeds(deeds: Deeds, told: Acknowledged, clients: number, isOver: () => boolean): Promise<void> {
  const share = Math.floor(deeds.phones.length / clients);
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      // A phone does one thing after the other.
      const phones = deeds.phones.slice(client * share, (client + 1) * share);
      for (let turn = 0; !isOver(); turn++) {
        await doOne(deeds, told, phones[turn % phones.length] as Phone, turn % 20);
        await wait(PAUSE_MS);
      }
    }),
  );
}

async function doOne(deeds: Deeds, told: Acknowledged, phone: Phone, kind: number): Promise<void> {
  if (kind < 9) return bookmark(deeds, told, phone);
  if (kind < 13) return phone.searches < MOST_SEARCHES ? saveSearch(deeds, told, phone) : bookmark(deeds, told, phone);
  if (kind < 16) return writeMessage(deeds, told);
  return buy(deeds, told, kind % 2 === 0);
}

async function bookmark({ fleet, tenderIds }: Deeds, told: Acknowledged, phone: Phone): Promise<void> {
  const id = tenderIds[Math.floor(Math.random() * tenderIds.length)] as number;
  const isKept = !(phone.bookmarks.get(id) ?? false);
  // Until it is acknowledged, nobody knows.
  phone.bookmarks.delete(id);
  const method = isKept ? 'POST' : 'DELETE';
  const answer = await insist(told, () => fleet.ask(`/api/tenders/${id}/bookmark`, { method, headers: phone.headers }));
  if (answer) phone.bookmarks.set(id, isKept);
}

async function saveSearch({ fleet }: Deeds, told: Acknowledged, phone: Phone): Promise<void> {
  const id = randomUUID();
  const search = { id, name: 'Roads', filter: { state: 'Himachal Pradesh', q: 'road' }, openedUpTo: 0 };
  phone.searches += 1;
  if (await insist(told, () => fleet.ask('/api/searches', post(search, phone.headers)))) told.searches.add(id);
}

async function writeMessage({ fleet }: Deeds, told: Acknowledged): Promise<void> {
  const messageId = randomUUID();
  const message = {
    messageId,
    name: 'Visitor',
    email: `${messageId.slice(0, 13)}@builders.example`,
    subject: `Message ${messageId}`,
    message: 'When does the next list come?',
    agreeToTerms: true,
  };
  if (await insist(told, () => fleet.ask('/api/contact', post(message)))) told.messages.set(messageId, message.subject);
}

/** Orders and pays, as a buyer without an account. */
async function buy({ fleet, sandboxPort, tenderIds }: Deeds, told: Acknowledged, isPlan: boolean): Promise<void> {
  const key = randomUUID();
  const tenderId = String(tenderIds[Math.floor(Math.random() * tenderIds.length)]);
  const order = {
    name: 'Asha Verma',
    mobileNo: '9805512345',
    email: `${key.slice(0, 13)}@builders.example`,
    redirectUrl: `${ORIGIN}/payment-status`,
    ...(isPlan
      ? { product: 'yearly-subscription', planId: 'basic', amount: 5899 }
      : { product: 'tender-documents', tenderId, documentId: tenderId, amount: 99 }),
  };
  const started = await insist(told, () => fleet.ask('/api/create-order', post(order, { 'idempotency-key': key })));
  if (!started) return;
  const { orderId } = started as { orderId: string };
  const scenario = post(
    { attemptRef: `${orderId}-1`, outcome: 'success', play: true },
    { authorization: `Bearer ${sandboxSecret(SESSION_KEY, ORIGIN)}` },
  );
  const paid = await insist(told, async () => {
    const signal = AbortSignal.timeout(10_000);
    return fetch(`http://127.0.0.1:${sandboxPort}/v1/_scenarios`, { ...scenario, signal });
  });
  if (paid) told.orders.add(orderId);
}

/** Tries until there is an answer, as the app does; gives its body, or undefined when it is a refusal or never comes. */
async function insist(told: Acknowledged, call: () => Promise<Response>): Promise<unknown> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await wait(PAUSE_MS)) {
    try {
      const answer = await call();
      const text = await answer.text();
      if (answer.status >= SUCCESS && answer.status < REDIRECT) return text ? JSON.parse(text) : {};
      // Too much at once; a purchase that another process is at, or was at when it was killed.
      const isEarly = answer.status === 429 || text.includes('try again in a second');
      if (answer.status < 500 && !isEarly) {
        told.refused.push(`${answer.url}: ${answer.status} ${text.slice(0, 200)}`);
        return undefined;
      }
    } catch {
      // Nobody was there, or he died while he worked.
    }
    told.retries += 1;
  }
  told.givenUp += 1;
  return undefined;
}
