/** What the official documents of a tender say: who may read which part of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Boq, BoqItem } from '@nivida/contract/documents/boq';
import type { DocumentFact } from '@nivida/contract/documents/document-facts';
import { readingCounts, readingVersion } from '@nivida/contract/documents/tender-reading';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DownloadQuotasService } from '../../src/documents/delivery/download-quotas.service.ts';
import { FileUploadService } from '../../src/documents/files/file-upload.service.ts';
import { ReadingStoreService } from '../../src/documents/reading/reading-store.service.ts';
import type { DocumentReading } from '../../src/reading/document-reading.ts';
import { RETENTION_STATEMENTS } from '../../src/retention/retention.sql.ts';
import { createSession } from '../support/accounts.ts';
import { buyDocuments, buyPlan } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const WORKS = 'hptenders|2026_PWD_3';

let app: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-reading-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}/files` } });
  const works = ['2026_PWD_3_1', '2026_PWD_3_2'].map((sourceId) => createSourceTender({ sourceId, nitKey: WORKS }));
  const alone = ['2026_PWD_1_1', '2026_PWD_2_1', '2026_PWD_4_1', '2026_PWD_5_1', '2026_PWD_6_1'];
  await importTenders(
    app.database.dataSource,
    [
      ...works,
      ...alone.map((sourceId) => createSourceTender({ sourceId })),
      createSourceTender({ sourceId: '2026_PWD_9_1', publishedAt: new Date('2026-11-11T09:00:00+05:30') }),
    ],
    { now: NOW },
  );
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);
const idOf = async (sourceId: string): Promise<number> => {
  const [row] = await query('SELECT id FROM tender WHERE source_id = $1', [sourceId]);
  return row.id;
};
const readingOf = async (sourceId: string, headers = {}) =>
  (await app.get(`/api/tenders/${await idOf(sourceId)}/reading`, headers)).json;

/** Attaches a file with this content; returns its row. */
async function attach(sourceId: string, name: string, content: string, allWorks = false) {
  const path = join(folder, 'incoming');
  await writeFile(path, content, 'latin1');
  const [tender] = await query('SELECT id, nit_of(nit_key, id) AS nit FROM tender WHERE source_id = $1', [sourceId]);
  const place = { nit: tender.nit, tenderId: tender.id, name, allWorks };
  await app.app.get(FileUploadService).upload(app.database.dataSource.manager, place, path);
  const [row] = await query(
    'SELECT id, nit, tender_id AS "tenderId", sha256, kind FROM package_file WHERE nit = $1 AND name = $2',
    [tender.nit, name],
  );
  return { ...row, name };
}

const READING: DocumentReading = { state: 'done', pages: 3, unreadPages: [], facts: [], boq: null, texts: [] };

async function store(
  file: Awaited<ReturnType<typeof attach>>,
  reading: Partial<DocumentReading>,
  { version = 1, now = NOW } = {},
): Promise<boolean> {
  const member = { name: file.name, kind: file.kind, sha256: file.sha256, reading: { ...READING, ...reading } };
  return app.app.get(ReadingStoreService).store(file, [member], version, now);
}

const item = (row: number, text: string, quantity: string): BoqItem => {
  return { row, no: String(row), text, unit: 'cum', quantity, rate: '250.50', offered: null };
};
const boqOf = (items: BoqItem[], statedTotal: string | null = null): Boq => {
  return { kind: 'percentage', sheet: 'BoQ1', items, statedTotal, offeredPercent: null };
};
const workbook = (boq: Boq): Partial<DocumentReading> => ({ pages: null, boq });
const XLS = Buffer.from('d0cf11e0a1b11ae1', 'hex').toString('latin1');

const EMD: DocumentFact = {
  topic: 'emd',
  page: 2,
  quote: 'Earnest money: Rs. 25,000',
  value: { unit: 'rupees', amount: '25000.00' },
};

