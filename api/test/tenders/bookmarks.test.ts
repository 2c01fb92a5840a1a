import { SendTokensResponse } from '@nivida/contract/sync/outbox';
import { BookmarkListResponse, BookmarkStateResponse, BookmarkSyncResponse } from '@nivida/contract/tenders/bookmark';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const MANY = 1_005;

let app: TestApp;
let asha: SignedInAccount;
/** Ids of open tenders, in the order in which they were imported. */
let ids: string[];
let draft: string;

beforeAll(async () => {
  app = await startApp({ now: NOW });
  const many = Array.from({ length: MANY }, (_, n) => createSourceTender({ sourceId: `2026_PWD_${n + 1}_1` }));
  const unpublished = createSourceTender({
    sourceId: '2026_DRAFT_1_1',
    publishedAt: new Date('2026-11-12T17:00:00+05:30'),
  });
  await importTenders(app.database.dataSource, [...many, unpublished], { now: NOW });
  const rows: { id: number }[] = await app.database.dataSource.query('SELECT id FROM tender ORDER BY id');
  ids = rows.slice(0, MANY).map(({ id }) => String(id));
  draft = String(rows[MANY]?.id);
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
});

/** The first `count` ids. */
const first = (count: number) => ids.slice(0, count) as [string, string, string, string];

async function call(method: 'POST' | 'DELETE' | 'GET', url: string, payload?: unknown, account = asha) {
  const reply = await app.app.inject({ method, url, headers: account.headers, payload: payload as object });
  return { status: reply.statusCode, json: reply.json(), headers: reply.headers };
}

const bookmark = (id: string, account = asha) => call('POST', `/api/tenders/${id}/bookmark`, undefined, account);
const unbookmark = (id: string, account = asha) => call('DELETE', `/api/tenders/${id}/bookmark`, undefined, account);

/** The list, checked against the contract. */
async function list(account = asha): Promise<BookmarkListResponse> {
  const { status, json } = await call('GET', '/api/tenders/bookmarked', undefined, account);
  expect(status).toBe(200);
  expect(json.data).toEqual(json.tenders);
  expect(json.total).toBe(json.tenders.length);
  return v.parse(BookmarkListResponse, json);
}
const bookmarkedIds = async (account = asha) => (await list(account)).tenders.map((tender) => tender._id);

const bookmarkChange = (tenderId: string, isWanted = true) => ({ tenderId, wanted: isWanted });
const trySync = (changes: unknown, account = asha) => call('POST', '/api/bookmarks/sync', { changes }, account);
async function sync(changes: unknown, account = asha): Promise<BookmarkSyncResponse> {
  const { status, json } = await trySync(changes, account);
  expect(status, JSON.stringify(json)).toBe(200);
  return v.parse(v.strictObject(BookmarkSyncResponse.entries), json);
}

/** Bookmarks many tenders, like a device that was offline for long. */
async function fill(count: number, account = asha): Promise<void> {
  for (let from = 0; from < count; from += 200) {
    const { results } = await sync(
      ids.slice(from, Math.min(from + 200, count)).map((id) => bookmarkChange(id)),
      account,
    );
    expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['accepted']));
  }
}

