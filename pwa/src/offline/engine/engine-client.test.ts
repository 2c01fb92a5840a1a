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
  secondDistrict: [null, null],
  isListed: [null, null],
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

const KINDS = ['place', 'department', 'work', 'word'];
const byKind = (one: string, other: string) => KINDS.indexOf(one) - KINDS.indexOf(other);

let client: EngineClient;
beforeEach(() => {
  client = EngineClient.start();
});

const load = async () => client.load({ indexes: [await client.build(list, null)], delta: null, removed: [] });
const search = async (q: string) =>
  (await client.search({ ...DEFAULT_ENGINE_QUERY, q }, NOW))?.tenders.map(({ title }) => title);

describe('without workers the engine runs in the page', () => {
  test('it builds, loads, searches, suggests and reads tenders', async () => {
    expect(await load()).toEqual({ rows: 2, isComplete: false, rebuilt: [] });
    expect(await search('bridge')).toEqual(['Repair of bridge']);
    expect(await client.suggest('rep', {}, NOW)).toEqual([{ text: 'repair', kind: 'word' }]);
    expect(await client.tender(1, NOW)).toBeNull();
    expect((await client.summaries([2, 9, 1], NOW)).map(({ _id }) => _id)).toEqual(['2', '1']);
    const numbered = await client.numbered(['2026_a_2_1', '2026_A_1', '2026_A_9_1'], NOW);
    expect(numbered.map(({ _id }) => _id)).toEqual(['1', '2']);
  });

  test('before the first load places, departments and works of the state are suggested', async () => {
    const suggest = (text: string, state = '') => client.suggest(text, { state }, NOW);
    const ofHimachal = await suggest('man', 'Himachal Pradesh');
    expect(ofHimachal?.filter(({ kind }) => kind === 'place')).toEqual([{ text: 'Mandi', kind: 'place' }]);
    const ofAssam = await suggest('phed', 'Assam');
    expect(ofAssam?.[0]).toEqual({ text: 'Public Health Engineering', kind: 'department' });
    expect((await suggest('dang'))?.map(({ kind }) => kind)).toContain('work');
    const ofMan = (await suggest('man')) ?? [];
    expect(ofMan).toHaveLength(8);
    expect(ofMan.slice(0, 3).map(({ kind }) => kind)).toEqual(['place', 'place', 'place']);
    expect(ofMan.map(({ kind }) => kind)).toEqual(ofMan.map(({ kind }) => kind).toSorted(byKind));
    expect(new Set(ofMan.map(({ text }) => text.toLowerCase())).size).toBe(8);
  });

  test('a stored file is read; one that the browser has lost is named as corrupt', async () => {
    const buffer = await client.build(list, null);
    const lost = { arrayBuffer: () => Promise.reject(new Error('NotReadableError')) } as unknown as Blob;
    const stored = { arrayBuffer: async () => buffer.slice(0) } as unknown as Blob;
    expect(await client.load({ indexes: [stored], delta: null, removed: [2] })).toMatchObject({ rows: 1 });
    await expect(client.load({ indexes: [stored, lost], delta: null, removed: [] })).rejects.toMatchObject({
      ...{ name: 'CorruptSegmentIndexError', part: 1 },
    });
    await expect(client.details(lost, [1])).rejects.toMatchObject({ name: 'CorruptSegmentIndexError', part: null });
    expect(await search('road')).toEqual(['Repair of road']);
  });

  test('the newest tenders are counted and listed', async () => {
    await load();
    const { count, highestId, tenders } = await client.newest(DEFAULT_ENGINE_QUERY, 1, 1, NOW);
    expect([count, highestId, tenders.map(({ _id }) => _id)]).toEqual([1, 2, ['2']]);
  });

  test('a search before the first load is an error', async () => {
    await expect(search('road')).rejects.toThrow('No tenders were loaded');
  });

  test('the error names the corrupt index, and the earlier load stays', async () => {
    await load();
    const packs = [await client.build(list, null), new ArrayBuffer(64)];
    await expect(client.load({ indexes: packs, delta: null, removed: [] })).rejects.toMatchObject({
      name: 'CorruptSegmentIndexError',
      message: 'This is no pack of tenders',
      part: 1,
    });
    await expect(client.load({ indexes: [], delta: new ArrayBuffer(8), removed: [] })).rejects.toMatchObject({
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
  let transfers: Transferable[][];
  let listeners: Record<string, Listener>;
  let terminated: number;

  beforeEach(() => {
    [calls, transfers, listeners, terminated] = [[], [], {}, 0];
    class FakeWorker {
      addEventListener(type: string, listener: Listener) {
        listeners[type] = listener;
      }
      postMessage(message: (typeof calls)[number], transfer: Transferable[]) {
        calls.push(message);
        transfers.push(transfer);
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
    const [pack, delta, other] = [new ArrayBuffer(8), new ArrayBuffer(16), new ArrayBuffer(32)];
    void client.load({ indexes: [pack, new Blob([])], delta, removed: [] });
    void client.details(other, [1]);
    void client.details(new Blob([]), [1]);
    void client.newest(DEFAULT_ENGINE_QUERY, 5, 3, NOW);
    expect(calls.map(({ id, call }) => [id, call])).toEqual([
      [1, 'load'],
      [2, 'details'],
      [3, 'details'],
      [4, 'newest'],
    ]);
    expect(calls[3]?.args).toEqual([DEFAULT_ENGINE_QUERY, 5, 3, NOW]);
    expect(transfers).toEqual([[pack, delta], [other], [], []]);
    expect(transfers[0]?.[0]).toBe(pack);
    client.stop();
    expect(terminated).toBe(1);
  });
});

test('the worker is a module at an address that the page trusts, by a policy that is made once', async () => {
  const policies: string[] = [];
  const started: unknown[][] = [];
  class FakeWorker {
    constructor(...args: unknown[]) {
      started.push(args);
    }
    addEventListener() {}
  }
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('trustedTypes', {
    createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => {
      policies.push(name);
      return { createScriptURL: (url: string) => `trusted ${rules.createScriptURL(url)}` };
    },
  });
  vi.resetModules();
  const { EngineClient: NewClient } = await import('./engine-client.ts');
  NewClient.start();
  NewClient.start();
  vi.unstubAllGlobals();
  vi.resetModules();
  expect(policies).toEqual(['nivida-engine']);
  expect(started).toEqual(Array(2).fill([expect.stringMatching(/^trusted .*worker/), { type: 'module' }]));
});

describe('in the worker', () => {
  test('each call is answered by its id, buffers are moved, and errors name the corrupt index', async () => {
    const posted: [message: { id: number; answer?: unknown; error?: object }, transfer?: unknown[]][] = [];
    let receive: (event: { data: object }) => void = () => undefined;
    vi.stubGlobal('self', {
      addEventListener: (_type: string, listener: typeof receive) => {
        receive = listener;
      },
      postMessage: (...message: (typeof posted)[number]) => posted.push(message),
    });
    vi.resetModules();
    await import('./worker.ts');
    vi.unstubAllGlobals();
    const answerOf = async (id: number, call: string, args: unknown[]) => {
      receive({ data: { id, call, args } });
      await expect.poll(() => posted.at(-1)?.[0].id).toBe(id);
      return posted.at(-1) as (typeof posted)[number];
    };
    expect(await answerOf(1, 'search', [DEFAULT_ENGINE_QUERY, NOW])).toEqual([
      { id: 1, error: { name: 'Error', message: 'No tenders were loaded', part: null } },
    ]);
    const [built, moved] = await answerOf(2, 'build', [list, null]);
    expect(built.answer).toBeInstanceOf(ArrayBuffer);
    expect(moved?.[0]).toBe(built.answer);
    const packs = [built.answer, new ArrayBuffer(64)];
    expect(await answerOf(3, 'load', [{ indexes: packs, delta: null, removed: [] }])).toEqual([
      { id: 3, error: { name: 'CorruptSegmentIndexError', message: 'This is no pack of tenders', part: 1 } },
    ]);
    const [loaded, nothing] = await answerOf(4, 'load', [{ indexes: [built.answer], delta: null, removed: [] }]);
    expect([loaded.answer, nothing]).toEqual([{ rows: 2, isComplete: false, rebuilt: [] }, []]);
  });
});
