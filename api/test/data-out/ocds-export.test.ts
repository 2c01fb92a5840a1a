import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import * as ajvFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OcdsDumpsService, ocdsDumpsJob } from '../../src/data-out/ocds/ocds-dumps.service.ts';
import { importFile } from '../../src/ingest/import.ts';
import { HideTendersService } from '../../src/tenders/hide-tenders.service.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { createTestDatabase, startApp, type TestApp } from '../support/start-app.ts';
import { describeWithData, SHARED_DATA } from '../support/test-machine.ts';
import { generatedTenders } from './generated-tenders.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const LATER = new Date('2026-11-10T15:30:00+05:30');
const COUNT = 150;
const SEED = 20_261_110;

let app: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-ocds-'));
  app = await startApp({
    now: NOW,
    env: {
      PUBLIC_ORIGIN: 'https://nivida.example',
      LEGAL_NAME: 'Example Data Works',
      DATA_LICENSE: 'https://licence.example/open',
      DATA_ATTRIBUTION: 'Nivida, from the portals of the states',
      DATA_DIR: folder,
    },
  });
  const { dataSource } = app.database;
  const tenders = generatedTenders(NOW, COUNT, SEED);
  await importTenders(dataSource, tenders, { now: NOW });
  // A second import changes every fourth tender, so that there is a history.
  const changed = generatedTenders(NOW, COUNT, SEED + 1);
  const second = tenders.flatMap((tender, n) => {
    const other = changed[n];
    if (!other || n % 4 !== 0) return [];
    const { price, documents, emd, periodOfWorkDays, stage, preBidAt, subCategory } = other;
    return { ...tender, price, documents, emd, periodOfWorkDays, stage, preBidAt, subCategory };
  });
  await importTenders(dataSource, second, { now: LATER });
  await importTenders(dataSource, [createSourceTender({ sourceId: '2026_DEMO_1_1' })], {
    now: NOW,
    origin: 'generated',
  });
  await importTenders(
    dataSource,
    [
      createSourceTender({ sourceId: '2026_DRAFT_1_1', publishedAt: new Date('2026-11-19T09:00:00+05:30') }),
      createSourceTender({ sourceId: '2026_FALSE_1_1' }),
    ],
    { now: NOW },
  );
  const [{ id }] = await dataSource.query("SELECT id FROM tender WHERE source_id = '2026_FALSE_1_1'");
  await app.app.get(HideTendersService).hide(id, { actorId: null, reason: 'A false tender' });
  app.clock.now = LATER;
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

// biome-ignore lint/suspicious/noExplicitAny: packages are checked by the schemas of the standard
type Package = any;

/** All pages of a call. */
async function readPages(call: string): Promise<Package[]> {
  const pages: Package[] = [];
  for (let address: string | undefined = call; address; ) {
    const { status, json } = await app.get(address);
    expect(status).toBe(200);
    pages.push(json);
    address = json.links?.next?.replace('https://nivida.example', '');
  }
  return pages;
}

const compared = `portal, source_id, state, title, description, reference, nit_key, organisation_chain, address, place, pincode, category,
  sub_category, tender_type, form_of_contract, price, price_text, emd, emd_percent, emd_exemption_allowed, tender_fee,
  covers, period_of_work_days, bid_validity_days, contact_designation, bid_opening_place, pre_bid_place, published_at,
  bid_start_at, closes_at, closing_time_known, opens_at, pre_bid_at, documents, stage, last_corrigendum, is_listed,
  district, second_district, department`;
const storedTenders = (database: TestApp['database'], where = 'true') =>
  database.dataSource.query(
    `SELECT ${compared} FROM tender WHERE origin = 'portal' AND ${where} ORDER BY portal, source_id`,
  );

/** Imports texts into an empty product, one after the other. Returns its database and the counts. */
async function importAgain(texts: string[]) {
  const database = await createTestDatabase();
  const counts = [];
  for (const [index, text] of texts.entries()) {
    const file = join(folder, `again-${index}.json`);
    await writeFile(file, text);
    counts.push(
      await importFile(
        {
          file,
          format: 'ocds',
          portal: undefined,
          state: undefined,
          rebase: undefined,
          dryRun: false,
          rejects: join(folder, 'r.csv'),
        },
        { dataSource: database.dataSource, dataDir: folder, now: LATER, log: () => {} },
      ),
    );
  }
  return { database, counts };
}

const PUBLIC = "published_at <= '2026-11-10T15:30:00+05:30'";

