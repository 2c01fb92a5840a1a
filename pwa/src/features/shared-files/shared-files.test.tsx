// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { Blob as NodeBlob } from 'node:buffer';
import type { OwnReading } from '@nivida/contract/documents/tender-reading';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import type { SharedFileRow } from '../../data/device/schema.ts';
import { hashContent } from '../../data/hash.ts';
import { clearSession } from '../../data/session.ts';
import { sendSharedFiles } from '../../data/shared-files/send-shared-files.ts';
import { adoptSharedFiles, deleteOldSharedFiles, listSharedFiles } from '../../data/shared-files/shared-file-rows.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { findChoices, readBidChoices } from './bid-choices.ts';
import { SharedFileCard } from './SharedFileCard.tsx';

const ASHA = '7';
const CONTENT = `%PDF-1.7 ${'x'.repeat(300_000)}`;

/** The calls that the server receives; `answer` is its response. */
let calls: string[];
let answer: (path: string) => Response | Promise<Response>;

const READING: OwnReading = {
  ...{ id: '4e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01', name: 'NIT.pdf', sha256: 'a'.repeat(64), state: 'done', pages: 3 },
  ...{ unreadPages: [], boq: null, tenderId: null, expiresAt: '2099-01-01T00:00:00.000Z' },
  facts: [
    { topic: 'emd', page: 2, quote: 'Earnest money: Rs. 45,000', value: { unit: 'rupees', amount: '45000.00' } },
    { topic: 'originals', page: 3, quote: 'The original receipt reaches the office by hand', value: null },
  ],
};
const kept = (tenderId: string | null): OwnReading => ({
  ...{ ...READING, tenderId },
  expiresAt: tenderId === null ? READING.expiresAt : null,
});

const fileRow = (changes: Partial<SharedFileRow> = {}): SharedFileRow => ({
  ...{ id: 'f1', owner: ASHA, name: 'NIT.pdf', bytes: CONTENT.length, kind: 'document', at: Date.now() },
  file: new NodeBlob([CONTENT]) as Blob,
  ...{ tenderId: null, refusal: null, reading: null, removedAt: null },
  ...changes,
});
const store = (row: SharedFileRow) => withDatabase((db) => db.sharedFiles.put(row));
const stored = () => withDatabase((db) => db.sharedFiles.get('f1'));

