/** Official files that the operator attaches and that an import names. */
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runDocuments } from '../../src/cli/commands/documents.command.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { importFile } from '../../src/ingest/import.ts';
import { SUMMARY_NAMES } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const PDF = '%PDF-1.4 the notice';

let app: TestApp;
let folder: string;
let logged: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-attach-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}/store` } });
  await importTenders(
    app.database.dataSource,
    [
      createSourceTender({ sourceId: '2026_PWD_1_1' }),
      createSourceTender({ sourceId: '2026_PWD_2_1' }),
      createSourceTender({ sourceId: 'same' }),
      createSourceTender({ sourceId: 'same', portal: 'otherportal' }),
    ],
    { now: NOW },
  );
  await writeFile(join(folder, 'Notice.pdf'), PDF);
  await writeFile(join(folder, 'virus.exe'), 'MZ');
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

function run(...args: string[]): Promise<string> {
  logged = [];
  const { dataSource } = app.database;
  return runDocuments(args, { dataSource, config: app.config, now: NOW, log: (line) => logged.push(line) });
}
const idOf = async (sourceId: string): Promise<number> => {
  const [row] = await app.database.dataSource.query('SELECT id FROM tender WHERE source_id = $1', [sourceId]);
  return row.id;
};
const newest = async (sourceId: string) => app.app.get(PackagesService).findNewest(`tender-${await idOf(sourceId)}`);

test('files are attached by the portal’s id; refused ones are listed with their reason; both are audited', async () => {
  const text = await run(
    'attach',
    '--tender',
    '2026_PWD_1_1',
    '--reason',
    'asked by a buyer',
    join(folder, 'Notice.pdf'),
    join(folder, 'virus.exe'),
  );
  expect(text).toBe(
    'ready\t2026_PWD_1_1\tNotice.pdf\tNIT\nrefused\t2026_PWD_1_1\tvirus.exe\tother\tis a program\n2 files\n',
  );
  expect((await newest('2026_PWD_1_1'))?.fileNames).toContain('Notice.pdf');
  const [event] = await app.database.dataSource.query(
    "SELECT subject, detail FROM audit WHERE action = 'documents.attached'",
  );
  expect(event).toEqual({
    subject: String(await idOf('2026_PWD_1_1')),
    detail: { files: ['Notice.pdf'], refused: ['virus.exe'], reason: 'asked by a buyer' },
  });
});

test('the id of this installation works too, and the list shows the attached files', async () => {
  const id = String(await idOf('2026_PWD_1_1'));
  await writeFile(join(folder, 'Notice.pdf'), `${PDF}, second edition`);
  await run('attach', '--tender', id, join(folder, 'Notice.pdf'));
  expect((await newest('2026_PWD_1_1'))?.version).toBe(2);
  expect(JSON.parse(await run('list', '--tender', id, '--json'))).toEqual([
    {
      tender: '2026_PWD_1_1',
      name: 'Notice.pdf',
      kind: 'nit',
      allWorks: false,
      state: 'ready',
      bytes: 35,
      note: null,
    },
  ]);
  expect(await run('list')).toBe('ready\t2026_PWD_1_1\tNotice.pdf\tNIT\n1 files\n');
});

describe('a folder of many tenders', () => {
  let many: string;
  let names: string[];
  beforeAll(async () => {
    const works = Array.from({ length: 12 }, (_, n) =>
      createSourceTender({ sourceId: `2026_MANY_${n}_1`, ...(n < 3 && { nitKey: 'hptenders|many' }) }),
    );
    await importTenders(app.database.dataSource, works, { now: NOW });
    many = join(folder, 'many');
    names = works.map(({ sourceId }) => sourceId).sort();
    for (const name of names) {
      await mkdir(join(many, name), { recursive: true });
      await writeFile(join(many, name, 'Tendernotice_1.pdf'), `${PDF} of ${name}`);
    }
    await writeFile(join(many, '2026_MANY_4_1', 'virus.exe'), 'MZ');
  });
  const audited = async () => {
    const [{ count }] = await app.database.dataSource.query(
      "SELECT count(*)::int FROM audit WHERE action = 'documents.attached' AND detail->>'reason' = 'many'",
    );
    return count;
  };

  test('is attached with a line for each; one that fails is named, and the same command goes on with it', async () => {
    const { dataSource } = app.database;
    const failed = '2026_MANY_7_1';
    await dataSource.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'could not extend file'; END $$;
       CREATE TRIGGER fail BEFORE INSERT ON package_file FOR EACH ROW
         WHEN (NEW.tender_id = ${await idOf(failed)}) EXECUTE FUNCTION fail()`,
    );
    const repair = () => dataSource.query('DROP FUNCTION IF EXISTS fail CASCADE');
    onTestFinished(repair);
    let hasFailed = false;
    const attach = () => {
      logged = [];
      const log = (line: string) => void logged.push(line);
      const onFailure = () => {
        hasFailed = true;
      };
      const args = ['attach', '--documents', many, '--reason', 'many', '--json'];
      return runDocuments(args, { dataSource, config: app.config, now: NOW, log, onFailure }).then(JSON.parse);
    };
    const first: { tender: string; state: string }[] = await attach();
    const attached = (files: typeof first) =>
      files.filter(({ state }) => state === 'ready').map(({ tender }) => tender);
    expect(attached(first)).toEqual(names.filter((name) => name !== failed));
    expect(hasFailed).toBe(true);
    expect(logged.slice(0, 12).map((line) => line.split('  ', 1)[0])).toEqual(
      names.map((_, index) => `${index + 1} of 12`),
    );
    expect(
      logged
        .slice(0, 12)
        .map((line) => line.replace(/^.* {2}(.*):.*$/, '$1'))
        .sort(),
    ).toEqual(names);
    expect(logged).toContainEqual(expect.stringMatching(/^\d+ of 12 {2}2026_MANY_4_1: 2 files, 1 refused$/));
    expect(logged).toContainEqual(expect.stringMatching(/^\d+ of 12 {2}2026_MANY_7_1: failed$/));
    expect(logged.slice(12)).toEqual([
      '2026_MANY_7_1 failed: could not extend file',
      '1 tenders failed, the others are done. The same command again goes on with what failed',
    ]);
    await repair();
    hasFailed = false;
    const before = await audited();
    const stored = await readdir(join(folder, 'store'), { recursive: true });
    const second: typeof first = await attach();
    expect(hasFailed).toBe(false);
    expect(attached(second)).toEqual(names);
    expect(logged).toContainEqual(expect.stringMatching(/^\d+ of 12 {2}2026_MANY_7_1: 1 files$/));
    expect(logged.filter((line) => line.includes('1 there already'))).toHaveLength(11);
    // The failed one, and that with a refused file.
    expect((await audited()) - before).toBe(2);
    const added = (await readdir(join(folder, 'store'), { recursive: true })).filter((name) => !stored.includes(name));
    // Its file and its package, with the folder of each.
    expect(added.length).toBeLessThanOrEqual(4);
  });

  test('has one package for the works of a notice, with the files of all', async () => {
    const newestOfNotice = await app.app.get(PackagesService).findNewest('hptenders|many');
    expect(newestOfNotice?.fileNames.filter((name) => name.endsWith('Tendernotice_1.pdf'))).toHaveLength(3);
  });
});