describe('lines and summaries', () => {
  test('nothing was read in a tender without documents', async () => {
    expect(await readingOf('2026_PWD_1_1')).toEqual({ files: [], facts: [], boqs: [] });
  });

  test('there is no reading of an unknown or unpublished tender', async () => {
    for (const id of ['0', 'x', '99999999999', String(await idOf('2026_PWD_9_1'))])
      expect((await app.get(`/api/tenders/${id}/reading`)).status).toBe(404);
  });

  test('a visitor sees files with the state of their reading, and lines with their page', async () => {
    const file = await attach('2026_PWD_2_1', 'Tendernotice_1.pdf', '%PDF-1.4 notice');
    const [waiting] = (await readingOf('2026_PWD_2_1')).files;
    expect(waiting).toMatchObject({
      name: 'Tendernotice_1.pdf',
      kind: 'nit',
      state: 'waiting',
      pages: null,
      readAt: null,
    });
    const unreadPages = [{ page: 3, why: 'picture' as const }];
    const plain: DocumentFact = { topic: 'documents', page: 1, quote: 'Copy of PAN', value: null };
    await store(file, { state: 'part', unreadPages, facts: [EMD, plain] });
    const { status, json, headers } = await app.get(`/api/tenders/${await idOf('2026_PWD_2_1')}/reading`);
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
    const [read] = json.files;
    expect(json).toEqual({
      files: [
        {
          ...{ id: read.id, name: 'Tendernotice_1.pdf', kind: 'nit', sha256: file.sha256, state: 'part', pages: 3 },
          ...{ unreadPages, readAt: NOW.toISOString(), isOwn: false },
        },
      ],
      facts: [plain, EMD].map((fact) => ({ ...fact, id: expect.any(String), fileId: read.id, state: 'found' })),
      boqs: [],
    });
  });

  test('an operator’s value replaces the reader’s, and hidden lines are left out', async () => {
    await query(
      `UPDATE document_fact SET state = 'corrected', decided_at = $1, corrected_value = '{"unit": "days", "amount": 90}'
       WHERE topic = 'emd'`,
      [NOW],
    );
    await query("UPDATE document_fact SET state = 'hidden', decided_at = $1 WHERE topic = 'documents'", [NOW]);
    expect((await readingOf('2026_PWD_2_1')).facts).toEqual([
      expect.objectContaining({ ...EMD, state: 'corrected', value: { unit: 'days', amount: 90 } }),
    ]);
  });

  test('have a version that changes with files, readings and decisions, and that a device finds in the reading', async () => {
    const ids = [await idOf('2026_PWD_6_1'), await idOf('2026_PWD_9_1'), await idOf('2026_PWD_1_1')];
    const versions = async () => (await app.get(`/api/tenders/readings?ids=${ids.join(',')}`)).json.versions;
    const seen = new Set<string>();
    const expectNewVersion = async () => {
      const { [String(ids[0])]: version, ...others } = await versions();
      expect(others).toEqual({});
      expect(version).toBe(readingVersion(readingCounts(await readingOf('2026_PWD_6_1'))));
      expect(seen).not.toContain(version);
      seen.add(version);
    };
    expect(await versions()).toEqual({});
    const file = await attach('2026_PWD_6_1', 'Tendernotice_1.pdf', '%PDF-1.4 a notice');
    await expectNewVersion();
    await store(file, { facts: [EMD] });
    await expectNewVersion();
    for (const [state, decidedAt] of [
      ['confirmed', NOW],
      ['hidden', NOW],
    ]) {
      await query(
        `UPDATE document_fact SET state = $1, decided_at = $2
         WHERE file_reading_id IN (SELECT id FROM file_reading WHERE package_file_id = $3)`,
        [state, decidedAt, file.id],
      );
      await expectNewVersion();
    }
    await store(await attach('2026_PWD_6_1', 'Tendernotice_1.pdf', '%PDF-1.4 another notice'), READING, {
      now: new Date(NOW.getTime() + 1),
    });
    await expectNewVersion();
    await attach('2026_PWD_6_1', 'BOQ_1.xls', XLS);
    await expectNewVersion();
    await query('DELETE FROM package_file WHERE nit = $1', [file.nit]);
    expect(await versions()).toEqual({});
    expect((await app.get('/api/tenders/readings?ids=x')).status).toBe(400);
  });

  test('a value without a line or a page cannot be stored', async () => {
    const [{ id }] = await query('SELECT id FROM file_reading');
    const insert = (page: number | null, quote: string | null) =>
      query("INSERT INTO document_fact (file_reading_id, topic, page, quote, value) VALUES ($1, 'emd', $2, $3, '{}')", [
        id,
        page,
        quote,
      ]);
    for (const [page, quote] of [
      [null, 'a line'],
      [0, 'a line'],
      [1, null],
      [1, ''],
    ] as const)
      await expect(insert(page, quote)).rejects.toThrow(/violates/);
  });

  test('a file of all works is read for each of them, a file of one work for that only', async () => {
    await store(await attach('2026_PWD_3_1', 'Notice.pdf', '%PDF-1.4 all works', true), { facts: [EMD] });
    await store(await attach('2026_PWD_3_2', 'Drawing list.pdf', '%PDF-1.4 work 2'), {});
    const names = async (sourceId: string) =>
      (await readingOf(sourceId)).files.map(({ name }: { name: string }) => name);
    expect(await names('2026_PWD_3_1')).toEqual(['Notice.pdf']);
    expect(await names('2026_PWD_3_2')).toEqual(['Notice.pdf', 'Drawing list.pdf']);
    expect((await readingOf('2026_PWD_3_2')).facts).toHaveLength(1);
  });

  test('characters that the database cannot store do not lose a reading', async () => {
    const file = await attach('2026_PWD_4_1', 'Notice.pdf', '%PDF-1.4 odd characters');
    await store(file, { texts: ['a\0b\ud800'], facts: [{ ...EMD, quote: 'a\0b\ud800' }] });
    expect((await readingOf('2026_PWD_4_1')).facts).toEqual([expect.objectContaining({ quote: 'a\uFFFDb\uFFFD' })]);
  });
});

