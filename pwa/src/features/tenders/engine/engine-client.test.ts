import type { ListRows } from '@nivida/contract/sync/sync';
import { beforeEach, describe, expect, test } from 'vitest';
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