test('a folder contains a folder for each tender; unknown names, nested folders and links are ignored', async () => {
  const documents = join(folder, 'documents');
  for (const name of ['2026_PWD_2_1/deeper', 'no-tender']) await mkdir(join(documents, name), { recursive: true });
  for (const name of [
    '2026_PWD_2_1/b.pdf',
    '2026_PWD_2_1/a.pdf',
    '2026_PWD_2_1/deeper/c.pdf',
    'no-tender/d.pdf',
    'loose.pdf',
  ])
    await writeFile(join(documents, name), PDF);
  await symlink(join(folder, 'Notice.pdf'), join(documents, '2026_PWD_2_1/link.pdf'));
  expect(await run('attach', '--documents', documents)).toBe(
    'ready\t2026_PWD_2_1\ta.pdf\tother\nready\t2026_PWD_2_1\tb.pdf\tother\n2 files\n',
  );
  expect(logged).toEqual([
    '1 of 1  2026_PWD_2_1: 2 files',
    'No tender is called "no-tender": its files were left alone',
  ]);
  expect((await newest('2026_PWD_2_1'))?.fileNames).toEqual([
    ...SUMMARY_NAMES,
    'Works.xlsx',
    'READ-ME.txt',
    'a.pdf',
    'b.pdf',
  ]);
  expect(await run('list', '--tender', '2026_PWD_2_1')).toBe(
    'ready\t2026_PWD_2_1\ta.pdf\tother\nready\t2026_PWD_2_1\tb.pdf\tother\n2 files\n',
  );
});