describe('the table of a BOQ', () => {
  const items = [item(14, 'Stone masonry', '12.5'), item(15, 'Back filling', '40')];

  beforeAll(async () => {
    const file = await attach('2026_PWD_1_1', 'BOQ_1.xls', `${XLS} first`);
    await store(file, workbook(boqOf(items, '13151.25')));
  });

  test('is summarised for everybody', async () => {
    expect((await readingOf('2026_PWD_1_1')).boqs).toEqual([
      {
        fileId: expect.any(String),
        summary: {
          ...{ kind: 'percentage', items: 2, isLumpSum: false },
          ...{ totalPaise: 1_315_125, statedTotalPaise: 1_315_125, totalState: 'agrees' },
        },
        boq: null,
        changes: null,
      },
    ]);
  });

  const hasTable = async (headers: object) => (await readingOf('2026_PWD_1_1', headers)).boqs[0].boq !== null;

  test('is whole for the account that bought the package, and for no other', async () => {
    const [buyer, other] = [await createSession(app), await createSession(app)];
    const tenderId = await idOf('2026_PWD_1_1');
    await buyDocuments(app.database.dataSource, { tenderId, nit: `tender-${tenderId}`, userId: buyer.user._id });
    expect((await readingOf('2026_PWD_1_1', buyer.headers)).boqs[0].boq.items).toEqual(items);
    expect(await hasTable(other.headers)).toBe(false);
  });

  test('needs a download of a plan, because reading it does not count as one', async () => {
    const { user, headers } = await createSession(app);
    const [startsAt, endsAt] = [new Date('2026-11-01T00:00:00Z'), new Date('2027-11-01T00:00:00Z')];
    const plan = { userId: user._id, planId: 'premium' as const, states: ['Himachal Pradesh'], startsAt, endsAt };
    await buyPlan(app.database.dataSource, plan);
    expect(await hasTable(headers)).toBe(false);
    const tenderId = await idOf('2026_PWD_1_1');
    await app.app.get(DownloadQuotasService).chargeDownload(user._id, tenderId, `tender-${tenderId}`);
    expect(await hasTable(headers)).toBe(true);
  });

  test('stays readable in the months after the download', async () => {
    const { user, headers } = await createSession(app);
    const [startsAt, endsAt] = [new Date('2026-10-01T00:00:00Z'), new Date('2027-10-01T00:00:00Z')];
    const plan = { userId: user._id, planId: 'basic' as const, states: ['Himachal Pradesh'], startsAt, endsAt };
    const { id } = await buyPlan(app.database.dataSource, plan);
    const tenderId = await idOf('2026_PWD_1_1');
    await query("INSERT INTO download VALUES ($1, '2026-10-01', $2, $3, $4, '2026-10-20')", [
      user._id,
      `tender-${tenderId}`,
      tenderId,
      id,
    ]);
    expect(await hasTable(headers)).toBe(true);
  });

  test('is whole for every account where nothing is sold', async () => {
    const { database } = app;
    const free = await startApp({ now: NOW, database, env: { PAYMENT_PROVIDER: 'none', FREE_PLAN: 'enterprise' } });
    const { user, headers } = await createSession(free);
    const [startsAt, endsAt] = [new Date('2026-11-01T00:00:00Z'), new Date('2027-11-01T00:00:00Z')];
    await buyPlan(database.dataSource, { userId: user._id, planId: 'enterprise', states: [], startsAt, endsAt });
    const path = `/api/tenders/${await idOf('2026_PWD_1_1')}/reading`;
    const answers = [await free.get(path, headers), await free.get(path)];
    await free.close();
    expect(answers.map(({ json }) => json.boqs[0].boq !== null)).toEqual([true, false]);
  });

  test('an ended session is refused', async () => {
    const path = `/api/tenders/${await idOf('2026_PWD_1_1')}/reading`;
    expect((await app.get(path, { authorization: 'Bearer wrong' })).status).toBe(401);
  });
});

