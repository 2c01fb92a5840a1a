/** Who may call the desk: every call of the API's document, for visitor, user and each role. */

import { hasRole, STAFF_ROLES, UNATTENDED_HEADER } from '@nivida/contract/desk/act';
import { HOUR_MS, MINUTE_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StaffService } from '../../src/auth/staff/staff.service.ts';
import { AuditLogService } from '../../src/desk/audit-log/audit-log.service.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { DESK_CALLS, WITH_FRESH_PASSKEY, WITHOUT_PASSKEY } from './desk-calls.ts';
import { actHeaders, createStaffSession, showPasskey } from './staff-session.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const before = (ms: number) => new Date(NOW.getTime() - ms);

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ now: NOW });
});
afterAll(() => app.close());

/** The code of the answer; 'ok' for one that the guard has let through. */
async function answerTo(call: string, account?: SignedInAccount): Promise<string> {
  const [method = '', path = ''] = call.split(' ');
  const url = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
  const reply = await app.app.inject({
    method: method as 'GET',
    url,
    headers: account ? actHeaders(account) : {},
    ...(method !== 'GET' && { payload: {} }),
  });
  const { code, message } = reply.headers['content-type']?.toString().includes('json') ? reply.json() : {};
  const isRefused = ['UNAUTHENTICATED', 'FORBIDDEN', 'PASSKEY_NEEDED'].includes(code);
  if (isRefused) return code;
  return message === 'There is nothing at this address' ? 'hidden' : 'ok';
}

test('the table of calls is complete', async () => {
  const { json } = await app.get('/api/openapi.json');
  const calls = Object.entries(json.paths as Record<string, object>)
    .filter(([path]) => path.startsWith('/api/desk/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
  expect(calls.sort()).toEqual(Object.keys(DESK_CALLS).sort());
});

describe.each(Object.entries(DESK_CALLS))('%s', (call, needed) => {
  test('is refused to visitors and hidden from users', async () => {
    expect(await answerTo(call)).toBe('UNAUTHENTICATED');
    expect(await answerTo(call, await createSession(app))).toBe('hidden');
  });

  test.each(STAFF_ROLES)('a member of staff with the role %s', async (role) => {
    const answer = await answerTo(call, await createStaffSession(app, role, NOW));
    expect(answer).toBe(hasRole(role, needed) ? 'ok' : 'FORBIDDEN');
  });

  test('needs a passkey', async () => {
    const staff = await createStaffSession(app, 'owner', null);
    const closed = WITHOUT_PASSKEY.includes(call) ? 'ok' : 'PASSKEY_NEEDED';
    expect(await answerTo(call, staff)).toBe(closed);
    await showPasskey(app, staff, before(31 * MINUTE_MS));
    expect(await answerTo(call, staff)).toBe(closed);
    await showPasskey(app, staff, before(6 * MINUTE_MS));
    expect(await answerTo(call, staff)).toBe(WITH_FRESH_PASSKEY.includes(call) ? 'PASSKEY_NEEDED' : 'ok');
  });
});

test('a call above the role is an event, once an hour for each call, also of a user without a role', async () => {
  const [support, user] = [await createStaffSession(app, 'support', NOW), await createSession(app)];
  const calls = ['GET /api/desk/audit', 'GET /api/desk/staff', 'GET /api/desk/audit'];
  try {
    for (const account of [support, user]) for (const call of calls) await answerTo(call, account);
    await answerTo('GET /api/desk/me', user);
    const eventsOf = async ({ user: { _id: actor } }: SignedInAccount) =>
      (await app.app.get(AuditLogService).list({ actor })).events.map(({ action, detail }) => [action, detail]);
    const event = (path: string, role: string) => [
      'session.role-refused',
      expect.objectContaining({ call: `GET /api/desk/${path}`, needed: DESK_CALLS[`GET /api/desk/${path}`], role }),
    ];
    expect(await eventsOf(support)).toEqual([event('staff', 'support'), event('audit', 'support')]);
    expect(await eventsOf(user)).toEqual([event('staff', 'none'), event('audit', 'none')]);
    app.clock.now = new Date(NOW.getTime() + HOUR_MS);
    await answerTo('GET /api/desk/staff', user);
    expect(await eventsOf(user)).toHaveLength(3);
  } finally {
    app.clock.now = NOW;
  }
});

describe('an open desk', () => {
  const CALL = 'GET /api/desk/me';
  const isOpen = async (account: SignedInAccount) => (await app.get('/api/desk/me', account.headers)).json.isOpen;

  test('is closed 12 hours after the passkey', async () => {
    const staff = await createStaffSession(app, 'support', before(12 * HOUR_MS + 1));
    await app.database.dataSource.query('UPDATE session SET desk_used_at = $2 WHERE user_id = $1', [
      staff.user._id,
      NOW,
    ]);
    expect(await isOpen(staff)).toBe(false);
  });

  test('is not kept open by calls that a page makes by itself', async () => {
    const staff = await createStaffSession(app, 'support', before(HOUR_MS));
    const useAt = async (at: Date, headers = {}) => {
      app.clock.now = at;
      return (await app.get('/api/desk/today', { ...staff.headers, ...headers })).status;
    };
    await app.database.dataSource.query('UPDATE session SET desk_used_at = $2 WHERE user_id = $1', [
      staff.user._id,
      before(29 * MINUTE_MS),
    ]);
    try {
      expect(await useAt(NOW)).toBe(200);
      expect(await useAt(new Date(NOW.getTime() + 29 * MINUTE_MS), { [UNATTENDED_HEADER]: 'true' })).toBe(200);
      expect(await useAt(new Date(NOW.getTime() + 31 * MINUTE_MS))).toBe(403);
    } finally {
      app.clock.now = NOW;
    }
  });

  test('ends with the role, on the next call', async () => {
    const staff = await createStaffSession(app, 'owner', NOW);
    expect(await answerTo(CALL, staff)).toBe('ok');
    const { mobileNo } = staff.user;
    await app.app.get(StaffService).remove(mobileNo, 'root', { actorId: null, reason: 'left the firm' });
    expect(await answerTo(CALL, staff)).toBe('UNAUTHENTICATED');
    const [event] = await app.database.dataSource.query(
      "SELECT * FROM audit WHERE action = 'staff.revoked' AND subject = $1",
      [staff.user._id],
    );
    expect(event).toMatchObject({
      actor_id: null,
      detail: { before: 'owner', reason: 'left the firm', revokedBy: 'root' },
    });
  });

  test('is stored by no cache and found by no search engine', async () => {
    const { headers } = await app.get('/api/desk/me', (await createStaffSession(app, 'support', NOW)).headers);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  });
});
