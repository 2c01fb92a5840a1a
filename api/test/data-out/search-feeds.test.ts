import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { xmlElements } from './xml-elements.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let app: TestApp;
let asha: SignedInAccount;
let searchId: string;
const logged: string[] = [];

beforeAll(async () => {
  const log = createLog(
    { production: true, role: 'web', logLevel: 'info' },
    { write: (line: string) => void logged.push(line) },
  );
  app = await startApp({ now: NOW, log, env: { PUBLIC_ORIGIN: 'https://nivida.example' } });
  const tenders = [
    createSourceTender({ title: 'Bridge over the Sutlej' }),
    createSourceTender({
      sourceId: '2026_PWD_100002_1',
      title: 'Bridge at Una',
      publishedAt: new Date('2026-11-05T09:00:00+05:30'),
    }),
    createSourceTender({ sourceId: '2026_PWD_100003_1', title: 'School wall' }),
  ];
  await importTenders(app.database.dataSource, tenders, { now: NOW });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
  searchId = await save(asha);
});

async function save(account: SignedInAccount): Promise<string> {
  const id = randomUUID();
  const filter = { state: 'Himachal Pradesh', district: '', department: '', q: 'bridge' };
  const payload = { id, name: 'My bridges', filter, openedUpTo: 0 };
  const reply = await app.app.inject({ method: 'POST', url: '/api/searches', headers: account.headers, payload });
  expect(reply.statusCode).toBe(200);
  return id;
}

async function call(method: 'GET' | 'PUT' | 'DELETE', path = '', account = asha) {
  const reply = await app.app.inject({ method, url: `/api/search-feeds${path}`, headers: account.headers });
  return { status: reply.statusCode, json: reply.body ? reply.json() : undefined };
}
const makeToken = async (id = searchId): Promise<string> => (await call('PUT', `/${id}`)).json.token;
const read = (token: string, format = 'atom') => app.get(`/feeds/searches/${token}.${format}`);

describe('the private address of a saved search', () => {
  test('gives its list without a session, with the newest tender first, in each format', async () => {
    const token = await makeToken();
    const atom = await read(token);
    expect(xmlElements(atom.text, 'entry').map((entry) => /<title>(.*?)<\/title>/.exec(entry)?.[1])).toEqual([
      'Bridge at Una',
      'Bridge over the Sutlej',
    ]);
    expect(atom.text).toContain('<title>Nivida: My bridges</title>');
    const list = await app.get('/api/tenders?state=himachal-pradesh&q=bridge&sort=published_date&order=desc');
    expect([...atom.text.matchAll(/\/tenders\/(\d+)"/g)].map(([, id]) => id)).toEqual(
      list.json.tenders.map(({ _id }: { _id: string }) => _id),
    );
    expect((await read(token, 'csv')).text.trim().split('\r\n')).toHaveLength(3);
    expect((await read(token, 'ics')).text).toContain('X-WR-CALNAME:Nivida: My bridges');
    expect((await read(token, 'rss')).status).toBe(404);
  });

  test('is for no cache, no search engine and no other site, and is not in the feed itself', async () => {
    const token = await makeToken();
    const { headers, text } = await read(token);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    });
    expect(text).not.toContain(token);
    const again = await app.get(`/feeds/searches/${token}.atom`, { 'if-none-match': headers.etag ?? '' });
    expect(again.status).toBe(304);
  });

  test('is stored as a digest, shown once, and ends when a new one is made', async () => {
    const first = await makeToken();
    const second = await makeToken();
    expect(first).not.toBe(second);
    expect((await read(first)).status).toBe(404);
    expect((await read(second)).status).toBe(200);
    expect((await call('GET')).json.feeds).toEqual([
      { searchId, createdAt: NOW.toISOString(), readAt: NOW.toISOString() },
    ]);
    const rows = await app.database.dataSource.query('SELECT * FROM search_feed');
    expect(JSON.stringify(rows)).not.toContain(second);
  });

  test('ends when its user ends it, deletes the search or closes the account', async () => {
    const ended = await makeToken();
    expect((await call('DELETE', `/${searchId}`)).status).toBe(204);
    expect((await call('DELETE', `/${searchId}`)).status).toBe(404);
    expect((await read(ended)).status).toBe(404);

    const deleted = await makeToken();
    await app.app.inject({ method: 'DELETE', url: `/api/searches/${searchId}`, headers: asha.headers });
    expect((await read(deleted)).status).toBe(404);

    const closed = await makeToken(await save(asha));
    expect((await read(closed)).status).toBe(200);
    await app.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [asha.user._id, NOW]);
    expect((await read(closed)).status).toBe(404);
  });

  test('can be made for own searches only, by a session only', async () => {
    const other = await createSession(app);
    expect((await call('PUT', `/${searchId}`, other)).status).toBe(404);
    expect((await call('DELETE', `/${searchId}`, other)).status).toBe(404);
    expect((await call('PUT', '/not-an-id')).status).toBe(404);
    const signedOut = await app.app.inject({ method: 'PUT', url: `/api/search-feeds/${searchId}` });
    expect(signedOut.statusCode).toBe(401);
    expect((await call('GET', '', other)).json.feeds).toEqual([]);
  });

  test('is in no line of the log, and each act is an audit event', async () => {
    const token = await makeToken();
    await read(token);
    await read(`${token.slice(0, 42)}x`);
    await call('DELETE', `/${searchId}`);
    expect(logged.filter((line) => line.includes('/feeds/searches/'))).not.toEqual([]);
    expect(logged.join('\n')).not.toContain(token.slice(0, 42));
    const events = await app.database.dataSource.query(
      "SELECT action FROM audit WHERE subject = $1 AND action LIKE 'search-feed.%' ORDER BY id",
      [searchId],
    );
    expect(events).toEqual([{ action: 'search-feed.made' }, { action: 'search-feed.ended' }]);
  });

  test('is read at most 120 times a minute by all readers of an account', async () => {
    const token = await makeToken();
    for (let time = 0; time < 120; time++) await read(token, 'csv');
    const refused = await read(token);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    app.clock.now = new Date(NOW.getTime() + 61_000);
    expect((await read(token)).status).toBe(200);
  });
});
