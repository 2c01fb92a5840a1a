/** A search finds tenders by what their official documents say. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BoqItem } from '@nivida/contract/documents/boq';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileUploadService } from '../../src/documents/files/file-upload.service.ts';
import { ReadingStoreService } from '../../src/documents/reading/reading-store.service.ts';
import type { DocumentReading } from '../../src/reading/document-reading.ts';
import { indexDocuments } from '../../src/tenders/in-documents/index-documents.job.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const WORKS = 'hptenders|2026_PWD_3';

let app: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-in-documents-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}/files` } });
  const tender = (sourceId: string, title: string, more = {}) =>
    createSourceTender({ sourceId, title, description: title, ...more });
  await importTenders(
    app.database.dataSource,
    [
      tender('2026_PWD_1_1', 'Link road to Kufri', { closesAt: new Date('2026-11-20T12:00:00+05:30') }),
      tender('2026_PWD_2_1', 'Culvert at Theog', { closesAt: new Date('2026-11-21T12:00:00+05:30') }),
      tender('2026_PWD_3_1', 'First retaining structure', { nitKey: WORKS }),
      tender('2026_PWD_3_2', 'Second retaining structure', { nitKey: WORKS }),
      tender('2026_PWD_4_1', 'Cutting of hard rock with earth work'),
      tender('2026_PWD_5_1', 'Path in Assam', { state: 'Assam', district: null }),
      tender('2026_PWD_6_1', 'Steps that are closed', { closesAt: new Date('2026-11-01T12:00:00+05:30') }),
    ],
    { now: NOW },
  );
  for (const source of ['2026_PWD_1_1', '2026_PWD_4_1', '2026_PWD_6_1']) await read(source, 'boq.xls', workbook);
  await read('2026_PWD_2_1', 'nit.pdf', {
    pages: 3,
    texts: [
      'Notice inviting tender',
      '',
      'Payment is made monthly.\nFor earth work in hard rock the section is measured jointly before and after the blasting takes place.\nRates are final.',
    ],
  });
  await read(
    '2026_PWD_3_1',
    'notice.pdf',
    { pages: 1, texts: ['Gabion crates of mild steel wire are to be filled.'] },
    true,
  );
  await read('2026_PWD_5_1', 'nit.pdf', { pages: 1, texts: ['Gabion crates for the path.'] });
  await index();
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);
const index = () => indexDocuments({ dataSource: app.database.dataSource });

const line = (no: string, text: string, quantity: string | null): BoqItem => {
  return { row: 12, no, text, unit: 'cum', quantity, rate: '812.40', offered: null };
};
const items = [
  line('1', 'Earth work in excavation', null),
  line('1.1', 'in ordinary soil', '12'),
  line('1.2', 'in hard rock by chiselling, secret depth 340', '77.125'),
];
const workbook: Partial<DocumentReading> = {
  pages: null,
  boq: { kind: 'percentage', sheet: 'BoQ1', items, statedTotal: null, offeredPercent: null },
  texts: items.map(({ text }) => text),
};

/** Attaches a file and stores what was read in it. */
async function read(sourceId: string, name: string, reading: Partial<DocumentReading>, allWorks = false, now = NOW) {
  const path = join(folder, 'incoming');
  const start = name.endsWith('.xls') ? Buffer.from('d0cf11e0a1b11ae1', 'hex') : Buffer.from('%PDF-1.4');
  await writeFile(path, Buffer.concat([start, Buffer.from(`${sourceId} ${JSON.stringify(reading)}`)]));
  const [tender] = await query('SELECT id, nit_of(nit_key, id) AS nit FROM tender WHERE source_id = $1', [sourceId]);
  const place = { nit: tender.nit, tenderId: tender.id, name, allWorks };
  await app.app.get(FileUploadService).upload(app.database.dataSource.manager, place, path);
  const [file] = await query(
    'SELECT id, nit, tender_id AS "tenderId", sha256, kind FROM package_file WHERE nit = $1 AND name = $2',
    [tender.nit, name],
  );
  const whole = { state: 'done' as const, pages: null, unreadPages: [], facts: [], boq: null, texts: [], ...reading };
  const member = { name, kind: file.kind, sha256: file.sha256, reading: whole };
  expect(await app.app.get(ReadingStoreService).store(file, [member], 1, now)).toBe(true);
}

async function search(q: string, more: Record<string, string> = {}) {
  const params = new URLSearchParams({ q, ...more });
  const { status, json } = await app.get(`/api/tenders/in-documents?${params}`);
  expect(status).toBe(200);
  return json;
}
const titles = async (q: string, more = {}) =>
  (await search(q, more)).hits.map(({ tender }: { tender: { title: string } }) => tender.title);

