// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { acceptChange, type BidRecordState, isSameState, latestStamp } from '@nivida/contract/bids/merge-records';
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import type { WireRecord } from '@nivida/contract/bids/records';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceDatabase } from '../device/schema.ts';
import { pendingChanges } from '../outbox/pending-changes.ts';
import { clearSession } from '../session.ts';
import { signInForTest } from '../test-session.ts';
import { exchangeRecords } from './exchange-records.ts';
import { noteNewestCursor } from './newest-cursor.ts';
import {
  deleteRecord,
  deleteRecordsAtSignOut,
  type RecordWrite,
  readRecords,
  readRefusals,
  writeRecords,
} from './record-rows.ts';
import { onRecordRefused } from './refusals.ts';

const ASHA = '7';
const ROAD = recordIdFor('bid', 'road');
const BRIDGE = recordIdFor('bid', 'bridge');
const DAY = 86_400_000;

interface StoredRecord extends BidRecordState {
  kind: string;
  id: string;
  number: number;
}

/** The server's records of Asha and its database's epoch. */
let stored: Map<string, StoredRecord>;
let epoch: string;
let number: number;
let removedUpTo: number;
let serverNow: number;
let calls: string[];
/** Ids that the server refuses, with the reason. */
let refusals: Map<string, string>;
/** Runs before the response is sent; may replace it. */
let fault: (call: string) => Response | undefined | Promise<undefined>;

const wire = ({ number: _number, ...record }: StoredRecord): WireRecord => record;

/** The rules of `POST /api/bids/changes`. */
function accept(records: readonly WireRecord[]) {
  const before = `${epoch}.${number}`;
  const results = records.map((record) => {
    const { kind, id } = record;
    const message = refusals.get(id);
    if (message !== undefined) return { kind, id, result: 'refused', message };
    const present = stored.get(id);
    const merged = acceptChange(present, record, serverNow);
    if (merged === 'ahead') return { kind, id, result: 'ahead', latest: present && latestStamp(present) };
    if (!present || !isSameState(present, merged)) stored.set(id, { kind, id, ...merged, number: ++number });
    return { kind, id, result: 'accepted' };
  });
  return { results, now: serverNow, before, after: `${epoch}.${number}` };
}

/** The rules of `GET /api/bids/changes`, with pages of two records. */
function pageAfter(after: string): object | null {
  const [cursorEpoch, position = '0', known = '0'] = after.split('.');
  const isRestored = after !== '' && cursorEpoch !== epoch;
  const at = after === '' || isRestored ? 0 : Number(position);
  const isRemoved = at > 0 && removedUpTo > Math.max(at, Number(known));
  const rows = [...stored.values()]
    .filter((row) => row.number > (isRemoved ? 0 : at))
    .sort((a, b) => a.number - b.number);
  if (rows.length === 0 && !isRestored && !isRemoved) return null;
  const more = rows.length > 2;
  const cursor = more ? `${epoch}.${rows[1]?.number}.${removedUpTo}` : `${epoch}.${number}`;
  const restart = isRestored ? 'restored' : isRemoved ? 'removed' : undefined;
  return { records: rows.slice(0, 2).map(wire), cursor, more, restart };
}

let phone: DeviceDatabase;
let desk: DeviceDatabase;

beforeEach(() => {
  stored = new Map();
  refusals = new Map();
  epoch = 'one';
  number = 0;
  removedUpTo = 0;
  serverNow = Date.now();
  calls = [];
  fault = () => undefined;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { searchParams } = new URL(request.url);
    calls.push(request.method);
    if (request.method === 'POST') {
      const answer = accept((await request.json()).records);
      return (await fault('POST')) ?? Response.json(answer);
    }
    const page = pageAfter(searchParams.get('after') ?? '');
    return (await fault('GET')) ?? (page ? Response.json(page) : new Response(null, { status: 204 }));
  });
  signInForTest(ASHA);
  phone = new DeviceDatabase('phone');
  desk = new DeviceDatabase('desk');
});

afterEach(async () => {
  vi.unstubAllGlobals();
  clearSession();
  await Promise.all([phone.delete(), desk.delete()]);
});

