/** Firms at the desk: how support finds one, and that neither contact data nor records are shown. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFirmRow } from '../firms/test-firms.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { storeOrder } from '../support/paid-orders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { createStaffSession } from './staff-session.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let app: TestApp;
let support: SignedInAccount;
beforeAll(async () => {
  app = await startApp({ now: NOW });
  support = await createStaffSession(app, 'support', NOW);
});
afterAll(() => app.close());

const read = async (path: string) => app.get(`/api/desk/${path}`, support.headers);
const find = async (text: string) =>
  (await read(`firms?find=${encodeURIComponent(text)}`)).json.rows.map(({ name }: { name: string }) => name);

test('a firm is found by its name or id, and by a present or former member; without a search the newest are listed', async () => {
  const asha = await createSession(app, { username: 'Asha Verma', companyName: 'Verma and Co' });
  const ravi = await createSession(app, { username: 'Ravi Negi' });
  const id = await createFirmRow(app, [asha.user._id, ravi.user._id], { name: 'Verma Builders', plan: NOW });
  await createFirmRow(app, [(await createSession(app, { companyName: 'Others' })).user._id], { name: 'Other Roads' });
  await app.database.dataSource.query('UPDATE firm_member SET left_at = $2 WHERE user_id = $1', [ravi.user._id, NOW]);
  for (const text of [id, 'verma builders', asha.user.email, asha.user.mobileNo.slice(3), 'Ravi Negi', 'verma and co'])
    expect(await find(text)).toEqual(['Verma Builders']);
  expect(await find('Verma')).toEqual([]);
  expect((await find('')).toSorted()).toEqual(['Other Roads', 'Verma Builders']);
  const [listed] = (await read('firms?find=Verma%20Builders')).json.rows;
  expect(listed).toMatchObject({ owner: 'Asha Verma', memberCount: 1, planEndsAt: '2027-11-10T06:00:00.000Z' });
});

test('its panel has members with their roles, invitations, plans, orders and events, without contact data and records', async () => {
  const asha = await createSession(app, { username: 'Asha Verma' });
  const ravi = await createSession(app, { username: 'Ravi Negi' });
  const id = await createFirmRow(app, [asha.user._id, ravi.user._id], { name: 'Negi Roads', plan: NOW });
  const call = (method: 'POST' | 'DELETE', url: string, payload?: object) =>
    app.app.inject({ method, url, headers: asha.headers, ...(payload && { payload }) });
  await call('POST', `/api/firms/${id}/invitations`, { email: 'kiran@builders.example', role: 'member' });
  await call('DELETE', `/api/firms/${id}/members/${ravi.user._id}`);
  const stamps = { title: `${NOW.getTime()}-0000-aaaaaaaaaaaaaaaa` };
  const bid = { kind: 'bid', id: randomUUID(), fields: { title: 'Secret wall' }, stamps };
  await call('POST', `/api/bids/changes?firm=${id}`, { records: [bid] });
  const order = { product: 'yearly-subscription' as const, planId: 'enterprise' as const, firmId: id };
  const { publicId } = await storeOrder(app.database.dataSource, { ...order, userId: asha.user._id, credits: [] });

  const { json } = await read(`firms/${id}`);
  expect(json).toMatchObject({
    name: 'Negi Roads',
    members: [
      { id: asha.user._id, name: 'Asha Verma', role: 'owner', leftAt: null },
      { name: 'Ravi Negi', role: 'member', leftAt: NOW.toISOString() },
    ],
    invitations: [{ role: 'member' }],
    plans: [{ planId: 'enterprise', status: 'running' }],
    orders: [{ orderId: publicId }],
    events: [{ action: 'firm.removed' }, { action: 'firm.invited' }],
  });
  const text = JSON.stringify(json);
  for (const hidden of ['kiran@builders.example', asha.user.email, asha.user.mobileNo.slice(3), 'Secret wall'])
    expect(text).not.toContain(hidden);
  expect((await read(`firms/${randomUUID()}`)).status).toBe(404);
  expect((await read('firms/1')).status).toBe(404);
});