describe('a bookmark', () => {
  test('is stored once when it is sent several times', async () => {
    const [id] = first(1);
    for (let time = 0; time < 3; time++) {
      const { status, json, headers } = await bookmark(id);
      expect([status, json]).toEqual([200, { bookmarked: true }]);
      expect(v.is(BookmarkStateResponse, json)).toBe(true);
      expect(headers['cache-control']).toBe('no-store');
    }
    expect(await bookmarkedIds()).toEqual([id]);
  });

  test('sent by ten requests at once is stored once', async () => {
    const [id] = first(1);
    const answers = await Promise.all(Array.from({ length: 10 }, () => bookmark(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await bookmarkedIds()).toEqual([id]);
  });

  test('is removed, and removing it again is no error', async () => {
    const [one, two] = first(2);
    await bookmark(one);
    await bookmark(two);
    for (let time = 0; time < 2; time++) {
      const { status, json } = await unbookmark(one);
      expect([status, json]).toEqual([200, { bookmarked: false }]);
    }
    expect(await bookmarkedIds()).toEqual([two]);
  });

  test.each<[string, () => string]>([
    ['an unknown tender', () => '999999'],
    ['a draft', () => draft],
    ['zero', () => '0'],
    ['a number beyond all ids', () => '9999999999'],
    ['a longer number', () => '99999999999'],
    ['a word', () => 'abc'],
    ['SQL', () => encodeURIComponent("1' OR '1'='1")],
  ])('of %s is not found', async (_name, id) => {
    for (const answer of [await bookmark(id()), await unbookmark(id())])
      expect([answer.status, answer.json]).toEqual([
        404,
        { code: 'NOT_FOUND', message: 'Tender not found', requestId: expect.any(String) },
      ]);
    expect(await bookmarkedIds()).toEqual([]);
  });

  test('is created and removed without /api too, with or without a content type of the absent body', async () => {
    const [id] = first(1);
    const type = { 'content-type': 'application/json' };
    for (const headers of [asha.headers, { ...asha.headers, ...type }]) {
      const made = await app.app.inject({ method: 'POST', url: `/tenders/${id}/bookmark`, headers });
      expect([made.statusCode, made.json()]).toEqual([200, { bookmarked: true }]);
      expect((await app.get('/tenders/bookmarked', headers)).json.tenders).toHaveLength(1);
      const gone = await app.app.inject({ method: 'DELETE', url: `/tenders/${id}/bookmark`, headers });
      expect([gone.statusCode, gone.json()]).toEqual([200, { bookmarked: false }]);
    }
  });

  test('is neither visible to another user nor changed by him', async () => {
    const [one, two] = first(2);
    const ravi = await createSession(app, { username: 'Ravi' });
    await bookmark(one);
    await bookmark(two, ravi);
    await unbookmark(one, ravi);
    expect(await sync([bookmarkChange(one, false)], ravi)).toEqual({
      results: [{ tenderId: one, result: 'accepted' }],
      tenderIds: [two],
    });
    expect(await bookmarkedIds()).toEqual([one]);
    expect(await bookmarkedIds(ravi)).toEqual([two]);
    const { status } = await call('POST', '/api/bookmarks/sync', {
      changes: [bookmarkChange(two)],
      userId: ravi.user._id,
    });
    expect(status).toBe(400);
    expect(await bookmarkedIds()).toEqual([one]);
  });
});

describe('the list', () => {
  test('is empty for a user without bookmarks', async () => {
    expect(await list()).toEqual({ tenders: [], data: [], total: 0 });
  });

  test('has the newest bookmark first, not the newest tender', async () => {
    const [a, b, c] = first(3);
    for (const id of [b, c, a]) await bookmark(id);
    expect(await bookmarkedIds()).toEqual([a, c, b]);
    await bookmark(b);
    expect(await bookmarkedIds()).toEqual([a, c, b]);
    await unbookmark(b);
    await bookmark(b);
    expect(await bookmarkedIds()).toEqual([b, a, c]);
  });

  test('contains closed tenders', async () => {
    const [id] = first(1);
    const ravi = await createSession(app, { remembered: true });
    await bookmark(id, ravi);
    expect((await list(ravi)).tenders).toMatchObject([{ _id: id, status: 'active' }]);
    app.clock.now = new Date('2026-11-20T11:00:00+05:30');
    expect((await list(ravi)).tenders).toMatchObject([{ _id: id, status: 'closed' }]);
    expect((await sync([], ravi)).tenderIds).toEqual([id]);
  });

  test('is JSON that no cache may store', async () => {
    const { status, headers } = await call('GET', '/api/tenders/bookmarked');
    expect([status, headers['cache-control'], headers['content-type']]).toEqual([
      200,
      'no-store',
      'application/json; charset=utf-8',
    ]);
    expect((await trySync([])).headers['cache-control']).toBe('no-store');
    expect((await unbookmark(ids[0] as string)).headers['cache-control']).toBe('no-store');
  });
});

describe('a limit of 1,000 bookmarks', () => {
  const FULL = 'You can have at most 1,000 bookmarks';

  test('refuses the next one with its message, and accepts it after a removal', async () => {
    await fill(1_000);
    const [bookmarked, next] = [ids[0], ids[1_000]] as [string, string];
    const refused = await bookmark(next);
    expect([refused.status, refused.json.code, refused.json.message]).toEqual([409, 'CONFLICT', FULL]);
    expect((await bookmark(bookmarked)).status).toBe(200);
    await unbookmark(bookmarked);
    expect((await bookmark(next)).status).toBe(200);
    expect((await list()).total).toBe(1_000);
  });

  test('refuses each change beyond it, unless the same sync removes another bookmark', async () => {
    await fill(999);
    const [a, b, c] = ids.slice(1_000) as [string, string, string];
    const { results, tenderIds } = await sync([
      bookmarkChange(a),
      bookmarkChange(b),
      bookmarkChange(c),
      bookmarkChange(ids[0] as string, false),
    ]);
    expect(results).toEqual([
      { tenderId: a, result: 'accepted' },
      { tenderId: b, result: 'accepted' },
      { tenderId: c, result: 'rejected', message: FULL },
      { tenderId: ids[0], result: 'accepted' },
    ]);
    expect(tenderIds).toHaveLength(1_000);
    expect(tenderIds.slice(0, 2)).toEqual([b, a]);
  });

  test('holds for concurrent requests', async () => {
    await fill(998);
    const answers = await Promise.all(ids.slice(998).map((id) => bookmark(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409, 409, 409]);
    expect((await list()).total).toBe(1_000);
  });
});

describe('a sync', () => {
  test('applies changes in order and returns the bookmarks, the newest first', async () => {
    const [a, b, c, d] = first(4);
    await bookmark(d);
    expect(await sync([bookmarkChange(b), bookmarkChange(a), bookmarkChange(d, false), bookmarkChange(c)])).toEqual({
      results: [
        { tenderId: b, result: 'accepted' },
        { tenderId: a, result: 'accepted' },
        { tenderId: d, result: 'accepted' },
        { tenderId: c, result: 'accepted' },
      ],
      tenderIds: [c, a, b],
    });
    expect(await bookmarkedIds()).toEqual([c, a, b]);
  });

  test('sent twice, or twice at once, is the same as once', async () => {
    const [a, b, c] = first(3);
    await bookmark(c);
    const changes = [bookmarkChange(a), bookmarkChange(c, false), bookmarkChange(b)];
    const answers = await Promise.all([sync(changes), sync(changes)]);
    expect(answers[0]).toEqual(answers[1]);
    expect(await sync(changes)).toEqual(answers[0]);
    expect(await bookmarkedIds()).toEqual([b, a]);
  });

  test('without changes returns the bookmarks', async () => {
    const [a] = first(1);
    await bookmark(a);
    expect(await sync([])).toEqual({ results: [], tenderIds: [a] });
  });

  test('applies the last of several changes of one tender', async () => {
    const [a, b] = first(2);
    await bookmark(b);
    const { results, tenderIds } = await sync([
      bookmarkChange(a),
      bookmarkChange(b, false),
      bookmarkChange(a, false),
      bookmarkChange(b),
      bookmarkChange(`00${b}`),
    ]);
    expect(results.map(({ result }) => result)).toEqual(Array(5).fill('accepted'));
    expect(tenderIds).toEqual([b]);
  });

  test('rejects unknown tenders and applies the rest', async () => {
    const [a, b] = first(2);
    const unknown = ['999999', '9999999999', '0', draft];
    const { results, tenderIds } = await sync([
      bookmarkChange(a),
      ...unknown.map((id) => bookmarkChange(id)),
      bookmarkChange(b),
    ]);
    expect(results).toEqual([
      { tenderId: a, result: 'accepted' },
      ...unknown.map((tenderId) => ({ tenderId, result: 'rejected', message: 'Tender not found' })),
      { tenderId: b, result: 'accepted' },
    ]);
    expect(tenderIds).toEqual([b, a]);
  });

  test('removes the bookmark of a tender that no longer exists', async () => {
    expect((await sync([bookmarkChange('999999', false)])).results).toEqual([
      { tenderId: '999999', result: 'accepted' },
    ]);
  });

  test('accepts 200 changes', async () => {
    expect((await sync(ids.slice(0, 200).map((id) => bookmarkChange(id)))).tenderIds).toHaveLength(200);
  });

  const ONE = { tenderId: '1', wanted: true };
  test.each<[string, unknown, Record<string, string>]>([
    ['201 changes', Array(201).fill(ONE), { changes: 'at most 200 changes' }],
    ['no list', 'all', { changes: 'changes must be a list' }],
    ['nothing', undefined, { changes: 'The body must have changes and nothing else' }],
    ['a word as change', [ONE, 'x'], { 'changes.1': 'each change must have tenderId and wanted' }],
    ['no tender', [{ wanted: true }], { 'changes.0.tenderId': 'each change must have tenderId and wanted' }],
    ['no decision', [{ tenderId: '1' }], { 'changes.0.wanted': 'each change must have tenderId and wanted' }],
    ['a number as id', [{ ...ONE, tenderId: 1 }], { 'changes.0.tenderId': 'tenderId must be text' }],
    ['a word as id', [{ ...ONE, tenderId: '1 OR 1' }], { 'changes.0.tenderId': 'tenderId is not a tender id' }],
    ['a word as decision', [{ ...ONE, wanted: 'yes' }], { 'changes.0.wanted': 'wanted must be true or false' }],
  ])('with %s is refused as a whole', async (_name, changes, fields) => {
    const { status, json } = await trySync(changes);
    expect([status, json.code, json.fields]).toEqual([400, 'INVALID', fields]);
  });
});

describe('a body', () => {
  const OK = JSON.stringify({ changes: [] });
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const UNREADABLE = 'The request cannot be read';
  const WRONG = 'The body must have changes and nothing else';

  test.each<[string, string, string | undefined, number, string | undefined]>([
    ['JSON', OK, 'application/json', 200, undefined],
    ['JSON in UTF-8', OK, 'application/json; charset=utf-8', 200, undefined],
    ['text', OK, 'text/plain', 415, 'Only JSON is accepted'],
    ['a form', 'changes=', 'application/x-www-form-urlencoded', 415, 'Only JSON is accepted'],
    ['a form with files', OK, 'multipart/form-data; boundary=x', 415, 'Only JSON is accepted'],
    ['another JSON', OK, 'application/vnd.api+json', 415, 'Only JSON is accepted'],
    ['something without a type', OK, undefined, 415, 'Only JSON is accepted'],
    ['half of it', OK.slice(0, -1), 'application/json', 400, UNREADABLE],
    ['nothing', '', 'application/json', 400, WRONG],
    ['null', 'null', 'application/json', 400, WRONG],
    ['128 KB', OK.padEnd(131_072), 'application/json', 200, undefined],
    ['a byte more', OK.padEnd(131_073), 'application/json', 413, 'The request is too large'],
    ['8 levels', deep(8), 'application/json', 400, WRONG],
    ['9 levels', deep(9), 'application/json', 400, 'The request is nested deeper than 8 levels'],
    ['60,000 levels', deep(60_000), 'application/json', 400, 'The request is nested deeper than 8 levels'],
    ['__proto__', '{"changes":[],"__proto__":{}}', 'application/json', 400, UNREADABLE],
    ['a hidden __proto__', '{"changes":[{"\\u005f_proto__":{"x":1}}]}', 'application/json', 400, UNREADABLE],
    ['a prototype', '{"changes":[],"constructor":{"prototype":{}}}', 'application/json', 400, UNREADABLE],
  ])('of %s', async (_name, payload, type, status, message) => {
    const reply = await app.app.inject({
      method: 'POST',
      url: '/api/bookmarks/sync',
      headers: { ...asha.headers, ...(type && { 'content-type': type }) },
      payload,
    });
    expect([reply.statusCode, reply.json().message]).toEqual([status, message]);
    if (status !== 200) expect(reply.json().code).toBe('INVALID');
  });

  test('of other calls may have 32 KB', async () => {
    const send = (bytes: number) =>
      app.app.inject({
        method: 'POST',
        url: `/api/tenders/${ids[0]}/bookmark`,
        headers: { ...asha.headers, 'content-type': 'application/json' },
        payload: OK.padEnd(bytes),
      });
    expect((await send(32_768)).statusCode).toBe(200);
    expect((await send(32_769)).statusCode).toBe(413);
  });
});

describe('tenders that are removed', () => {
  const idsOf = async (state: string): Promise<string[]> => {
    const rows = await app.database.dataSource.query('SELECT id FROM tender WHERE state = $1 ORDER BY id', [state]);
    return rows.map(({ id }: { id: number }) => String(id));
  };
  const demonstrate = (state: string, count: number) =>
    importTenders(
      app.database.dataSource,
      Array.from({ length: count }, (_, n) =>
        createSourceTender({ portal: 'demo', sourceId: `2026_DEMO_${n}_${count}`, state }),
      ),
      { now: NOW, origin: 'generated' },
    );
  /** A first import for the state, which removes its demonstration tenders. */
  const replace = (state: string) =>
    importTenders(app.database.dataSource, [createSourceTender({ sourceId: `2026_${state}_1_1`, state })], {
      now: NOW,
    });

  test('disappear from the bookmarks, and the others stay', async () => {
    await demonstrate('Goa', 1);
    const [demo] = (await idsOf('Goa')) as [string];
    const [id] = first(1);
    await bookmark(id);
    await bookmark(demo);
    expect(await bookmarkedIds()).toEqual([demo, id]);
    await replace('Goa');
    expect(await bookmarkedIds()).toEqual([id]);
    expect(await sync([bookmarkChange(demo)])).toEqual({
      results: [{ tenderId: demo, result: 'rejected', message: 'Tender not found' }],
      tenderIds: [id],
    });
    expect((await unbookmark(demo)).status).toBe(404);
  });

  test('at the same moment as they are bookmarked are bookmarked or not found, never an error', async () => {
    await demonstrate('Sikkim', 100);
    const demos = await idsOf('Sikkim');
    const asked = Promise.all(demos.map((id) => bookmark(id)));
    await replace('Sikkim');
    const statuses = (await asked).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    expect(await bookmarkedIds()).toEqual([]);
  });
});

describe('a device whose app is closed', () => {
  const SEARCH = {
    id: '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01',
    name: 'Bridges in Solan',
    filter: { state: 'Himachal Pradesh', district: 'Solan', department: '', q: 'bridge', min: '100000' },
    openedUpTo: 40,
  };
  const issue = async (): Promise<string[]> => {
    const { status, json } = await call('POST', '/api/outbox/tokens');
    expect(status).toBe(200);
    return v.parse(v.strictObject(SendTokensResponse.entries), json).tokens;
  };
  async function send(authorization: string, changes: object = {}) {
    const payload = { bookmarks: [], searches: [], offices: [], ...changes };
    const reply = await app.app.inject({ method: 'POST', url: '/api/outbox', headers: { authorization }, payload });
    return { status: reply.statusCode, json: reply.json() };
  }
  const searches = async () => (await call('GET', '/api/searches')).json.searches;

  test('sends bookmarks and searches with a token, once', async () => {
    const [id, other] = first(2);
    await bookmark(other);
    const [token, next] = await issue();
    const changes = [bookmarkChange(id), bookmarkChange(other, false), bookmarkChange('999999')];
    const sent = await send(`Once ${token}`, { bookmarks: changes, searches: [{ wanted: 'kept', search: SEARCH }] });
    const refusal = { code: 'REFUSED', message: 'Tender not found' };
    expect(sent).toMatchObject({
      status: 200,
      json: {
        bookmarks: [
          { id, refusal: null },
          { id: other, refusal: null },
          { id: '999999', refusal },
        ],
        searches: [{ id: SEARCH.id, refusal: null }],
        offices: [],
        present: { tenderIds: [id], searches: [{ id: SEARCH.id, name: SEARCH.name }], offices: [] },
      },
    });
    expect(await bookmarkedIds()).toEqual([id]);
    expect(await searches()).toMatchObject([{ ...SEARCH, filter: { ...SEARCH.filter, min: 100_000 } }]);
    expect((await send(`Once ${token}`, { bookmarks: [bookmarkChange(id, false)] })).status).toBe(401);
    expect(await bookmarkedIds()).toEqual([id]);

    // The same changes again, as after a lost response, then others.
    const renamed = { ...SEARCH, name: 'Bridges', openedUpTo: 50 };
    await send(`Once ${next}`, { bookmarks: changes, searches: [{ wanted: 'kept', search: renamed }] });
    expect(await searches()).toMatchObject([{ name: 'Bridges', openedUpTo: 50 }]);
    const [third, fourth] = await issue();
    await send(`Once ${third}`, { searches: [{ wanted: 'opened', search: { ...SEARCH, openedUpTo: 60 } }] });
    expect(await searches()).toMatchObject([{ name: 'Bridges', openedUpTo: 60 }]);
    const deleted = { wanted: 'deleted', search: SEARCH };
    expect((await send(`Once ${fourth}`, { searches: [deleted, deleted] })).json.searches).toEqual([
      { id: SEARCH.id, refusal: null },
      { id: SEARCH.id, refusal: null },
    ]);
    expect(await searches()).toEqual([]);
    // Another device has deleted the search that this one opens; what is refused stops nothing after it.
    const [fifth] = await issue();
    const added = { ...SEARCH, id: '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a02' };
    const { json } = await send(`Once ${fifth}`, {
      searches: [{ wanted: 'opened', search: SEARCH }, { wanted: 'kept', search: added }, deleted],
    });
    expect(json.searches).toEqual([SEARCH.id, added.id, SEARCH.id].map((each) => ({ id: each, refusal: null })));
    expect(await searches()).toMatchObject([{ id: added.id }]);
  });

  test('sends followed offices; those without awards are refused', async () => {
    const office = {
      id: '0123456789ab',
      key: 'PWD||Mandi',
      name: 'Mandi',
      kind: 'chain',
      department: 'PWD',
      state: 'Goa',
    };
    await app.database.dataSource.query(
      `INSERT INTO office_statistics (office_id, state, office_key, department, awards, statistics, updated_at)
       VALUES ($1, 'Goa', 'PWD||Mandi', 'PWD', 30, $2, now())`,
      [office.id, { office }],
    );
    const [token, next] = await issue();
    const offices = [office.id, '000000000000'].map((officeId) => ({ officeId, wanted: true }));
    expect((await send(`Once ${token}`, { offices })).json).toMatchObject({
      offices: [
        { id: office.id, refusal: null },
        { id: '000000000000', refusal: { code: 'NOT_FOUND', message: 'This office was not found' } },
      ],
      present: { offices: [office] },
    });
    expect((await call('GET', '/api/followed-offices')).json.offices).toMatchObject([office]);
    await send(`Once ${next}`, { offices: offices.map((each) => ({ ...each, wanted: false })) });
    expect((await call('GET', '/api/followed-offices')).json.offices).toEqual([]);
  });

  test('has ten tokens, stored as digests; new ones replace the old ones', async () => {
    const old = await issue();
    const tokens = await issue();
    expect(new Set([...old, ...tokens])).toHaveProperty('size', 20);
    expect((await send(`Once ${old[0]}`)).status).toBe(401);
    // Another session keeps its own.
    const { headers } = await createSession(app);
    const others = await app.app.inject({ method: 'POST', url: '/api/outbox/tokens', headers });
    expect((await send(`Once ${tokens[8]}`)).status).toBe(200);
    expect((await send(`once  ${others.json().tokens[0]}`)).status).toBe(200);
    expect((await send(`Once ${others.json().tokens[1]}x`)).status).toBe(401);
    const text = 'SELECT count(*)::int AS count FROM send_token WHERE digest = ANY($1)';
    expect(await app.database.dataSource.query(text, [tokens])).toEqual([{ count: 0 }]);
    expect((await send(`Once ${tokens[9]}`)).status).toBe(200);
  });

  test('is refused when the session has ended, and by every other call', async () => {
    const [token, other] = await issue();
    const url = '/api/bookmarks/sync';
    const headers = { authorization: `Once ${token}` };
    const reply = await app.app.inject({ method: 'POST', url, headers, payload: { changes: [] } });
    expect(reply.statusCode).toBe(401);
    expect((await send('')).status).toBe(401);
    expect((await send(`Once ${token}`)).status).toBe(200);
    expect((await call('POST', '/api/auth/logout')).status).toBe(200);
    expect((await send(`Once ${other}`)).status).toBe(401);
  });

  test('is refused when the session has expired, and when its account was deleted', async () => {
    const [token, other, third] = await issue();
    app.clock.now = new Date(NOW.getTime() + 12 * 3_600_000 - 1_000);
    expect((await send(`Once ${token}`)).status).toBe(200);
    app.clock.now = new Date(NOW.getTime() + 12 * 3_600_000);
    expect((await send(`Once ${other}`)).status).toBe(401);
    app.clock.now = NOW;
    await app.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [asha.user._id, NOW]);
    expect((await send(`Once ${third}`)).status).toBe(401);
  });

  test('and an open app send the same changes, and only the refused ones are not stored', async () => {
    const [id] = first(1);
    const session = String(asha.headers.authorization);
    const full = Array.from({ length: 50 }, (_, n) => ({
      wanted: 'kept',
      search: { ...SEARCH, id: `7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7${String(n).padStart(3, '0')}` },
    }));
    expect((await send(session, { searches: full })).status).toBe(200);
    const more = { wanted: 'kept', search: { ...SEARCH, id: '8e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01' } };
    const { json } = await send(session, { bookmarks: [bookmarkChange(id)], searches: [more] });
    expect(json.searches).toEqual([
      { id: more.search.id, refusal: { code: 'CONFLICT', message: 'You can have at most 50 saved searches' } },
    ]);
    expect([json.bookmarks, await bookmarkedIds()]).toEqual([[{ id, refusal: null }], [id]]);
    expect(json.present.searches).toHaveLength(50);
    expect((await send(session)).json.present.tenderIds).toEqual([id]);
  });

  test('gets tokens 30 times an hour', async () => {
    const statuses: number[] = [];
    for (let nth = 1; nth <= 31; nth += 1) statuses.push((await call('POST', '/api/outbox/tokens')).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
  });

  test('cannot have tokens without a session', async () => {
    expect((await app.app.inject({ method: 'POST', url: '/api/outbox/tokens' })).statusCode).toBe(401);
  });
});