const bid = (
  db: DeviceDatabase,
  id: string,
  change: Extract<RecordWrite, { kind: 'bid' }>['change'],
  now = serverNow,
) => writeRecords(db, ASHA, [{ kind: 'bid', id, change }], now);
const notes = async (db: DeviceDatabase) =>
  (await readRecords(db, ASHA, 'bid')).map(({ fields }) => fields.note).sort();
const unsentCount = async (db: DeviceDatabase) => (await pendingChanges(db, ASHA, 'record')).length;

/** One exchange of a device, after another response has brought the newest cursor; its calls. */
async function exchange(db: DeviceDatabase): Promise<string[]> {
  calls = [];
  noteNewestCursor(ASHA, `${epoch}.${number}`);
  await exchangeRecords(db, ASHA);
  return calls;
}

test('a change takes one request, and nothing is requested when nothing is new', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  expect(await exchange(phone)).toEqual(['POST']);
  expect(await exchange(phone)).toEqual([]);
  expect(await unsentCount(phone)).toBe(0);
  expect(await exchange(desk)).toEqual(['GET']);
  expect(await notes(desk)).toEqual(['Road']);
  expect(await exchange(desk)).toEqual([]);
});

test('two devices that change one bid at once get the later value of each field', async () => {
  await bid(phone, ROAD, { note: 'Call', stage: 'considering' });
  await exchange(phone);
  await exchange(desk);
  await bid(phone, ROAD, { note: 'Called' }, serverNow + 1);
  await bid(desk, ROAD, { stage: 'preparing' }, serverNow + 2);
  expect(await exchange(desk)).toEqual(['POST']);
  expect(await exchange(phone)).toEqual(['POST', 'GET']);
  await exchange(desk);
  for (const db of [phone, desk]) {
    const [row] = await readRecords(db, ASHA, 'bid');
    expect(row?.fields).toEqual({ note: 'Called', stage: 'preparing' });
  }
});

test('a new bid of a second device, which has not received the submitted one, does not change its stage', async () => {
  const newBid = { tenderId: '77', title: 'Road' };
  await bid(phone, ROAD, { ...newBid, stage: 'submitted' });
  await exchange(phone);
  await bid(desk, ROAD, newBid, serverNow + 60_000);
  await exchange(desk);
  await exchange(phone);
  for (const db of [phone, desk]) expect((await readRecords(db, ASHA, 'bid'))[0]?.fields.stage).toBe('submitted');
});

test('a request whose answer is lost is sent again and changes nothing twice', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  fault = () => {
    throw new TypeError('Failed to fetch');
  };
  await expect(exchange(phone)).rejects.toThrow();
  expect(stored.size).toBe(1);
  fault = () => undefined;
  await exchange(phone);
  expect([number, await unsentCount(phone)]).toEqual([1, 0]);
});

test('a change made while the request is on its way is sent next', async () => {
  await bid(phone, ROAD, { note: 'First' });
  const changes = [bid(phone, ROAD, { note: 'Second' }, serverNow + 1)];
  expect(await exchange(phone)).toContain('POST');
  await Promise.all(changes);
  await exchange(phone);
  expect(stored.get(ROAD)?.fields).toEqual({ note: 'Second' });
  expect(await unsentCount(phone)).toBe(0);
});

test('many long records are sent in requests that the server accepts', async () => {
  const note = '\u20b9'.repeat(4_000);
  for (let nth = 0; nth < 60; nth += 1) await bid(phone, recordIdFor('bid', String(nth)), { note });
  const sizes: number[] = [];
  const server = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) => {
    sizes.push((await request.clone().arrayBuffer()).byteLength);
    return server(request);
  });
  await exchangeRecords(phone, ASHA);
  expect(stored.size).toBe(60);
  expect(sizes.filter((bytes) => bytes > 524_288)).toEqual([]);
  expect(sizes).toHaveLength(2);
});

test('records are received in pages', async () => {
  for (let n = 0; n < 5; n++) await bid(phone, recordIdFor('bid', String(n)), { note: `${n}` });
  await exchange(phone);
  expect(await exchange(desk)).toEqual(['GET', 'GET', 'GET']);
  expect(await notes(desk)).toEqual(['0', '1', '2', '3', '4']);
});

