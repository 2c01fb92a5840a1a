import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boqTotalPaise, totalState } from '@nivida/contract/documents/boq';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boqWorkbook } from '../../test/support/generated-documents/boq-workbook.ts';
import { pdfOf } from '../../test/support/generated-documents/pdf.ts';
import { type ReadingLimits, readDocument } from './document-reader.ts';

let folder: string;
let written = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-reader-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: Buffer, limits: Partial<ReadingLimits> = {}) {
  const path = join(folder, `document-${written++}`);
  await writeFile(path, content);
  return readDocument(path, limits);
}

test('a notice gives lines with their page, and values where label and value share a row', async () => {
  const { state, facts, texts } = await read(
    await pdfOf([
      [
        { cells: ['Notice Inviting Tender'] },
        { cells: ['1.', 'Estimated Cost (Rs.)', '45,67,890.00'] },
        { cells: ['2.', 'Earnest Money Deposit', 'Rs. 91,400/-'] },
        { cells: ['3.', 'Period of completion', '6 (Six) months'] },
        { cells: ['4.', 'Validity of bid', '120 days'] },
        { cells: ['The Earnest Money shall be refunded within 30 days.'] },
      ],
    ]),
  );
  expect(state).toBe('done');
  expect(facts.filter(({ value }) => value !== null).map(({ topic, value }) => [topic, value])).toEqual([
    ['emd', { unit: 'rupees', amount: '91400.00' }],
    ['estimate', { unit: 'rupees', amount: '4567890.00' }],
    ['period', { unit: 'months', amount: 6 }],
    ['validity', { unit: 'days', amount: 120 }],
  ]);
  for (const { page, quote } of facts) expect(texts[page - 1]).toContain(quote);
});

test.each(['biff8', 'xlsx'] as const)(
  'a BOQ of 55 columns is read without the left-overs of its template (%s)',
  async (format) => {
    const { state, boq } = await read(
      boqWorkbook({
        format,
        items: [
          [0.1 + 0.2, 100.5],
          ['1,234.50', 10],
        ],
      }),
    );
    expect(state).toBe('done');
    expect(boq?.items.map(({ no, quantity, rate }) => [no, quantity, rate])).toEqual([
      ['1', null, null],
      ['1.01', '0.3', '100.5'],
      ['1.02', '1234.5', '10'],
    ]);
    expect(JSON.stringify(boq)).not.toContain('Left-over');
    if (!boq) return;
    expect([boq.kind, boqTotalPaise(boq), totalState(boq)]).toEqual(['percentage', 1_237_515, 'agrees']);
  },
);

test('another format is not read, and a file that is too large is not opened', async () => {
  expect((await read(Buffer.from('plain text'))).state).toBe('other');
  expect((await read(Buffer.from('%PDF-1.7 of ten bytes and more'), { fileBytes: 10 })).state).toBe('too-large');
  expect((await read(Buffer.from('%PDF-1.7 without content'))).state).toBe('broken');
});
