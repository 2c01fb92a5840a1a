// @vitest-environment node
import 'fake-indexeddb/auto';
import { isDeleted } from '@nivida/contract/bids/merge-records';
import { DAY_MS } from '@nivida/contract/time';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DeviceDatabase } from '../device/schema.ts';
import { documentFileName, fileTypeOf, pictureSize } from '../files/file-type.ts';
import { deleteRecord, restoreDeletedRecord, writeRecords } from '../records/record-rows.ts';
import {
  deleteFilesOf,
  FilesFullError,
  mergeFilesAtSignIn,
  readFile,
  removeDeletedFiles,
  removeUnusedFiles,
  storedHashes,
  storeFiles,
} from './files.ts';

const ASHA = '7';
const RAVI = '8';
const MB = 1_000_000;
const CARD = 'a'.repeat(64);
const LETTER = 'b'.repeat(64);
const CARD_ID = '00000000-0000-4000-8000-000000000001';
const COPY_ID = '00000000-0000-4000-8000-000000000002';

let db: DeviceDatabase;
beforeEach(() => {
  db = new DeviceDatabase('files');
});
afterEach(() => db.delete());

const row = (owner: string, hash: string, bytes = 3) => ({ owner, hash, bytes, file: new Blob(['abc']), at: 1 });
const hashes = async (owner: string) => [...(await storedHashes(db, owner))].sort();
const writeDocument = (id: string, files: string[], now: number) =>
  writeRecords(
    db,
    ASHA,
    [
      {
        kind: 'bidDocument',
        id,
        change: { files: files.map((hash) => ({ hash, name: 'a.jpg', type: 'image/jpeg', bytes: 3 })) },
      },
    ],
    now,
  );

test('a file is read by its owner only', async () => {
  await storeFiles(db, [row(ASHA, CARD)]);
  expect(await (await readFile(db, ASHA, CARD))?.text()).toBe('abc');
  expect(await readFile(db, RAVI, CARD)).toBeUndefined();
  expect(await readFile(db, '', CARD)).toBeUndefined();
  expect(await hashes(RAVI)).toEqual([]);
});

test('all files of an owner have at most 50 MB; a refused file changes nothing', async () => {
  const files = ['1', '2', '3', '4', '5'].map((hash) => row(ASHA, hash, 10 * MB));
  await storeFiles(db, files);
  await expect(storeFiles(db, [row(ASHA, '6', 1)])).rejects.toThrow(FilesFullError);
  // The same content a second time, and the content of another owner.
  await storeFiles(db, [row(ASHA, '5', 10 * MB), row(RAVI, '6', 1)]);
  expect(await hashes(ASHA)).toEqual(['1', '2', '3', '4', '5']);
});

test('files added signed out become those of the user who signs in, and of no other user', async () => {
  await storeFiles(db, [row('', CARD), row(RAVI, LETTER)]);
  await mergeFilesAtSignIn(db, ASHA);
  expect(await hashes(ASHA)).toEqual([CARD]);
  expect(await hashes('')).toEqual([]);
  expect(await hashes(RAVI)).toEqual([LETTER]);
});

test("a deleted account loses its files, and no other user's", async () => {
  await storeFiles(db, [row(ASHA, CARD), row(RAVI, CARD)]);
  await deleteFilesOf(db, ASHA);
  expect(await hashes(ASHA)).toEqual([]);
  expect(await hashes(RAVI)).toEqual([CARD]);
});

test('the file of a deleted document stays for a day, so that the deletion can be undone', async () => {
  await storeFiles(db, [row(ASHA, CARD)]);
  await writeDocument(CARD_ID, [CARD], 1_000);
  await deleteRecord(db, ASHA, 'bidDocument', CARD_ID, 2_000);
  await removeDeletedFiles(db, ASHA, isDeleted, 2_000 + DAY_MS);
  expect(await hashes(ASHA)).toEqual([CARD]);
  await restoreDeletedRecord(db, ASHA, 'bidDocument', CARD_ID, 3_000);
  await removeDeletedFiles(db, ASHA, isDeleted, 4_000 + DAY_MS);
  expect(await hashes(ASHA)).toEqual([CARD]);
  await deleteRecord(db, ASHA, 'bidDocument', CARD_ID, 5_000);
  await removeDeletedFiles(db, ASHA, isDeleted, 5_001 + DAY_MS);
  expect(await hashes(ASHA)).toEqual([]);
});

test('a file that another document has is not removed', async () => {
  await storeFiles(db, [row(ASHA, CARD), row(ASHA, LETTER)]);
  await writeDocument(CARD_ID, [CARD, LETTER], 1_000);
  await writeDocument(COPY_ID, [CARD], 1_000);
  await deleteRecord(db, ASHA, 'bidDocument', CARD_ID, 2_000);
  await removeDeletedFiles(db, ASHA, isDeleted, 3_000 + DAY_MS);
  expect(await hashes(ASHA)).toEqual([CARD]);
});

test('a file that is taken from a document is removed unless another one has it', async () => {
  await storeFiles(db, [row(ASHA, CARD), row(ASHA, LETTER)]);
  await writeDocument(CARD_ID, [], 1_000);
  await writeDocument(COPY_ID, [CARD], 1_000);
  await removeUnusedFiles(db, ASHA, [CARD, LETTER]);
  expect(await hashes(ASHA)).toEqual([CARD]);
});

test('a file without a record stays, because its record may come with the next sync', async () => {
  await storeFiles(db, [row(ASHA, CARD)]);
  await removeDeletedFiles(db, ASHA, isDeleted, 10 * DAY_MS);
  expect(await hashes(ASHA)).toEqual([CARD]);
});

describe('the type of a file', () => {
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  test.each([
    ['%PDF-1.7', 'application/pdf'],
    ['\xef\xbb\xbf\r\n%PDF-1.4', 'application/pdf'],
    ['\xff\xd8\xff\xe1', 'image/jpeg'],
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['RIFF\x24\x00\x00\x00WEBPVP8 ', 'image/webp'],
    ['RIFF\x24\x00\x00\x00WAVE', undefined],
    ['GIF89a', undefined],
    ['<html><script>', undefined],
    ['PK\x03\x04', undefined],
    ['', undefined],
    [`${' '.repeat(1_019)}%PDF-1.4`, 'application/pdf'],
    [`${' '.repeat(1_020)}%PDF-1.4`, undefined],
  ])('of the bytes %j is %s', (start, type) => {
    expect(fileTypeOf(bytes(start))).toBe(type);
  });

  test.each([
    [4000, 3000, 2000, 1500],
    [3000, 4000, 1500, 2000],
    [1200, 900, 1200, 900],
    [20_000, 3, 2000, 1],
  ])('a picture of %i × %i is stored with %i × %i pixels', (width, height, ...stored) => {
    expect(Object.values(pictureSize(width, height))).toEqual(stored);
  });

  test.each([
    ['IMG_2041.HEIC.jpeg', 'IMG_2041.HEIC.jpg'],
    ['../../etc/PAN card.exe', 'PAN card.jpg'],
    ['C:\\scans\\पैन कार्ड.png', 'पैन कार्ड.jpg'],
    ['.jpg', 'document.jpg'],
    ['a\nb\u007f .png', 'ab.jpg'],
    [`${'x'.repeat(99)}😀.jpg`, `${'x'.repeat(99)}.jpg`],
  ])('the name "%s" is stored as "%s"', (name, stored) => {
    expect(documentFileName(name, 'image/jpeg')).toBe(stored);
  });
});
