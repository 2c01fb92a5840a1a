import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importFile } from '../../src/ingest/import.ts';
import type { Database } from '../../src/schema/database.ts';
import { createTestDatabase } from '../support/start-app.ts';

const NOW = new Date('2026-11-28T06:00:00Z');
type Json = Record<string, unknown>;

let database: Database;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-releases-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.close();
});

const query = (sql: string) => database.dataSource.query(sql);
let written = 0;

/** Imports one file; the lines of the report without the awards. */
async function run(content: string, dryRun = false, portal: string | undefined = undefined) {
  const file = join(folder, `releases-${written++}.json`);
  await writeFile(file, content);
  const said: string[] = [];
  const counts = await importFile(
    { file, format: 'ocds', portal, state: 'Kerala', rebase: undefined, dryRun, rejects: join(folder, 'rejects.csv') },
    {
      dataSource: database.dataSource,
      dataDir: folder,
      now: NOW,
      withAwardNames: true,
      log: (line) => said.push(line),
    },
  );
  return { ...counts, said };
}

const OCID = 'ocds-abc123-7';
const at = (day: string) => `2026-11-${day}T10:00:00+05:30`;
const closes = (day: string) => `2026-12-${day}T15:00:00+05:30`;

/** A release of a day of November. */
const release = (day: string, tag: string | null, tender: Json | undefined, more: Json = {}): Json => ({
  ...{ ocid: OCID, id: `r${day}`, date: at(day), ...(tag && { tag: [tag] }), initiationType: 'tender' },
  ...{
    buyer: { id: 'B1', name: 'Public Works Department' },
    ...(tender && { tender: { id: 'T7', ...tender } }),
    ...more,
  },
});
const announced = (day: string, closing: string, more: Json = {}, tag = 'tender') =>
  release(day, tag, {
    ...{ title: 'Repair of the jetty', status: 'active', value: { amount: 1_500_000, currency: 'INR' } },
    ...{ tenderPeriod: { startDate: at('20'), endDate: closes(closing) }, ...more },
  });

const asPackage = (...releases: Json[]) => JSON.stringify({ version: '1.1', releases });
const asLines = (...releases: Json[]) => releases.map((each) => JSON.stringify(each)).join('\n');
const asRecord = (...releases: Json[]) => JSON.stringify({ version: '1.1', records: [{ ocid: OCID, releases }] });

const stored = async () => {
  const [tender, ...others] = await query('SELECT closes_at, stage, price, documents, version FROM tender');
  expect(others).toEqual([]);
  return { ...tender, closes_at: tender.closes_at.toISOString() };
};
const instant = (text: string) => new Date(text).toISOString();
/** Old and new closing of each corrigendum. */
const moves = async () => {
  const rows: { changes: { field: string; old: string; new: string }[] }[] = await query(
    'SELECT changes FROM corrigendum ORDER BY id',
  );
  return rows.flatMap(({ changes }) =>
    changes.filter(({ field }) => field === 'closing_date').map((change) => [change.old, change.new]),
  );
};
const FIFTH = instant(closes('05'));
const TWENTIETH = instant(closes('20'));
const THIRD = instant(closes('03'));

