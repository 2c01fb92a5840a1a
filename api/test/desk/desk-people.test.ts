/** Accounts and the audit log at the desk: what each act does and writes down, and that an erasure needs two people. */
import { randomUUID } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { readSentMails } from '../support/test-mailbox.ts';
import { actHeaders, createStaffSession, showPasskey } from './staff-session.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const REASON = 'asked by phone';

let app: TestApp;
let support: SignedInAccount;
let operator: SignedInAccount;
let owner: SignedInAccount;
let other: SignedInAccount;

beforeAll(async () => {
  app = await startApp({ now: NOW });
  support = await createStaffSession(app, 'support', NOW);
  operator = await createStaffSession(app, 'operator', NOW);
  owner = await createStaffSession(app, 'owner', NOW);
  other = await createStaffSession(app, 'owner', NOW);
});
afterAll(() => app.close());

async function act(by: SignedInAccount, path: string, body: object = {}) {
  const reply = await app.app.inject({
    method: 'POST',
    url: `/api/desk/${path}`,
    headers: actHeaders(by, randomUUID()),
    payload: { reason: REASON, ...body },
  });
  return { status: reply.statusCode, json: reply.json() };
}
const read = async (by: SignedInAccount, path: string) => app.get(`/api/desk/${path}`, by.headers);
const find = async (text: string) => (await read(support, `people?find=${encodeURIComponent(text)}`)).json.rows;
const show = async (id: string, by = support) => (await read(by, `people/${id}`)).json;
const actsOn = (subject: string) =>
  app.database.dataSource.query(
    "SELECT action, actor_id, detail->>'reason' AS reason FROM audit WHERE subject = $1 AND detail ? 'reason' ORDER BY id",
    [subject],
  );

