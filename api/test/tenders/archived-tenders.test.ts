import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SourceTender } from '../../src/ingest/source-tender.ts';
import { archiveClosedTenders } from '../../src/tenders/archive-tenders.job.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const november = (time: string) => new Date(`2026-11-${time}+05:30`);
const NOW = november('10T11:30:00');

/** One tender a day, all at eleven in the morning; each has one of two words and another price. */
const TENDERS: SourceTender[] = Array.from({ length: 20 }, (_, n) =>
  createSourceTender({
    sourceId: `2026_PWD_${100 + n}_1`,
    title: n % 2 === 0 ? 'Construction of footbridge' : 'Supply of kuhl pipes',
    price: n % 5 === 0 ? null : `${1_000 * (1 + ((n * 7) % 20))}.00`,
    publishedAt: new Date('2026-10-01T09:00:00+05:30'),
    closesAt: november(`${String(1 + n).padStart(2, '0')}T11:00:00`),
  }),
);

const LISTS: Record<string, string>[] = [
  {},
  { state: 'Himachal Pradesh' },
  { state: 'Himachal Pradesh', sort: 'price', order: 'asc' },
  { state: 'Himachal Pradesh', sort: 'closing_date' },
  { q: 'footbridge' },
  { q: 'footbridge', sort: 'price' },
  { q: 'kuhl footbridge' },
  { q: 'kuhl pipes seraj' },
  { q: 'footbrige' },
  { state: 'Himachal Pradesh', q: 'kuhl', min: '2000' },
];
const QUERIES = LISTS.flatMap((query) => [query, { ...query, open: '0' }]);

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ now: NOW });
  // Before the first one closes.
  await importTenders(app.database.dataSource, TENDERS, { now: november('01T10:00:00') });
});
afterAll(() => app.close());

/** Tenders of each query, in the order of its list. */
const answersAt = (at: Date) => {
  app.clock.now = at;
  return Promise.all(
    QUERIES.map(async (query) => {
      const { json } = await app.get(`/api/tenders?${new URLSearchParams(query)}`);
      return { query, total: json.total, ids: json.tenders.map((each: { _id: string }) => each._id) };
    }),
  );
};
const archive = (now: Date) => archiveClosedTenders({ dataSource: app.database.dataSource, now });
const archivedIds = async () =>
  (await app.database.dataSource.query('SELECT source_id FROM tender WHERE archived ORDER BY id')).map(
    ({ source_id }: { source_id: string }) => source_id,
  );

/** The rows that lists of open tenders read, beside those that they must equal. */
async function openRows() {
  const columns =
    'id, state, district, department, category, price, published_at, closes_at, origin, nit_key, words::text';
  const [read, expected] = await Promise.all(
    ['open_tender', 'tender WHERE NOT archived'].map((source) =>
      app.database.dataSource.query(`SELECT ${columns} FROM ${source} ORDER BY id`),
    ),
  );
  return { read, expected };
}

const INSTANTS = [NOW, november('10T11:00:00'), november('10T10:59:59.999'), november('12T11:00:00')];
async function answersAtAll() {
  const answers = [];
  for (const at of INSTANTS) answers.push(await answersAt(at));
  return answers;
}

test('archiving a tender a day after its closing changes no list in any order, to the instant of a closing', async () => {
  const before = await answersAtAll();
  expect(before[0]?.map(({ total }) => total)).toContain(10);
  expect(await archive(NOW)).toBe(9);
  expect(await archivedIds()).toEqual(TENDERS.slice(0, 9).map(({ sourceId }) => sourceId));
  expect(await archive(NOW)).toBe(0);
  expect(await answersAtAll()).toEqual(before);
});