beforeEach(() => {
  calls = [];
  answer = (path) => {
    const [, part] = /\/(\d)\/2$/.exec(path) ?? [];
    if (part === '0') return Response.json({ stored: 1, reading: null });
    if (part === '1') return Response.json({ stored: 2, reading: READING });
    return Response.json(path.endsWith('/keep') ? kept('12') : {});
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/api/tenders/')) return Response.json({ files: [], facts: [], boqs: [] });
    calls.push(`${request.method} ${pathname}`);
    return answer(pathname);
  });
  signInForTest(ASHA);
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

test('a file is not sent before the user has chosen', async () => {
  await store(fileRow());
  await sendSharedFiles();
  expect(calls).toEqual([]);
});

test('a chosen file is sent in parts, read, kept with its tender, and not stored any more', async () => {
  await store(fileRow({ tenderId: '12' }));
  await sendSharedFiles();
  const hash = await hashContent(CONTENT);
  expect(calls).toEqual([
    ...[`PUT /api/readings/files/${hash}/0/2`, `PUT /api/readings/files/${hash}/1/2`],
    `POST /api/readings/${READING.id}/keep`,
  ]);
  expect(await stored()).toMatchObject({ file: null, refusal: null, reading: { tenderId: '12', expiresAt: null } });
});

test('a busy server gets the last part again; nothing is lost in between', async () => {
  await store(fileRow({ tenderId: '' }));
  const usual = answer;
  answer = (path) =>
    path.endsWith('/1/2') ? Response.json({ code: 'INTERNAL', message: 'busy' }, { status: 503 }) : usual(path);
  await expect(sendSharedFiles()).rejects.toThrow();
  expect((await stored())?.file).not.toBeNull();
  answer = (path) => (path.endsWith('/0/2') ? Response.json({ stored: 2, reading: null }) : usual(path));
  calls = [];
  await sendSharedFiles();
  expect(calls).toHaveLength(2);
  expect((await stored())?.reading?.state).toBe('done');
});

test('a refusal stays with its file, until the user tries again', async () => {
  await store(fileRow({ tenderId: '12' }));
  answer = () => Response.json({ code: 'INVALID', message: 'Only PDF files' }, { status: 415 });
  await sendSharedFiles();
  expect(await stored()).toMatchObject({ refusal: 'Only PDF files', reading: null });
  await sendSharedFiles();
  expect(calls).toHaveLength(1);
});

test('a removed file is removed on the server once it cannot be undone', async () => {
  await store(fileRow({ file: null, tenderId: '12', reading: kept('12'), removedAt: Date.now() }));
  await sendSharedFiles();
  expect(calls).toEqual([]);
  await store(fileRow({ file: null, tenderId: '12', reading: kept('12'), removedAt: 1 }));
  answer = () => new Response(null, { status: 204 });
  await sendSharedFiles();
  expect([calls, await stored()]).toEqual([[`DELETE /api/readings/${READING.id}`], undefined]);
});

test('what the service worker has stored becomes the file of the user who sees it, and of no other', async () => {
  await store(fileRow({ owner: '' }));
  await withDatabase((db) => adoptSharedFiles(db, ASHA));
  const names = (owner: string) => withDatabase(async (db) => (await listSharedFiles(db, owner)).map(({ id }) => id));
  expect([await names(ASHA), await names('8')]).toEqual([['f1'], []]);
});

test('a reading that the server has deleted goes from the phone too', async () => {
  const expired = { ...READING, expiresAt: '2026-01-01T00:00:00.000Z' };
  await store(fileRow({ file: null, tenderId: '', reading: expired }));
  await withDatabase((db) => deleteOldSharedFiles(db, ASHA, Date.now()));
  expect(await stored()).toBeUndefined();
});

test('bids and bookmarks are offered, the last used first, and are found by their words', async () => {
  await withDatabase(async (db) => {
    const bookmark = (tenderId: string, at: number, title: string) =>
      db.bookmarks.put({ owner: ASHA, tenderId, at, summary: testTender({ _id: tenderId, title }) });
    await bookmark('11', 1, 'Footbridge at Baddi');
    await bookmark('12', 9, 'School roof in Kinnaur');
    await db.records.put({
      ...{ owner: ASHA, kind: 'bid', id: 'b1', at: 5, stamps: {}, refusal: null },
      fields: { tenderId: '13', title: 'Road to the temple' },
    });
  });
  const choices = await withDatabase((db) => readBidChoices(db, ASHA));
  expect(choices.map(({ tenderId, isBid }) => [tenderId, isBid])).toEqual([
    ['12', false],
    ['13', true],
    ['11', false],
  ]);
  expect(findChoices(choices, 'roof KINNAUR').map(({ tenderId }) => tenderId)).toEqual(['12']);
});

const card = (row: SharedFileRow) =>
  openTestPage(
    <SharedFileCard
      row={row}
      onAddToDocuments={() => calls.push('to documents')}
      renderReading={({ facts }) => facts[0]?.quote}
    />,
  );

test('the card asks to which bid, and takes “only read it”', async () => {
  await store(fileRow());
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const page = await card(fileRow());
  await page.press('To none: only read it');
  await vi.waitFor(async () => expect((await stored())?.tenderId).toBe(''));
});

test('the card shows what the file says, and until when it is there', async () => {
  const page = await card(fileRow({ file: null, tenderId: '', reading: READING }));
  for (const text of ['Earnest money: Rs. 45,000', 'Only you see this.']) expect(page.text()).toContain(text);
});

test.each([
  ['a picture is offered for the documents', { kind: 'picture' as const }, 'It cannot be read'],
  ['another file says what to do', { kind: 'other' as const, file: null }, 'Save it as a PDF'],
  ['a large file says what to do', { bytes: 31_000_000, file: null }, 'at most 25 MB can be read'],
  ['a waiting file says that it waits', { tenderId: '' }, 'Waiting to be sent and read'],
  ['a refused one says why', { tenderId: '', refusal: 'Only PDF files' }, 'Only PDF files'],
])('%s', async (_what, changes, text) => {
  expect((await card(fileRow(changes))).text()).toContain(text);
});