test('a change by a clock that is days ahead is corrected and does not win for ever', async () => {
  await bid(phone, ROAD, { note: 'From the future', stage: 'won' }, serverNow + 20 * DAY);
  await bid(phone, ROAD, { note: 'Later from the future' }, serverNow + 20 * DAY);
  expect(await exchange(phone)).toEqual(['POST', 'POST']);
  expect(stored.get(ROAD)?.fields).toEqual({ note: 'Later from the future', stage: 'won' });
  await exchange(desk);
  await bid(desk, ROAD, { note: 'Now' }, serverNow + 60_000);
  await exchange(desk);
  await exchange(phone);
  expect(await notes(phone)).toEqual(['Now']);
});

test('a change by a clock that is days ahead still wins over the later of two clocks that it replaced', async () => {
  await bid(desk, ROAD, { note: 'By a clock that is minutes ahead' }, serverNow + 4 * 60_000);
  await exchange(desk);
  await exchange(phone);
  await bid(phone, ROAD, { note: 'By a clock that is days ahead' }, serverNow + 20 * DAY);
  await exchange(phone);
  expect(stored.get(ROAD)?.fields.note).toBe('By a clock that is days ahead');
});

test('a refused record stays on the device with its reason, the others are stored', async () => {
  const shown: string[] = [];
  onRecordRefused((reason) => shown.push(reason));
  refusals.set(ROAD, 'You can have at most 2,000 bids');
  await bid(phone, ROAD, { note: 'Road' });
  await bid(phone, BRIDGE, { note: 'Bridge' });
  expect(await exchange(phone)).toEqual(['POST']);
  expect([...stored.keys()]).toEqual([BRIDGE]);
  expect((await phone.records.get([ASHA, 'bid', ROAD]))?.refusal).toBe('You can have at most 2,000 bids');
  expect(shown).toEqual(['You can have at most 2,000 bids']);
  expect(await readRefusals(phone, ASHA)).toEqual(['You can have at most 2,000 bids']);
  expect(await notes(phone)).toEqual(['Bridge', 'Road']);
  // a change tries again
  refusals.clear();
  await bid(phone, ROAD, { note: 'Road again' });
  await exchange(phone);
  expect(stored.get(ROAD)?.fields.note).toBe('Road again');
  expect((await phone.records.get([ASHA, 'bid', ROAD]))?.refusal).toBeNull();
});

test('a refusal of an earlier value does not stop a change that was made in the meantime', async () => {
  refusals.set(ROAD, 'Too long');
  await bid(phone, ROAD, { note: 'Long' });
  fault = async () => {
    refusals.clear();
    fault = () => undefined;
    await bid(phone, ROAD, { note: 'Short' }, serverNow + 1);
    return undefined;
  };
  await exchange(phone);
  expect(stored.get(ROAD)?.fields).toEqual({ note: 'Short' });
});

test('a refused record keeps its reason when a change of another device is merged into it', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  await exchange(phone);
  await exchange(desk);
  refusals.set(ROAD, 'Too long');
  await bid(phone, ROAD, { note: 'A long note' });
  await exchange(phone);
  refusals.clear();
  await bid(desk, ROAD, { stage: 'won' });
  await exchange(desk);
  await exchange(phone);
  expect(await phone.records.get([ASHA, 'bid', ROAD])).toMatchObject({
    fields: { note: 'A long note', stage: 'won' },
    refusal: 'Too long',
  });
});

test('after a sign-out during the request the accepted record does not stay on the device', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  fault = (call) => {
    if (call === 'POST') clearSession();
    return undefined;
  };
  await deleteRecordsAtSignOut(phone, ASHA);
  await expect(exchange(phone)).rejects.toThrow('The session ended before the request');
  expect([calls, stored.size, await phone.records.count()]).toEqual([['POST'], 1, 0]);
});

test('after a sign-out while a page is on its way its records are not stored on the device', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  await exchange(phone);
  fault = (call) => {
    if (call === 'GET') clearSession();
    return undefined;
  };
  await expect(exchange(desk)).rejects.toThrow('The session ended before the response');
  expect([calls, await desk.records.count()]).toEqual([['GET'], 0]);
});

