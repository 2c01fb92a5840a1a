// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { Blob as NodeBlob } from 'node:buffer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readFile, storedHashes, storeFiles } from '../../data/bid-documents/files.ts';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { hashContent } from '../../data/hash.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { loadFile } from './open-file.ts';
import { syncDocumentFiles } from './sync-files.ts';

const ASHA = '7';

/** The calls that the server receives; `answer` is its response. */
let calls: string[];
let answer: () => Response;

beforeEach(() => {
  calls = [];
  answer = () => new Response('abc');
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    calls.push(`${method} ${new URL(url).pathname}`);
    return answer();
  });
  signInForTest(ASHA);
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const backUp = (owner: string, isOn: boolean) =>
  withDatabase((db) => db.settings.put({ key: `file backup of ${owner}`, value: isOn }));
const store = (owner: string, hash: string, text: string) => {
  // A blob that can be cloned, as a browser's can when it is stored.
  const file = new NodeBlob([text]) as Blob;
  return withDatabase((db) => storeFiles(db, [{ owner, hash, bytes: file.size, file, at: 1 }]));
};
const listed = (hash: string) => ({ hash, name: 'PAN.pdf', type: 'application/pdf', bytes: 3 });
const hashes = (owner: string) => withDatabase(async (db) => [...(await storedHashes(db, owner))]);

test('a file of this phone opens without a request, and not for another user', async () => {
  await store(ASHA, 'a', 'abc');
  const file = await loadFile(listed('a'));
  expect([file?.name, file?.type]).toEqual(['PAN.pdf', 'application/pdf']);
  signInForTest('8');
  expect(await loadFile(listed('a'))).toBeUndefined();
  expect(calls).toEqual([]);
});

test('a file of the backup opens and stays on the phone', async () => {
  const hash = await hashContent(new TextEncoder().encode('abc').buffer);
  await backUp(ASHA, true);
  const file = await loadFile(listed(hash));
  expect([file?.name, file?.size]).toEqual(['PAN.pdf', 3]);
  expect(calls).toEqual([`GET /api/bids/file-backup/files/${hash}`]);
  expect(await hashes(ASHA)).toEqual([hash]);
});

test('another file than the listed one is neither opened nor stored', async () => {
  await backUp(ASHA, true);
  expect(await loadFile(listed('f'.repeat(64)))).toBeUndefined();
  expect(await hashes(ASHA)).toEqual([]);
});

test('the backup is not asked while it is off, and without signal the file opens later', async () => {
  await backUp(ASHA, false);
  expect(await loadFile(listed('a'))).toBeUndefined();
  expect(calls).toEqual([]);
  await backUp(ASHA, true);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  answer = () => {
    throw new TypeError('Failed to fetch');
  };
  await expect(loadFile(listed('a'))).rejects.toMatchObject({ name: 'BackupUnreachableError' });
  vi.restoreAllMocks();
});

test('a sync gives the files of the signed-out phone to the user, and asks for the backup only while it is on', async () => {
  await store('', 'a', 'abc');
  await syncDocumentFiles();
  expect([await hashes(ASHA), await hashes(''), calls]).toEqual([['a'], [], []]);
  expect(await withDatabase((db) => readFile(db, ASHA, 'a'))).toBeDefined();
  await backUp(ASHA, true);
  answer = () => Response.json({ isOn: true, hashes: [], begun: [] });
  await syncDocumentFiles();
  expect(calls).toEqual(['GET /api/bids/file-backup']);
});

test('signed out the files of the phone stay, and no backup is asked for', async () => {
  clearSession();
  await store('', 'a', 'abc');
  await backUp('', true);
  await syncDocumentFiles();
  expect(await loadFile(listed('b'))).toBeUndefined();
  expect([await hashes(''), calls]).toEqual([['a'], []]);
});