test('a tender whose closing is moved is in the lists of open ones at once', async () => {
  const [first, second] = TENDERS as [SourceTender, SourceTender];
  await archive(NOW);
  const moved = { ...first, closesAt: november('28T11:00:00'), price: '99000.00' };
  // Later than before, but still closed.
  const late = { ...second, closesAt: november('03T11:00:00') };
  await importTenders(app.database.dataSource, [moved, late], { now: NOW });
  app.clock.now = NOW;
  const found = async (query: Record<string, string>) => {
    const { json } = await app.get(`/api/tenders?${new URLSearchParams(query)}`);
    return json.tenders.map((each: { source_tender_id: string }) => each.source_tender_id);
  };
  expect(await found({ q: 'footbridge', limit: '30' })).toContain(first.sourceId);
  expect((await found({ state: 'Himachal Pradesh', sort: 'price' }))[0]).toBe(first.sourceId);
  expect(await found({ q: 'footbridge', open: '0', limit: '30' })).not.toContain(first.sourceId);
  expect(await archivedIds()).not.toContain(first.sourceId);
  expect(await found({ q: 'kuhl', limit: '30' })).not.toContain(second.sourceId);
  expect(await found({ q: 'kuhl', open: '0', limit: '30' })).toContain(second.sourceId);
  expect(await archive(NOW)).toBe(1);
});

test('open tenders that were archived while the clock was ahead are found again after the next run', async () => {
  await archive(NOW);
  const before = [await answersAtAll(), await archivedIds()];
  await archive(november('30T11:00:00'));
  expect((await archivedIds()).length).toBeGreaterThan(before[1]?.length ?? 0);
  await archive(NOW);
  expect([await answersAtAll(), await archivedIds()]).toEqual(before);
});

test('lists of open tenders read each new, changed, moved, removed and archived tender as it is stored', async () => {
  const { dataSource } = app.database;
  const sourceId = '2026_PWD_500_1';
  const tender = createSourceTender({ sourceId, closesAt: november('25T11:00:00') });
  const stored = async () => (await dataSource.query('SELECT id FROM tender WHERE source_id = $1', [sourceId]))[0]?.id;
  const states: object[] = [];
  const steps: (() => Promise<unknown>)[] = [
    () => importTenders(dataSource, [tender], { now: NOW }),
    () => importTenders(dataSource, [{ ...tender, title: 'Supply of ropeway', price: '70000.00' }], { now: NOW }),
    () => importTenders(dataSource, [{ ...tender, closesAt: november('26T11:00:00') }], { now: NOW }),
    () => dataSource.query("UPDATE tender SET district = 'Kangra' WHERE source_id = $1", [sourceId]),
    () => archive(november('27T11:30:00')),
    () => archive(NOW),
    () => dataSource.query('DELETE FROM tender WHERE source_id = $1', [sourceId]),
  ];
  for (const step of steps) {
    await step();
    const { read, expected } = await openRows();
    expect(read).toEqual(expected);
    const id = await stored();
    states.push(read.find((row: { id: number }) => row.id === id) ?? 'none');
  }
  const changing = { district: null, price: '500000.00', closes_at: november('25T11:00:00') };
  expect(states).toMatchObject([
    changing,
    { ...changing, price: '70000.00', words: expect.stringContaining('ropeway') },
    { ...changing, closes_at: november('26T11:00:00') },
    { district: 'Kangra' },
    'none',
    { district: 'Kangra' },
    'none',
  ]);
});

test('a tender that closed long before its import is never among the rows of open ones, and is found in the archive', async () => {
  const { dataSource } = app.database;
  const sourceIds = ['2024_PWD_1_1', '2026_PWD_600_1'];
  const closings = [new Date('2024-11-20T11:00:00Z'), new Date(NOW.getTime() - 3_600_000)];
  const old = closings.map((closesAt, at) =>
    createSourceTender({
      sourceId: sourceIds[at] as string,
      title: 'Repair of aqueduct',
      publishedAt: new Date('2024-11-01T09:00:00Z'),
      closesAt,
    }),
  );
  await importTenders(dataSource, old, { now: NOW });
  const read = await dataSource.query(
    'SELECT source_id FROM tender JOIN open_tender USING (id) WHERE source_id = ANY($1)',
    [sourceIds],
  );
  expect(read).toEqual([{ source_id: sourceIds[1] }]);
  app.clock.now = NOW;
  expect((await app.get('/api/tenders?q=aqueduct')).json.total).toBe(0);
  expect((await app.get('/api/tenders?q=aqueduct&open=0')).json.total).toBe(2);
});