describe('a hit', () => {
  test('is an item of the BOQ, then a page; a tender with the words in its own fields is none', async () => {
    const { total, hits } = await search('earth work in hard rock');
    expect(total).toBe(2);
    expect(hits).toEqual([
      {
        ...{ file: 'boq.xls', page: null, item: '1.2', snippet: 'Earth work … excavation … hard rock …' },
        tender: expect.objectContaining({ title: 'Link road to Kufri', status: 'active' }),
      },
      {
        ...{ file: 'nit.pdf', page: 3, item: null },
        snippet: 'For earth work in hard rock the section is measured …',
        tender: expect.objectContaining({ title: 'Culvert at Theog' }),
      },
    ]);
  });

  test('shows of a BOQ the found words of one item, and neither quantities nor rates', async () => {
    const answer = JSON.stringify(await search('hard rock'));
    expect(answer).toContain('hard rock');
    expect(answer).not.toMatch(/77\.125|812\.40|secret|ordinary|chiselling/);
  });

  test('needs all words in one item or on one page', async () => {
    expect(await titles('ordinary rock')).toEqual([]);
    expect(await titles('inviting blasting')).toEqual([]);
  });

  test('counts for every work of a notice whose document it is', async () => {
    expect(await titles('gabion crates', { state: 'Himachal Pradesh' })).toEqual([
      'First retaining structure',
      'Second retaining structure',
    ]);
  });

  test('is found by synonyms and by a corrected word as in the list', async () => {
    expect(await titles('patthar hard rock')).toEqual([]);
    expect(await titles('gabions')).toHaveLength(3);
    const { words } = await search('earthwork hard rock');
    expect(words[0].alternatives).toContain('earth work');
    expect(await titles('earthwork hard rock')).toEqual(['Link road to Kufri', 'Culvert at Theog']);
  });
});

describe('the filters of the list', () => {
  test('hold for hits too: state, closed tenders and a place in the words', async () => {
    expect(await titles('gabion crates', { state: 'Assam' })).toEqual(['Path in Assam']);
    expect(await titles('gabion crates in Assam')).toEqual(['Path in Assam']);
    expect(await titles('hard rock', { open: '0' })).toEqual(['Steps that are closed']);
    expect(await titles('hard rock', { min: '99999999999' })).toEqual([]);
  });

  test('without words, or with an unknown place, nothing is found', async () => {
    expect(await search('')).toEqual({ total: 0, hits: [], words: [] });
    expect(await search('/')).toEqual({ total: 0, hits: [], words: [] });
    expect(await titles('hard rock', { state: 'Atlantis' })).toEqual([]);
  });

  test('the list and its count do not know of documents', async () => {
    const { json } = await app.get('/api/tenders?q=hard+rock');
    expect(json.tenders.map(({ title }: { title: string }) => title)).toEqual(['Cutting of hard rock with earth work']);
    expect(json.total).toBe(1);
  });
});

describe('the index', () => {
  test('follows a file that is read again', async () => {
    expect(await index()).toBe(0);
    await read('2026_PWD_5_1', 'nit.pdf', { pages: 1, texts: ['Bitumen emulsion for the path.'] });
    expect(await titles('gabion crates', { state: 'Assam' })).toEqual([]);
    expect(await index()).toBe(1);
    expect(await titles('bitumen emulsion')).toEqual(['Path in Assam']);
    const later = new Date(NOW.getTime() + 60_000);
    const texts = ['Coir mats for the slope.'];
    const [file] = await query(
      'SELECT f.id, f.nit, f.tender_id AS "tenderId", f.sha256 FROM package_file f WHERE tender_id = (SELECT id FROM tender WHERE source_id = \'2026_PWD_5_1\')',
    );
    const reading = { state: 'done' as const, pages: 1, unreadPages: [], facts: [], boq: null, texts };
    const member = { name: 'nit.pdf', kind: 'nit' as const, sha256: file.sha256, reading };
    await app.app.get(ReadingStoreService).store(file, [member], 2, later);
    expect(await index()).toBe(1);
    expect(await titles('coir mats')).toEqual(['Path in Assam']);
    expect(await titles('bitumen emulsion')).toEqual([]);
  });

  test('follows the rules of terms: a reading of an earlier version is indexed again', async () => {
    await query('UPDATE document_index SET terms_version = 0');
    await query('DELETE FROM document_part');
    expect(await index()).toBe(6);
    expect(await titles('hard rock earth work')).toHaveLength(2);
  });

  test('goes with the file', async () => {
    await query("DELETE FROM package_file WHERE name = 'nit.pdf'");
    expect(await titles('earth work in hard rock')).toEqual(['Link road to Kufri']);
    const [{ count }] = await query('SELECT count(*)::int FROM document_index');
    expect(count).toBe(4);
  });
});
