import { randomUUID } from 'node:crypto';
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import { RecordChangesPage, RecordChangesResponse } from '@nivida/contract/bids/records';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RetentionService } from '../../src/retention/retention.service.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { rowsRead } from '../support/database/rows-read.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const PHONE = 'aaaaaaaaaaaaaaaa';
const LAPTOP = 'bbbbbbbbbbbbbbbb';

let app: TestApp;
let asha: SignedInAccount;
let ravi: SignedInAccount;

beforeAll(async () => {
  app = await startApp({ now: NOW });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.now = NOW;
  asha = await createSession(app);
  ravi = await createSession(app, { username: 'Ravi' });
});

/** A stamp of `device`, `ms` after the server's time. */
const stamp = (ms: number, device = PHONE) => `${NOW.getTime() + ms}-0000-${device}`;

interface Sent {
  kind: string;
  id: string;
  fields: Record<string, unknown>;
  stamps: Record<string, string>;
  deleted?: string;
}

const ROAD = recordIdFor('bid', 'road');

/** A record whose fields all changed at one stamp. */
function record(fields: Record<string, unknown>, at = stamp(0), changes: Partial<Sent> = {}): Sent {
  const stamps = Object.fromEntries(Object.keys(fields).map((name) => [name, at]));
  return { kind: 'bid', id: ROAD, fields, stamps, ...changes };
}

async function post(payload: unknown, account = asha) {
  const reply = await app.app.inject({
    ...{ method: 'POST', url: '/api/bids/changes', headers: account.headers },
    payload: payload as object,
  });
  return { status: reply.statusCode, json: reply.json() };
}

async function send(records: Sent[], account = asha): Promise<RecordChangesResponse> {
  const { status, json } = await post({ records }, account);
  expect(status, JSON.stringify(json)).toBe(200);
  return v.parse(v.strictObject(RecordChangesResponse.entries), json);
}
const results = async (records: Sent[], account = asha) =>
  (await send(records, account)).results.map(({ result, message }) => message ?? result);

async function read(after = '', account = asha): Promise<RecordChangesPage | null> {
  const url = `/api/bids/changes?after=${encodeURIComponent(after)}`;
  const reply = await app.app.inject({ method: 'GET', url, headers: account.headers });
  if (reply.statusCode === 204) return null;
  expect(reply.statusCode).toBe(200);
  expect(reply.headers['cache-control']).toBe('no-store');
  return v.parse(v.strictObject(RecordChangesPage.entries), reply.json());
}
const fieldsOf = async (account = asha) => ((await read('', account))?.records ?? []).map(({ fields }) => fields);

const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);