describe('after a corrigendum', () => {
  const [stone, filling, pipe] = [
    item(14, 'Stone masonry', '12'),
    item(15, 'Back filling', '40'),
    item(16, 'Pipe', '8'),
  ];
  const more = { ...stone, quantity: '20' };
  let headers: object;
  const changes = async () =>
    (await readingOf('2026_PWD_5_1', headers)).boqs.map((boq: { changes: unknown }) => boq.changes);
  const at = (minute: number) => new Date(NOW.getTime() + minute * 60_000);

  beforeAll(async () => {
    const session = await createSession(app);
    headers = session.headers;
    const tenderId = await idOf('2026_PWD_5_1');
    await buyDocuments(app.database.dataSource, { tenderId, nit: `tender-${tenderId}`, userId: session.user._id });
    const first = await attach('2026_PWD_5_1', 'BOQ_7.xls', `${XLS} first`);
    await store(first, workbook(boqOf([stone, filling])));
  });

  test('the buyer sees what the new file of the same name changed', async () => {
    expect(await changes()).toEqual([null]);
    const second = await attach('2026_PWD_5_1', 'BOQ_7.xls', `${XLS} second`);
    expect((await readingOf('2026_PWD_5_1', headers)).files).toMatchObject([{ name: 'BOQ_7.xls', state: 'waiting' }]);
    expect(await changes()).toEqual([]);
    await store(second, workbook(boqOf([more, pipe])), { now: at(1) });
    expect(await changes()).toEqual([{ added: [pipe], removed: [filling], changed: [{ before: stone, after: more }] }]);
    expect((await readingOf('2026_PWD_5_1')).boqs[0]).toMatchObject({ boq: null, changes: null });
  });

  test('a file of another name that replaced it is compared too', async () => {
    await query("DELETE FROM package_file WHERE name = 'BOQ_7.xls'");
    const third = await attach('2026_PWD_5_1', 'BOQ revised.xls', `${XLS} third`);
    await store(third, workbook(boqOf([more, pipe, filling])), { now: at(2) });
    expect(await changes()).toEqual([{ added: [filling], removed: [], changed: [] }]);
  });

  test('two workbooks beside each other are no changes of each other', async () => {
    const part = await attach('2026_PWD_5_1', 'BOQ electrical.xls', `${XLS} electrical`);
    await store(part, workbook(boqOf([item(3, 'Cable', '90')])), { now: at(3) });
    expect(await changes()).toEqual([null, null]);
  });

  test('earlier BOQs go 60 days after the closing, the present ones stay', async () => {
    const names = async () =>
      (
        await query('SELECT name FROM read_boq WHERE tender_id = $1 ORDER BY read_at', [await idOf('2026_PWD_5_1')])
      ).map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['BOQ_7.xls', 'BOQ_7.xls', 'BOQ revised.xls', 'BOQ electrical.xls']);
    const [{ closes_at }] = await query('SELECT closes_at FROM tender WHERE id = $1', [await idOf('2026_PWD_5_1')]);
    const after = (days: number) =>
      query(RETENTION_STATEMENTS.read_boq ?? '', [new Date(closes_at.getTime() + days * 86_400_000)]);
    await after(59);
    expect(await names()).toHaveLength(4);
    await after(61);
    expect(await names()).toEqual(['BOQ revised.xls', 'BOQ electrical.xls']);
  });
});

