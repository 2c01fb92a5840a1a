/** The daily cleanup of the document store, on a real folder. */
import { access, mkdir, mkdtemp, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DocumentsService } from '../../src/documents/documents.service.ts';
import { cleanUpDocuments } from '../../src/documents/documents-cleanup.job.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { storedName } from '../../src/storage/file-store.ts';
import { createSession } from '../support/accounts.ts';
import { buyDocuments } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { findLastMail, findLink } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const DAY_MS = 86_400_000;

let app: TestApp;
let folder: string;
let nit: string;
let tenderId: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-cleanup-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}` } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const after = (days: number) => {
  app.clock.now = new Date(NOW.getTime() + days * DAY_MS);
};
const cleanUp = () =>
  cleanUpDocuments({
    dataSource: app.database.dataSource,
    now: app.clock.now,
    find: async (type) => app.app.get(type),
  });
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
const fileOf = async (version: number): Promise<string> => {
  const [{ file_key }] = await app.database.dataSource.query(
    'SELECT file_key FROM document_package WHERE nit = $1 AND version = $2',
    [nit, version],
  );
  return join(folder, storedName(file_key));
};

/** The tender of the portal; each price makes a new version. */
async function publish(price: string): Promise<void> {
  const { dataSource } = app.database;
  await importTenders(dataSource, [createSourceTender({ price, closesAt: new Date('2026-12-20T11:00:00+05:30') })], {
    now: app.clock.now,
    origin: 'generated',
  });
  const [{ id }] = await dataSource.query('SELECT id FROM tender');
  tenderId = id;
  nit = `tender-${id}`;
  await app.app.get(PackagesService).findDeliverable(nit, app.clock.now);
}

test('the file of an old version is deleted when its last link has ended, that of the newest never', async () => {
  const { dataSource } = app.database;
  const buyer = await createSession(app, { remembered: true });
  await publish('100000.00');
  const { order, entitlement } = await buyDocuments(dataSource, {
    tenderId,
    nit,
    userId: buyer.user._id,
    buyerEmail: buyer.user.email,
  });
  await dataSource.transaction((manager) =>
    app.app.get(DocumentsService).queueDelivery(manager, order, entitlement, app.clock.now),
  );
  const path = new URL(findLink(await findLastMail(app, buyer.user.email))).pathname;
  after(2);
  await publish('200000.00');
  after(3);
  await publish('300000.00');
  const [first, second, third] = [await fileOf(1), await fileOf(2), await fileOf(3)];

  // A later version of another notice replaces none of these.
  await dataSource.query(
    `INSERT INTO document_package (nit, version, file_key, sha256, bytes, file_names, fingerprint, is_demonstration, created_at)
     VALUES ('other', 9, 'x', 'x', 1, '{}', 'x', false, $1)`,
    [NOW],
  );
  // The second has no link; a buyer may get one at this moment.
  after(3.99);
  expect(await cleanUp()).toBe(0);
  after(4);
  expect(await cleanUp()).toBe(1);
  expect([await exists(first), await exists(second), await exists(third)]).toEqual([true, false, true]);
  const ticket = await app.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect((await app.get(String(ticket.headers.location))).status).toBe(200);

  after(7);
  expect(await cleanUp()).toBe(1);
  expect([await exists(first), await exists(third)]).toEqual([false, true]);
  after(300);
  expect(await cleanUp()).toBe(0);
  expect(await exists(third)).toBe(true);
  const later = await createSession(app, { remembered: true });
  await dataSource.query('UPDATE entitlement SET user_id = $1', [later.user._id]);
  const { json } = await app.get('/api/documents', later.headers);
  expect(json.packages).toMatchObject([{ nit, version: 3 }]);
  const link = await app.app.inject({
    method: 'POST',
    url: `/api/tenders/${tenderId}/documents`,
    headers: later.headers,
  });
  expect(link.statusCode).toBe(201);
  expect((await app.get(new URL(link.json().url).pathname)).status).toBe(200);
});

test('the file of an old version is deleted although a link to it was revoked before it ended', async () => {
  const { dataSource } = app.database;
  const days = (app.clock.now.getTime() - NOW.getTime()) / DAY_MS + 8;
  after(days);
  const { order, entitlement } = await buyDocuments(dataSource, { tenderId, nit, buyerEmail: 'ravi@builders.example' });
  const documents = app.app.get(DocumentsService);
  await dataSource.transaction((manager) => documents.queueDelivery(manager, order, entitlement, app.clock.now));
  const old = await fileOf(3);
  after(days + 1);
  await publish('400000.00');
  after(days + 2);
  expect([await cleanUp(), await exists(old)]).toEqual([0, true]);
  await dataSource.transaction((manager) => documents.revokeLinks(manager, entitlement, app.clock.now));
  expect([await cleanUp(), await exists(old)]).toEqual([1, false]);
  const links = 'SELECT revoked_at FROM download_link WHERE entitlement_id = $1';
  expect(await dataSource.query(links, [entitlement.id])).toEqual([{ revoked_at: app.clock.now }]);
});

test('requests for documents are deleted with their addresses 30 days after the tender closed', async () => {
  const { dataSource } = app.database;
  const closesAt = new Date('2026-12-20T11:00:00+05:30');
  await dataSource.query('UPDATE tender SET closes_at = $2 WHERE id = $1', [tenderId, closesAt]);
  await dataSource.query(
    "INSERT INTO document_request (tender_id, email, requested_at) VALUES ($1, 'asha@works.example', $2)",
    [tenderId, NOW],
  );
  const now = app.clock.now;
  const left = async (at: number) => {
    app.clock.now = new Date(closesAt.getTime() + 30 * DAY_MS + at);
    await cleanUp();
    return (await dataSource.query('SELECT 1 FROM document_request')).length;
  };
  expect([await left(0), await left(1)]).toEqual([1, 0]);
  app.clock.now = now;
});

test('the file of an old version that the store cannot remove now is removed by the next cleanup', async () => {
  const days = (app.clock.now.getTime() - NOW.getTime()) / DAY_MS;
  const old = await fileOf(4);
  after(days + 1);
  await publish('500000.00');
  after(days + 2);
  // A folder cannot be removed as a file.
  await rm(old);
  await mkdir(old);
  await expect(cleanUp()).rejects.toThrow();
  await rmdir(old);
  await writeFile(old, 'x');
  expect([await cleanUp(), await exists(old)]).toEqual([1, false]);
});

test('unfinished files are deleted after a day, and no others', async () => {
  const beside = dirname(await fileOf(4));
  const name = (letter: string, ending = '.part') => join(beside, `${letter.repeat(32)}${ending}`);
  const [dead, alive, stranger, unlisted] = [name('a'), name('b'), join(folder, 'notes.part'), name('c', '')];
  for (const path of [dead, alive, stranger, unlisted]) {
    await writeFile(path, 'x');
    const begun = new Date(app.clock.now.getTime() - (path === alive ? 1 : 1.1) * DAY_MS);
    await utimes(path, begun, begun);
  }
  expect(await cleanUp()).toBe(1);
  expect(await Promise.all([dead, alive, stranger, unlisted].map(exists))).toEqual([false, true, true, true]);
});