describe('of the releases of a process the newest one counts', () => {
  const older = announced('20', '05');
  const newer = announced('25', '20', {}, 'tenderAmendment');

  test.each<[string, string[], string[][]]>([
    ['in a package', [asPackage(older, newer)], [[FIFTH, TWENTIETH]]],
    ['in a package, the newest first', [asPackage(newer, older)], [[FIFTH, TWENTIETH]]],
    ['in JSON lines, the newest first', [asLines(newer, older)], [[FIFTH, TWENTIETH]]],
    ['in a record', [asRecord(newer, older)], []],
    ['in two files', [asPackage(older), asPackage(newer)], [[FIFTH, TWENTIETH]]],
    ['in two files, the newest first', [asPackage(newer), asPackage(older)], []],
    ['in a file after a record', [asRecord(older, newer), asPackage(older)], []],
    [
      'when both files come again',
      [asPackage(older), asPackage(newer), asPackage(older), asPackage(newer)],
      [[FIFTH, TWENTIETH]],
    ],
  ])('%s, and no closing moves back', async (_, files, expected) => {
    for (const file of files) await run(file);
    expect((await stored()).closes_at).toBe(TWENTIETH);
    expect(await moves()).toEqual(expected);
  });

  test('among releases of other processes, with counts that add up and no difference in a dry run', async () => {
    const others = Array.from({ length: 1_200 }, (_, n) => ({ ...announced('20', '09'), ocid: `ocds-abc123-x${n}` }));
    const file = asPackage(newer, ...others, older);
    const counts = { read: 1_202, new: 1_201, changed: 0, unchanged: 1, rejected: 0 };
    expect(await run(file, true)).toMatchObject(counts);
    expect(await query('SELECT count(*)::int AS n FROM tender_statement')).toEqual([{ n: 0 }]);
    expect(await run(file)).toMatchObject(counts);
    expect(await query(`SELECT closes_at FROM tender WHERE source_id = '${OCID}'`)).toEqual([
      { closes_at: new Date(TWENTIETH) },
    ]);
    expect(await run(file)).toMatchObject({ read: 1_202, new: 0, changed: 0, unchanged: 1_202, rejected: 0 });
  });
});