describe('an account', () => {
  test('is found by its name too, and lists mask mobile number and e-mail', async () => {
    const { user } = await createSession(app, { username: 'Gurpreet Dhillon', companyName: 'Dhillon Buildtech' });
    for (const text of [user._id, user.mobileNo.slice(3), user.email, 'gurpreet dhillon', 'DHILLON BUILDTECH'])
      expect(await find(text)).toMatchObject([{ id: user._id, username: 'Gurpreet Dhillon' }]);
    expect(await find('Gurpreet')).toEqual([]);
    const answers = JSON.stringify([await find('gurpreet dhillon'), await show(user._id)]);
    expect(answers).not.toContain(user.email);
    expect(answers).not.toContain(user.mobileNo.slice(3));
  });

  test('shows its contact data for fifteen minutes to the member of staff who gave a reason', async () => {
    const { user } = await createSession(app);
    const { json } = await act(support, `people/${user._id}/contact`);
    expect(json).toEqual({ email: user.email, mobileNo: user.mobileNo });
    // The answer stays nowhere.
    expect(
      await app.database.dataSource.query('SELECT 1 FROM desk_act WHERE answer::text LIKE $1', [`%${user.email}%`]),
    ).toEqual([]);
    expect(await show(user._id)).toMatchObject({ email: user.email, notErasable: null, proposal: null, passkeys: 0 });
    expect((await show(user._id, operator)).email).not.toBe(user.email);
    expect(await actsOn(user._id)).toEqual([{ action: 'account.opened', actor_id: support.user._id, reason: REASON }]);
  });

  test('is unlocked, signed out, exported and given a plan, each with its event', async () => {
    const [{ user }, stranger] = [await createSession(app), await createSession(app)];
    const path = `people/${user._id}`;
    expect((await act(operator, `${path}/unlock`)).json).toEqual({ counters: 0 });
    expect((await act(operator, `${path}/end-sessions`)).json).toEqual({ sessions: 1 });
    expect((await read(operator, `${path}/export`)).status).toBe(409);
    expect((await act(operator, `${path}/export`)).status).toBe(200);
    expect((await read(operator, `${path}/export`)).json.account.email).toBe(user.email);
    expect((await read(owner, `${path}/export`)).status).toBe(409);
    app.clock.now = new Date(NOW.getTime() + 5 * MINUTE_MS);
    expect((await read(operator, `${path}/export`)).status).toBe(409);
    app.clock.now = NOW;
    const gift = { planId: 'premium', until: '2026-12-31' };
    expect((await act(operator, `${path}/plans`, { ...gift, until: '2026-02-30' })).status).toBe(400);
    const given = (await act(operator, `${path}/plans`, gift)).json;
    expect(given.outcome).toBe('given');
    expect((await act(operator, `${path}/plans`, gift)).json).toEqual({ id: given.id, outcome: 'unchanged' });
    expect((await show(user._id)).plans).toMatchObject([{ id: given.id, origin: 'gift', status: 'running' }]);
    expect((await act(operator, `people/${stranger.user._id}/plans/${given.id}/end`)).status).toBe(404);
    expect((await act(operator, `${path}/plans/${given.id}/end`)).status).toBe(200);
    expect((await act(operator, `${path}/plans/${given.id}/end`)).status).toBe(409);
    const events = await actsOn(user._id);
    expect(events.map(({ action }: { action: string }) => action)).toEqual([
      'account.unlocked',
      'account.signed-out',
      'account.exported',
      'plan.given',
      'plan.ended',
    ]);
    for (const event of events) expect(event).toMatchObject({ actor_id: operator.user._id, reason: REASON });
  });

  test('loses its keys for programs and its private addresses of feeds, each by an act of its own', async () => {
    const { user, headers } = await createSession(app);
    const send = (method: 'POST' | 'PUT', url: string, payload?: object) =>
      app.app.inject({ method, url, headers, ...(payload && { payload }) });
    const searchId = randomUUID();
    const filter = { state: 'Goa', district: '', department: '', q: '' };
    await send('POST', '/api/searches', { id: searchId, name: 'My bridges', filter, openedUpTo: 0 });
    const { token } = (await send('PUT', `/api/search-feeds/${searchId}`)).json();
    const { key } = (await send('POST', '/api/keys', { name: 'Price lists' })).json();
    const byKey = async () => (await app.get('/feeds/tenders.csv', { authorization: `Key ${key}` })).status;
    const byAddress = async () => (await app.get(`/feeds/searches/${token}.csv`)).status;
    expect([await byKey(), await byAddress()]).toEqual([200, 200]);
    expect(await show(user._id)).toMatchObject({ apiKeys: 1, searchFeeds: 1 });

    expect((await act(support, `people/${user._id}/revoke-keys`)).status).toBe(403);
    expect((await act(operator, `people/${user._id}/revoke-keys`)).json).toEqual({ keys: 1 });
    expect([await byKey(), await byAddress()]).toEqual([401, 200]);
    expect((await act(operator, `people/${user._id}/end-feeds`)).json).toEqual({ feeds: 1 });
    expect(await byAddress()).toBe(404);
    expect(await show(user._id)).toMatchObject({ apiKeys: 0, searchFeeds: 0 });
    expect(await actsOn(user._id)).toEqual(
      ['account.keys-revoked', 'account.feeds-ended'].map((action) => ({
        ...{ action, actor_id: operator.user._id, reason: REASON },
      })),
    );
  });
});