describe('reading a file again', () => {
  test('keeps what an operator decided on, and is left out for a file that changed meanwhile', async () => {
    const file = await attach('2026_PWD_6_1', 'Notice.pdf', '%PDF-1.4 first');
    const other: DocumentFact = { ...EMD, topic: 'fee', quote: 'Cost of form: Rs. 500' };
    const texts = ['', 'Earnest money: Rs. 25,000'];
    await store(file, { facts: [EMD, other], texts });
    await query(
      `UPDATE document_fact SET state = 'confirmed', decided_at = $1
       WHERE file_reading_id = (SELECT id FROM file_reading WHERE package_file_id = $2)`,
      [NOW, file.id],
    );
    expect(await store(file, { facts: [], texts }, { version: 2 })).toBe(true);
    expect((await readingOf('2026_PWD_6_1')).facts).toEqual([expect.objectContaining({ ...EMD, state: 'confirmed' })]);
    await attach('2026_PWD_6_1', 'Notice.pdf', '%PDF-1.4 second');
    expect(await store(file, { facts: [other], texts }, { version: 3 })).toBe(false);
    expect(await readingOf('2026_PWD_6_1')).toMatchObject({ files: [{ state: 'waiting' }], facts: [] });
  });

  test('takes what was found in the same content', async () => {
    const first = await attach('2026_PWD_1_1', 'Conditions.pdf', '%PDF-1.4 the same conditions');
    await store(first, { facts: [EMD], texts: ['', EMD.quote] });
    const readings = app.app.get(ReadingStoreService);
    expect(await readings.findKnown(first.sha256, 1)).toEqual({ ...READING, facts: [EMD], texts: ['', EMD.quote] });
    expect(await readings.findKnown(first.sha256, 2)).toBeUndefined();
  });

  test('texts and lines go with the file', async () => {
    await query("DELETE FROM package_file WHERE name = 'Conditions.pdf'");
    expect(await query("SELECT 1 FROM file_reading WHERE name = 'Conditions.pdf'")).toEqual([]);
  });
});