describe('changes of a device', () => {
  test('are stored, and sending them again changes nothing', async () => {
    const road = record({ tenderId: '12', stage: 'preparing', note: 'Call the office' });
    const first = await send([road]);
    expect(first).toEqual({
      results: [{ kind: 'bid', id: ROAD, result: 'accepted' }],
      now: NOW.getTime(),
      before: expect.stringMatching(/\.0$/),
      after: expect.stringMatching(/\.1$/),
    });
    const again = await send([road]);
    expect([again.before, again.after]).toEqual([first.after, first.after]);
    const page = await read();
    expect(page).toEqual({ records: [road], cursor: first.after, more: false });
    expect(await read(first.after)).toBeNull();
  });

  test('of two devices are merged field by field; of one field the later change stays', async () => {
    await send([record({ stage: 'considering', note: 'Call' })]);
    await send([record({ note: 'Called' }, stamp(2, LAPTOP)), record({ stage: 'preparing' }, stamp(1))]);
    await send([record({ note: 'Late' }, stamp(1, PHONE))]);
    expect(await fieldsOf()).toEqual([{ stage: 'preparing', note: 'Called' }]);
  });

  test('that remove a field, delete the record and change it later', async () => {
    await send([record({ stage: 'considering', note: 'Call' })]);
    await send([record({ note: null }, stamp(1))]);
    expect(await fieldsOf()).toEqual([{ stage: 'considering' }]);
    await send([record({}, '', { deleted: stamp(2) })]);
    expect((await read())?.records).toEqual([
      record({ stage: 'considering' }, stamp(0), {
        stamps: { stage: stamp(0), note: stamp(1) },
        deleted: stamp(2),
      }),
    ]);
    await send([record({ note: 'Back' }, stamp(3, LAPTOP))]);
    expect(await fieldsOf()).toEqual([{ stage: 'considering', note: 'Back' }]);
    expect(await query('SELECT is_deleted FROM bid_record WHERE owner_id = $1', [asha.user._id])).toEqual([
      { is_deleted: false },
    ]);
  });

  test('of one record with its id in capital letters and in small ones are merged', async () => {
    await send([record({ note: 'Call' }, stamp(0), { id: ROAD.toUpperCase() })]);
    await send([record({ stage: 'preparing' }, stamp(1), { id: ROAD.toUpperCase() })]);
    await send([
      record({ winner: 'Verma' }, stamp(2)),
      record({ title: 'Road' }, stamp(3), { id: ROAD.toUpperCase() }),
    ]);
    const page = await read();
    expect(page?.records.map(({ id, fields }) => ({ id, fields }))).toEqual([
      { id: ROAD, fields: { note: 'Call', stage: 'preparing', winner: 'Verma', title: 'Road' } },
    ]);
    const { before, after } = await send([record({ note: 'Call' }, stamp(0), { id: ROAD.toUpperCase() })]);
    expect(after).toBe(before);
  });

  test('of a new record twice in one request are merged', async () => {
    expect(await results([record({ note: 'Call' }), record({ stage: 'preparing' }, stamp(1))])).toEqual([
      'accepted',
      'accepted',
    ]);
    const page = await read();
    expect(page?.records.map(({ fields }) => fields)).toEqual([{ note: 'Call', stage: 'preparing' }]);
    expect(page?.cursor).toMatch(/\.1$/);
  });

  test('of twenty devices at the same moment are all stored', async () => {
    const names = ['note', 'title', 'organisation', 'winner', 'portalBidId'];
    const writes = Array.from({ length: 20 }, (_, n) => {
      const device = n.toString(16).padStart(16, '0');
      return record({ [names[n % 5] as string]: `from ${n}` }, stamp(n, device));
    });
    const answers = await Promise.all(writes.map((each) => results([each])));
    expect(answers).toEqual(Array(20).fill(['accepted']));
    expect(await fieldsOf()).toEqual([
      { note: 'from 15', title: 'from 16', organisation: 'from 17', winner: 'from 18', portalBidId: 'from 19' },
    ]);
  });

  test('are received in the order of their numbers, each once, while others write', async () => {
    const ids = Array.from({ length: 30 }, () => randomUUID());
    const seen: string[] = [];
    let cursor = '';
    let written = 0;
    const writes = ids.map(async (id) => {
      await send([record({ note: id }, stamp(0), { id })]);
      written += 1;
    });
    for (let isLast = false; !isLast; ) {
      isLast = written === ids.length;
      const page = await read(cursor);
      seen.push(...(page?.records ?? []).map(({ id }) => id));
      cursor = page?.cursor ?? cursor;
    }
    await Promise.all(writes);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  test('are read in pages', async () => {
    const many = Array.from({ length: 250 }, (_, n) => record({ note: `${n}` }, stamp(0), { id: randomUUID() }));
    for (let from = 0; from < 200; from += 100) await send(many.slice(from, from + 100));
    const only = await read();
    expect([only?.records.length, only?.more]).toEqual([200, false]);
    await send(many.slice(200));
    const first = await read();
    expect([first?.records.length, first?.more]).toEqual([200, true]);
    const second = await read(first?.cursor);
    expect([second?.records.length, second?.more]).toEqual([50, false]);
    expect([...(first?.records ?? []), ...(second?.records ?? [])].map(({ id }) => id)).toEqual(
      many.map(({ id }) => id),
    );
    expect(await read(second?.cursor)).toBeNull();
  });

  test('with a stamp of a clock that is days ahead are not stored, and the others are', async () => {
    const wrong = record({ note: 'From tomorrow' }, stamp(DAY));
    const other = record({ note: 'Now' }, stamp(5 * MINUTE), { id: randomUUID() });
    const removal = record({}, '', { id: randomUUID(), deleted: stamp(DAY) });
    expect(await results([wrong, other, removal])).toEqual(['ahead', 'accepted', 'ahead']);
    expect(await fieldsOf()).toEqual([{ note: 'Now' }]);
    await send([record({ note: 'Stored' }, stamp(1)), record({ stage: 'preparing' }, stamp(2, LAPTOP))]);
    const { results: answers } = await send([wrong, removal]);
    expect(answers).toEqual([
      { kind: 'bid', id: ROAD, result: 'ahead', latest: stamp(2, LAPTOP) },
      { kind: 'bid', id: removal.id, result: 'ahead' },
    ]);
  });

  test('up to the latest stored stamp of the record are accepted by a server whose clock was put back', async () => {
    app.clock.now = new Date(NOW.getTime() - 10 * MINUTE);
    asha = await createSession(app);
    app.clock.now = NOW;
    const road = record({ note: 'Call' }, stamp(5 * MINUTE));
    await send([road]);
    app.clock.now = new Date(NOW.getTime() - MINUTE);
    expect(await results([road])).toEqual(['accepted']);
    expect(await results([record({ note: 'Other' }, stamp(5 * MINUTE + 1, LAPTOP))])).toEqual(['ahead']);
    expect(await results([record({ stage: 'won' }, stamp(5 * MINUTE, LAPTOP))])).toEqual(['accepted']);
    expect(await fieldsOf()).toEqual([{ note: 'Call', stage: 'won' }]);
  });
});

describe('a record is refused with its reason, and the others of the request are stored', () => {
  test.each<[string, Partial<Sent>, string]>([
    ['an unknown kind', { kind: 'loan' }, 'This kind of record is not known. Update the app.'],
    ['NUL in the kind', { kind: 'b\0d' }, 'This kind of record is not known. Update the app.'],
    ['the name of a method as kind', { kind: 'toString' }, 'This kind of record is not known. Update the app.'],
    ['a field of another kind', record({ udyam: 'x' }), 'udyam: This field is not known. Update the app.'],
    ['a field without a stamp', { fields: { note: 'x' }, stamps: {} }, 'A field has no stamp'],
    ['a text that is too long', record({ note: 'x'.repeat(4_001) }), 'note: At most 4000 characters'],
    ['NUL', record({ note: 'a\0b' }), 'note: This text has characters that cannot be stored'],
    ['half of a surrogate pair', record({ note: '\ud800' }), 'note: This text has characters that cannot be stored'],
    ['a wrong stage', record({ stage: 'sold' }), 'stage: Unknown stage'],
  ])('with %s', async (_name, changes, message) => {
    const wrong = { ...record({ note: 'x' }), id: randomUUID(), ...changes } as Sent;
    expect(await results([wrong, record({ note: 'Good' }, stamp(0), { id: randomUUID() })])).toEqual([
      message,
      'accepted',
    ]);
    expect(await fieldsOf()).toEqual([{ note: 'Good' }]);
  });

  test('that has the id of a record of another kind', async () => {
    await send([record({ note: 'Road' })]);
    expect(await results([record({ number: '1' }, stamp(1), { kind: 'deposit' })])).toEqual([
      'This id belongs to a record of another kind',
    ]);
  });

  test('beyond 2,000 bids; deleting one makes room', async () => {
    await query(
      `INSERT INTO bid_record (owner_id, id, kind, fields, stamps, is_deleted, number, updated_at)
       SELECT $1, gen_random_uuid(), 'bid', '{}', '{}', false, n, now() FROM generate_series(1, 1999) n`,
      [asha.user._id],
    );
    await query('INSERT INTO bid_sync (owner_id, last_number) VALUES ($1, 1999)', [asha.user._id]);
    const more = record({ note: 'One more' }, stamp(1), { id: randomUUID() });
    expect(await results([record({ note: 'The last one' }), more])).toEqual([
      'accepted',
      'You can have at most 2,000 bids',
    ]);
    expect(await results([more])).toEqual(['You can have at most 2,000 bids']);
    expect(await results([record({ note: 'Of Ravi' }, stamp(1), { id: more.id })], ravi)).toEqual(['accepted']);
    expect(await results([record({ note: 'Changed' }, stamp(1))])).toEqual(['accepted']);
    expect(await results([record({}, '', { deleted: stamp(2) }), more])).toEqual(['accepted', 'accepted']);
    expect(await results([record({ restored: true }, stamp(3))])).toEqual(['You can have at most 2,000 bids']);
  });

  test.each<[string, number, string, object]>([
    ['bidDocument', 500, 'documents', { kind: 'pan' }],
    ['workDone', 500, 'completed works', { name: 'Road' }],
    ['enlistment', 100, 'enlistments', { class: 'A' }],
    ['deposit', 4_000, 'deposits', { number: '1' }],
    ['release', 8_000, 'partial releases', { amountPaise: 1 }],
    ['letter', 1_000, 'letters', { kind: 'rti' }],
    ['profile', 1, 'profiles', { multiplier: 3 }],
    ['rate', 20_000, 'rates', { row: 12, rate: '110.5' }],
  ])('beyond the limit of a %s, %i; deleted ones do not count', async (kind, max, name, fields) => {
    await query(
      `INSERT INTO bid_record (owner_id, id, kind, fields, stamps, is_deleted, number, updated_at)
       SELECT $1, gen_random_uuid(), $2, '{}', '{}', false, n, now() FROM generate_series(1, $3::int) n`,
      [asha.user._id, kind, max],
    );
    await query('INSERT INTO bid_sync (owner_id, last_number) VALUES ($1, $2)', [asha.user._id, max]);
    const more = record({ ...fields }, stamp(0), { kind, id: randomUUID() });
    expect(await results([more])).toEqual([`You can have at most ${max.toLocaleString('en-IN')} ${name}`]);
    await query('UPDATE bid_record SET is_deleted = true WHERE owner_id = $1 AND number = 1', [asha.user._id]);
    expect(await results([more])).toEqual(['accepted']);
  });

  test('beyond twice the limit of its kind with the deleted ones: they take space too', async () => {
    await query(
      `INSERT INTO bid_record (owner_id, id, kind, fields, stamps, is_deleted, number, updated_at)
       SELECT $1, gen_random_uuid(), 'enlistment', '{}', '{}', true, n, now() FROM generate_series(1, 299) n`,
      [asha.user._id],
    );
    await query('INSERT INTO bid_sync (owner_id, last_number) VALUES ($1, 299)', [asha.user._id]);
    const enlist = () => record({ class: 'A' }, stamp(0), { kind: 'enlistment', id: randomUUID() });
    expect(await results([enlist(), enlist()])).toEqual(['accepted', 'Your account has no room for more records']);
    expect(await results([enlist()])).toEqual(['Your account has no room for more records']);
    expect(await results([enlist()], ravi)).toEqual(['accepted']);
    expect(await results([record({ note: 'Another kind' })])).toEqual(['accepted']);
  });

  test('beyond 50 MB of all kinds; one that shrinks is taken', async () => {
    await send([record({ note: 'Long note' })]);
    await query(
      `INSERT INTO bid_record (owner_id, id, kind, fields, stamps, is_deleted, number, updated_at)
       SELECT $1, gen_random_uuid(), 'deposit', jsonb_build_object('note', repeat('x', 500000)), '{}', true, n, now()
       FROM generate_series(2, 100) n`,
      [asha.user._id],
    );
    await query(
      `INSERT INTO bid_record (owner_id, id, kind, fields, stamps, is_deleted, number, updated_at)
       VALUES ($1, gen_random_uuid(), 'check', jsonb_build_object('note', repeat('x', 499700)), '{}', false, 101, now())`,
      [asha.user._id],
    );
    await query('UPDATE bid_sync SET last_number = 101 WHERE owner_id = $1', [asha.user._id]);
    const more = record({ note: 'x'.repeat(4_000) }, stamp(1), { id: randomUUID() });
    expect(await results([more, record({ note: 'Short' }, stamp(1))])).toEqual([
      'Your account has no room for more records',
      'accepted',
    ]);
    await query("DELETE FROM bid_record WHERE owner_id = $1 AND kind = 'check'", [asha.user._id]);
    expect(await results([more])).toEqual(['accepted']);
  });
});

test('storing a record reads no other one, however many the account has', async () => {
  await query(
    `INSERT INTO bid_record (owner_id, id, kind, fields, stamps, is_deleted, number, updated_at)
     SELECT $1, gen_random_uuid(), 'check', '{"note": "x"}', '{}', n % 2 = 0, n, now() FROM generate_series(1, 1000) n`,
    [asha.user._id],
  );
  await query('INSERT INTO bid_sync (owner_id, last_number) VALUES ($1, 1000)', [asha.user._id]);
  const [{ id }] = await query('SELECT id FROM bid_record WHERE owner_id = $1 AND number = 7', [asha.user._id]);
  await query('ANALYZE bid_record');
  const check = (state: string, own = randomUUID()) => record({ state }, stamp(1), { kind: 'check', id: own });
  const sent = [check('ready'), check('missing', id), record({}, '', { kind: 'check', id, deleted: stamp(2) })];
  const read = await rowsRead(app.database.dataSource, 'bid_record', () => send(sent));
  // Those of the request: explained after it, both are there.
  expect(read).toBe(2);
  const usage = await query('SELECT kind, stored, live FROM record_usage WHERE owner_id = $1', [asha.user._id]);
  expect(usage).toEqual([{ kind: 'check', stored: 1_001, live: 500 }]);
});

test('the kept numbers of records are those of the stored ones after every kind of change', async () => {
  const other = randomUUID();
  await send([record({ note: 'Road' }), record({ number: '1' }, stamp(0), { kind: 'deposit', id: other })]);
  await send([record({ note: 'Road to the school' }, stamp(1)), record({ note: 'x' }, stamp(1), { id: randomUUID() })]);
  await send([
    record({}, '', { deleted: stamp(2) }),
    record({}, '', { kind: 'deposit', id: other, deleted: stamp(2) }),
  ]);
  const kept = () =>
    query('SELECT kind, stored, live, bytes::int FROM record_usage WHERE owner_id = $1 ORDER BY kind', [asha.user._id]);
  const counted = () =>
    query(
      `SELECT kind, count(*)::int AS stored, (count(*) FILTER (WHERE NOT is_deleted))::int AS live,
         sum(octet_length(fields::text) + octet_length(stamps::text))::int AS bytes
       FROM bid_record WHERE owner_id = $1 GROUP BY kind ORDER BY kind`,
      [asha.user._id],
    );
  expect(await kept()).toEqual(await counted());
  expect(await kept()).toMatchObject([
    { kind: 'bid', stored: 2, live: 1 },
    { kind: 'deposit', stored: 1, live: 0 },
  ]);
  await app.app.get(RetentionService).apply(new Date(NOW.getTime() + 91 * DAY));
  expect(await kept()).toEqual(await counted());
  expect(await kept()).toMatchObject([{ kind: 'bid', stored: 1, live: 1 }]);
});

describe('a request is refused', () => {
  test.each<[string, unknown, number]>([
    ['more than 100 records', { records: Array(101).fill(record({})) }, 400],
    ['an owner', { records: [], userId: '1' }, 400],
    ['an id that is none', { records: [record({}, '', { id: '1' })] }, 400],
    ['a stamp that is none', { records: [record({ note: 'x' }, '9999')] }, 400],
    ['a body of more than 512 KB', { records: [record({ note: 'x'.repeat(530_000) })] }, 413],
  ])('with %s', async (_name, body, status) => {
    expect((await post(body)).status).toBe(status);
    expect(await fieldsOf()).toEqual([]);
  });

  test('without a session', async () => {
    for (const method of ['GET', 'POST'] as const)
      expect((await app.app.inject({ method, url: '/api/bids/changes' })).statusCode).toBe(401);
  });
});

test('records of one user are neither read nor changed by another one', async () => {
  await send([record({ note: 'Of Asha' })]);
  expect(await results([record({ note: 'Of Ravi' }, stamp(5))], ravi)).toEqual(['accepted']);
  await send([record({}, '', { deleted: stamp(6) })], ravi);
  expect(await fieldsOf()).toEqual([{ note: 'Of Asha' }]);
  expect((await read('', ravi))?.records.map(({ deleted }) => deleted)).toEqual([stamp(6)]);
});

test('the export has the records of its user only', async () => {
  await send([record({ note: 'Of Asha' }), record({ note: 'Wrong' }, stamp(0), { id: randomUUID() })]);
  const [, wrong] = (await read())?.records ?? [];
  await send([record({}, '', { id: wrong?.id ?? '', deleted: stamp(1) })]);
  await send([record({ note: 'Of Ravi' })], ravi);
  const { json } = await app.get('/api/me/export', asha.headers);
  expect(json.records).toEqual([
    { kind: 'bid', id: ROAD, fields: { note: 'Of Asha' }, isDeleted: false, changedAt: NOW.toISOString() },
    { kind: 'bid', id: wrong?.id, fields: { note: 'Wrong' }, isDeleted: true, changedAt: NOW.toISOString() },
  ]);
});

test('the exchange of bookmarks has the newest cursor, and none for a user without records', async () => {
  const cursorOf = async (account: SignedInAccount) =>
    (
      await app.app.inject({
        ...{ method: 'POST', url: '/api/bookmarks/sync', headers: account.headers },
        payload: { changes: [] },
      })
    ).json().recordsCursor;
  const { after } = await send([record({ note: 'Road' })]);
  expect(await cursorOf(asha)).toBe(after);
  expect(await cursorOf(ravi)).toBeUndefined();
});

test('deleted records are removed after 90 days; a device that was away for longer starts again, others go on', async () => {
  const remove = (days: number) =>
    query(`UPDATE bid_record SET updated_at = $2::timestamptz - interval '${days} days' WHERE owner_id = $1`, [
      asha.user._id,
      NOW,
    ]).then(() => app.app.get(RetentionService).apply(NOW));
  const ids = Array.from({ length: 250 }, () => randomUUID());
  for (let from = 0; from < 250; from += 100)
    await send(ids.slice(from, from + 100).map((id) => record({ note: id }, stamp(0), { id })));
  const away = (await read((await read())?.cursor))?.cursor;
  const [gone = ''] = ids;
  const { after } = await send([record({}, '', { id: gone, deleted: stamp(1) })]);
  expect(await remove(89)).toBe(0);
  expect(await remove(91)).toBe(1);
  expect(await read(after)).toBeNull();
  const first = await read(away);
  expect([first?.restart, first?.records.length, first?.more]).toEqual(['removed', 200, true]);
  const second = await read(first?.cursor);
  expect([second?.restart, second?.records.length, second?.cursor]).toEqual([undefined, 49, after]);
  expect([...(first?.records ?? []), ...(second?.records ?? [])].some(({ id }) => id === gone)).toBe(false);
  const [, changed = ''] = ids;
  const { after: latest } = await send([record({ note: 'Changed' }, stamp(2), { id: changed })]);
  expect((await read(away))?.restart).toBe('removed');
  expect(await read(after)).toMatchObject({ records: [{ id: changed }], cursor: latest });
  expect(await read(after)).not.toHaveProperty('restart');
});

test('a device starts again although an earlier deletion was removed after a later one', async () => {
  const [first = '', second = ''] = [randomUUID(), randomUUID()];
  await send([first, second].map((id) => record({ note: id }, stamp(0), { id })));
  const { after: away } = await send([record({}, '', { id: first, deleted: stamp(1) })]);
  await send([record({}, '', { id: second, deleted: stamp(2) })]);
  for (const id of [second, first]) {
    await query('UPDATE bid_record SET updated_at = $2 WHERE id = $1', [id, new Date(NOW.getTime() - 91 * DAY)]);
    expect(await app.app.get(RetentionService).apply(NOW)).toBe(1);
  }
  expect(await read(away)).toMatchObject({ restart: 'removed', records: [] });
});

test('a device with the cursor of another database starts again and is asked to send everything', async () => {
  await send([record({ note: 'Road' })]);
  expect(await read('earlier-database.7')).toMatchObject({ restart: 'restored', more: false, records: [{ id: ROAD }] });
  expect(await read('nonsense')).toMatchObject({ restart: 'restored' });
  expect(await read('earlier-database.7', ravi)).toMatchObject({ restart: 'restored', records: [] });
});