describe('the export', () => {
  test('gives every published tender of a portal, in pages, and no other one', async () => {
    const pages = await readPages('/api/ocds/records');
    expect(pages.map(({ records }) => records.length)).toEqual([100, 50]);
    const ids = pages.flatMap(({ records }) =>
      records.map(({ compiledRelease }: Package) => compiledRelease.nivida.sourceId),
    );
    const stored = await storedTenders(app.database, PUBLIC);
    expect(ids.toSorted()).toEqual(stored.map((row: { source_id: string }) => row.source_id).toSorted());
    expect(ids.filter((id) => /DEMO|DRAFT|FALSE/.test(id))).toEqual([]);
  });

  test('filters by state, year and change', async () => {
    const ofState = await readPages('/api/ocds/records?state=assam&year=2026');
    const states = ofState.flatMap(({ records }) =>
      records.map((each: Package) => each.compiledRelease.parties[1].address.region),
    );
    expect(new Set(states)).toEqual(new Set(['Assam']));
    expect((await readPages('/api/ocds/releases?year=2025'))[0].releases).toEqual([]);
    const changed = await readPages(`/api/ocds/records?since=${LATER.toISOString()}`);
    const [{ count }] = await app.database.dataSource.query(
      `SELECT count(*)::int FROM tender WHERE updated_at >= '${LATER.toISOString()}' AND origin = 'portal' AND ${PUBLIC}`,
    );
    expect(changed.flatMap(({ records }) => records)).toHaveLength(count);
    expect(count).toBeGreaterThan(10);
  });

  test.each(['state=nowhere', 'year=26', 'since=yesterday', 'after=x'])('refuses %s', async (query) => {
    expect((await app.get(`/api/ocds/releases?${query}`)).status).toBe(400);
  });

  test('names the publisher and the licence, and no person', async () => {
    const [page] = await readPages('/api/ocds/releases');
    expect(page).toMatchObject({
      version: '1.1',
      publisher: { name: 'Example Data Works', uri: 'https://nivida.example' },
      license: 'https://licence.example/open',
    });
    const people = page.releases.flatMap(({ parties }: Package) => parties.map((party: Package) => party.contactPoint));
    const contacts = people.flatMap((contact: Package) => (contact ? Object.entries(contact) : []));
    expect(new Set(contacts.map(([name]: [string]) => name))).toEqual(new Set(['name']));
    expect(new Set(contacts.map(([, name]: [string, string]) => name))).toEqual(
      new Set(['Executive Engineer', 'Chief Engineer']),
    );
  });

  test('an unchanged page is not sent again', async () => {
    const { headers } = await app.get('/api/ocds/releases');
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect((await app.get('/api/ocds/releases', { 'if-none-match': headers.etag ?? '' })).status).toBe(304);
  });

  test('has a release for each change, which merge into the present state', async () => {
    const pages = await readPages('/api/ocds/records');
    const several = pages.flatMap(({ records }) => records).filter(({ releases }: Package) => releases.length > 1);
    expect(several.length).toBeGreaterThan(20);
    for (const { releases, compiledRelease } of several) {
      expect(releases[0].tag).toEqual(['tender']);
      expect(releases[1].tag[0]).toMatch(/^tender(Amendment|Update|Cancellation)$/);
      expect(Date.parse(releases[1].date)).toBe(LATER.getTime());
      expect(new Set(releases.map(({ id }: Package) => id)).size).toBe(releases.length);
      expect(compiledRelease.date).toBe(releases.at(-1).date);
    }
  });
});

describe('what is exported, imported into an empty product', () => {
  test('as records has the same tenders with the same values', async () => {
    const pages = await readPages('/api/ocds/records');
    const { database, counts } = await importAgain(pages.map((page) => JSON.stringify(page)));
    expect(counts.map((each) => [each.new, each.rejected])).toEqual([
      [100, 0],
      [50, 0],
    ]);
    expect(await storedTenders(database)).toEqual(await storedTenders(app.database, PUBLIC));
    await database.close();
  });

  test('as releases with their history has the same tenders with the same values', async () => {
    const pages = await readPages('/api/ocds/releases');
    const { database, counts } = await importAgain(pages.map((page) => JSON.stringify(page)));
    expect(counts.map(({ rejected }) => rejected)).toEqual([0, 0]);
    expect(await storedTenders(database)).toEqual(await storedTenders(app.database, PUBLIC));
    const [{ count }] = await database.dataSource.query(
      "SELECT count(*)::int FROM tender_history WHERE kind = 'changed'",
    );
    expect(count).toBeGreaterThan(20);
    await database.close();
  });

  test('as one of another portal cannot replace tenders of the portal that it names', async () => {
    const [page] = await readPages('/api/ocds/records?state=assam');
    const database = await createTestDatabase();
    const file = join(folder, 'other.json');
    await writeFile(file, JSON.stringify(page));
    await importFile(
      {
        file,
        format: 'ocds',
        portal: 'association',
        state: undefined,
        rebase: undefined,
        dryRun: false,
        rejects: join(folder, 'r.csv'),
      },
      { dataSource: database.dataSource, dataDir: folder, now: LATER, log: () => {} },
    );
    const portals = await database.dataSource.query('SELECT DISTINCT portal FROM tender');
    expect(portals).toEqual([{ portal: 'association' }]);
    await database.close();
  });
});

