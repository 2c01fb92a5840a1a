/** Opens a file of a portal or a spreadsheet program: the files of an archive, the tables of a workbook or a page, or a text. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { readListText } from '../gepnic/gepnic-list-text.ts';
import { UnreadableFileError } from '../source-tender.ts';
import { readPage } from './page-tables.ts';
import { firstBytes, openBytes, toUnreadable } from './source-file.ts';
import { readSpreadsheet } from './spreadsheet.ts';
import type { Charset, TablesFilePart, TextFilePart } from './table.ts';

const SAMPLE_BYTES = 65_536;
const MAX_UNPACKED_BYTES = 2_000_000_000;
/** Maximum number of files in an archive that are imported together. */
const MAX_ARCHIVED_FILES = 50;
const ARCHIVED_DATA = /\.(?:csv|tsv|txt|json|jsonl|xlsx|xlsm|ods|html?|mhtml?)$/i;

const ZIP_MAGIC = Buffer.from('504b0304', 'hex');
/** Files that are not read, by their first bytes, and what to do. */
const FOREIGN_KINDS: readonly [magic: Buffer, advice: string][] = [
  [
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'is an old Excel workbook (.xls) or has a password: save it without a password as .xlsx or CSV UTF-8',
  ],
  [Buffer.from('%PDF-'), 'is a PDF: import the table that it was made from, as .xlsx or CSV UTF-8'],
  [Buffer.from('Rar!'), 'is a RAR archive: unpack it and import the file in it'],
  [Buffer.from('377abcaf271c', 'hex'), 'is a 7z archive: unpack it and import the file in it'],
];

export type Part = TextFilePart | TablesFilePart;

/** The parts of a file: several for an archive with several files. `folder` takes unpacked files. Throws UnreadableFileError. */
export async function openParts(path: string, folder: string): Promise<Part[]> {
  const magic = await firstBytes(path, 8);
  const foreign = FOREIGN_KINDS.find(([bytes]) => magic.subarray(0, bytes.length).equals(bytes));
  if (foreign) throw new UnreadableFileError(foreign[1]);
  if (magic.subarray(0, ZIP_MAGIC.length).equals(ZIP_MAGIC)) return openZip(path, folder);
  const bytes = await readSample(path);
  const charset = charsetOf(bytes);
  const sample = new TextDecoder(charset).decode(bytes);
  const tables = (await readPage(path, sample, charset)) ?? (await readListText(path, sample, charset));
  if (tables) return [{ name: null, ...tables }];
  return [{ name: null, path, charset, sample, isJson: /^\s*[[{]/.test(sample) }];
}

/** The first bytes of the text. If the file is broken, the bytes before the error. */
async function readSample(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stream = await openBytes(path);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= SAMPLE_BYTES) break;
    }
  } catch {
    // The reader will report the error.
  }
  return Buffer.concat(chunks).subarray(0, SAMPLE_BYTES);
}

/** The encoding by the byte order mark, else by the zero bytes of ASCII characters in UTF-16. */
function charsetOf(sample: Buffer): Charset {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const firstLine = sample.subarray(0, 200);
  const zeros = (offset: number) => firstLine.filter((byte, at) => byte === 0 && at % 2 === offset).length;
  const most = firstLine.length / 3;
  if (zeros(1) > most && zeros(0) === 0) return 'utf-16le';
  return zeros(0) > most && zeros(1) === 0 ? 'utf-16be' : 'utf-8';
}

const damagedArchive = () => new UnreadableFileError('is a damaged or truncated ZIP archive: fetch or save it again');

/** The workbook, or the files with data in the archive. */
async function openZip(path: string, folder: string): Promise<Part[]> {
  const zip = await openPromise(path, { autoClose: false }).catch(() => {
    throw damagedArchive();
  });
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    const names = new Set(entries.map(({ fileName }) => fileName));
    if (names.has('xl/workbook.xml')) return [await readSpreadsheet('xlsx', path, folder)];
    if (names.has('content.xml')) return [await readSpreadsheet('ods', path, folder)];
    const data = entries.filter(
      ({ fileName }) => ARCHIVED_DATA.test(fileName) && !/(?:^|\/)(?:\.|__MACOSX)/.test(fileName),
    );
    if (data.length === 0) throw new UnreadableFileError('is an archive without a CSV, JSON, HTML, .xlsx or .ods file');
    if (data.length > MAX_ARCHIVED_FILES)
      throw new UnreadableFileError(
        `is an archive with ${data.length} files, more than ${MAX_ARCHIVED_FILES}: split it`,
      );
    const size = data.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (size > MAX_UNPACKED_BYTES)
      throw new UnreadableFileError(`unpacks to more than ${MAX_UNPACKED_BYTES / 1_000_000} MB: split it`);
    const parts: Part[] = [];
    for (const [n, entry] of data.entries())
      for (const part of await unpack(zip, entry, join(folder, `unpacked-${n}`), folder))
        parts.push({ ...part, name: data.length === 1 ? null : basename(entry.fileName) });
    return parts;
  } finally {
    zip.close();
  }
}

async function unpack(zip: ZipFile, entry: Entry, path: string, folder: string): Promise<Part[]> {
  if (entry.isEncrypted())
    throw new UnreadableFileError('is an archive with a password: unpack it and import the file in it');
  try {
    // It fails when the entry is larger than its directory says.
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path));
  } catch {
    throw damagedArchive();
  }
  if ((await stat(path)).size === 0) throw new UnreadableFileError('is an archive with an empty file');
  const magic = await firstBytes(path, ZIP_MAGIC.length);
  if (magic.equals(ZIP_MAGIC) && !/\.(?:xlsx|xlsm|ods)$/i.test(entry.fileName))
    throw new UnreadableFileError('is an archive in an archive: unpack it and import the file in it');
  try {
    return await openParts(path, folder);
  } catch (error) {
    throw toUnreadable(error);
  }
}
