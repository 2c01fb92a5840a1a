// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { Blob as NodeBlob } from 'node:buffer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceDatabase } from '../device/schema.ts';
import { hashContent } from '../hash.ts';
import { writeRecords } from '../records/record-rows.ts';
import { clearSession } from '../session.ts';
import { signInForTest } from '../test-session.ts';
import { backUpFiles } from './file-backup.ts';
import { storeFiles } from './files.ts';

const ASHA = '7';

let db: DeviceDatabase;
beforeEach(() => {
  signInForTest(ASHA, 'token');
  db = new DeviceDatabase('file-backup');
});
afterEach(async () => {
  vi.unstubAllGlobals();
  clearSession();
  await db.delete();
});

/** Stores a document with files of these contents; returns their hashes. */
async function storeDocument(contents: string[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const content of contents) {
    // A blob that can be cloned, as a browser's can when it is stored.
    const file = new NodeBlob([content]) as Blob;
    const hash = await hashContent(await file.arrayBuffer());
    await storeFiles(db, [{ owner: ASHA, hash, bytes: file.size, file, at: 1 }]);
    hashes.push(hash);
  }
  const files = hashes.map((hash) => ({ hash, name: 'a.pdf', type: 'application/pdf', bytes: 3 }));
  const id = '00000000-0000-4000-8000-000000000001';
  await writeRecords(db, ASHA, [{ kind: 'bidDocument', id, change: { files } }], 1);
  return hashes;
}

/** An account with room for `room` bytes of files; returns the hashes of what was sent, in order. */
function startAccount(room: number, refusal: Response, onSent = () => {}): string[] {
  const sent: string[] = [];
  let used = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'GET') return Response.json({ isOn: true, hashes: [], begun: [] });
    const { byteLength } = await request.arrayBuffer();
    if (used + byteLength > room) return refusal;
    used += byteLength;
    sent.push(new URL(request.url).pathname.split('/').at(-3) ?? '');
    onSent();
    return new Response(null, { status: 204 });
  });
  return sent;
}

test('files that the account has no room for are left, and the smallest are backed up', async () => {
  const [large, small, middle] = await storeDocument(['a'.repeat(90), 'b'.repeat(10), 'c'.repeat(60)]);
  const sent = startAccount(100, Response.json({ message: 'All files together may have 50 MB.' }, { status: 413 }));
  expect(await backUpFiles(db, ASHA)).toEqual({ isOn: true, hashes: [small, middle], begun: [] });
  expect(sent).toEqual([small, middle]);
  expect(sent).not.toContain(large);
});

test('a file of several parts is sent without the parts that have arrived, and a file of the backup or of no document is not', async () => {
  const [large = '', begun = '', known = ''] = await storeDocument(['a'.repeat(600_000), 'b'.repeat(260_000), 'c']);
  await storeFiles(db, [{ owner: ASHA, hash: 'f', bytes: 1, file: new NodeBlob(['f']) as Blob, at: 1 }]);
  const sent: [path: string, bytes: number][] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'GET')
      return Response.json({ isOn: true, hashes: [known], begun: [{ hash: begun, parts: [0] }] });
    const path = new URL(request.url).pathname.replace('/api/bids/file-backup/files/', '');
    sent.push([path, (await request.arrayBuffer()).byteLength]);
    return new Response(null, { status: 204 });
  });
  expect(await backUpFiles(db, ASHA)).toEqual({ isOn: true, hashes: [known, begun, large], begun: [] });
  expect(sent).toEqual([
    [`${begun}/1/2`, 10_000],
    [`${large}/0/3`, 250_000],
    [`${large}/1/3`, 250_000],
    [`${large}/2/3`, 100_000],
  ]);
});

test('nothing is sent while the backup is off', async () => {
  await storeDocument(['a']);
  const calls: string[] = [];
  vi.stubGlobal('fetch', async ({ method }: Request) => {
    calls.push(method);
    return Response.json({ isOn: false, hashes: [], begun: [] });
  });
  expect(await backUpFiles(db, ASHA)).toEqual({ isOn: false, hashes: [], begun: [] });
  expect(calls).toEqual(['GET']);
});

test('another refusal is reported', async () => {
  await storeDocument(['a'.repeat(90)]);
  startAccount(0, Response.json({ message: 'The backup of files is switched off' }, { status: 409 }));
  await expect(backUpFiles(db, ASHA)).rejects.toThrow();
});

test('after one file another user signs in: none of the others reaches that account', async () => {
  await storeDocument(['a'.repeat(10), 'b'.repeat(20)]);
  const sent = startAccount(100, new Response(null, { status: 500 }), () => signInForTest('8', "another user's token"));
  await expect(backUpFiles(db, ASHA)).rejects.toThrow('The session ended before the request');
  expect(sent).toHaveLength(1);
});