describe('the files of states and years', () => {
  test('are written by the job, listed and downloaded, and have all records of their state', async () => {
    const context = { dataSource: app.database.dataSource, now: LATER, find: async (type: never) => app.app.get(type) };
    expect(await ocdsDumpsJob.run(context as never)).toBe(2);
    const { json } = await app.get('/api/ocds/dumps');
    expect(json).toMatchObject({
      attribution: 'Nivida, from the portals of the states',
      license: 'https://licence.example/open',
    });
    expect(json.dumps.map(({ state, year }: Package) => [state, year])).toEqual([
      ['Assam', 2026],
      ['Himachal Pradesh', 2026],
    ]);
    const texts: string[] = [];
    for (const { url, bytes, sha256, records } of json.dumps) {
      const reply = await app.app.inject({ method: 'GET', url: url.replace('https://nivida.example', '') });
      expect(reply.headers['content-type']).toBe('application/gzip');
      expect(reply.rawPayload.length).toBe(bytes);
      expect(createHash('sha256').update(reply.rawPayload).digest('hex')).toBe(sha256);
      const text = gunzipSync(reply.rawPayload).toString();
      expect(text.trimEnd().split('\n')).toHaveLength(records);
      texts.push(text);
      const again = await app.get(url.replace('https://nivida.example', ''), { 'if-none-match': `"${sha256}"` });
      expect(again.status).toBe(304);
    }
    const { database, counts } = await importAgain(texts);
    expect(counts.reduce((sum, each) => sum + each.new, 0)).toBe(COUNT);
    expect(await storedTenders(database)).toEqual(await storedTenders(app.database, PUBLIC));
    await database.close();
  });

  test('are written again after a change only', async () => {
    const dumps = app.app.get(OcdsDumpsService);
    app.clock.now = new Date(LATER.getTime() + 60_000);
    expect(await dumps.writeStale(app.clock.now)).toBe(2);
    expect(await dumps.writeStale(app.clock.now)).toBe(0);
    await importTenders(app.database.dataSource, [createSourceTender({ sourceId: '2026_PWD_999999_1' })], {
      now: new Date(LATER.getTime() + 120_000),
    });
    app.clock.now = new Date(LATER.getTime() + 180_000);
    expect(await dumps.writeStale(app.clock.now)).toBe(1);
  });

  test.each(['goa-2026.jsonl.gz', 'assam-1999.jsonl.gz', '..%2Fsecrets.json', 'assam-2026.csv'])(
    '%s is not there',
    async (name) => {
      expect((await app.get(`/api/ocds/dumps/${name}`)).status).toBe(404);
    },
  );
});

describeWithData('by the schemas of the standard', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  ajvFormats.default(ajv);
  beforeAll(() => {
    for (const name of ['release', 'record', 'release-package', 'record-package']) {
      // Draft 4 calls it `id`.
      const text = readFileSync(join(SHARED_DATA, `ocds/${name}-schema.json`), 'utf8');
      const { id, $schema, ...schema } = JSON.parse(text);
      ajv.addSchema({ $id: id, ...schema }, name);
    }
    ajv.addSchema({
      $id: 'https://standard.open-contracting.org/schema/1__1__5/versioned-release-validation-schema.json',
    });
  });

  const complaints = (name: string, value: unknown) => {
    const validate = ajv.getSchema(name);
    validate?.(value);
    return (validate?.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };

  test('packages of releases and of records are valid', async () => {
    for (const page of await readPages('/api/ocds/releases')) expect(complaints('release-package', page)).toEqual([]);
    for (const page of await readPages('/api/ocds/records')) expect(complaints('record-package', page)).toEqual([]);
    expect(complaints('release-package', { releases: [{}] })).not.toEqual([]);
  });

  test('each line of a file is a valid record', async () => {
    const { fileKey } = await app.app.get(OcdsDumpsService).write('Assam', 2026);
    const file = await readFile(join(app.config.dataDir, 'files', fileKey.slice(0, 2), fileKey));
    const lines = gunzipSync(file).toString().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.flatMap((line) => complaints('record', JSON.parse(line)))).toEqual([]);
  });
});