describe('an erasure', () => {
  const propose = (by: SignedInAccount, id: string) => act(by, `people/${id}/erase`);
  const decide = async (by: SignedInAccount, id: string, decision: string) =>
    act(by, `approvals/${(await show(id, by)).proposal?.id}/${decision}`, { reason: 'looks right' });

  test('is proposed by one person and done by another, once', async () => {
    const { user, headers } = await createSession(app);
    expect((await propose(owner, user._id)).status).toBe(200);
    const again = await propose(other, user._id);
    expect([again.status, again.json.message]).toEqual([409, expect.stringContaining('has proposed this already')]);
    expect((await app.get('/api/me', headers)).status).toBe(200);
    const { proposal } = await show(user._id, owner);
    expect(proposal).toMatchObject({ proposedBy: 'Asha Verma', reason: REASON, isOwn: true });
    expect(proposal.expiresAt).toBe(new Date(NOW.getTime() + DAY_MS).toISOString());
    const listed = async () =>
      (await read(support, 'people')).json.rows.find(({ id }: { id: string }) => id === user._id)?.status;
    expect(await listed()).toBe('open');
    const own = await act(owner, `approvals/${proposal.id}/confirm`);
    expect([own.status, own.json.message]).toEqual([403, 'You proposed this yourself. Another person confirms it.']);
    expect((await decide(operator, user._id, 'confirm')).status).toBe(403);
    await showPasskey(app, other, new Date(NOW.getTime() - 6 * MINUTE_MS));
    expect((await decide(other, user._id, 'confirm')).json.code).toBe('PASSKEY_NEEDED');
    await showPasskey(app, other, NOW);
    const confirm = () => act(other, `approvals/${proposal.id}/confirm`, { reason: 'looks right' });
    const answers = await Promise.all([confirm(), confirm()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await app.get('/api/me', headers)).status).toBe(401);
    expect(await show(user._id)).toMatchObject({
      status: 'closing',
      erasedOn: new Date(NOW.getTime() + 7 * DAY_MS).toISOString(),
      notErasable: 'This account is already being erased',
      proposal: null,
    });
    expect(await listed()).toBe('closing');
    expect(await actsOn(user._id)).toEqual([
      { action: 'account.erase.proposed', actor_id: owner.user._id, reason: REASON },
      { action: 'account.deleted', actor_id: owner.user._id, reason: REASON },
      { action: 'account.erase.confirmed', actor_id: other.user._id, reason: 'looks right' },
    ]);
    expect((await act(operator, `people/${user._id}/plans`, { planId: 'basic', until: '2026-12-31' })).status).toBe(
      409,
    );
    expect((await act(operator, `people/${user._id}/reopen`)).status).toBe(200);
    expect((await act(operator, `people/${user._id}/reopen`)).status).toBe(409);
    const mails = (await readSentMails(app)).filter(({ to }) => to?.some(({ address }) => address === user.email));
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'Your Nivida account is open again',
      'Your Nivida account will be erased',
    ]);
  });

  test('is withdrawn or refused, and does nothing after a day', async () => {
    const { user } = await createSession(app);
    await propose(owner, user._id);
    expect((await decide(other, user._id, 'withdraw')).status).toBe(403);
    expect((await decide(owner, user._id, 'withdraw')).status).toBe(200);
    await propose(owner, user._id);
    expect((await decide(owner, user._id, 'refuse')).status).toBe(403);
    expect((await decide(other, user._id, 'refuse')).status).toBe(200);
    await propose(owner, user._id);
    const { id } = (await show(user._id)).proposal;
    app.clock.now = new Date(NOW.getTime() + DAY_MS);
    const late = await createStaffSession(app, 'owner', app.clock.now);
    expect((await act(late, `approvals/${id}/confirm`)).status).toBe(409);
    expect(await show(user._id, late)).toMatchObject({ status: 'open', proposal: null });
    app.clock.now = NOW;
  });

  test('of a member of staff is refused, also when the role was granted in between', async () => {
    const refused = await propose(owner, operator.user._id);
    expect([refused.status, refused.json.message]).toEqual([
      409,
      'This account belongs to a member of staff. End its role first.',
    ]);
    const { user } = await createSession(app);
    await propose(owner, user._id);
    await app.database.dataSource.query("INSERT INTO staff VALUES ($1, 'support', $2, 'test')", [user._id, NOW]);
    expect((await decide(other, user._id, 'confirm')).status).toBe(409);
    expect(await show(user._id)).toMatchObject({ status: 'open', notErasable: expect.stringContaining('staff') });
  });
});

test('the audit log is read in pages and filtered, and the staff is listed', async () => {
  const { user } = await createSession(app);
  for (let n = 0; n < 51; n += 1) await act(operator, `people/${user._id}/unlock`);
  await act(support, `people/${user._id}/contact`);
  const log = async (query: object) =>
    (await read(operator, `audit?${new URLSearchParams({ subject: user._id, ...query })}`)).json;
  const first = await log({});
  expect(first.events).toHaveLength(50);
  expect(first.events[0]).toMatchObject({ action: 'account.opened', actorName: 'Asha Verma', subject: user._id });
  expect((await log({ before: first.next })).events).toHaveLength(2);
  expect((await log({ actor: support.user._id })).events).toHaveLength(1);
  expect((await log({ action: 'account.unlocked', before: first.next })).events).toHaveLength(2);
  expect((await log({ from: '2026-11-11' })).events).toEqual([]);
  const { rows } = (await read(owner, 'staff')).json;
  expect(rows.find(({ id }: { id: string }) => id === operator.user._id)).toEqual({
    id: operator.user._id,
    username: 'Asha Verma',
    role: 'operator',
    grantedAt: new Date(0).toISOString(),
    grantedBy: 'test',
  });
  expect(JSON.stringify(rows)).not.toMatch(/@|\+91/);
});
