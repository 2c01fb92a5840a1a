import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { currentLanguage } from '@nivida/contract/i18n';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { runDocuments } from '../../src/cli/commands/documents.command.ts';
import { DocumentRequestsService } from '../../src/documents/document-requests.service.ts';
import { DocumentsService } from '../../src/documents/documents.service.ts';
import { DocumentFetchService } from '../../src/documents/files/document-fetch.service.ts';
import { FileUploadService } from '../../src/documents/files/file-upload.service.ts';
import { findWorks, readNit } from '../../src/documents/packages/nit.ts';
import { renderNitSummary } from '../../src/documents/packages/nit-summary-pdf.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { boqSpreadsheet, worksSpreadsheet } from '../../src/documents/packages/spreadsheets.ts';
import type { CorrigendumEntity, TenderEntity } from '../../src/tenders/tender.entity.ts';
import { createSession } from '../support/accounts.ts';
import { rowsRead } from '../support/database/rows-read.ts';
import { buyDocuments, buyPlan, SUMMARY_NAMES } from '../support/paid-orders.ts';
import { pdfMarkedTexts, pdfPages, pdfProperties, pdfText } from '../support/pdf-text.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { findLink, readSentMails } from '../support/test-mailbox.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-10T12:00:00+05:30');

let app: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-documents-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}/files` } });
  const { dataSource } = app.database;
  await importTenders(
    dataSource,
    [
      createSourceTender({
        sourceId: '2026_PWD_1_1',
        title: 'सड़क का निर्माण at Theog',
        price: '1250000.00',
        emd: '133740.00',
        documents: [
          { cover: 'Fee/PreQual/Technical', type: 'pdf', name: 'Affidavit on stamp paper' },
          { cover: 'tenderNotice', type: 'pdf', name: 'Notice of the portal' },
        ],
      }),
      createSourceTender({
        sourceId: '2026_PWD_2_1',
        title: 'Retaining wall',
        nitKey: 'hptenders|2026_PWD_2',
        reference: 'NIT 5 of 2026',
      }),
      createSourceTender({ sourceId: '2026_PWD_2_2', title: 'Culvert', nitKey: 'hptenders|2026_PWD_2' }),
      createSourceTender({
        sourceId: '2026_PWD_9_1',
        title: 'Published tomorrow',
        publishedAt: new Date('2026-11-11T09:00:00+05:30'),
      }),
    ],
    { now: NOW },
  );
  await importTenders(
    dataSource,
    [
      createSourceTender({
        portal: 'demo',
        sourceId: '2026_DEMO_1',
        title: 'Community hall',
        state: 'Punjab',
        corrigenda: [{ title: 'Fee changed', type: 'Fee' }],
      }),
    ],
    { now: NOW, origin: 'generated' },
  );
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const idOf = async (sourceId: string): Promise<number> => {
  const [row] = await app.database.dataSource.query('SELECT id FROM tender WHERE source_id = $1', [sourceId]);
  return row.id;
};
const offer = async (sourceId: string) => (await app.get(`/api/tenders/${await idOf(sourceId)}/documents`)).json;

/** The files of a tender's newest package. */
async function unzip(nit: string): Promise<Map<string, Buffer>> {
  const packages = app.app.get(PackagesService);
  const found = await packages.findNewest(nit);
  if (!found) throw new Error('There is no package');
  const chunks: Buffer[] = [];
  for await (const chunk of await packages.store.read(found.fileKey)) chunks.push(chunk);
  return unzipBuffer(Buffer.concat(chunks));
}

async function unzipBuffer(content: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(content);
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
    files.set(entry.fileName, Buffer.concat(parts));
  }
  return files;
}

/** The cells of a spreadsheet by row; numbers are numbers, empty cells are left out. */
async function cellsOf(file: Buffer | undefined): Promise<(string | number)[][]> {
  const files = await unzipBuffer(file as Buffer);
  const xml = (name: string) => String(files.get(name));
  const texts = [...xml('xl/sharedStrings.xml').matchAll(/<t[^>]*>([^<]*)<\/t>|<t[^>]*\/>/g)].map(
    ([, text = '']) => text,
  );
  return [...xml('xl/worksheets/sheet1.xml').matchAll(/<row [^>]*>(.*?)<\/row>/g)].map(([, row = '']) =>
    [...row.matchAll(/<c [^>]*?(t="s")?><v>([^<]*)<\/v><\/c>/g)].map(([, isText, value]) =>
      isText ? (texts[Number(value)] ?? '') : Number(value),
    ),
  );
}

async function attach(sourceId: string, nit: string, name: string, content: string | Buffer) {
  const path = join(folder, 'incoming');
  await writeFile(path, content);
  const { manager } = app.database.dataSource;
  return app.app.get(FileUploadService).upload(manager, { nit, tenderId: await idOf(sourceId), name }, path);
}

const PDF = '%PDF-1.4 the notice';

test('a tender without a file of the portal offers nothing', async () => {
  expect(await offer('2026_PWD_1_1')).toEqual({
    isReady: false,
    files: [],
    bytes: null,
    isOwned: false,
    orderId: null,
    planDownloads: null,
    isDemonstration: false,
    contents: null,
    isOpen: true,
  });
});

test.each(['0', '999999', 'x', '2147483648'])('tender %s is not found', async (id) => {
  expect((await app.get(`/api/tenders/${id}/documents`)).status).toBe(404);
});

test('a tender that is not published yet is not found', async () => {
  expect((await app.get(`/api/tenders/${await idOf('2026_PWD_9_1')}/documents`)).status).toBe(404);
});

test('a demonstration tender offers a package that is marked as generated', async () => {
  const found = await offer('2026_DEMO_1');
  expect(found).toMatchObject({
    isReady: true,
    isDemonstration: true,
    files: [...SUMMARY_NAMES, 'Works.xlsx', 'READ-ME.txt'],
  });
  expect(found.bytes).toBeGreaterThan(1_000);
  const files = await unzip(`tender-${await idOf('2026_DEMO_1')}`);
  expect([...files.keys()]).toEqual(found.files);
  expect(files.get('READ-ME.txt')?.toString()).toContain('DEMONSTRATION: not a live tender');
  const summary = await pdfText(files.get('NIT-summary.pdf') as Buffer);
  expect(summary).toContain('DEMONSTRATION: this is not a live tender.');
  expect(summary).toContain('Fee · Fee changed');
});

test('a real tender with moved dates offers nothing before its NIT is attached', async () => {
  await importTenders(
    app.database.dataSource,
    [createSourceTender({ sourceId: '2026_PWD_77_1', title: 'Moved wall' })],
    {
      now: NOW,
      origin: 'rebased',
    },
  );
  expect(await offer('2026_PWD_77_1')).toMatchObject({ isReady: false, contents: null, isDemonstration: true });
  await attach('2026_PWD_77_1', `tender-${await idOf('2026_PWD_77_1')}`, 'NIT.pdf', PDF);
  await app.app.get(DocumentFetchService).run();
  expect(await offer('2026_PWD_77_1')).toMatchObject({ isReady: true, contents: { kind: 'nit', works: 1 } });
});

describe('with a file of the portal', () => {
  test('the package contains it beside our summary, with ₹ and Hindi', async () => {
    const nit = `tender-${await idOf('2026_PWD_1_1')}`;
    expect(await attach('2026_PWD_1_1', nit, 'Notice.pdf', PDF)).toEqual({
      name: 'Notice.pdf',
      kind: 'nit',
      state: 'ready',
      note: null,
    });
    expect(await offer('2026_PWD_1_1')).toMatchObject({
      isReady: true,
      isDemonstration: false,
      files: [...SUMMARY_NAMES, 'Works.xlsx', 'READ-ME.txt', 'Notice.pdf'],
    });
    const files = await unzip(nit);
    expect(files.get('Notice.pdf')?.toString()).toBe(PDF);
    const summary = await pdfText(files.get('NIT-summary.pdf') as Buffer);
    expect(summary).toContain('Estimate ₹12.50 Lakh (₹12,50,000)');
    expect(summary).toContain('Earnest money (EMD) ₹1.34 Lakh (₹1,33,740)');
    expect(summary).toContain('Tender fee ₹500.00');
    // The documents that the bidder uploads, apart from those of the portal.
    expect(summary).toMatch(
      /What you must upload.*not part of this package\..*Affidavit on stamp paper.*Documents that the portal lists.*Notice of the portal/s,
    );
    expect(summary).toContain('सड़क');
    expect(summary).toContain('20 Nov 2026, 11:00 AM');
    expect(summary).toContain('hptenders.gov.in');
    expect(summary).not.toContain('DEMONSTRATION');
    expect(await cellsOf(files.get('Works.xlsx'))).toEqual([
      ['Tender ID', 'Work', 'Estimate (₹)', 'EMD (₹)', 'Tender fee (₹)', 'Period (days)', 'Closing'],
      ['2026_PWD_1_1', 'सड़क का निर्माण at Theog', 1_250_000, 133_740, 500, 180, '20 Nov 2026, 11:00 AM'],
    ]);
    expect(files.get('READ-ME.txt')?.toString()).toMatch(/^Documents of 2026_PWD_1_1\r\n/);
    expect(files.get('READ-ME.txt')?.toString()).toContain('\r\n2026_PWD_1_1 के दस्तावेज़\r\n');
    expect(await pdfProperties(files.get('NIT-summary-hi.pdf') as Buffer)).toMatchObject({ lang: 'hi-IN' });
    expect(files.get('READ-ME.txt')?.toString()).not.toContain('Please note');
  });

  test('works of one notice share one package, each with its own folder', async () => {
    const nit = 'hptenders|2026_PWD_2';
    const macros = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('_VBA_PROJECT', 'utf16le')]);
    await attach('2026_PWD_2_1', nit, 'BOQ.xls', macros);
    await attach('2026_PWD_2_2', nit, 'BOQ.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'));
    const works = ['2026_PWD_2_1/BOQ.xls', '2026_PWD_2_2/BOQ.xls'];
    const files = [...SUMMARY_NAMES, 'Works.xlsx', 'READ-ME.txt', ...works];
    // A bill of quantities alone is not sold.
    expect(await offer('2026_PWD_2_1')).toMatchObject({ isReady: false, contents: null, files });
    const readMe = (await unzip(nit)).get('READ-ME.txt')?.toString();
    expect(readMe).toMatch(/^Documents of NIT 5 of 2026\r\n/);
    expect(readMe).toContain('Please note:\r\n- BOQ.xls: Holds macros:');
    // A buyer from the time when there was an NIT still gets the package.
    const buyer = await createSession(app);
    const tenderId = await idOf('2026_PWD_2_1');
    const { entitlement } = await buyDocuments(app.database.dataSource, {
      tenderId,
      nit,
      userId: buyer.user._id,
      buyerEmail: buyer.user.email,
    });
    const url = `/api/tenders/${tenderId}/documents`;
    expect((await app.get(url, buyer.headers)).json).toMatchObject({ isReady: true, isOwned: true, contents: null });
    expect((await app.app.inject({ method: 'POST', url, headers: buyer.headers })).statusCode).toBe(201);
    // A download of a plan is not spent on it.
    const { headers, user } = await createSession(app);
    await buyPlan(app.database.dataSource, {
      userId: user._id,
      planId: 'basic',
      states: ['Himachal Pradesh'],
      startsAt: NOW,
      endsAt: new Date(NOW.getTime() + DAY_MS),
    });
    expect((await app.get(url, headers)).json).toMatchObject({ isReady: false, isOwned: false });
    const refused = await app.app.inject({ method: 'POST', url, headers });
    expect([refused.statusCode, refused.json().message]).toEqual([409, 'Documents are not available yet']);
    await app.database.dataSource.query('UPDATE entitlement SET revoked_at = $2 WHERE id = $1', [entitlement.id, NOW]);
    await attach('2026_PWD_2_1', nit, 'NIT.pdf', PDF);
    await app.app.get(PackagesService).renew(nit, NOW);
    expect(await offer('2026_PWD_2_1')).toMatchObject({ isReady: true, contents: { kind: 'nit-boq', works: 1 } });
    expect(await offer('2026_PWD_2_2')).toMatchObject({ isReady: false, contents: null });
    const { rows } = await app.app
      .get(PackagesService)
      .findNewest(nit)
      .then((found) => ({ rows: found?.version }));
    expect(rows).toBe(2);
  });

  test('twenty concurrent requests create one version', async () => {
    const nit = `tender-${await idOf('2026_PWD_1_1')}`;
    await attach('2026_PWD_1_1', nit, 'Drawing.pdf', PDF);
    const packages = app.app.get(PackagesService);
    const before = await packages.findNewest(nit);
    expect(before).toMatchObject({ isDemonstration: false, createdAt: NOW });
    const other = new PackagesService(app.database.dataSource, app.config);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? packages : other).renew(nit, app.clock.now)),
    );
    expect(new Set(all.map((found) => found?.version))).toEqual(new Set([(before?.version ?? 0) + 1]));
    // The losers of the race leave no file.
    const keys = (await readdir(join(folder, 'files'), { recursive: true })).filter((name) => name.length > 30);
    const known = await app.database.dataSource.query(
      'SELECT file_key FROM document_package UNION SELECT file_key FROM package_file WHERE file_key IS NOT NULL',
    );
    expect(keys).toHaveLength(known.length);
  });

  test('a package that another process has stored from older files is built again', async () => {
    const nit = `tender-${await idOf('2026_PWD_1_1')}`;
    const [first, second] = [1, 2].map(() => new PackagesService(app.database.dataSource, app.config)) as [
      PackagesService,
      PackagesService,
    ];
    const before = await first.findNewest(nit);
    const [firstWrites, secondWrites] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const putFirst = first.store.put.bind(first.store);
    first.store.put = async (...file) => {
      firstWrites.resolve();
      await secondWrites.promise;
      return putFirst(...file);
    };
    await attach('2026_PWD_1_1', nit, 'Drawing 2.pdf', PDF);
    const older = first.renew(nit, app.clock.now);
    await firstWrites.promise;
    await attach('2026_PWD_1_1', nit, 'Drawing 3.pdf', PDF);
    const putSecond = second.store.put.bind(second.store);
    second.store.put = async (...file) => {
      secondWrites.resolve();
      await older;
      return putSecond(...file);
    };
    const newer = await second.renew(nit, app.clock.now);
    expect((await older)?.version).toBe((before?.version ?? 0) + 1);
    expect((await older)?.fileNames).not.toContain('Drawing 3.pdf');
    expect(newer).toMatchObject({
      version: (before?.version ?? 0) + 2,
      fileNames: expect.arrayContaining(['Drawing 3.pdf']),
    });
    expect(await first.findNewest(nit)).toEqual(newer);
  });
});

test('a package holds the published works of its notice in the order of the portal', async () => {
  const { dataSource } = app.database;
  const nitKey = 'hptenders|2026_PWD_6';
  const works = ['2026_PWD_6_10', '2026_PWD_6_2', '2026_PWD_6_1'].map((sourceId) =>
    createSourceTender({ sourceId, nitKey }),
  );
  const publishedAt = new Date(NOW.getTime() + 1);
  const later = createSourceTender({ sourceId: '2026_PWD_6_3', nitKey, publishedAt });
  await importTenders(dataSource, [...works, later], { now: NOW });
  const found = async (now: Date) => (await findWorks(dataSource.manager, nitKey, now)).map(({ sourceId }) => sourceId);
  expect(await found(NOW)).toEqual(['2026_PWD_6_1', '2026_PWD_6_2', '2026_PWD_6_10']);
  expect(await found(publishedAt)).toHaveLength(4);
  expect(await findWorks(dataSource.manager, `tender-${await idOf('2026_PWD_6_1')}`, NOW)).toEqual([]);
});

test('the bill of quantities has a line for each item, with the work it belongs to', async () => {
  const works = [
    { id: 7, sourceId: '2026_PWD_6_1' },
    { id: 8, sourceId: '2026_PWD_6_2' },
  ] as TenderEntity[];
  const boq = [
    { tenderId: 8, no: 1, description: 'GI pipe 25 mm', quantity: '1200.5', unit: 'm' },
    { tenderId: 7, no: 2, description: '=1+1', quantity: null, unit: null },
  ];
  expect(await cellsOf(await boqSpreadsheet({ nit: 'x', works, corrigenda: [], boq }))).toEqual([
    ['Tender ID', 'No.', 'Item', 'Quantity', 'Unit'],
    ['2026_PWD_6_2', 1, 'GI pipe 25 mm', 1_200.5, 'm'],
    ['2026_PWD_6_1', 2, '=1+1'],
  ]);
  // A figure that the notice does not have is an empty cell.
  const unpriced = createSourceTender({ price: null, emd: '0.00', tenderFee: null, periodOfWorkDays: null });
  const wall = { ...unpriced, id: 7 } as unknown as TenderEntity;
  expect((await cellsOf(await worksSpreadsheet({ nit: 'x', works: [wall], corrigenda: [], boq: [] })))[1]).toEqual([
    ...['2026_PWD_100001_1', 'Construction of footbridge', 0, '20 Nov 2026, 11:00 AM'],
  ]);
});

test('a notice has its corrigenda in the order of the portal, and its items by their work and number', async () => {
  const { dataSource } = app.database;
  const nitKey = 'hptenders|2026_PWD_12';
  const corrigenda = ['Date extended', 'Fee changed'].map((title) => ({ title, type: 'Other' }));
  await importTenders(
    dataSource,
    [
      createSourceTender({ sourceId: '2026_PWD_12_2', nitKey, corrigenda }),
      createSourceTender({ sourceId: '2026_PWD_12_1', nitKey }),
    ],
    { now: NOW },
  );
  const [first, second] = [await idOf('2026_PWD_12_1'), await idOf('2026_PWD_12_2')];
  await dataSource.query(
    "INSERT INTO boq_item (tender_id, no, description) VALUES ($2, 1, 'Pipe'), ($1, 2, 'Sand'), ($1, 1, 'Stone')",
    [first, second],
  );
  const works = await findWorks(dataSource.manager, nitKey, NOW);
  const nit = await readNit(dataSource.manager, nitKey, works);
  expect(nit.corrigenda.map(({ title }) => title)).toEqual(['Date extended', 'Fee changed']);
  expect(nit.boq.map(({ description }) => description)).toEqual(['Stone', 'Sand', 'Pipe']);
});

test('a tender was last compared when the portal showed it unchanged the last time', async () => {
  const { dataSource } = app.database;
  const sourceIds = ['2026_PWD_11_1', '2026_PWD_11_2'];
  const publish = (ids: string[], now: Date) =>
    importTenders(
      dataSource,
      ids.map((sourceId) => createSourceTender({ sourceId, nitKey: 'hptenders|2026_PWD_11' })),
      { now },
    );
  await publish(sourceIds, NOW);
  const later = new Date(NOW.getTime() + DAY_MS);
  await publish(sourceIds.slice(1), later);
  const works = await findWorks(dataSource.manager, 'hptenders|2026_PWD_11', later);
  const nit = await readNit(dataSource.manager, 'hptenders|2026_PWD_11', works);
  expect(nit.works.map(({ fetchedAt }) => fetchedAt)).toEqual([NOW, later]);
});

test('the summary prints all fields of a tender, its corrigenda and its source', async () => {
  const at = (text: string) => new Date(`${text}+05:30`);
  const work = {
    ...createSourceTender({
      reference: 'NIT 12 of 2026',
      title: 'Footbridge',
      description: 'Footbridge over the Giri',
      place: 'Theog',
      address: 'Near the school',
      pincode: '171201',
      subCategory: 'Bridges',
      emd: null,
      emdPercent: '2.50',
      emdExemptionAllowed: false,
      price: null,
      priceText: 'As per BOQ',
      tenderFee: '590.00',
      periodOfWorkDays: 90,
      bidValidityDays: 120,
      bidStartAt: at('2026-11-03T10:00:00'),
      closesAt: at('2026-11-20T00:00:00'),
      closingTimeKnown: false,
      opensAt: at('2026-11-21T11:30:00'),
      preBidAt: at('2026-11-09T15:00:00'),
      preBidPlace: 'Office of the XEN',
      bidOpeningPlace: 'Theog\tdivision',
      documents: [
        { cover: 'Fee/PreQual/Technical', type: 'pdf', name: 'Affidavit' },
        { cover: '', type: '', name: 'Drawing' },
      ],
    }),
    id: 1,
    district: 'Shimla',
    department: 'HPPWD',
    origin: 'portal',
    fetchedAt: at('2026-11-10T09:05:00'),
  } as unknown as TenderEntity;
  const changes = [
    { field: 'closing_date', old: '2026-11-18T05:30:00.000Z', new: '2026-11-20T05:30:00.000Z' },
    { field: 'price', old: '500000.00', new: null },
    { field: 'emd', old: null, new: '10000.00' },
    { field: 'place', old: 'Rohru', new: 'Theog' },
  ];
  const corrigendum = {
    tenderId: 1,
    title: 'Date extended',
    type: 'Date',
    noticedAt: at('2026-11-08T16:00:00'),
    changes,
  };
  const nit = { nit: 'tender-1', works: [work], corrigenda: [corrigendum as unknown as CorrigendumEntity], boq: [] };
  const text = (await pdfText(await renderNitSummary(nit, NOW, 'en'))).replaceAll('\n', ' ');
  for (const line of [
    'The tender Work Footbridge',
    'Description Footbridge over the Giri',
    'Tender ID 2026_PWD_100001_1',
    'Reference NIT 12 of 2026',
    'Organisation PWD › Central Zone',
    'Department HPPWD',
    'State, district Himachal Pradesh, Shimla',
    'Category Works, Bridges',
    'Type of tender Open Tender',
    'Form of contract Item Rate',
    'Covers 2',
    'Estimate As per BOQ',
    'Not specified (2.5%)',
    'EMD exemption Not allowed',
    'Tender fee ₹590.00',
    'Period of work 90 days',
    'Bid validity 120 days',
    'Place Theog, Near the school, 171201',
    'Contact Executive Engineer',
    'Published 2 Nov 2026, 9:00 AM',
    'Bids from 3 Nov 2026, 10:00 AM',
    'Closing 20 Nov 2026, time not stated',
    'Opening 21 Nov 2026, 11:30 AM',
    'Opening place Theog division',
    'Pre-bid meeting 9 Nov 2026, 3:00 PM, Office of the XEN',
    '8 Nov 2026, 4:00 PM',
    'Date · Date extended',
    'Closing: 18 Nov 2026, 11:00 AM, changed to 20 Nov 2026, 11:00 AM',
    'Estimate: ₹5.00 Lakh (₹5,00,000), changed to none',
    'place: Rohru, changed to Theog',
    'Fee/PreQual/Technical Affidavit · pdf',
    'Document Drawing',
    'Last compared 10 Nov 2026, 9:05 AM',
    'Written 10 Nov 2026, 12:00 PM',
  ])
    expect(text).toContain(line);
  expect(text).toMatch(/Earnest money: none, changed to ?₹10,000\.00/);
  expect(text).not.toContain('DEMONSTRATION');
  const moved = { ...nit, works: [{ ...work, origin: 'rebased' as const }], corrigenda: [] };
  const demonstration = await pdfText(await renderNitSummary(moved, NOW, 'en'));
  expect(demonstration).toContain('DEMONSTRATION: this is not a live tender.');
  expect(demonstration).toContain('None is known.');

  // A description that repeats the title, and facts that the notice does not have, are left out.
  const changed = { description: 'Footbridge', emd: '0', emdExemptionAllowed: true, place: null, preBidAt: null };
  const other = { ...work, ...changed, id: 2, sourceId: '2026_PWD_100001_2', closingTimeKnown: true };
  const short = (await pdfText(await renderNitSummary({ ...nit, works: [other] }, NOW, 'en'))).replaceAll('\n', ' ');
  expect(short).not.toMatch(/Description|Pre-bid meeting|works share/);
  expect(short).toContain('Earnest money (EMD) Not required (2.5%)');
  expect(short).toContain('EMD exemption Allowed');
  expect(short).toContain('Place Near the school, 171201');
  expect(short).toContain('Closing 20 Nov 2026, 12:00 AM');

  // Of several works a corrigendum names its own.
  const both = (await pdfText(await renderNitSummary({ ...nit, works: [other, work] }, NOW, 'en'))).replaceAll(
    '\n',
    ' ',
  );
  expect(both).toContain('2 works share this notice and its documents.');
  expect(both).toContain('2026_PWD_100001_1 · Date · Date extended');
  expect(both).toMatch(
    /Work 2026_PWD_100001_2 .*EMD exemption Allowed.*Work 2026_PWD_100001_1 .*EMD exemption Not allowed/,
  );
  expect(both.match(/Reference NIT 12 of 2026/g)).toHaveLength(1);

  // In Hindi everything but what the portal wrote.
  const hindi = await renderNitSummary(nit, NOW, 'hi');
  expect(await pdfProperties(hindi)).toEqual({ lang: 'hi-IN', title: 'NIT 12 of 2026 का सारांश' });
  const own = pdfMarkedTexts(hindi).join('\n');
  for (const line of ['टेंडर नोटिस (NIT)', 'अनुमानित लागत', 'बोली की वैधता', 'छूट नहीं है', 'दोपहर', 'शुद्धिपत्र', 'अब'])
    expect(own, line).toContain(line.replace(' (NIT)', ''));
  const english = (await pdfText(hindi)).match(/[A-Z][a-z]+/g) ?? [];
  for (const word of ['Estimate', 'Closing', 'Published', 'Corrigenda', 'Source', 'Not', 'Official'])
    expect(english).not.toContain(word);
  expect(english).toEqual(expect.arrayContaining(['Footbridge', 'Theog', 'Affidavit']));

  // While it is written, other answers stay English.
  const written = renderNitSummary({ ...nit, works: [other, work] }, NOW, 'hi');
  expect(currentLanguage()).toBe('en');
  await setImmediate();
  expect(currentLanguage()).toBe('en');
  expect(pdfMarkedTexts(await written).join('\n')).toContain('यह नोटिस और इसके दस्तावेज़ इन');
});

test('a corrigendum makes a new version, and its buyer gets a link to it while bids are open', async () => {
  const sourceId = '2026_PWD_3_1';
  const documentFetch = app.app.get(DocumentFetchService);
  const { dataSource } = app.database;
  await importTenders(dataSource, [createSourceTender({ sourceId, title: 'Road at Theog' })], { now: NOW });
  const tenderId = await idOf(sourceId);
  const nit = `tender-${tenderId}`;
  await attach(sourceId, nit, 'Notice.pdf', PDF);
  const buyer = await createSession(app, { remembered: true });
  const { order } = await buyDocuments(dataSource, {
    tenderId,
    nit,
    userId: buyer.user._id,
    buyerEmail: buyer.user.email,
    title: 'Road at Theog',
  });
  await documentFetch.run();
  const first = (await readSentMails(app)).filter(({ subject }) => subject === 'Your tender documents');
  expect(first).toHaveLength(1);
  expect(first[0]?.text).toContain('Road at Theog');
  expect(first[0]?.text).not.toContain('DEMONSTRATION');
  expect(await documentFetch.run()).toBe(0);
  const path = new URL(findLink(first[0] as never)).pathname;
  await app.app.inject({ method: 'POST', url: path });

  app.clock.now = new Date('2026-11-12T10:00:00+05:30');
  const changed = createSourceTender({
    sourceId,
    title: 'सड़क का निर्माण at Theog',
    price: '1250000.00',
    closesAt: new Date('2026-11-27T11:00:00+05:30'),
  });
  await importTenders(dataSource, [changed], { now: app.clock.now });
  const before = await app.app.get(PackagesService).findNewest(nit);
  // A buyer gets the present version at once; the job makes the new one.
  expect(await app.app.get(PackagesService).findDeliverable(nit, app.clock.now)).toEqual(before);
  expect(await documentFetch.run()).toBe(2);
  const after = await app.app.get(PackagesService).findNewest(nit);
  expect(after?.version).toBe((before?.version ?? 0) + 1);
  const mail = (await readSentMails(app)).at(-1);
  expect(mail?.subject).toBe('New version of your tender documents');
  expect(mail?.text).toContain('The tender was changed.');

  // What is bought is a purchase, also after a download with a plan.
  await dataSource.query(
    `INSERT INTO download (user_id, month, nit, tender_id, entitlement_id, charged_at)
     SELECT user_id, '2026-11-01', nit, tender_id, id, $2 FROM entitlement WHERE user_id = $1`,
    [buyer.user._id, app.clock.now],
  );
  // The download of another buyer is not theirs.
  const other = await createSession(app);
  await buyDocuments(dataSource, { tenderId, nit, userId: other.user._id, buyerEmail: other.user.email });
  expect(await documentFetch.run()).toBe(1);
  const link = findLink((await readSentMails(app)).at(-1) as never);
  await app.app.inject({ method: 'POST', url: new URL(link).pathname });
  const { packages: ofOther } = (await app.get('/api/documents', other.headers)).json;
  expect(ofOther).toMatchObject([{ nit, version: after?.version, hasNewer: false }]);

  const library = await app.get('/api/documents', buyer.headers);
  expect(library.json.packages).toEqual([
    {
      ...{ nit, tenderId: String(tenderId), title: 'Road at Theog', by: 'purchase', orderId: order.publicId },
      ...{ version: after?.version, hasNewer: true, sha256: after?.sha256, bytes: after?.bytes },
      ...{
        files: [...SUMMARY_NAMES, 'Works.xlsx', 'READ-ME.txt', 'Notice.pdf'],
        acquiredAt: '2026-11-10T06:30:00.000Z',
      },
    },
  ]);
  // The buyer has both versions then.
  await app.app.inject({ method: 'POST', url: new URL(findLink(mail as never)).pathname });
  const { packages: afterwards } = (await app.get('/api/documents', buyer.headers)).json;
  expect(afterwards).toMatchObject([{ nit, hasNewer: false }]);
  expect(await documentFetch.run()).toBe(0);

  // A version that is made after closing is not mailed.
  app.clock.now = new Date('2026-11-27T11:00:00+05:30');
  await attach(sourceId, nit, 'Addendum.pdf', PDF);
  await documentFetch.run();
  expect((await app.app.get(PackagesService).findNewest(nit))?.version).toBe((after?.version ?? 0) + 1);
  expect(await offer(sourceId)).toMatchObject({ isOpen: false, isReady: true });
  const news = (await readSentMails(app)).filter(({ subject }) => subject === 'New version of your tender documents');
  expect(news).toHaveLength(1);
  app.clock.now = NOW;
});

test('a corrected reference number leaves the buyer the documents, for every work of the notice', async () => {
  const { dataSource } = app.database;
  const documentFetch = app.app.get(DocumentFetchService);
  const publish = (reference: string, works: number[], price = '500000.00') =>
    importTenders(
      dataSource,
      works.map((n) =>
        createSourceTender({ sourceId: `2026_PWD_20_${n}`, reference, nitKey: `2026_PWD_20|${reference}`, price }),
      ),
      { now: app.clock.now },
    );
  const keys = async () =>
    (await dataSource.query("SELECT nit_key FROM tender WHERE source_id LIKE '2026_PWD_20_%' ORDER BY source_id")).map(
      (row: { nit_key: string }) => row.nit_key,
    );
  await publish('NIT 20', [1, 2]);
  // Without documents the key follows the reference.
  await publish('NIT 21', [1, 2]);
  const nit = '2026_PWD_20|NIT 21';
  expect(await keys()).toEqual([nit, nit]);

  await attach('2026_PWD_20_1', nit, 'Notice.pdf', PDF);
  const { headers, user } = await createSession(app);
  const tenderId = await idOf('2026_PWD_20_1');
  const { order } = await buyDocuments(dataSource, { tenderId, nit, userId: user._id, buyerEmail: user.email });
  await documentFetch.run();
  app.clock.now = new Date(NOW.getTime() + 60_000);
  // The first work is corrected in one file, the second in the next.
  await publish('NIT 22', [1]);
  expect(await keys()).toEqual([nit, nit]);
  await publish('NIT 22', [1, 2], '600000.00');
  expect(await keys()).toEqual([nit, nit]);

  const owned = { isReady: true, isOwned: true, orderId: order.publicId };
  for (const work of ['2026_PWD_20_1', '2026_PWD_20_2']) {
    const { json } = await app.get(`/api/tenders/${await idOf(work)}/documents`, headers);
    expect(json).toMatchObject(owned);
    const link = { method: 'POST' as const, url: `/api/tenders/${await idOf(work)}/documents`, headers };
    expect((await app.app.inject(link)).statusCode).toBe(201);
  }
  const again = await app.app.inject({
    method: 'POST',
    url: '/api/create-order',
    headers,
    payload: {
      ...{ name: 'Asha Verma', mobileNo: '9805512345', email: user.email, amount: 99, product: 'tender-documents' },
      ...{ tenderId: String(tenderId), redirectUrl: '/payment-status' },
    },
  });
  expect(again.json()).toMatchObject({ orderId: order.publicId, alreadyEntitled: true });

  // The corrigendum gives the buyer a new version.
  await documentFetch.run();
  expect((await app.app.get(PackagesService).findNewest(nit))?.version).toBe(2);
  const mails = (await readSentMails(app)).filter(({ to }) => to?.[0]?.address === user.email);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Your tender documents',
    'New version of your tender documents',
  ]);
  app.clock.now = NOW;
});

test('a demonstration that moves to other dates gets a new version of its package', async () => {
  const tenderId = await idOf('2026_DEMO_1');
  const packages = app.app.get(PackagesService);
  const before = await packages.findDeliverable(`tender-${tenderId}`, NOW);
  await app.database.dataSource.query('UPDATE tender SET shift_days = shift_days + 7 WHERE id = $1', [tenderId]);
  const after = await packages.findDeliverable(`tender-${tenderId}`, NOW);
  expect(after?.version).toBe((before?.version ?? 0) + 1);
  expect((await packages.findDeliverable(`tender-${tenderId}`, NOW))?.version).toBe(after?.version);
});

test('a package that is only built differently is sent again, and nothing is said of a change', async () => {
  const { dataSource } = app.database;
  const sourceId = '2026_PWD_3_9';
  await importTenders(dataSource, [createSourceTender({ sourceId })], { now: NOW });
  const tenderId = await idOf(sourceId);
  const nit = `tender-${tenderId}`;
  await attach(sourceId, nit, 'Notice.pdf', PDF);
  const buyerEmail = 'same@builders.example';
  const { entitlement } = await buyDocuments(dataSource, { tenderId, nit, buyerEmail });
  await app.app.get(DocumentFetchService).run();
  await dataSource.query("UPDATE document_package SET fingerprint = 'of an older format' WHERE nit = $1", [nit]);
  await app.app.get(PackagesService).renew(nit, new Date(NOW.getTime() + 60_000));
  await app.app.get(DocumentFetchService).run();
  const mails = (await readSentMails(app)).filter(({ to }) => to?.[0]?.address === buyerEmail);
  expect(mails.map(({ subject }) => subject)).toEqual(['Your tender documents', 'Your tender documents']);
  expect(mails[1]?.text).not.toContain('The tender was changed.');
  await dataSource.query('UPDATE entitlement SET revoked_at = $2 WHERE id = $1', [entitlement.id, NOW]);
});

test('a bought package of a generated notice is renewed by the job when one of its works changes', async () => {
  const { dataSource } = app.database;
  const nit = 'demo|88';
  const publish = (price: string) =>
    importTenders(
      dataSource,
      [1, 2].map((n) => createSourceTender({ portal: 'demo', sourceId: `2026_DEMO_88_${n}`, nitKey: nit, price })),
      { now: app.clock.now, origin: 'generated' },
    );
  await publish('100000.00');
  const packages = app.app.get(PackagesService);
  expect(await offer('2026_DEMO_88_1')).toMatchObject({ isReady: true, contents: { kind: 'nit-boq', works: 2 } });
  const tenderId = await idOf('2026_DEMO_88_2');
  const { entitlement } = await buyDocuments(dataSource, { tenderId, nit, buyerEmail: 'works@builders.example' });
  await app.app.get(DocumentFetchService).run();
  app.clock.now = new Date(NOW.getTime() + 60_000);
  await publish('200000.00');
  // The bought work has closed, the other one is open.
  await dataSource.query('UPDATE tender SET closes_at = $2 WHERE id = $1', [tenderId, NOW]);
  await app.app.get(DocumentFetchService).run();
  expect((await packages.findNewest(nit))?.version).toBe(2);
  const mails = (await readSentMails(app)).filter(({ to }) => to?.[0]?.address === 'works@builders.example');
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Your tender documents',
    'New version of your tender documents',
  ]);
  await dataSource.query('UPDATE entitlement SET revoked_at = $2 WHERE id = $1', [entitlement.id, NOW]);
  app.clock.now = NOW;
});

test('the package of a notice that the portal has withdrawn is delivered as it was', async () => {
  const { dataSource } = app.database;
  const tenderId = await idOf('2026_DEMO_1');
  onTestFinished(() => app.database.dataSource.query('UPDATE tender SET nit_key = NULL WHERE id = $1', [tenderId]));
  const packages = app.app.get(PackagesService);
  const before = await packages.findDeliverable(`tender-${tenderId}`, NOW);
  expect(before).not.toBeNull();
  await dataSource.query("UPDATE tender SET nit_key = 'demo|other' WHERE id = $1", [tenderId]);
  expect(await packages.findDeliverable(`tender-${tenderId}`, NOW)).toEqual(before);
});

test('a package that cannot be built does not stop the others, and is built when its file is there again', async () => {
  const { dataSource } = app.database;
  const sourceIds = ['2026_PWD_10_1', '2026_PWD_10_2'];
  await importTenders(
    dataSource,
    sourceIds.map((sourceId) => createSourceTender({ sourceId })),
    { now: NOW },
  );
  const { store } = app.app.get(PackagesService);
  const nits = await Promise.all(sourceIds.map(async (sourceId) => `tender-${await idOf(sourceId)}`));
  for (const [nth, sourceId] of sourceIds.entries()) await attach(sourceId, nits[nth] as string, 'NIT.pdf', PDF);
  const [{ file_key }] = await dataSource.query('SELECT file_key FROM package_file WHERE nit = $1', [nits[0]]);
  await store.remove(file_key);
  const versions = () =>
    Promise.all(nits.map(async (nit) => (await app.app.get(PackagesService).findNewest(nit))?.version));
  await app.app.get(DocumentFetchService).run();
  expect(await versions()).toEqual([undefined, 1]);
  await attach(sourceIds[0] as string, nits[0] as string, 'NIT.pdf', PDF);
  await app.app.get(DocumentFetchService).run();
  expect(await versions()).toEqual([1, 1]);
});

test('a package whose file was lost is built again', async () => {
  const nit = `tender-${await idOf('2026_DEMO_1')}`;
  const packages = app.app.get(PackagesService);
  const lost = await packages.findNewest(nit);
  await packages.store.remove(lost?.fileKey ?? '');
  const found = await packages.findDeliverable(nit, NOW);
  expect(found?.version).toBe((lost?.version ?? 0) + 1);
  expect(await packages.store.has(found?.fileKey ?? '')).toBe(true);
});

test('an order that is being refunded or whose buyer was erased gets no link', async () => {
  const { dataSource } = app.database;
  const demo = await idOf('2026_DEMO_1');
  const owed = { tenderId: demo, nit: `tender-${demo}`, createdAt: NOW, paidAt: NOW };
  expect(await app.app.get(PackagesService).findDeliverable(owed.nit, NOW)).not.toBeNull();
  const unowed = [
    await buyDocuments(dataSource, { ...owed, status: 'REFUND_PENDING' }),
    await buyDocuments(dataSource, { ...owed, buyerEmail: '' }),
  ];
  const paid = await buyDocuments(dataSource, owed);
  await app.app.get(DocumentFetchService).run();
  const links = ({ entitlement: { id } }: typeof paid) =>
    dataSource.query('SELECT 1 FROM download_link WHERE entitlement_id = $1', [id]);
  for (const each of unowed) expect(await links(each)).toEqual([]);
  expect(await links(paid)).toHaveLength(1);
  await dataSource.query('UPDATE entitlement SET revoked_at = $2 WHERE id = ANY($1)', [
    [...unowed, paid].map(({ entitlement }) => entitlement.id),
    NOW,
  ]);
});

test('an order without delivery for a day is refunded', async () => {
  const { dataSource } = app.database;
  const documentFetch = app.app.get(DocumentFetchService);
  // A day counts from the payment, not from the order.
  const createdAt = new Date(NOW.getTime() - 2 * DAY_MS);
  const undelivered = { tenderId: 999, nit: 'tender-999', createdAt, paidAt: NOW };
  const { order } = await buyDocuments(dataSource, undelivered);
  // Only a server that takes real money decides about it.
  const real = await buyDocuments(dataSource, { ...undelivered, provider: 'phonepe', live: true });
  const status = async () => (await dataSource.query('SELECT status FROM orders WHERE id = $1', [order.id]))[0].status;
  app.clock.now = new Date(NOW.getTime() + 24 * 3_600_000 - 1);
  await documentFetch.run();
  expect(await status()).toBe('SUCCESS');
  app.clock.now = new Date(NOW.getTime() + 24 * 3_600_000);
  expect(await documentFetch.run()).toBe(1);
  expect(await status()).toBe('REFUND_PENDING');
  expect(await dataSource.query('SELECT status FROM orders WHERE id = $1', [real.order.id])).toEqual([
    { status: 'SUCCESS' },
  ]);
  app.clock.now = NOW;
});

test('an order whose refund or link fails does not stop the others and is retried', async () => {
  const { dataSource } = app.database;
  const documentFetch = app.app.get(DocumentFetchService);
  const demo = await idOf('2026_DEMO_1');
  const lost = { tenderId: 998, nit: 'tender-998', createdAt: NOW, paidAt: NOW };
  const owed = { tenderId: demo, nit: `tender-${demo}`, createdAt: NOW, paidAt: NOW };
  expect(await app.app.get(PackagesService).findDeliverable(owed.nit, NOW)).not.toBeNull();
  const [broken, fine] = [await buyDocuments(dataSource, lost), await buyDocuments(dataSource, lost)];
  const [unlinked, linked] = [await buyDocuments(dataSource, owed), await buyDocuments(dataSource, owed)];
  await dataSource.query(
    `CREATE TRIGGER broken_order BEFORE UPDATE ON orders FOR EACH ROW WHEN (NEW.id = ${broken.order.id})
       EXECUTE FUNCTION refuse_change();
     CREATE TRIGGER broken_link BEFORE INSERT ON download_link FOR EACH ROW
       WHEN (NEW.entitlement_id = ${unlinked.entitlement.id}) EXECUTE FUNCTION refuse_change();`,
  );
  const links = async ({ entitlement: { id } }: typeof linked) =>
    (await dataSource.query('SELECT 1 FROM download_link WHERE entitlement_id = $1', [id])).length;
  const status = async ({ order: { id } }: typeof fine) =>
    (await dataSource.query('SELECT status FROM orders WHERE id = $1', [id]))[0].status;

  await documentFetch.run();
  expect([await links(unlinked), await links(linked)]).toEqual([0, 1]);
  app.clock.now = new Date(NOW.getTime() + 24 * 3_600_000);
  await dataSource.query('DROP TRIGGER broken_link ON download_link');
  await documentFetch.run();
  expect([await status(broken), await status(fine)]).toEqual(['SUCCESS', 'REFUND_PENDING']);
  expect([await links(unlinked), await status(unlinked)]).toEqual([1, 'SUCCESS']);
  await dataSource.query('DROP TRIGGER broken_order ON orders');
  await documentFetch.run();
  expect(await status(broken)).toBe('REFUND_PENDING');
  app.clock.now = NOW;
});

test('an erased buyer gets no mail, and a payment after the erasure is refunded', async () => {
  const { dataSource } = app.database;
  const documentFetch = app.app.get(DocumentFetchService);
  const tenderId = await idOf('2026_DEMO_1');
  const nit = `tender-${tenderId}`;
  expect(await app.app.get(PackagesService).findDeliverable(nit, NOW)).not.toBeNull();
  const { order, entitlement } = await buyDocuments(dataSource, { tenderId, nit, buyerEmail: '', paidAt: NOW });
  await dataSource.transaction((manager) =>
    app.app.get(DocumentsService).queueDelivery(manager, order, entitlement, app.clock.now),
  );
  expect(await documentFetch.run()).toBe(0);
  app.clock.now = new Date(NOW.getTime() + 24 * 3_600_000);
  await documentFetch.run();
  const [{ status }] = await dataSource.query('SELECT status FROM orders WHERE id = $1', [order.id]);
  expect(status).toBe('REFUND_PENDING');
  app.clock.now = NOW;
});

test.each([
  ['that the provider did not carry out is not repeated', 'capture', 1, 'SUCCESS'],
  ['that was dropped when the payment was accepted does not count', 'capture', 0, 'REFUND_PENDING'],
  ['of a second debit does not count', 'duplicate', 1, 'REFUND_PENDING'],
])('a refund %s', async (_what, kind, checks, expected) => {
  const { dataSource } = app.database;
  const lost = { tenderId: 997, nit: 'tender-997', createdAt: NOW, paidAt: NOW };
  const { order } = await buyDocuments(dataSource, lost);
  await dataSource.query(
    `WITH try AS (INSERT INTO attempt (ref, order_id, provider, created_at, expires_at) VALUES ($1, $2, 'sandbox', $3, $3) RETURNING ref),
       paid AS (INSERT INTO payment (provider, provider_payment_id, order_id, attempt_ref, amount_paise, currency, kind, noticed_at)
         SELECT 'sandbox', ref, $2, ref, 9900, 'INR', $4, $3 FROM try)
     INSERT INTO refund (ref, order_id, provider, provider_payment_id, amount_paise, reason, state, created_at, updated_at, checks)
     SELECT 'R-' || ref, $2, 'sandbox', ref, 9900, 'it could not be delivered', 'FAILED', $3, $3, $5 FROM try`,
    [`${order.publicId}-1`, order.id, NOW, kind, checks],
  );
  app.clock.now = new Date(NOW.getTime() + 24 * 3_600_000);
  await app.app.get(DocumentFetchService).run();
  const [{ status }] = await dataSource.query('SELECT status FROM orders WHERE id = $1', [order.id]);
  expect(status).toBe(expected);
  app.clock.now = NOW;
});

describe('a request for missing documents', () => {
  const askUrl = async (sourceId: string) => `/api/tenders/${await idOf(sourceId)}/document-requests`;
  const ask = async (url: string, payload: object, headers = {}) => {
    const reply = await app.app.inject({ method: 'POST', url, payload, headers });
    return { status: reply.statusCode, json: reply.json() };
  };
  const asked = async () =>
    JSON.parse(
      await runDocuments(['list', '--asked', '--json'], {
        dataSource: app.database.dataSource,
        config: app.config,
        now: app.clock.now,
        log: () => {},
      }),
    );
  beforeAll(() =>
    importTenders(
      app.database.dataSource,
      [
        createSourceTender({ sourceId: '2026_PWD_7_1', title: 'Water tank' }),
        createSourceTender({ sourceId: '2026_PWD_7_2', title: 'Weir' }),
        createSourceTender({ sourceId: '2026_PWD_7_3', closesAt: new Date('2026-11-10T11:59:59+05:30') }),
        createSourceTender({ sourceId: '2026_PWD_7_4', stage: 'cancelled' }),
      ],
      { now: NOW },
    ).then(() => undefined),
  );

  test('is counted once for each account and each e-mail address, the most wanted tender first', async () => {
    const { headers } = await createSession(app);
    const tank = await askUrl('2026_PWD_7_1');
    const { status, json } = await ask(tank, {}, headers);
    expect([status, json]).toEqual([
      202,
      { message: 'We have your request. You get a mail as soon as the documents are available.' },
    ]);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    await ask(tank, {}, headers);
    await ask(tank, { email: 'ravi@works.example' });
    await ask(tank, { email: 'Ravi@works.example' });
    await ask(await askUrl('2026_PWD_7_2'), { email: 'ravi@works.example' });
    app.clock.now = NOW;
    expect(await asked()).toEqual([
      {
        tender: '2026_PWD_7_1',
        id: await idOf('2026_PWD_7_1'),
        portal: 'hptenders',
        title: 'Water tank',
        asked: 2,
        firstAskedAt: '2026-11-10T06:30:00+00:00',
        closesAt: '2026-11-20T05:30:00+00:00',
      },
      expect.objectContaining({ tender: '2026_PWD_7_2', title: 'Weir', asked: 1 }),
    ]);
    const { dataSource } = app.database;
    const text = runDocuments(['list', '--asked'], { dataSource, config: app.config, now: NOW, log: () => {} });
    expect(await text).toBe(
      '2\t2026_PWD_7_1\tcloses 20 Nov 2026, 11:00 AM\tWater tank\n1\t2026_PWD_7_2\tcloses 20 Nov 2026, 11:00 AM\tWeir\n2 tenders\n',
    );
  });

  test.each<[string, string, object, number, string]>([
    ['no e-mail address while signed out', '2026_PWD_7_1', {}, 400, 'Email is required'],
    ['an address that is none', '2026_PWD_7_1', { email: 'asha' }, 400, 'Please enter a valid email address'],
    ['a tender that has closed', '2026_PWD_7_3', { email: 'a@b.example' }, 409, 'This tender has closed'],
    ['a cancelled tender', '2026_PWD_7_4', { email: 'a@b.example' }, 409, 'This tender has closed'],
    ['a tender that is not published', '2026_PWD_9_1', { email: 'a@b.example' }, 404, 'Tender not found'],
  ])('with %s is refused', async (_, sourceId, body, status, message) => {
    const reply = await ask(await askUrl(sourceId), body);
    expect([reply.status, reply.json.message]).toEqual([status, message]);
  });

  test.each(['0', 'x', '999999', '9999999999'])('for tender %s is not found', async (id) => {
    const reply = await ask(`/api/tenders/${id}/document-requests`, { email: 'a@b.example' });
    expect([reply.status, reply.json.message]).toEqual([404, 'Tender not found']);
  });

  test('is answered once by a mail and, in an account, by a notice', async () => {
    const person = await createSession(app);
    // An account has a verified address; the mail goes there.
    await ask(await askUrl('2026_PWD_7_1'), { email: 'elsewhere@works.example' }, person.headers);
    const nit = `tender-${await idOf('2026_PWD_7_1')}`;
    const documentFetch = app.app.get(DocumentFetchService);
    const mails = async (to: string) =>
      (await readSentMails(app)).filter((mail) => mail.to?.some(({ address }) => address === to));
    await attach('2026_PWD_7_1', nit, 'plan.pdf', PDF);
    await documentFetch.run();
    expect(await mails('ravi@works.example')).toEqual([]);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    await attach('2026_PWD_7_1', nit, 'NIT.pdf', PDF);
    await documentFetch.run();
    await documentFetch.run();
    const [mail, ...more] = await mails('ravi@works.example');
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('The documents you asked for are available');
    expect(mail?.text).toContain('Water tank');
    expect(mail?.text).toContain(`/tenders/${await idOf('2026_PWD_7_1')}`);
    expect(await mails(person.user.email)).toHaveLength(1);
    expect(await mails('elsewhere@works.example')).toEqual([]);
    const { notices } = (await app.get('/api/notices', person.headers)).json;
    expect(notices).toMatchObject([{ kind: 'changed', title: 'Water tank', fields: ['documents', 'package'] }]);
    expect(await asked()).toMatchObject([{ tender: '2026_PWD_7_2', asked: 1 }]);
    app.clock.now = NOW;
  });

  test('of a closed account is answered when the account is open again', async () => {
    const { dataSource } = app.database;
    await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_7_5', title: 'Spillway' })], {
      now: NOW,
    });
    const person = await createSession(app);
    await ask(await askUrl('2026_PWD_7_5'), {}, person.headers);
    const setClosed = (at: Date | null) =>
      dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [person.user._id, at]);
    const documentFetch = app.app.get(DocumentFetchService);
    const mails = async () =>
      (await readSentMails(app)).filter((mail) => mail.to?.some(({ address }) => address === person.user.email));
    await setClosed(NOW);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    await attach('2026_PWD_7_5', `tender-${await idOf('2026_PWD_7_5')}`, 'NIT.pdf', PDF);
    await documentFetch.run();
    expect(await mails()).toEqual([]);
    await setClosed(null);
    await documentFetch.run();
    expect((await mails()).map(({ subject }) => subject)).toEqual(['The documents you asked for are available']);
    app.clock.now = NOW;
  });

  test.each([
    ['cancelled', '2026_PWD_7_6'],
    ['retendered', '2026_PWD_7_8'],
  ])('for a tender that is %s later is neither answered nor listed', async (stage, sourceId) => {
    const { dataSource } = app.database;
    await importTenders(dataSource, [createSourceTender({ sourceId })], { now: NOW });
    const email = `hopeful-${stage}@works.example`;
    await ask(await askUrl(sourceId), { email });
    const listed = async () => (await asked()).filter(({ tender }: { tender: string }) => tender === sourceId).length;
    expect(await listed()).toBe(1);
    await dataSource.query('UPDATE tender SET stage = $2 WHERE source_id = $1', [sourceId, stage]);
    expect(await listed()).toBe(0);
    await attach(sourceId, `tender-${await idOf(sourceId)}`, 'NIT.pdf', PDF);
    await app.app.get(DocumentFetchService).run();
    expect((await readSentMails(app)).filter(({ to }) => to?.some(({ address }) => address === email))).toEqual([]);
  });

  test('is listed before as many requests for a tender that closes later', async () => {
    onTestFinished(() =>
      app.database.dataSource.query("DELETE FROM document_request WHERE email = 'later@works.example'"),
    );
    const { dataSource } = app.database;
    const closing = (sourceId: string, day: number) =>
      createSourceTender({ sourceId, closesAt: new Date(`2026-11-${day}T11:00:00+05:30`) });
    await importTenders(dataSource, [closing('2026_PWD_7_10', 25), closing('2026_PWD_7_11', 24)], { now: NOW });
    for (const sourceId of ['2026_PWD_7_10', '2026_PWD_7_11'])
      await dataSource.query(
        "INSERT INTO document_request (tender_id, email, requested_at) VALUES ($1, 'later@works.example', $2)",
        [await idOf(sourceId), NOW],
      );
    const listed: string[] = (await asked()).map(({ tender }: { tender: string }) => tender);
    expect(listed.filter((id) => /^2026_PWD_7_1[01]$/.test(id))).toEqual(['2026_PWD_7_11', '2026_PWD_7_10']);
  });

  test('is answered for all who sent one, however many', async () => {
    onTestFinished(() => app.database.dataSource.query("DELETE FROM document_request WHERE email LIKE 'crowd%'"));
    const { dataSource } = app.database;
    await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_7_9' })], { now: NOW });
    await dataSource.query(
      `INSERT INTO document_request (tender_id, email, requested_at)
       SELECT $1, 'crowd' || n || '@works.example', $2 FROM generate_series(1, 201) n`,
      [await idOf('2026_PWD_7_9'), NOW],
    );
    await dataSource.query(
      "UPDATE tender SET package_kind = 'nit', package_works = 1 WHERE source_id = '2026_PWD_7_9'",
    );
    expect(await app.app.get(DocumentRequestsService).notifyFulfilled()).toBe(201);
    const open = "SELECT 1 FROM document_request WHERE email LIKE 'crowd%' AND answered_at IS NULL";
    expect(await dataSource.query(open)).toEqual([]);
  });

  test('for a tender whose publication was postponed is answered once it is published', async () => {
    onTestFinished(() => {
      app.clock.now = NOW;
    });
    const { dataSource } = app.database;
    await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_7_7' })], { now: NOW });
    await ask(await askUrl('2026_PWD_7_7'), { email: 'early@works.example' });
    const publishedAt = new Date(NOW.getTime() + DAY_MS);
    await dataSource.query("UPDATE tender SET published_at = $1 WHERE source_id = '2026_PWD_7_7'", [publishedAt]);
    await dataSource.query(
      "UPDATE tender SET package_kind = 'nit', package_works = 1 WHERE source_id = '2026_PWD_7_7'",
    );
    const requests = app.app.get(DocumentRequestsService);
    expect(await requests.notifyFulfilled()).toBe(0);
    app.clock.now = publishedAt;
    expect(await requests.notifyFulfilled()).toBe(1);
  });

  test('for a tender that closes unanswered is not answered later, and is deleted 30 days after the closing', async () => {
    onTestFinished(() =>
      app.database.dataSource.query("DELETE FROM document_request WHERE email = 'late@works.example'"),
    );
    const { dataSource } = app.database;
    const closesAt = new Date(NOW.getTime() + DAY_MS);
    for (const [sourceId, days] of [
      ['2026_PWD_9_1', 0],
      ['2026_PWD_9_2', 2],
    ] as const) {
      const later = new Date(closesAt.getTime() + days * DAY_MS);
      await importTenders(dataSource, [createSourceTender({ sourceId, closesAt: later })], { now: NOW });
      await ask(await askUrl(sourceId), { email: 'late@works.example' });
    }
    const left = async () => {
      await app.app.get(DocumentRequestsService).deleteOld();
      const rows = await dataSource.query(
        "SELECT t.source_id AS id FROM document_request r JOIN tender t ON t.id = r.tender_id WHERE r.email = 'late@works.example' ORDER BY 1",
      );
      return rows.map(({ id }: { id: string }) => id);
    };
    app.clock.now = closesAt;
    await dataSource.query(
      "UPDATE tender SET package_kind = 'nit', package_works = 1 WHERE source_id = '2026_PWD_9_1'",
    );
    expect(await app.app.get(DocumentRequestsService).notifyFulfilled()).toBe(0);
    expect(await left()).toEqual(['2026_PWD_9_1', '2026_PWD_9_2']);
    app.clock.now = new Date(closesAt.getTime() + 30 * DAY_MS);
    expect(await left()).toEqual(['2026_PWD_9_1', '2026_PWD_9_2']);
    app.clock.now = new Date(closesAt.getTime() + 30 * DAY_MS + 1);
    expect(await left()).toEqual(['2026_PWD_9_2']);
    app.clock.now = NOW;
  });

  test('can be sent 60 times an hour by one sender, whose address has any letter case', async () => {
    onTestFinished(() =>
      app.database.dataSource.query("DELETE FROM document_request WHERE email = 'eager@works.example'"),
    );
    const url = await askUrl('2026_PWD_7_2');
    const statuses: number[] = [];
    for (let nth = 1; nth <= 60; nth += 1) statuses.push((await ask(url, { email: 'eager@works.example' })).status);
    expect(statuses).toEqual(Array(60).fill(202));
    expect((await ask(url, { email: 'Eager@works.example' })).status).toBe(429);
  });

  test('can be sent 60 times an hour from an IPv6 network', async () => {
    onTestFinished(() => app.database.dataSource.query("DELETE FROM document_request WHERE email LIKE 'six%'"));
    const url = await askUrl('2026_PWD_7_2');
    const statuses: number[] = [];
    for (let nth = 1; nth <= 61; nth += 1) {
      const payload = { email: `six${nth}@works.example` };
      const reply = await app.app.inject({ method: 'POST', url, payload, remoteAddress: `2001:db8:1:2::${nth}` });
      statuses.push(reply.statusCode);
    }
    expect(statuses).toEqual([...Array(60).fill(202), 429]);
  });

  test('is counted among the open ones of its sender alone', async () => {
    const { dataSource } = app.database;
    onTestFinished(() => dataSource.query("DELETE FROM document_request WHERE email LIKE 'count%'"));
    const id = await idOf('2026_PWD_7_2');
    const { user, headers } = await createSession(app);
    await importTenders(
      dataSource,
      Array.from({ length: 300 }, (_, n) => createSourceTender({ sourceId: `2026_PWD_99_${n}` })),
      { now: NOW },
    );
    await dataSource.query(
      `INSERT INTO document_request (tender_id, email, requested_at)
       SELECT $1, 'count' || n || '@works.example', $2 FROM generate_series(1, 3000) n`,
      [id, NOW],
    );
    // Answered ones of the account.
    await dataSource.query(
      `INSERT INTO document_request (tender_id, user_id, requested_at, answered_at)
       SELECT id, $1, $2, $2 FROM tender WHERE source_id LIKE '2026_PWD_99_%'`,
      [user._id, NOW],
    );
    onTestFinished(() => dataSource.query('DELETE FROM document_request WHERE user_id = $1', [user._id]));
    await dataSource.query('ANALYZE document_request');
    const url = await askUrl('2026_PWD_7_2');
    const ofVisitor = () => ask(url, { email: 'counter@works.example' });
    // The statements are explained after the call: the request itself is there.
    expect(await rowsRead(dataSource, 'document_request', ofVisitor)).toBe(1);
    expect(await rowsRead(dataSource, 'document_request', () => ask(url, {}, headers))).toBe(1);
  });

  test('is one of at most 20 open ones of an e-mail address; answered ones do not count', async () => {
    const { dataSource } = app.database;
    const email = 'many@works.example';
    const works = Array.from({ length: 22 }, (_, n) => createSourceTender({ sourceId: `2026_PWD_8_${n}` }));
    await importTenders(dataSource, works, { now: NOW });
    const urls = await Promise.all(works.map(({ sourceId }) => askUrl(sourceId)));
    for (const url of urls.slice(0, 20)) expect((await ask(url, { email })).status).toBe(202);
    const { status, json } = await ask(urls[20] as string, { email });
    expect([status, json.message]).toEqual([409, 'At most 20 requests can wait. We answer them one by one.']);
    expect((await ask(urls[20] as string, { email: 'Many@works.example' })).status).toBe(409);
    expect((await ask(urls[0] as string, { email })).status).toBe(202);
    await dataSource.query(
      'UPDATE document_request SET answered_at = $2 WHERE email = $1 AND tender_id = (SELECT min(tender_id) FROM document_request WHERE email = $1)',
      [email, NOW],
    );
    expect((await ask(urls[20] as string, { email })).status).toBe(202);
    expect((await ask(urls[21] as string, { email })).status).toBe(409);
    await dataSource.query('DELETE FROM document_request WHERE email = $1', [email]);
    // An account has a verified address and may have 200.
    const { user, headers } = await createSession(app);
    for (const url of urls) expect((await ask(url, {}, headers)).status).toBe(202);
    const other = await createSession(app);
    expect((await ask(urls[0] as string, {}, other.headers)).status).toBe(202);
    const more = Array.from({ length: 178 }, (_, n) => createSourceTender({ sourceId: `2026_PWD_88_${n}` }));
    await importTenders(dataSource, more, { now: NOW });
    await dataSource.query(
      `INSERT INTO document_request (tender_id, user_id, requested_at)
       SELECT id, $1, $2 FROM tender WHERE source_id LIKE '2026_PWD_88_%'`,
      [user._id, NOW],
    );
    const beyond = await ask(await askUrl('2026_PWD_7_2'), {}, headers);
    expect([beyond.status, beyond.json.message]).toEqual([
      409,
      'At most 200 requests can wait. We answer them one by one.',
    ]);
    await dataSource.query('DELETE FROM document_request WHERE user_id = ANY($1)', [[user._id, other.user._id]]);
  });
});

test('the summary of many works prints shared fields once, and every page has the watermark', async () => {
  const works = Array.from({ length: 40 }, (_, n) =>
    createSourceTender({
      sourceId: `2026_DEMO_40_${n + 1}`,
      title: `Wall at km ${n}`,
      place: 'Theog',
      nitKey: 'demo|40',
    }),
  );
  await importTenders(app.database.dataSource, works, { now: NOW, origin: 'generated' });
  await app.app.get(PackagesService).findDeliverable('demo|40', NOW);
  const file = (await unzip('demo|40')).get('NIT-summary.pdf') as Buffer;
  const pages = await pdfPages(file);
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) expect(page).toContain('DEMONSTRATION');
  const summary = await pdfText(file);
  expect(summary).toContain('All works');
  expect(summary.match(/Place Theog/g)).toHaveLength(1);
  expect(summary.match(/Wall at km 39/g)).toHaveLength(1);
  expect(summary).toContain('Work 2026_DEMO_40_40');
});
