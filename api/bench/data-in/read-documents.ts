/**
 * `read-documents`: generated notices of 4, 60 and 300 pages and BOQ workbooks of 300 rows, one after the other, each in a
 * process of its own as in production. Documents a minute, the longest reading, and the memory of the largest process
 * (Linux). `ROUNDS` sets how often each is read (3). About a minute on two cores.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { READING_LIMITS, readDocument } from '../../src/reading/document-reader.ts';
import { boqWorkbook } from '../../test/support/generated-documents/boq-workbook.ts';
import { type PdfLine, pdfOf } from '../../test/support/generated-documents/pdf.ts';
import { BenchmarkMetrics, log } from '../measure/metrics.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const MIN_DOCUMENTS_A_MINUTE = 20;
const MAX_SECONDS = 15;

/** A notice whose first page has a table of terms, and the others 45 lines of conditions. */
function notice(pages: number): Promise<Buffer> {
  const terms: PdfLine[] = [
    { cells: ['Invented Division: Notice Inviting Tender'] },
    { cells: ['1.', 'Estimated Cost', 'Rs. 45,67,890/-'] },
    { cells: ['2.', 'Earnest Money', 'Rs. 91,400/-'] },
    { cells: ['3.', 'Period of completion', '6 months'] },
  ];
  const conditions = Array.from(
    { length: 45 },
    (_, n): PdfLine => ({
      cells: [
        `${n + 1}. The bidder of an invented work submits the documents that the office has asked for with the bid.`,
      ],
      gap: 15,
    }),
  );
  return pdfOf([terms, ...Array.from({ length: pages - 1 }, () => conditions)]);
}

function childMemoryMb(): number {
  try {
    const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean);
    const peaks = children.map((pid) => /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    return Math.max(0, ...peaks.map((kb) => Number(kb) / 1_024));
  } catch {
    return 0;
  }
}

const items = Array.from({ length: 300 }, (_, n): [number, number] => [n + 1, 125.5]);
const documents: [string, Buffer][] = [
  ['notice-4', await notice(4)],
  ['notice-60', await notice(60)],
  ['notice-300', await notice(300)],
  ['boq.xls', boqWorkbook({ format: 'biff8', items })],
  ['boq.xlsx', boqWorkbook({ format: 'xlsx', items })],
];
const metrics = new BenchmarkMetrics('read-documents');
const folder = await mkdtemp(join(tmpdir(), 'nivida-bench-reading-'));
let peakMb = 0;
const watch = setInterval(() => {
  peakMb = Math.max(peakMb, childMemoryMb());
}, 10);
const seconds: number[] = [];
try {
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, content] of documents) {
      const path = join(folder, name);
      await writeFile(path, content);
      const start = performance.now();
      const { state } = await readDocument(path);
      seconds.push((performance.now() - start) / 1_000);
      log(`${name}: ${state}, ${seconds.at(-1)?.toFixed(2)} s`);
      if (state !== 'done') throw new Error(`${name} was not read: ${state}`);
    }
} finally {
  clearInterval(watch);
  await rm(folder, { recursive: true });
}
const total = seconds.reduce((sum, each) => sum + each, 0);
metrics.check('documents-a-minute', (seconds.length / total) * 60, 'least', MIN_DOCUMENTS_A_MINUTE);
metrics.check('longest-seconds', Math.max(...seconds), 'most', MAX_SECONDS);
metrics.check('peak-mb', peakMb, 'most', READING_LIMITS.memoryMb);
metrics.finish('worst');
