/**
 * Scans a file before it goes into a package: its real type, and whether it is safe to open or unpack. Rejects programs,
 * pages with scripts, zip bombs, hostile paths, locked archives and archives in archives.
 */
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { FileProblem } from '@nivida/contract/desk/documents';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { splitFileName } from '../packages/file-names.ts';

/** The reason why a file is rejected, for the operator. */
export class RejectedFileError extends Error {
  override name = 'RejectedFileError';

  constructor(
    message: string,
    readonly problem?: FileProblem,
  ) {
    super(message);
  }
}

/** Result of a scan; `warning` is for the file's readers. */
export interface ScanResult {
  /** An archive is unpacked into the package, one level. */
  isArchive: boolean;
  warning: string | null;
}

const HEADER_BYTES = 4_096;
const MAX_ENTRIES = 2_000;
const MAX_UNPACKED_BYTES = 400_000_000;
// CAD files and tables of numbers reach about 40, a zip bomb about 1,000.
const MAX_COMPRESSION_RATIO = 100;
/** Smaller entries may have any ratio. */
const MIN_CHECKED_BYTES = 1_000_000;

const OLE_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ZIP_MAGIC = Buffer.from('504b0304', 'hex');
const EMPTY_ZIP_MAGIC = Buffer.from('504b0506', 'hex');
const EXECUTABLE_MAGICS = ['4d5a', '7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe', '2321'].map(
  (hex) => Buffer.from(hex, 'hex'),
);
// Old Office files with macros contain this storage name in UTF-16.
const OLE_MACROS = Buffer.from('_VBA_PROJECT', 'utf16le');
const MACRO_WARNING = 'Holds macros: do not enable them unless the portal says that its form needs them.';

const startsWith = (head: Buffer, ...magics: Buffer[]) =>
  magics.some((magic) => head.subarray(0, magic.length).equals(magic));
const isOffice = (head: Buffer) => startsWith(head, ZIP_MAGIC);
const isText = (head: Buffer) => !head.includes(0);

/** First bytes by extension. Other extensions are rejected. */
const HEADER_CHECKS: Readonly<Record<string, (head: Buffer) => boolean>> = {
  '.pdf': (head) => head.subarray(0, 1_024).includes('%PDF-'),
  '.doc': (head) => startsWith(head, OLE_MAGIC, Buffer.from('{\\rtf')),
  '.xls': (head) => startsWith(head, OLE_MAGIC),
  '.ppt': (head) => startsWith(head, OLE_MAGIC),
  '.docx': isOffice,
  '.xlsx': isOffice,
  '.xlsm': isOffice,
  '.pptx': isOffice,
  '.odt': isOffice,
  '.ods': isOffice,
  '.rtf': (head) => startsWith(head, Buffer.from('{\\rtf')),
  '.txt': isText,
  '.csv': isText,
  '.jpg': (head) => startsWith(head, Buffer.from('ffd8ff', 'hex')),
  '.jpeg': (head) => startsWith(head, Buffer.from('ffd8ff', 'hex')),
  '.png': (head) => startsWith(head, Buffer.from('89504e47', 'hex')),
  '.tif': (head) => startsWith(head, Buffer.from('49492a00', 'hex'), Buffer.from('4d4d002a', 'hex')),
  '.tiff': (head) => startsWith(head, Buffer.from('49492a00', 'hex'), Buffer.from('4d4d002a', 'hex')),
  '.dwg': (head) => startsWith(head, Buffer.from('AC10')),
  '.zip': (head) => startsWith(head, ZIP_MAGIC, EMPTY_ZIP_MAGIC),
};

/** Scans the file at `path` under its future `name`. Throws RejectedFileError. */
export async function scanFile(path: string, name: string, maxUnpackedBytes = MAX_UNPACKED_BYTES): Promise<ScanResult> {
  const extension = splitFileName(name).extension.toLowerCase();
  const head = await readHead(path);
  checkKind(extension, head);
  if (startsWith(head, OLE_MAGIC))
    return { isArchive: false, warning: (await fileContains(path, OLE_MACROS)) ? MACRO_WARNING : null };
  if (!startsWith(head, ZIP_MAGIC, EMPTY_ZIP_MAGIC)) return { isArchive: false, warning: null };
  const isArchive = extension === '.zip';
  const hasMacros = await checkZip(path, isArchive, maxUnpackedBytes);
  return { isArchive, warning: hasMacros ? MACRO_WARNING : null };
}