test('after an ended session the change waits for the next sign-in', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  fault = () => Response.json({ code: 'UNAUTHENTICATED', message: 'Please sign in' }, { status: 401 });
  await exchange(phone);
  expect(await unsentCount(phone)).toBe(1);
});

test('a device that was away until deletions were removed gives up their records, but not its unsent work', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  await bid(phone, BRIDGE, { note: 'Bridge' });
  await exchange(phone);
  await exchange(desk);
  await deleteRecord(phone, ASHA, 'bid', ROAD, serverNow + 1);
  await deleteRecord(phone, ASHA, 'bid', BRIDGE, serverNow + 1);
  await bid(phone, recordIdFor('bid', 'school'), { note: 'School' });
  await exchange(phone);
  stored.delete(ROAD);
  stored.delete(BRIDGE);
  removedUpTo = number - 1;
  await bid(desk, BRIDGE, { note: 'Unsent' }, serverNow + 2);
  await exchange(desk);
  expect(await notes(desk)).toEqual(['School', 'Unsent']);
  await exchange(phone);
  expect(await notes(phone)).toEqual(['School', 'Unsent']);
});

test('a device that was away until deletions were removed keeps the records of all pages that it receives', async () => {
  for (const name of ['road', 'bridge', 'school', 'wall']) await bid(phone, recordIdFor('bid', name), { note: name });
  await exchange(phone);
  await exchange(desk);
  await deleteRecord(phone, ASHA, 'bid', ROAD, serverNow + 1);
  await exchange(phone);
  stored.delete(ROAD);
  removedUpTo = number;
  expect(await exchange(desk)).toEqual(['GET', 'GET']);
  expect(await notes(desk)).toEqual(['bridge', 'school', 'wall']);
});

test('a device that was away until deletions were removed keeps what the server refuses, also an old deletion', async () => {
  const OLD = serverNow - 91 * DAY;
  await bid(desk, ROAD, { note: 'Road' });
  await bid(desk, BRIDGE, { note: 'Bridge' }, OLD);
  await exchange(desk);
  refusals.set(ROAD, 'Too long');
  refusals.set(BRIDGE, 'Too long');
  await bid(desk, ROAD, { note: 'Refused' }, serverNow + 1);
  await deleteRecord(desk, ASHA, 'bid', BRIDGE, OLD + 1);
  await exchange(desk);
  await bid(phone, recordIdFor('bid', 'school'), { note: 'School' });
  await exchange(phone);
  stored.delete(ROAD);
  removedUpTo = number;
  await exchange(desk);
  expect(await notes(desk)).toEqual(['Refused', 'School']);
  expect(await unsentCount(desk)).toBe(2);
  expect(await desk.records.get([ASHA, 'bid', BRIDGE])).toBeDefined();
});

test('a device keeps a sent deletion for 89 days', async () => {
  await bid(phone, ROAD, { note: 'Road' }, serverNow - 91 * DAY);
  await deleteRecord(phone, ASHA, 'bid', ROAD, serverNow - 90 * DAY);
  await bid(phone, BRIDGE, { note: 'Bridge' }, serverNow - 89 * DAY);
  await deleteRecord(phone, ASHA, 'bid', BRIDGE, serverNow - 88 * DAY);
  await exchange(phone);
  await bid(desk, recordIdFor('bid', 'school'), { note: 'School' });
  await exchange(desk);
  await exchange(phone);
  expect(await notes(phone)).toEqual(['School']);
  expect(await phone.records.get([ASHA, 'bid', ROAD])).toBeUndefined();
  expect(await phone.records.get([ASHA, 'bid', BRIDGE])).toBeDefined();
});

test('a database restored from a backup receives what it has lost', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  await exchange(phone);
  await exchange(desk);
  stored.clear();
  number = 0;
  epoch = 'two';
  await bid(phone, BRIDGE, { note: 'Bridge' });
  await exchange(phone);
  expect([...stored.keys()].sort()).toEqual([ROAD, BRIDGE].sort());
  await exchange(desk);
  expect(await notes(desk)).toEqual(['Bridge', 'Road']);
});

