import { createHash, randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { SignJWT } from 'jose';
import { Client } from 'pg';

const HOURS = 3_600_000;

/** A session as a device stores it; the fields have the names of the storage keys. */
export interface StoredSession {
  token: string;
  user: { _id: string; username: string; email: string; mobileNo: string };
}

/** Connects to the database of the journeys' server. postmaster.pid names its socket. */
export async function withServerDatabase(work: (client: Client) => Promise<unknown>): Promise<void> {
  const lock = readFileSync(join(process.env.E2E_DATA_DIR ?? '', 'postgres/postmaster.pid'), 'utf8').split('\n');
  const client = new Client({ host: lock[4], port: Number(lock[3]), user: 'postgres', database: 'nivida' });
  await client.connect();
  await work(client).finally(() => client.end());
}

/** Inserts a new account that has a session. */
export async function makeSession(): Promise<StoredSession> {
  const user = {
    _id: randomUUID(),
    username: 'Asha Verma',
    email: `${randomUUID()}@builders.example`,
    mobileNo: `+91${randomInt(7_000_000_000, 7_999_999_999)}`,
  };
  const [sid, jti, now] = [randomUUID(), randomUUID(), new Date()];
  const until = new Date(now.getTime() + 12 * HOURS);
  await withServerDatabase(async (client) => {
    await client.query(
      `INSERT INTO account (id, username, email, mobile_no, company_name, company_type, state, districts, departments, created_at)
       VALUES ($1, $2, $3, $4, 'Verma Builders', 'private', 'Kerala', '{}', '{}', $5)`,
      [user._id, user.username, user.email, user.mobileNo, now],
    );
    await client.query(
      `INSERT INTO session (id, user_id, token_id, remembered, user_agent, created_at, last_used_at, expires_at)
       VALUES ($1, $2, $3, false, 'Chrome on Android', $4, $4, $5)`,
      [sid, user._id, jti, now, until],
    );
  });
  const key = process.env.E2E_SESSION_KEY ?? '';
  const token = await new SignJWT({ sid, name: user.username })
    .setProtectedHeader({
      alg: 'HS256',
      typ: 'at+jwt',
      kid: createHash('sha256').update(key).digest('hex').slice(0, 16),
    })
    .setIssuer(process.env.E2E_ORIGIN ?? '')
    .setAudience('tender-pwa')
    .setSubject(user._id)
    .setJti(jti)
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(until)
    .sign(new TextEncoder().encode(key));
  return { token, user };
}

/** Stores a session in the page's origin. The next page load is signed in. */
export async function storeSession(page: Page, { token, user }: StoredSession): Promise<void> {
  await page.evaluate(
    ([text, json]) => {
      localStorage.setItem('token', text);
      localStorage.setItem('user', json);
    },
    [token, JSON.stringify(user)] as const,
  );
}

let shared: StoredSession | undefined;

/** Signs in before the first page loads. The tests of a worker share the account. */
export async function signInBeforeLoad(page: Page): Promise<void> {
  shared ??= await makeSession();
  await page.addInitScript(
    ([token, user]) => {
      localStorage.setItem('token', token);
      localStorage.setItem('user', user);
    },
    [shared.token, JSON.stringify(shared.user)] as const,
  );
}