test('the portal’s type of a document has precedence over its name', async () => {
  onTestFinished(() => app.database.dataSource.query("DELETE FROM package_file WHERE state = 'waiting'"));
  const documents = [
    { id: '1', documentType: 'tenderNotice', title: 'File 1', url: 'https://portal.example/1.pdf' },
    { id: '2', documentType: 'billOfQuantity', title: 'File 2', url: 'https://portal.example/2.xls' },
    { id: '3', documentType: 'biddingDocuments', title: 'File 3', url: 'https://portal.example/3.pdf' },
    { id: '4', documentType: 'technicalSpecifications', title: 'File 4', url: 'https://portal.example/4.pdf' },
  ];
  const releases = [
    {
      ocid: 'ocds-213czf-9',
      id: '1',
      date: '2026-11-02T10:00:00+05:30',
      tag: ['tender'],
      initiationType: 'tender',
      buyer: { name: 'Jal Shakti Vibhag' },
      tender: { id: '9', title: 'Pump', tenderPeriod: { endDate: '2026-11-20T11:00:00+05:30' }, documents },
    },
  ];
  const file = join(folder, 'typed.json');
  await writeFile(file, JSON.stringify({ version: '1.1', releases }));
  const { dataSource } = app.database;
  const request = {
    file,
    format: 'ocds' as const,
    portal: 'ocdsportal',
    state: 'Himachal Pradesh',
    rebase: undefined,
    dryRun: false,
    rejects: undefined,
  };
  await importFile(request, { dataSource, dataDir: folder, now: NOW, log: () => {} });
  const found = await dataSource.query('SELECT kind FROM package_file WHERE tender_id = $1 ORDER BY id', [
    await idOf('ocds-213czf-9'),
  ]);
  expect(found.map(({ kind }: { kind: string }) => kind)).toEqual(['nit', 'boq', 'nit', 'other']);
  // Nothing is sold of files that are not fetched yet.
  const offer = async () => (await app.get(`/api/tenders/${await idOf('ocds-213czf-9')}/documents`)).json;
  expect(await offer()).toMatchObject({ contents: null, isReady: false });
  await run('attach', '--tender', 'ocds-213czf-9', '--nit', join(folder, 'Notice.pdf'));
  expect(await offer()).toMatchObject({ contents: { kind: 'nit', works: 1 }, isReady: true });
});

test('a generated tender is sold with a demonstration package, even when a package is attached to it', async () => {
  const { dataSource } = app.database;
  await importTenders(dataSource, [createSourceTender({ sourceId: '2026_DEMO_1_1' })], {
    now: NOW,
    origin: 'generated',
  });
  await writeFile(join(folder, 'drawing.pdf'), PDF);
  await run('attach', '--tender', '2026_DEMO_1_1', join(folder, 'drawing.pdf'));
  expect(logged).toEqual([]);
});

