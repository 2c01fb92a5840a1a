// @vitest-environment node
import type { ListRows } from '@nivida/contract/sync/sync';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EngineClient } from './engine-client.ts';
import { DEFAULT_ENGINE_QUERY } from './query.ts';

const NOW = new Date('2026-03-10T06:00:00Z');
const DAY = 86_400_000;

/** Two open tenders, list fields only. */
const list: ListRows = {
  id: [1, 2],
  title: ['Repair of road', 'Repair of bridge'],
  orgName: ['PWD', 'PWD'],
  state: ['Assam', 'Assam'],
  district: [null, null],
  department: [null, null],
  category: [null, null],
  price: ['1.00', null],
  priceText: [null, null],
  emd: [null, null],
  publishedAt: [NOW.getTime() - DAY, NOW.getTime() - DAY],
  bidStartAt: [null, null],
  closesAt: [NOW.getTime() + DAY, NOW.getTime() + DAY],
  closingTimeKnown: [true, true],
  stage: ['published', 'published'],
  lastCorrigendum: [null, null],
  demonstration: [false, false],
  portal: ['assamtenders', 'assamtenders'],
  sourceTenderId: ['2026_A_1_1', '2026_A_2_1'],
  nitWorks: [1, 1],
};

let client: EngineClient;
beforeEach(() => {
  client = EngineClient.start();
});

const load = async () => client.load({ packs: [await client.build(list, null)], delta: null, removed: [] });
const search = async (q: string) =>
  (await client.search({ ...DEFAULT_ENGINE_QUERY, q }, NOW))?.tenders.map(({ title }) => title);

describe('without workers the engine runs in the page', () => {
  test('it builds, loads, searches, suggests and reads tenders', async () => {
    expect(await load()).toEqual({ rows: 2, isComplete: false, rebuilt: [] });
    expect(await search('bridge')).toEqual(['Repair of bridge']);
    expect(await client.suggest('rep', {}, NOW)).toEqual([{ text: 'repair', kind: 'word' }]);
    expect(await client.tender(1, NOW)).toBeNull();
    expect((await client.summaries([2, 9, 1], NOW)).map(({ _id }) => _id)).toEqual(['2', '1']);
  });

  test('a search before the first load is an error', async () => {
    await expect(search('road')).rejects.toThrow('No tenders were loaded');
  });

  test('the error names the corrupt index, and the earlier load stays', async () => {
    await load();
    const packs = [await client.build(list, null), new ArrayBuffer(64)];
    await expect(client.load({ packs, delta: null, removed: [] })).rejects.toMatchObject({
      name: 'CorruptSegmentIndexError',
      message: 'This is no pack of tenders',
      part: 1,
    });
    await expect(client.load({ packs: [], delta: new ArrayBuffer(8), removed: [] })).rejects.toMatchObject({
      part: 'delta',
    });
    expect(await search('road')).toEqual(['Repair of road']);
  });
});

test('only the newest of several searches is answered', async () => {
  await load();
  const answers = await Promise.all(['r', 'ro', 'roa', 'road'].map(search));
  expect(answers).toEqual([undefined, undefined, undefined, ['Repair of road']]);
  expect(await search('bridge')).toEqual(['Repair of bridge']);
});

test('a failed search does not block the next one', async () => {
  const failed = search('road');
  await expect(failed).rejects.toThrow();
  await load();
  expect(await search('road')).toEqual(['Repair of road']);
});

test('lists that several parts of a screen ask for at once are all answered', async () => {
  await load();
  const titles = async (q: string) =>
    (await client.list({ ...DEFAULT_ENGINE_QUERY, q }, NOW)).tenders.map(({ title }) => title);
  expect(await Promise.all([titles('bridge'), titles('road'), titles('bridge')])).toEqual([
    ['Repair of bridge'],
    ['Repair of road'],
    ['Repair of bridge'],
  ]);
});

describe('with a worker', () => {
  type Listener = (event: { data?: unknown; message?: string }) => void;
  let calls: { id: number; call: string; args: unknown[] }[];
  let listeners: Record<string, Listener>;
  let terminated: number;

  beforeEach(() => {
    [calls, listeners, terminated] = [[], {}, 0];
    class FakeWorker {
      addEventListener(type: string, listener: Listener) {
        listeners[type] = listener;
      }
      postMessage(message: (typeof calls)[number]) {
        calls.push(message);
      }
      terminate() {
        terminated += 1;
      }
    }
    vi.stubGlobal('Worker', FakeWorker);
    client = EngineClient.start();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const reply = (data: object) => listeners.message?.({ data });
  const ask = (q: string) => client.search({ ...DEFAULT_ENGINE_QUERY, q }, NOW);

  test('the answer to a search is null when a newer one was made before it came', async () => {
    const first = ask('road');
    await expect.poll(() => calls).toHaveLength(1);
    const second = ask('bridge');
    reply({ id: 1, answer: 'of the road' });
    expect(await first).toBeNull();
    await expect.poll(() => calls).toHaveLength(2);
    reply({ id: 2, answer: 'of the bridge' });
    expect(await second).toBe('of the bridge');
  });

  test('answers in another order reach their own calls; an error too, with the corrupt index that it names', async () => {
    const [one, two, three] = [client.tender(1, NOW), client.tender(2, NOW), client.summaries([3], NOW)];
    reply({ id: 3, answer: ['three'] });
    reply({ id: 2, error: { name: 'CorruptSegmentIndexError', message: 'no pack', part: 1 } });
    reply({ id: 1, error: { name: 'RangeError', message: 'too long' } });
    await expect(two).rejects.toMatchObject({ name: 'CorruptSegmentIndexError', message: 'no pack', part: 1 });
    await expect(one).rejects.toMatchObject({ name: 'RangeError', message: 'too long' });
    expect(await three).toEqual(['three']);
  });

  test('a worker that does not start fails all calls that wait', async () => {
    const all = [client.tender(1, NOW), client.list(DEFAULT_ENGINE_QUERY, NOW)];
    listeners.error?.({ message: '' });
    for (const each of all) await expect(each).rejects.toThrow('The search engine did not start');
  });

  test('buffers are moved to the worker, and stopping ends it', () => {
    void client.load({ packs: [new ArrayBuffer(8)], delta: null, removed: [] });
    expect(calls.map(({ call }) => call)).toEqual(['load']);
    client.stop();
    expect(terminated).toBe(1);
  });
});