test('a restored database receives what it has lost from a device that receives several pages first', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  await exchange(phone);
  stored.clear();
  number = 0;
  epoch = 'two';
  for (const note of ['Bridge', 'School', 'Wall']) await bid(desk, recordIdFor('bid', note), { note });
  await exchange(desk);
  await exchange(phone);
  expect(stored.has(ROAD)).toBe(true);
});

test('more records than one request may have are sent in two, the oldest changes first', async () => {
  for (let nth = 0; nth < 101; nth += 1) {
    const id = recordIdFor('bid', `many ${nth}`);
    await bid(phone, id, { note: `${nth}` }, serverNow - nth);
  }
  const sent: string[][] = [];
  const server = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { records }: { records: WireRecord[] } = await request.clone().json();
    sent.push(records.map(({ fields }) => String(fields.note)));
    return server(request);
  });
  await exchangeRecords(phone, ASHA);
  expect(sent.map(({ length }) => length)).toEqual([100, 1]);
  expect([sent[0]?.[0], sent[0]?.at(-1), sent[1]?.[0]]).toEqual(['100', '1', '0']);
});

test('received records are in the order of their changes', async () => {
  const [old, later, latest] = ['old', 'later', 'latest'].map((name) => recordIdFor('bid', name));
  await bid(phone, later ?? '', { note: 'later' }, serverNow - 2_000);
  await bid(phone, latest ?? '', { note: 'latest' }, serverNow - 1_000);
  await exchange(phone);
  await bid(desk, old ?? '', { note: 'old' }, serverNow - 3_000);
  await exchange(desk);
  expect((await readRecords(desk, ASHA, 'bid')).map(({ fields }) => fields.note)).toEqual(['latest', 'later', 'old']);
});

/** A server that answers each request of changes like this; the number of requests. */
function stubChanges(answer: (records: WireRecord[]) => Response): () => number {
  let posts = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'GET') return new Response(null, { status: 204 });
    posts += 1;
    const { records }: { records: WireRecord[] } = await request.json();
    return answer(records);
  });
  return () => posts;
}

test('a request that the server refuses as a whole stores its reason with each record, and is not repeated', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  await bid(phone, BRIDGE, { note: 'Bridge' });
  const posts = stubChanges(() => Response.json({ code: 'INVALID', message: 'Not allowed' }, { status: 400 }));
  await exchange(phone);
  expect(await readRefusals(phone, ASHA)).toEqual(['Not allowed', 'Not allowed']);
  await exchange(phone);
  expect([posts(), await unsentCount(phone), await notes(phone)]).toEqual([1, 2, ['Bridge', 'Road']]);
});

test('a refusal without a reason has one', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  const answer = { now: serverNow, before: 'one.0', after: 'one.0' };
  stubChanges((records) =>
    Response.json({ ...answer, results: records.map(({ kind, id }) => ({ kind, id, result: 'refused' })) }),
  );
  await exchange(phone);
  expect(await readRefusals(phone, ASHA)).toEqual(['The server did not accept this.']);
});

test('servers that disagree about the time are not asked for ever', async () => {
  await bid(phone, ROAD, { note: 'Road' });
  const answer = { now: serverNow, before: 'one.0', after: 'one.0' };
  const posts = stubChanges((records) =>
    Response.json({ ...answer, results: records.map(({ kind, id }) => ({ kind, id, result: 'ahead' })) }),
  );
  await expect(exchange(phone)).rejects.toThrow('The server refuses the corrected time of a change.');
  expect([posts(), await unsentCount(phone)]).toEqual([4, 1]);
});

test('the result of a record is found also where the server writes its id in small letters', async () => {
  await bid(phone, ROAD.toUpperCase(), { note: 'Road' });
  const answer = { now: serverNow, before: 'one.0', after: 'one.1' };
  let answers = 0;
  stubChanges((records) => {
    answers += 1;
    if (answers > 3) return Response.json({}, { status: 503 });
    const results = records.map(({ kind, id }) => ({ kind, id: id.toLowerCase(), result: 'accepted' }));
    return Response.json({ ...answer, results });
  });
  await exchange(phone);
  expect([answers, await unsentCount(phone)]).toEqual([1, 0]);
});
