import { randomUUID } from 'node:crypto';
import { SavedSearchListResponse } from '@nivida/contract/filter/saved-search';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const BRIDGES = {
  name: 'Bridges in Solan',
  filter: { state: 'Himachal Pradesh', district: 'Solan', department: '', q: 'bridge', min: '100000', within: '7' },
  openedUpTo: 40,
};

let app: TestApp;
let asha: SignedInAccount;

beforeAll(async () => {
  app = await startApp({ now: NOW });
});
afterAll(() => app.close());
beforeEach(async () => {
  asha = await createSession(app);
});

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  payload?: unknown,
  account?: SignedInAccount,
) {
  const { headers } = account ?? asha;
  const reply = await app.app.inject({ method, url: `/api/searches${path}`, headers, payload: payload as object });
  return { status: reply.statusCode, json: reply.body ? reply.json() : undefined };
}

async function save(changes: object = {}, account = asha): Promise<string> {
  const id = randomUUID();
  expect((await call('POST', '', { id, ...BRIDGES, ...changes }, account)).status).toBe(200);
  return id;
}

const names = async (account = asha) => {
  const { json } = await call('GET', '', undefined, account);
  return v.parse(SavedSearchListResponse, json).searches.map(({ name }) => name);
};

describe('a call is refused', () => {
  test('from signed-out visitors', async () => {
    const reply = await app.app.inject({ method: 'GET', url: '/api/searches' });
    expect(reply.statusCode).toBe(401);
  });

  test.each<[string, object, string]>([
    ['no name', { name: '  ' }, 'Name is required'],
    ['a name of 81 characters', { name: 'x'.repeat(81) }, 'At most 80 characters'],
    ['an id that the device did not make', { id: '12' }, 'id must be a UUID'],
    ['words that are too many', { filter: { q: 'x'.repeat(101) } }, 'q must be at most 100 characters'],
    ['a value that is none', { filter: { min: '-1' } }, 'min must be a whole number from 0 to 999999999999'],
    [
      'too many districts',
      { filter: { district: Array(21).fill('Solan') } },
      'district must be given at most 20 times',
    ],
    [
      'a window of publication',
      { filter: { published_within: '1' } },
      'The filter holds a field that does not belong there',
    ],
    ['a filter of its own', { filter: { owner: 'me' } }, 'The filter holds a field that does not belong there'],
    ['an owner', { userId: randomUUID() }, 'Unknown field of a search'],
  ])('%s', async (_name, changes, message) => {
    const answer = await call('POST', '', { id: randomUUID(), ...BRIDGES, ...changes });
    expect(answer).toMatchObject({ status: 400, json: { message } });
    expect(await names()).toEqual([]);
  });

  test('for the 51st search, also in concurrent requests', async () => {
    for (let n = 0; n < 49; n += 1) await save({ name: `Search ${n}` });
    const two = [1, 2].map(() => call('POST', '', { id: randomUUID(), ...BRIDGES }));
    expect((await Promise.all(two)).map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await call('POST', '', { id: randomUUID(), ...BRIDGES })).json.message).toBe(
      'You can have at most 50 saved searches',
    );
    expect(await names()).toHaveLength(50);
  });

  test('for the 121st call of an account in a minute', async () => {
    await names();
    await app.database.dataSource.query("UPDATE rate_limit SET count = 119 WHERE name = 'searches-account'");
    expect([(await call('GET', '')).status, (await call('GET', '')).status]).toEqual([200, 429]);
    expect(await names(await createSession(app))).toEqual([]);
  });

  test("for another user's search, which is not found", async () => {
    const other = await createSession(app);
    const id = await save({}, other);
    expect((await call('PATCH', `/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect((await call('POST', '', { id, ...BRIDGES, name: 'Mine' })).status).toBe(409);
    expect(await names(other)).toEqual(['Bridges in Solan']);
  });

  test.each(['/nothing', `/${randomUUID()}`])('a search that is not there: %s', async (path) => {
    expect((await call('PATCH', path, { name: 'x' })).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(404);
  });
});

describe('a saved search', () => {
  test('is returned as it was saved, the newest first', async () => {
    const id = await save();
    await save({ name: 'Roads' });
    const { json } = await call('GET', '');
    const { searches } = v.parse(SavedSearchListResponse, json);
    expect(searches.map(({ name }) => name)).toEqual(['Roads', 'Bridges in Solan']);
    expect(searches[1]).toEqual({
      id,
      name: 'Bridges in Solan',
      filter: { state: 'Himachal Pradesh', district: 'Solan', department: '', q: 'bridge', min: 100_000, within: 7 },
      openedUpTo: 40,
      createdAt: '2026-11-10T06:00:00.000Z',
    });
  });

  test('may have several districts and departments', async () => {
    const filter = { state: 'Himachal Pradesh', district: ['Mandi', 'Kullu'], department: ['PWD', 'Forest'], q: '' };
    await save({ filter });
    await save({ filter: { ...filter, district: ['Mandi'], department: [] } });
    const { json } = await call('GET', '');
    const { searches } = v.parse(SavedSearchListResponse, json);
    expect(searches.map((search) => search.filter)).toEqual([{ ...filter, district: 'Mandi', department: '' }, filter]);
  });

  test('that is sent again after a lost response is saved once', async () => {
    const id = await save();
    expect((await call('POST', '', { id, ...BRIDGES, name: 'Other' })).json.name).toBe('Bridges in Solan');
    expect(await names()).toEqual(['Bridges in Solan']);
  });

  test('is changed in one field at a time, and no other search with it', async () => {
    const [id, roads] = [await save(), await save({ name: 'Roads' })];
    const renamed = await call('PATCH', `/${id}`, { name: ' Bridges ' });
    expect([renamed.status, renamed.json]).toEqual([
      200,
      {
        id,
        name: 'Bridges',
        filter: { state: 'Himachal Pradesh', district: 'Solan', department: '', q: 'bridge', min: 100_000, within: 7 },
        openedUpTo: 40,
        createdAt: '2026-11-10T06:00:00.000Z',
      },
    ]);
    expect((await call('PATCH', `/${id}`, { openedUpTo: 41 })).json).toMatchObject({ name: 'Bridges', openedUpTo: 41 });
    const { searches } = (await call('GET', '')).json;
    expect(searches).toMatchObject([
      { id: roads, name: 'Roads', openedUpTo: 40 },
      { id, name: 'Bridges', openedUpTo: 41 },
    ]);
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect(await names()).toEqual(['Roads']);
  });

  test('is renamed; the last change that reaches the server counts', async () => {
    const id = await save();
    await call('PATCH', `/${id}`, { name: 'From the phone' });
    await call('PATCH', `/${id}`, { name: 'From the desk' });
    expect(await names()).toEqual(['From the desk']);
  });

  test('stores how far its hits were seen, which never decreases', async () => {
    const id = await save();
    expect((await call('PATCH', `/${id}`, { openedUpTo: 90 })).json.openedUpTo).toBe(90);
    expect((await call('PATCH', `/${id}`, { openedUpTo: 60 })).json.openedUpTo).toBe(90);
  });

  test('is in no answer that a cache may store', async () => {
    const id = await save();
    for (const [method, path, payload] of [
      ['GET', '', undefined],
      ['POST', '', { id, ...BRIDGES }],
      ['PATCH', `/${id}`, { name: 'Bridges' }],
    ] as const) {
      const { headers } = asha;
      const reply = await app.app.inject({ method, url: `/api/searches${path}`, headers, payload });
      expect([method, reply.statusCode, reply.headers['cache-control']]).toEqual([method, 200, 'no-store']);
    }
  });

  test('is deleted once', async () => {
    const id = await save();
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect(await names()).toEqual([]);
  });
});