describe('a release that holds only what changed', () => {
  const tender = announced('20', '20', { documents: [{ id: '1', title: 'NIT' }] });
  const amended = release('26', 'tenderAmendment', {
    tenderPeriod: { endDate: closes('03') },
    amendments: [{ id: 'a1', rationale: 'Closing brought forward' }],
    documents: [
      { id: '2', title: 'BOQ' },
      { id: '1', format: 'application/pdf' },
    ],
  });

  test.each<[string, string[]]>([
    ['in the same package', [asPackage(tender, amended)]],
    ['before its tender in the package', [asPackage(amended, tender)]],
    ['in JSON lines', [asLines(tender, amended)]],
    ['in a later file', [asPackage(tender), asPackage(amended)]],
    ['in a later file, and the tender comes again', [asPackage(tender), asPackage(amended), asPackage(tender)]],
    ['without a tag', [asPackage(tender), asPackage({ ...amended, tag: undefined })]],
  ])('%s moves the closing and is told as a change', async (_, files) => {
    for (const file of files) await run(file);
    const documents = [
      { cover: '', type: 'pdf', name: 'NIT' },
      { cover: '', type: '', name: 'BOQ' },
    ];
    expect(await stored()).toEqual({
      closes_at: THIRD,
      stage: 'published',
      price: '1500000.00',
      documents,
      version: 2,
    });
    expect(await moves()).toEqual([[TWENTIETH, THIRD]]);
    expect(await query('SELECT title FROM corrigendum')).toEqual([{ title: 'Closing brought forward' }]);
    expect(await query('SELECT last_corrigendum FROM tender')).toEqual([{ last_corrigendum: 'date' }]);
  });

  test('before its tender is known waits for it, and the report says so', async () => {
    const first = await run(asPackage(amended));
    expect(first).toMatchObject({ read: 1, new: 0, unchanged: 1, rejected: 0 });
    expect(first.said[0]).toMatch(
      /1 release changes a tender not known yet, like ocds-abc123-7: stored, and used as soon/,
    );
    expect(await run(asPackage(tender))).toMatchObject({ new: 1 });
    expect((await stored()).closes_at).toBe(THIRD);
    expect(await moves()).toEqual([[TWENTIETH, THIRD]]);
  });

  test.each<[string, Json, string]>([
    ['a cancellation by its status', release('26', 'tenderUpdate', { status: 'cancelled' }), 'cancelled'],
    ['a cancellation by its tag alone', release('26', 'tenderCancellation', undefined), 'cancelled'],
    ['an award', release('26', 'award', undefined, { awards: [{ id: 'w1', status: 'active' }] }), 'awarded'],
    ['a contract', release('26', 'contract', undefined, { contracts: [{ id: 'c1', status: 'active' }] }), 'awarded'],
  ])('%s changes the stage in one file and in two', async (_, change, stage) => {
    await run(asPackage(tender, change));
    expect(await stored()).toMatchObject({ stage, closes_at: TWENTIETH });
    await query('TRUNCATE tender CASCADE');
    await run(asPackage(tender));
    await run(asPackage(change));
    expect(await stored()).toMatchObject({ stage, closes_at: TWENTIETH, version: 2 });
    // The tender as it was before is no news.
    await run(asPackage(tender));
    expect(await stored()).toMatchObject({ stage, version: 2 });
  });

  test('an award without a tender section is stored with the facts of its tender, and no name beside the releases', async () => {
    const suppliers = [{ id: 's1', name: 'Verma Builders Pvt Ltd' }];
    const award = { id: 'w1', status: 'active', value: { amount: 1_400_000, currency: 'INR' }, suppliers };
    await run(asPackage(tender));
    await run(asPackage(release('26', 'award', undefined, { awards: [award] })));
    const awards = () => query('SELECT title, awarded_value, winner FROM award');
    const expected = [{ title: 'Repair of the jetty', awarded_value: '1400000.00', winner: 'Verma Builders Pvt Ltd' }];
    expect(await awards()).toEqual(expected);
    expect(JSON.stringify(await query('SELECT releases FROM tender_statement'))).not.toContain('Verma');
    // A later release that does not name the winner removes none.
    await run(asPackage(release('27', 'awardUpdate', undefined, { awards: [{ id: 'w1', date: at('26') }] })));
    expect(await awards()).toEqual(expected);
  });

  test('null removes a value, and a field that it leaves out stays', async () => {
    await run(asPackage(tender));
    await run(asPackage(release('26', 'tenderUpdate', { value: null })));
    expect(await stored()).toMatchObject({ price: null, closes_at: TWENTIETH });
    await run(asPackage(release('27', 'tenderUpdate', { value: { amount: 7000, currency: 'INR' } })));
    expect(await stored()).toMatchObject({ price: '7000.00' });
  });

  test('that would make the tender unusable is rejected, and what is stored stays', async () => {
    await run(asPackage(tender));
    const change = release('26', 'tenderAmendment', { tenderPeriod: { endDate: '2026-11-01T10:00:00+05:30' } });
    expect(await run(asPackage(change))).toMatchObject({ rejected: 1, changed: 0 });
    expect(await run(asPackage(amended))).toMatchObject({ rejected: 0, changed: 1 });
    expect((await stored()).closes_at).toBe(THIRD);
  });

  test('many of them in any order end alike', async () => {
    const days = ['21', '22', '23', '24', '25', '26', '27'];
    const changes = days.map((day, n) =>
      release(
        day,
        'tenderAmendment',
        n % 2 ? { tenderPeriod: { endDate: closes(day) } } : { value: { amount: 1000 * Number(day), currency: 'INR' } },
      ),
    );
    for (const n of [5, 0, 3, 6]) await run(asPackage(changes[n] as Json));
    await run(asLines(changes[2] as Json, tender, changes[1] as Json));
    await run(asPackage(changes[4] as Json));
    expect(await stored()).toMatchObject({ price: '27000.00', closes_at: instant(closes('26')) });
  });
});

test('two imports of one process at the same time lose no release', async () => {
  await run(asPackage(announced('20', '20')));
  const change = (day: string, tender: Json) => asPackage(release(day, 'tenderAmendment', tender));
  await Promise.all([
    run(change('25', { tenderPeriod: { endDate: closes('03') } })),
    run(change('26', { value: { amount: 9000, currency: 'INR' } })),
  ]);
  expect(await stored()).toMatchObject({ closes_at: THIRD, price: '9000.00' });
});