/** An archive that passed the scan; its files can be read in any order until it is closed. */
export interface ZipArchive {
  files: { name: string; read(): Promise<Readable> }[];
  close(): void;
}

/** Opens an archive that passed the scan. */
export async function openZipArchive(path: string): Promise<ZipArchive> {
  const zip = await openZip(path);
  const files: ZipArchive['files'] = [];
  for await (const entry of zip.eachEntry())
    if (!entry.fileName.endsWith('/'))
      files.push({ name: entry.fileName, read: () => zip.openReadStreamPromise(entry) });
  return { files, close: () => zip.close() };
}

function checkKind(extension: string, head: Buffer): void {
  if (head.length === 0) throw new RejectedFileError('is empty', 'empty');
  if (startsWith(head, ...EXECUTABLE_MAGICS)) throw new RejectedFileError('is a program', 'program');
  const fits = HEADER_CHECKS[extension];
  if (!fits)
    throw new RejectedFileError(
      extension ? `is of a type that is not accepted: ${extension}` : 'has no file type',
      'type',
    );
  if (!fits(head)) throw new RejectedFileError(`is not what its name says: ${extension}`, 'content');
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Whether the bytes occur in the file. They may cross the border of two chunks. */
async function fileContains(path: string, pattern: Buffer): Promise<boolean> {
  const file = await open(path);
  let rest = Buffer.alloc(0);
  for await (const chunk of file.createReadStream()) {
    const here = Buffer.concat([rest, chunk]);
    if (here.includes(pattern)) return true;
    rest = here.subarray(-pattern.length);
  }
  return false;
}

/** Reads every entry to its end instead of trusting the declared sizes; returns whether there are macros. */
async function checkZip(path: string, isArchive: boolean, maxUnpackedBytes: number): Promise<boolean> {
  const zip = await openZip(path);
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new RejectedFileError(`holds more than ${MAX_ENTRIES} files`, 'archive');
    let unpacked = 0;
    let hasMacros = false;
    for await (const entry of zip.eachEntry()) {
      checkEntry(entry);
      unpacked += entry.uncompressedSize;
      if (unpacked > maxUnpackedBytes)
        throw new RejectedFileError(`unpacks to more than ${maxUnpackedBytes / 1_000_000} MB`, 'archive');
      if (/vbaProject\.bin$/i.test(entry.fileName)) hasMacros = true;
      if (!entry.fileName.endsWith('/')) await checkContent(zip, entry, isArchive);
    }
    return hasMacros;
  } catch (error) {
    // The archive is broken, its sizes are false, or a path leads out of its folder.
    throw error instanceof RejectedFileError
      ? error
      : new RejectedFileError(`cannot be unpacked safely: ${(error as Error).message}`, 'archive');
  } finally {
    zip.close();
  }
}

function checkEntry(entry: Entry): void {
  if (entry.isEncrypted()) throw new RejectedFileError('is locked with a password', 'password');
  const { uncompressedSize, compressedSize } = entry;
  if (uncompressedSize > MIN_CHECKED_BYTES && uncompressedSize > compressedSize * MAX_COMPRESSION_RATIO)
    throw new RejectedFileError(`unpacks to more than ${MAX_COMPRESSION_RATIO} times its size`, 'archive');
}

async function checkContent(zip: ZipFile, entry: Entry, isArchive: boolean): Promise<void> {
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of await zip.openReadStreamPromise(entry))
    if (head.length < HEADER_BYTES) head = Buffer.concat([head, chunk as Buffer]).subarray(0, HEADER_BYTES);
  if (!isArchive || head.length === 0) return;
  const extension = splitFileName(entry.fileName).extension.toLowerCase();
  if (extension === '.zip') throw new RejectedFileError('holds another archive', 'archive');
  try {
    checkKind(extension, head);
  } catch (error) {
    throw new RejectedFileError(`holds a file that ${(error as Error).message}`, 'archive');
  }
}

// Throws for paths that lead out of the folder.
const openZip = (path: string): Promise<ZipFile> =>
  openPromise(path, { autoClose: false, strictFileNames: true }).catch(() => {
    throw new RejectedFileError('is a broken archive', 'archive');
  });
