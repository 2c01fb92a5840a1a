import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { ApiKeysService } from '../../src/data-out/keys/api-keys.service.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const MINUTE = 60_000;

let app: TestApp;
let asha: SignedInAccount;
const logged: string[] = [];

beforeAll(async () => {
  const log = createLog(
    { production: true, role: 'web', logLevel: 'info' },
    { write: (line: string) => void logged.push(line) },
  );
  app = await startApp({ now: NOW, log });
  await importTenders(app.database.dataSource, [createSourceTender({})], { now: NOW });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
});

async function call(method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object, account = asha) {
  const reply = await app.app.inject({ method, url: `/api/keys${path}`, headers: account.headers, payload });
  return { status: reply.statusCode, json: reply.body ? reply.json() : undefined };
}
const addKey = async (name = 'Our program'): Promise<{ id: string; key: string }> => {
  const { status, json } = await call('POST', '', { name });
  expect(status).toBe(201);
  return json;
};
const readWith = (key: string, url = '/api/tenders?limit=1') => app.get(url, { authorization: `Key ${key}` });

describe('a key', () => {
  test('is shown once and stored as a digest', async () => {
    const { key, id } = await addKey();
    expect(key).toMatch(/^nva_[\w-]{43}$/);
    const { json } = await call('GET');
    expect(json.keys).toEqual([
      {
        ...{ id, name: 'Our program', hint: key.slice(0, 8), createdAt: NOW.toISOString(), usedAt: null },
        use: [
          { seconds: 60, calls: 0, limit: 600, resetsAt: null },
          { seconds: 86_400, calls: 0, limit: 50_000, resetsAt: null },
        ],
      },
    ]);
    const rows = await app.database.dataSource.query('SELECT * FROM api_key');
    expect(JSON.stringify([json, rows])).not.toContain(key);
  });

  test.each([
    '/api/tenders?limit=1',
    '/api/tenders/search?q=footbridge',
    '/api/facets',
    '/api/regions',
    '/feeds/tenders.atom',
    '/feeds/tenders.csv',
    '/feeds/tenders.ics',
    '/api/ocds/releases',
    '/api/ocds/dumps',
    '/api/awards',
    '/api/openapi.json',
  ])('reads %s', async (url) => {
    const { key } = await addKey();
    const answer = await readWith(key, url);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'ratelimit-limit': '600',
      'ratelimit-remaining': '599',
      'ratelimit-reset': '60',
      'ratelimit-policy': '600;w=60, 50000;w=86400',
    });
    // A shared cache would show one user's limits to others.
    expect(answer.headers['cache-control'] ?? '').not.toContain('public');
  });

  test.each<['GET' | 'POST' | 'DELETE', string]>([
    ['GET', '/api/me'],
    ['GET', '/api/searches'],
    ['GET', '/api/keys'],
    ['POST', '/api/keys'],
    ['POST', '/api/import?portal=hptenders'],
    ['GET', '/api/metrics'],
    ['GET', '/desk'],
    ['GET', '/api/bids/changes'],
  ])('is refused by %s %s', async (method, url) => {
    const { key } = await addKey();
    const reply = await app.app.inject({ method, url, headers: { authorization: `Key ${key}` } });
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'FORBIDDEN']);
  });

  test('shows its calls and its last one', async () => {
    const { key } = await addKey();
    await readWith(key);
    await readWith(key);
    const [{ use, usedAt }] = (await call('GET')).json.keys;
    expect(usedAt).toBe(NOW.toISOString());
    expect(use.map(({ calls }: { calls: number }) => calls)).toEqual([2, 2]);
    expect(use[1].resetsAt).toBe(new Date(NOW.getTime() + 86_400_000).toISOString());
  });

  test('is refused with the time to wait when its minute is used up, and its day counts on', async () => {
    const { key } = await addKey();
    for (let time = 0; time < 600; time++) await readWith(key, '/api/regions');
    const refused = await readWith(key);
    expect([refused.status, refused.headers['retry-after'], refused.headers['ratelimit-remaining']]).toEqual([
      429,
      '60',
      '0',
    ]);
    app.clock.now = new Date(NOW.getTime() + MINUTE + 1_000);
    expect((await readWith(key)).headers['ratelimit-remaining']).toBe('599');
    const [{ use }] = (await call('GET')).json.keys;
    expect(use[1].calls).toBe(601);
  });

  test('ends when it is revoked, by its user or by the operator who has found it', async () => {
    const own = await addKey();
    expect((await call('DELETE', `/${own.id}`)).status).toBe(204);
    expect((await call('DELETE', `/${own.id}`)).status).toBe(404);
    expect((await readWith(own.key)).status).toBe(401);

    const found = await addKey();
    const keys = app.app.get(ApiKeysService);
    const act = { actorId: null, reason: 'Published in a repository' };
    expect(await keys.revokeByOperator(found.key, act)).toMatchObject({ id: found.id, userId: asha.user._id });
    expect((await readWith(found.key)).status).toBe(401);
    await expect(keys.revokeByOperator(found.id, act)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await call('GET')).json.keys).toEqual([]);
    const events = await app.database.dataSource.query(
      "SELECT action, detail->>'reason' AS reason FROM audit WHERE subject = $1 ORDER BY id",
      [found.id],
    );
    expect(events).toEqual([
      { action: 'api-key.added', reason: null },
      { action: 'api-key.revoked', reason: 'Published in a repository' },
    ]);
  });

  test('ends with the account', async () => {
    const { key } = await addKey();
    await app.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [asha.user._id, NOW]);
    expect((await readWith(key)).status).toBe(401);
  });

  test('of another user cannot be revoked or seen', async () => {
    const { id } = await addKey();
    const other = await createSession(app);
    expect((await call('DELETE', `/${id}`, undefined, other)).status).toBe(404);
    expect((await call('GET', '', undefined, other)).json.keys).toEqual([]);
  });

  test('is one of at most five', async () => {
    for (let made = 0; made < 5; made++) await addKey(`Key ${made}`);
    const { status, json } = await call('POST', '', { name: 'A sixth' });
    expect([status, json.message]).toEqual([409, 'You can have at most 5 keys']);
    const [{ id }] = (await call('GET')).json.keys;
    await call('DELETE', `/${id}`);
    expect((await call('POST', '', { name: 'A sixth' })).status).toBe(201);
  });

  test('needs a name', async () => {
    const { status, json } = await call('POST', '', { name: ' ' });
    expect([status, json.fields]).toEqual([400, { name: 'Name is required' }]);
  });

  test.each(['nva_short', `nva_${'a'.repeat(43)}`, 'x'])('%s is refused', async (key) => {
    const { status, json } = await readWith(key);
    expect([status, json.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('is in no line of the log', async () => {
    const { key } = await addKey();
    await readWith(key);
    await readWith(`${key.slice(0, 46)}x`);
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join('\n')).not.toContain(key.slice(0, 46));
  });
});
