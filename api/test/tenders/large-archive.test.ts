import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
/** Tenders in the archive; each closed a minute before the next one. */
const CLOSED = 10_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ now: NOW });
  const { dataSource } = app.database;
  const closed = { publishedAt: new Date('2026-01-01T09:00:00Z'), closesAt: new Date('2026-11-09T11:00:00Z') };
  await importTenders(
    dataSource,
    [
      createSourceTender({ sourceId: '2026_PWD_0_1', title: 'Construction of footbridge', ...closed }),
      createSourceTender({ sourceId: '2026_OPEN_1_1', title: 'Repair of footbridge' }),
      createSourceTender({ sourceId: '2026_RARE_1_1', title: 'Supply of kuhl pipes', ...closed }),
    ],
    { now: NOW },
  );
  await addCopies(1, CLOSED - 1);
});
afterAll(() => app.close());

/** Adds copies of the first tender; copy n closed n minutes earlier and costs n rupees. */
async function addCopies(from: number, to: number): Promise<void> {
  const { dataSource } = app.database;
  const columns: { name: string }[] = await dataSource.query(
    `SELECT quote_ident(column_name) AS name FROM information_schema.columns WHERE table_name = 'tender'
       AND table_schema = 'public' AND column_name NOT IN ('id', 'source_id', 'closes_at', 'price', 'archived')`,
  );
  const same = columns.map(({ name }) => name).join(', ');
  await dataSource.query(
    `INSERT INTO tender (source_id, closes_at, price, archived, ${same})
     SELECT '2026_PWD_' || n || '_1', closes_at - n * interval '1 minute', n, true, ${same}
     FROM tender, generate_series($1::int, $2::int) AS n WHERE source_id = '2026_PWD_0_1'`,
    [from, to],
  );
}

async function list(query: Record<string, string>) {
  const { status, json } = await app.get(`/api/tenders?${new URLSearchParams({ open: '0', limit: '3', ...query })}`);
  expect(status).toBe(200);
  const ids = json.tenders.map(({ source_tender_id: id }: { source_tender_id: string }) => id.split('_')[2]);
  return { total: json.total, more: json.has_more, ids, json };
}

test('10,000 closed tenders with a word are counted and in the order that was asked for', async () => {
  expect(await list({ q: 'footbridge' })).toMatchObject({ total: CLOSED, more: undefined, ids: ['0', '1', '2'] });
  expect(await list({ q: 'footbridge', sort: 'price' })).toMatchObject({
    total: CLOSED,
    ids: ['0', '9999', '9998'],
  });
  expect(await list({ q: 'footbridge', page: '3334' })).toMatchObject({ total: CLOSED, ids: ['9999'] });
});

test('of more closed tenders the list says that there are more, by closing date and without pages after the 10,000', async () => {
  await addCopies(CLOSED, CLOSED + 4);
  const more = { total: CLOSED, more: true };
  const lists: Record<string, string>[] = [
    { q: 'footbridge' },
    { q: 'footbridges' },
    { q: 'footbridge', state: 'Himachal Pradesh' },
  ];
  for (const query of lists) {
    expect(await list(query)).toMatchObject({ ...more, ids: ['0', '1', '2'] });
    expect(await list({ ...query, sort: 'price' })).toMatchObject({ ...more, ids: ['0', '1', '2'] });
    expect(await list({ ...query, page: '2' })).toMatchObject({ ...more, ids: ['3', '4', '5'] });
    expect(await list({ ...query, page: '3334' })).toMatchObject({ ...more, ids: ['9999'] });
    expect(await list({ ...query, page: '3335' })).toMatchObject({ ...more, ids: [] });
    expect(await list({ ...query, sort: 'closing_date', order: 'asc' })).toMatchObject({
      ...more,
      ids: ['10004', '10003', '10002'],
    });
  }
  expect(await list({ sort: 'price' })).toMatchObject({ ...more, ids: ['0', '1', '1'] });
});

test('closed tenders of a state are all counted and in the order that was asked for', async () => {
  const all = { total: CLOSED + 6, more: undefined };
  expect(await list({ state: 'Himachal Pradesh', sort: 'closing_date', order: 'asc' })).toMatchObject({
    ...all,
    ids: ['10004', '10003', '10002'],
  });
  expect(await list({ state: 'Himachal Pradesh', sort: 'price', order: 'asc' })).toMatchObject({
    ...all,
    ids: ['1', '2', '3'],
  });
});

test('a search for open tenders and one for a rare word are not changed by a large archive', async () => {
  expect(await list({ q: 'footbridge', open: '1' })).toMatchObject({ total: 1, more: undefined, ids: ['1'] });
  expect(await list({ q: 'kuhl' })).toMatchObject({ total: 1, more: undefined });
});

test('where most of the words mean 10,000 closed tenders, fewer words are offered instead', async () => {
  const { total, json } = await list({ q: 'footbridge qqqq' });
  expect(total).toBe(0);
  expect(json.nearest).toContainEqual(
    expect.objectContaining({ kind: 'words', name: 'footbridge', total: CLOSED + 1 }),
  );
});

test('a search that the database cannot end in time is answered with what to do, and not as an error of the server', async () => {
  const runner = app.database.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('LOCK TABLE tender, open_tender IN ACCESS EXCLUSIVE MODE');
  const search = { status: 503, json: { message: 'This search takes too long. Please choose a state or add a word.' } };
  const other = {
    status: 503,
    headers: { 'retry-after': '5' },
    json: { message: 'The server took too long to answer. Please try again in a few seconds.' },
  };
  const paths = ['/api/tenders?q=road&open=0', '/api/facets?state=Kerala&q=road', '/api/tenders/1', '/api/regions'];
  const answers = await Promise.all(paths.map((path) => app.get(path)));
  await runner.rollbackTransaction();
  await runner.release();
  expect(answers).toMatchObject([search, search, other, other]);
  expect((await app.get(paths[0] as string)).status).toBe(200);
});
