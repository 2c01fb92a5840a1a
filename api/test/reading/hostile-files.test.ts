/** Files that attack a reader. The process ends within its limits, and the caller has an answer. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { utils, write } from '@e965/xlsx';
import PDFDocument from 'pdfkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { ProgramFailedError, runLimitedProgram } from '../../src/base/limited-program.ts';
import { type ReadingLimits, readDocument } from '../../src/reading/document-reader.ts';
import { boqWorkbook } from '../support/generated-documents/boq-workbook.ts';
import { pdfOf } from '../support/generated-documents/pdf.ts';
import { onePage, rawPdf, rawStream } from '../support/generated-documents/raw-pdf.ts';

let folder: string;
let written = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-hostile-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function save(content: Buffer, name = `file-${written++}`): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}
const read = async (content: Buffer, limits: Partial<ReadingLimits> = {}) => readDocument(await save(content), limits);

const BOMB_BYTES = 250_000_000;
const SMALL_MEMORY = { memoryMb: 220, heapMb: 150 };
const bomb = (): Buffer => deflateSync(Buffer.alloc(BOMB_BYTES, ' '), { level: 1 });

async function zipOf(files: Record<string, Buffer | string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

describe('a file that unpacks to more than its memory is too large', () => {
  test('but not another file with that memory', async () => {
    expect((await read(rawPdf(onePage()), SMALL_MEMORY)).state).toBe('done');
  });
  test('a stream of a PDF', async () => {
    const content = rawStream(bomb(), '/Filter /FlateDecode');
    expect((await read(rawPdf(onePage(content)), SMALL_MEMORY)).state).toBe('too-large');
  });
  test('a stream that is packed twice', async () => {
    const content = rawStream(deflateSync(bomb()), '/Filter [/FlateDecode /FlateDecode]');
    expect((await read(rawPdf(onePage(content)), SMALL_MEMORY)).state).toBe('too-large');
  });
  test('a sheet of a workbook', async () => {
    const book = await zipOf({
      '[Content_Types].xml':
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
      'xl/workbook.xml': '<workbook><sheets><sheet name="a" sheetId="1"/></sheets></workbook>',
      'xl/worksheets/sheet1.xml': Buffer.alloc(BOMB_BYTES, ' '),
    });
    expect(book.length).toBeLessThan(1_000_000);
    expect((await read(book, SMALL_MEMORY)).state).toBe('too-large');
  });
});

test('of 10,000 pages the first are read', async () => {
  const [catalogue = '', , page = '', content = '', font = ''] = onePage();
  const kids = Array.from({ length: 10_000 }, () => '3 0 R').join(' ');
  const pdf = rawPdf([catalogue, `<< /Type /Pages /Kids [${kids}] /Count 10000 >>`, page, content, font]);
  expect(await read(pdf, { pages: 3 })).toMatchObject({ state: 'part', pages: 10_000 });
});

test('a reading that takes too long is ended', async () => {
  expect((await read(await pdfOf([[{ cells: ['Notice'] }]]), { seconds: 0.05 })).state).toBe('too-large');
});

test('texts are limited', async () => {
  const pdf = await pdfOf([[{ cells: ['First page'] }], [{ cells: ['Second page'] }]]);
  expect(await read(pdf, { characters: 15 })).toMatchObject({
    state: 'part',
    unreadPages: [{ page: 2, why: 'limit' }],
    texts: ['First page', ''],
  });
});

describe('objects that contain themselves', () => {
  const [catalogue = '', pages = '', page = '', content = '', font = ''] = onePage();
  test.each<[string, (string | Buffer)[]]>([
    ['a page tree', onePage(content, '[2 0 R]')],
    [
      'a page tree of two',
      [catalogue, '<< /Type /Pages /Kids [3 0 R] /Count 9 >>', '<< /Type /Pages /Kids [2 0 R] /Count 9 >>'],
    ],
    [
      'outlines',
      [
        '<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>',
        pages,
        page,
        content,
        font,
        '<< /First 6 0 R /Next 6 0 R >>',
      ],
    ],
    ['a length', onePage('<< /Length 4 0 R >>\nstream\nBT ET\nendstream')],
    [
      'a form',
      [
        catalogue,
        pages,
        page.toString().replace('/Font', '/XObject << /X 6 0 R >> /Font'),
        rawStream('/X Do'),
        font,
        rawStream('/X Do', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>'),
      ],
    ],
    ['an object stream', onePage(rawStream('4 0 << >>', '/Type /ObjStm /N 1 /First 4 /Extends 4 0 R'))],
  ])('%s', async (_name, objects) => {
    const { state } = await read(rawPdf(objects), { seconds: 20 });
    expect(['done', 'broken', 'part']).toContain(state);
  });
});

test('a PDF without its table of objects is read', async () => {
  const { state, facts } = await read(rawPdf(onePage(), { withTable: false }));
  expect([state, facts[0]?.value]).toEqual(['done', { unit: 'rupees', amount: '12300.00' }]);
});

test('a PDF with a password is locked', async () => {
  const pdf = new PDFDocument({ userPassword: 'invented', pdfVersion: '1.7' });
  pdf.text('Earnest Money').end();
  expect((await read(await buffer(pdf))).state).toBe('locked');
});

test('macros and links to other files are not followed', async () => {
  const sheet = utils.aoa_to_sheet([
    ['Sl. No.', 'Item Description', 'Quantity', 'Units', 'Estimated Rate'],
    [1, 'Invented item', 5, 'Nos', 10],
  ]);
  sheet.C2 = { t: 'n', v: 5, f: "'http://127.0.0.1:9/[other.xlsx]Sheet1'!A1" };
  const book = { SheetNames: ['BoQ1'], Sheets: { BoQ1: sheet }, vbaraw: randomBytes(500) };
  const bytes = write(book, { type: 'buffer', bookType: 'xlsm', bookVBA: true });
  expect(bytes.includes('vbaProject.bin')).toBe(true);
  expect(await read(bytes)).toMatchObject({
    state: 'done',
    boq: { items: [{ text: 'Invented item', quantity: '5' }] },
  });
});

test('a file is read under any name', async () => {
  const pdf = await pdfOf([[{ cells: ['Notice'] }]]);
  for (const name of ['--eval=process.exit(1)', 'a,b c*.pdf', 'निविदा.xls'])
    expect([name, (await readDocument(await save(pdf, name))).state]).toEqual([name, 'done']);
});

test('cut and random files have an answer', async () => {
  const whole = [
    await pdfOf([[{ cells: ['Earnest Money', 'Rs. 12,300/-'] }]]),
    boqWorkbook({ format: 'biff8', items: [[1, 2]] }),
    boqWorkbook({ format: 'xlsx', items: [[1, 2]] }),
  ];
  const files = whole.flatMap((file) =>
    [0.2, 0.7, 0.98].map((share) => file.subarray(0, Math.floor(file.length * share))),
  );
  const starts = ['%PDF-1.7\n', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'PK\u0003\u0004xl/workbook.xml', ''];
  for (const start of starts) files.push(Buffer.concat([Buffer.from(start), randomBytes(20_000)]));
  for (const file of files) {
    const { state, facts, boq } = await read(file, { seconds: 20 });
    expect(['done', 'part', 'broken', 'other', 'template', 'too-large', 'locked']).toContain(state);
    if (state !== 'done' && state !== 'part') expect([facts, boq]).toEqual([[], null]);
  }
});

test.each([
  ['that is missing', 'missing.mjs', null, 'did not start'],
  ['that throws', 'throws.mjs', 'throw new Error("no package")', 'code 1 and'],
])('a program %s is not taken for a file that is too large', async (_what, name, program, words) => {
  const file = program === null ? join(folder, name) : await save(Buffer.from(program), name);
  const end = runLimitedProgram(file, [], { seconds: 30, heapMb: 100, readable: [folder] });
  await expect(end).rejects.toThrow(ProgramFailedError);
  await expect(end).rejects.toThrow(words);
});

test('the program of the reader has no network', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  try {
    await new Promise((done) => server.once('listening', done));
    const { port } = server.address() as AddressInfo;
    const reading = join(import.meta.dirname, '../../src/reading');
    const ask = `process.stdout.write(await fetch('http://127.0.0.1:${port}').then(() => 'answered', () => 'refused'));`;
    const programs = [ask, `import '${reading}/no-network.ts';${ask}`];
    const answers = [];
    for (const [n, program] of programs.entries()) {
      const file = await save(Buffer.from(program), `program-${n}.mjs`);
      answers.push(await runLimitedProgram(file, [], { seconds: 30, heapMb: 100, readable: [folder, reading] }));
    }
    expect(answers).toEqual([{ answer: 'answered' }, { answer: 'refused' }]);
    expect(asked).toBe(1);
  } finally {
    server.close();
  }
});