describe('the package of a NIT of three works', () => {
  const NIT_KEY = 'hptenders|2026_PWD_3';
  const ids: string[] = [];
  const contents = async (sourceId: string) => {
    const id = await idOf(sourceId);
    const tender = (await app.get(`/api/tenders/${id}`)).json.tender;
    const offer = (await app.get(`/api/tenders/${id}/documents`)).json;
    expect(offer.contents).toEqual(tender.document_package);
    expect(offer.isReady).toBe(tender.document_package !== null);
    return tender.document_package;
  };
  beforeAll(async () => {
    const works = [1, 2, 3].map((n) => createSourceTender({ sourceId: `2026_PWD_3_${n}`, nitKey: NIT_KEY }));
    await importTenders(app.database.dataSource, works, { now: NOW });
    ids.push(...works.map(({ sourceId }) => sourceId));
    await writeFile(join(folder, 'scan.pdf'), PDF);
    await writeFile(join(folder, 'rates.xls'), Buffer.from('d0cf11e0a1b11ae1', 'hex'));
  });

  test('is not for sale without an NIT, and the operator reads that', async () => {
    await run('attach', '--tender', '2026_PWD_3_1', join(folder, 'scan.pdf'), '--boq', join(folder, 'rates.xls'));
    expect(logged).toEqual(['No file is the NIT of this tender, so nothing is sold. Name it with --nit FILE.']);
    expect(await Promise.all(ids.map(contents))).toEqual([null, null, null]);
  });

  test('contains the one work whose NIT is attached, as one of three', async () => {
    const before = await app.database.dataSource.query('SELECT id, change_no, version FROM tender ORDER BY id');
    await run('attach', '--tender', '2026_PWD_3_1', '--nit', join(folder, 'scan.pdf'));
    expect(logged).toEqual([]);
    expect(await Promise.all(ids.map(contents))).toEqual([{ kind: 'nit-boq', works: 1 }, null, null]);
    // Devices receive it as a change, without a new version and without a corrigendum.
    const changed = await app.database.dataSource.query(
      `SELECT t.source_id, t.version FROM tender t JOIN json_to_recordset($1) AS b(id integer, change_no bigint)
       ON b.id = t.id WHERE t.change_no <> b.change_no`,
      [JSON.stringify(before)],
    );
    expect(changed).toEqual([{ source_id: '2026_PWD_3_1', version: 1 }]);
  });

  test('contains every work when the operator attaches the file to all', async () => {
    await run('attach', '--tender', '2026_PWD_3_2', '--all-works', '--nit', join(folder, 'Notice.pdf'));
    expect(await Promise.all(ids.map(contents))).toEqual([
      { kind: 'nit-boq', works: 3 },
      { kind: 'nit', works: 3 },
      { kind: 'nit', works: 3 },
    ]);
    const events = await app.database.dataSource.query(
      "SELECT detail FROM audit WHERE action = 'documents.attached' ORDER BY id DESC LIMIT 2",
    );
    expect(events.map(({ detail }: { detail: object }) => detail)).toEqual([
      { files: ['Notice.pdf'], refused: [], allWorks: true, reason: '' },
      { files: ['scan.pdf'], refused: [], reason: '' },
    ]);
    const found = await app.app.get(PackagesService).findNewest(NIT_KEY);
    expect(found?.fileNames).toContain('notice/Notice.pdf');
    expect(found?.fileNames).toContain('2026_PWD_3_1/scan.pdf');
    // The same file, now of every work: the package has another folder for it.
    await run('attach', '--tender', '2026_PWD_3_1', '--all-works', '--nit', join(folder, 'scan.pdf'));
    const after = await app.app.get(PackagesService).findNewest(NIT_KEY);
    expect(after?.version).toBe((found?.version ?? 0) + 1);
    expect(after?.fileNames).toContain('notice/scan.pdf');
  });

  test('counts published works only', async () => {
    const nitKey = 'hptenders|2026_PWD_4';
    const publishedAt = new Date(NOW.getTime() + 60_000);
    const works = [{}, { publishedAt }].map((changes, n) =>
      createSourceTender({ sourceId: `2026_PWD_4_${n}`, nitKey, ...changes }),
    );
    await importTenders(app.database.dataSource, works, { now: NOW });
    await run('attach', '--tender', '2026_PWD_4_0', '--all-works', '--nit', join(folder, 'Notice.pdf'));
    expect(await contents('2026_PWD_4_0')).toEqual({ kind: 'nit', works: 1 });
  });
});

test.each<[string[], string]>([
  [[], 'documents: attach, list, facts, confirm, correct, hide or restore'],
  [['attach'], 'name a --tender and its files, or --documents'],
  [['attach', '--tender', '2026_PWD_1_1'], 'name a --tender and its files, or --documents'],
  [['attach', '--tender', '2026_PWD_1_1', '/nowhere.pdf'], 'there is no file "/nowhere.pdf"'],
  [['attach', '--documents', '/nowhere'], 'there is no folder "/nowhere"'],
  [['attach', '--tender', 'x', import.meta.filename], 'there is no tender "x"'],
  [['list', '--tender', '99999999999999'], 'there is no tender "99999999999999"'],
  [['list', '--tender', '9999999999'], 'there is no tender "9999999999"'],
])('%j is refused: %s', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});

test('an id that several portals use is named with the ids of this installation', async () => {
  const rows = await app.database.dataSource.query(
    "SELECT id, portal FROM tender WHERE source_id = 'same' ORDER BY portal",
  );
  const error = await run('list', '--tender', 'same').catch(({ message }: Error) => message);
  expect(error).toMatch(/^several portals have a tender "same"; name it by its id here: /);
  for (const { id, portal } of rows) expect(error).toContain(`${id} (${portal})`);
  expect(rows).toHaveLength(2);
});

describe('an OCDS file', () => {
  const release = (changes: object = {}) => ({
    ocid: 'ocds-213czf-1',
    id: '1',
    date: '2026-11-02T10:00:00+05:30',
    tag: ['tender'],
    initiationType: 'tender',
    buyer: { name: 'Jal Shakti Vibhag' },
    tender: {
      id: '1',
      title: 'Pipes for Theog',
      tenderPeriod: { endDate: '2026-11-20T11:00:00+05:30' },
      items: [
        { id: '1', description: 'GI pipe 25 mm', quantity: 1200.5, unit: { name: 'm' } },
        { id: '2', description: 'Valve' },
        { id: '3' },
      ],
      documents: [
        { id: '1', title: 'Notice', url: 'https://portal.example/n?id=1', format: 'application/pdf' },
        { id: '2', title: 'Notice', url: 'https://portal.example/n?id=2', format: 'application/pdf' },
        { id: '3', title: 'BOQ.xls', url: 'https://portal.example/BOQ.xls' },
        { id: '4', title: 'Page', url: 'https://portal.example/', format: 'text/html' },
        { id: '5', title: 'Inside', url: 'file:///etc/passwd', format: 'application/pdf' },
        { id: '6', title: 'Nowhere' },
      ],
      ...changes,
    },
  });
  const load = async (content: object, options: { rebase?: string } = {}) => {
    const file = join(folder, 'ocds.json');
    await writeFile(file, JSON.stringify({ version: '1.1', releases: [content] }));
    const request = {
      file,
      format: 'ocds' as const,
      portal: 'ocdsportal',
      state: 'Himachal Pradesh',
      rebase: options.rebase,
      dryRun: false,
      rejects: undefined,
    };
    return importFile(request, { dataSource: app.database.dataSource, dataDir: folder, now: NOW, log: () => {} });
  };
  const waiting = () =>
    app.database.dataSource.query(
      "SELECT name, kind, source_url, state, tries FROM package_file WHERE state = 'waiting' ORDER BY id",
    );

  test('has its official files fetched, and its bill of quantities stored', async () => {
    expect(await load(release())).toMatchObject({ new: 1, rejected: 0 });
    expect(await waiting()).toEqual([
      { name: 'Notice.pdf', kind: 'nit', source_url: 'https://portal.example/n?id=1', state: 'waiting', tries: 0 },
      { name: 'Notice (2).pdf', kind: 'nit', source_url: 'https://portal.example/n?id=2', state: 'waiting', tries: 0 },
      { name: 'BOQ.xls', kind: 'boq', source_url: 'https://portal.example/BOQ.xls', state: 'waiting', tries: 0 },
    ]);
    const items = await app.database.dataSource.query(
      'SELECT no, description, quantity, unit FROM boq_item ORDER BY no',
    );
    expect(items).toEqual([
      { no: 1, description: 'GI pipe 25 mm', quantity: '1200.5', unit: 'm' },
      { no: 2, description: 'Valve', quantity: null, unit: null },
    ]);
  });

  test('has its bill of quantities in the package', async () => {
    await run('attach', '--tender', 'ocds-213czf-1', join(folder, 'Notice.pdf'));
    expect((await newest('ocds-213czf-1'))?.fileNames).toContain('BOQ.xlsx');
    const offer = await app.get(`/api/tenders/${await idOf('ocds-213czf-1')}/documents`);
    expect(offer.json.contents).toEqual({ kind: 'nit-boq', works: 1 });
  });

  test('has only files with another address fetched by a second import, and its items are replaced', async () => {
    const { dataSource } = app.database;
    const others = {
      documents: [{ id: '3', title: 'BOQ.xls', url: 'https://portal.example/other/BOQ.xls' }],
      items: [{ id: '1', description: 'Cable', quantity: 3 }],
    };
    await load({ ...release(others), ocid: 'ocds-213czf-9' });
    await dataSource.query("UPDATE package_file SET state = 'refused', tries = 6 WHERE state = 'waiting'");
    expect(await load(release())).toMatchObject({ unchanged: 1 });
    expect(await waiting()).toEqual([]);
    expect(await load(release({ title: 'Pipes for Theog and Rohru' }))).toMatchObject({ changed: 1 });
    expect(await waiting()).toEqual([]);
    const moved = [{ id: '3', title: 'BOQ.xls', url: 'https://portal.example/new/BOQ.xls' }];
    await load(release({ documents: moved, items: [{ id: '1', description: 'Pump', quantity: 2 }] }));
    expect(await waiting()).toEqual([
      { name: 'BOQ.xls', kind: 'boq', source_url: 'https://portal.example/new/BOQ.xls', state: 'waiting', tries: 0 },
    ]);
    // Those of another tender stay.
    expect(await dataSource.query('SELECT no, description, quantity FROM boq_item ORDER BY description')).toEqual([
      { no: 1, description: 'Cable', quantity: '3' },
      { no: 1, description: 'Pump', quantity: '2' },
    ]);
  });

  test('has files of one name fetched, also when the portal has numbered some of them', async () => {
    onTestFinished(() => app.database.dataSource.query("DELETE FROM package_file WHERE state = 'waiting'"));
    const { dataSource } = app.database;
    await dataSource.query("DELETE FROM package_file WHERE state = 'waiting'");
    const documents = ['Plan (2)', 'Plan', 'Plan', 'Plan', 'Plan (2)'].map((title, n) => ({
      ...{ id: `${n}`, title, url: `https://portal.example/plan?id=${n}` },
      format: n === 3 ? 'application/msword' : 'application/pdf',
    }));
    expect(await load({ ...release({ documents }), ocid: 'ocds-213czf-4' })).toMatchObject({ new: 1 });
    const files: { name: string; source_url: string }[] = await waiting();
    expect(files.map(({ name, source_url }) => `${name} ${source_url.slice(-1)}`)).toEqual([
      'Plan (2).pdf 0',
      'Plan.pdf 1',
      'Plan (3).pdf 2',
      'Plan (4).doc 3',
      'Plan (2) (2).pdf 4',
    ]);
  });

  test('has at most 100 files fetched, with names of at most 100 characters and their type', async () => {
    onTestFinished(() => app.database.dataSource.query("DELETE FROM package_file WHERE state = 'waiting'"));
    await app.database.dataSource.query("DELETE FROM package_file WHERE state = 'waiting'");
    const documents = Array.from({ length: 101 }, (_, n) => ({
      id: `${n}`,
      title: `${'Drawing of the culvert '.repeat(6)}${n}`,
      url: `https://portal.example/drawing?id=${n}`,
      format: 'application/pdf',
    }));
    await load({ ...release({ documents }), ocid: 'ocds-213czf-3' });
    const files: { name: string; source_url: string }[] = await waiting();
    const stem = 'Drawing of the culvert '.repeat(6).slice(0, 100);
    expect(files.map(({ name }) => name)).toEqual([
      `${stem}.pdf`,
      ...Array.from({ length: 99 }, (_, n) => `${stem} (${n + 2}).pdf`),
    ]);
    expect(files.at(-1)?.source_url).toBe('https://portal.example/drawing?id=99');
  });

  test('with shifted dates for a demonstration has no files fetched', async () => {
    await app.database.dataSource.query("DELETE FROM package_file WHERE state = 'waiting'");
    await load({ ...release({ title: 'Other pipes' }), ocid: 'ocds-213czf-2' }, { rebase: '2026-11-05' });
    expect(await waiting()).toEqual([]);
  });
});

test('an attached file has a name that every system can unpack, and replaces the file of that name', async () => {
  const path = join(folder, 'Plan: 1?.pdf');
  const attach = () => run('attach', '--tender', '2026_PWD_4_0', path);
  await writeFile(path, PDF);
  expect(await attach()).toBe('ready\t2026_PWD_4_0\tPlan_ 1_.pdf\tother\n1 files\n');
  await writeFile(path, `${PDF}, second edition`);
  await attach();
  const listed = JSON.parse(await run('list', '--tender', '2026_PWD_4_0', '--json'));
  expect(listed.filter(({ name }: { name: string }) => name === 'Plan_ 1_.pdf')).toMatchObject([
    { state: 'ready', bytes: 35 },
  ]);
});
