/**
 * Devices of earlier releases under this version. Each release adds the database and the browser storage of a device to this
 * folder, which are not edited later: `cd e2e && WRITE_RELEASE_DEVICE=1 npx playwright test site/release-device.spec.ts`.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRequestContext, Page } from '@playwright/test';
import { rowsOf } from '../support/device-rows.ts';
import { phoneTest } from '../support/phone.ts';
import { makeSession, type StoredSession, storeSession, withServerDatabase } from '../support/session.ts';
import { cards, offlineBanner, openStoredApp, openTenders, titles } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { agree, fill, send } from './contact.ts';

const RESULTS = '/tenders/results?state=Goa';

/** An object with `$bytes` is a Blob or an ArrayBuffer in base64. */
interface DeviceStore {
  keyPath: string | string[];
  indexes: { name: string; keyPath: string | string[] }[];
  rows: object[];
}

interface ReleaseDevice {
  /** The version of the database in the browser's count. */
  version: number;
  writtenAt: string;
  /** The ids of the user and of the search that is not sent, which each run replaces by its own. */
  owner: string;
  search: string;
  /** The title of the bookmark that the server has, and of the one that is not sent. */
  sentBookmark: string;
  unsentBookmark: string;
  listTitles: string[];
  localStorage: Record<string, string>;
  stores: Record<string, DeviceStore>;
}

/** Runs in a page: the database and the browser storage of the device. */
async function readDevice() {
  const toJson = async (value: unknown): Promise<unknown> => {
    const isBlob = value instanceof Blob;
    if (isBlob || value instanceof ArrayBuffer) {
      const bytes = new Uint8Array(isBlob ? await value.arrayBuffer() : value);
      const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
      return { $bytes: btoa(text), isBlob };
    }
    if (Array.isArray(value)) return Promise.all(value.map(toJson));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([name, each]) => [name, await toJson(each)]);
    return Object.fromEntries(await Promise.all(entries));
  };
  const resultOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const db = await resultOf(indexedDB.open('nivida'));
  const stores: Record<string, unknown> = {};
  for (const name of db.objectStoreNames) {
    const store = db.transaction(name).objectStore(name);
    const indexes = Array.from(store.indexNames, (index) => ({ name: index, keyPath: store.index(index).keyPath }));
    stores[name] = { keyPath: store.keyPath, indexes, rows: await toJson(await resultOf(store.getAll())) };
  }
  const { version } = db;
  db.close();
  const texts = Object.entries({ ...localStorage }).filter(([name]) => name !== 'token' && name !== 'user');
  return { version, stores, localStorage: Object.fromEntries(texts) } as Pick<
    ReleaseDevice,
    'version' | 'stores' | 'localStorage'
  >;
}

/** Runs in a page that has not started the app: makes the device's database and browser storage. */
async function writeDevice({ version, localStorage: texts, stores }: ReleaseDevice): Promise<void> {
  const fromJson = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fromJson);
    if (typeof value !== 'object' || value === null) return value;
    if ('$bytes' in value) {
      const { buffer } = Uint8Array.from(atob(String(value.$bytes)), (byte) => byte.charCodeAt(0));
      return 'isBlob' in value && value.isBlob ? new Blob([buffer]) : buffer;
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fromJson(each)]));
  };
  for (const [name, text] of Object.entries(texts)) localStorage.setItem(name, text);
  await new Promise((resolve, reject) => {
    const opening = indexedDB.open('nivida', version);
    opening.onupgradeneeded = () => {
      for (const [name, { keyPath, indexes, rows }] of Object.entries(stores)) {
        const store = opening.result.createObjectStore(name, { keyPath });
        for (const index of indexes) store.createIndex(index.name, index.keyPath);
        for (const row of rows) store.add(fromJson(row));
      }
    };
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      opening.result.close();
      resolve(undefined);
    };
  });
}

const bookmarkAt = (page: Page, at: number) =>
  cards(page)
    .nth(at)
    .getByRole('button', { name: /^Bookmark: / });

phoneTest('the device of this release is written', async ({ phone, request }) => {
  phoneTest.skip(process.env.WRITE_RELEASE_DEVICE !== '1', 'only for a release');
  const { version } = await (await request.get('/api/health')).json();
  const session = await makeSession();
  await phone.visit('/');
  await storeSession(phone.page, session);
  const { page } = phone;
  await page.goto(RESULTS);
  await page.goto('/tenders#saved');
  await page.goto(RESULTS);
  await expect
    .poll(async () => (await rowsOf<{ kind: string }>(page, 'packFiles')).map(({ kind }) => kind))
    .toContain('index');
  const sent = page.waitForResponse('**/api/outbox');
  await bookmarkAt(page, 0).tap();
  await sent;
  await expect.poll(() => rowsOf(page, 'outbox')).toEqual([]);
  await phone.setOffline(true);
  await page.reload();
  await expect(offlineBanner(page)).toBeVisible();
  await bookmarkAt(page, 1).tap();
  await page.getByRole('button', { name: 'Save search' }).tap();
  const listTitles = await titles(page);
  await page.goto('/contact');
  await fill(page, 'Documents of a road');
  await agree(page).check();
  await send(page).tap();
  await expect.poll(() => rowsOf(page, 'outbox')).toHaveLength(3);
  const device = await page.evaluate(readDevice);
  const outbox = device.stores.outbox?.rows as { search?: { id: string } }[];
  const file: ReleaseDevice = {
    ...device,
    writtenAt: new Date().toISOString(),
    owner: session.user._id,
    search: outbox.flatMap(({ search }) => search?.id ?? [])[0] ?? '',
    sentBookmark: listTitles[0] ?? '',
    unsentBookmark: listTitles[1] ?? '',
    listTitles,
  };
  const path = join(import.meta.dirname, `release-${version}.device.json`);
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
});

const RELEASES = readdirSync(import.meta.dirname).filter((name) => /^release-.*\.device\.json$/.test(name));

/** Puts another tender in the place of the unsent bookmark's, in the rows that the user made. */
function replaceUnsentTender(device: ReleaseDevice, id: string): void {
  const outbox = device.stores.outbox?.rows as { kind: string; tenderId?: string }[];
  const unsent = outbox.find(({ kind }) => kind === 'bookmark')?.tenderId ?? '';
  for (const name of ['outbox', 'bookmarks', 'tenders']) {
    const store = device.stores[name];
    if (store) store.rows = JSON.parse(JSON.stringify(store.rows).replace(new RegExp(`\\b${unsent}"`, 'g'), `${id}"`));
  }
}

/** The device of a release, with the user of this run and an unsent bookmark of a tender that this server has. */
async function openDevice(
  page: Page,
  request: APIRequestContext,
  name: string,
): Promise<{ device: ReleaseDevice; session: StoredSession }> {
  const session = await makeSession();
  const text = readFileSync(join(import.meta.dirname, name), 'utf8');
  const { owner, search } = JSON.parse(text) as ReleaseDevice;
  const device: ReleaseDevice = JSON.parse(text.replaceAll(owner, session.user._id).replaceAll(search, randomUUID()));
  const ids = (await openTenders(request, 'Himachal Pradesh')).map(({ _id }) => _id);
  // The device has its rows in the order of their ids, and this bookmark was the later one.
  replaceUnsentTender(device, ids.sort().at(-1) ?? '');
  // An address of the site that does not start the app.
  await page.goto('/robots.txt');
  await page.evaluate(writeDevice, device);
  await storeSession(page, session);
  return { device, session };
}

test.describe('a device of an earlier release', () => {
  // The server of the journey is not the one that the pack came from. The whole Chromium asks for an icon of /robots.txt.
  test.use({
    expectedErrors: /net::ERR_FAILED|status of 409 .*\/api\/sync\/goa\/delta|status of 404 .*\/favicon\.ico\)$/,
  });

  for (const name of RELEASES)
    test(`${name} has its pack, bookmarks and searches, and sends its unsent changes`, async ({ page, request }) => {
      const { device, session } = await openDevice(page, request, name);

      await test.step('without an answer of the server, at the time when it was written', async () => {
        await page.clock.setFixedTime(device.writtenAt);
        await page.route('**/api/**', (route) => route.abort());
        await openStoredApp(page, RESULTS);
        await expect(offlineBanner(page)).toBeVisible();
        expect(await titles(page)).toEqual(device.listTitles);
        await page.goto('/tenders#saved');
        await expect(page.getByText('1 change saved on this phone. Not sent yet.')).toBeVisible();
        const bookmarks = page.getByRole('main').getByRole('heading', { level: 3 });
        expect(await bookmarks.allInnerTexts()).toEqual([device.unsentBookmark, device.sentBookmark]);
        expect(await rowsOf(page, 'tenders')).toEqual(device.stores.tenders?.rows);
        expect(await rowsOf(page, 'searches')).toEqual(device.stores.searches?.rows);
      });

      await test.step('with the server', async () => {
        await page.clock.setSystemTime(new Date());
        await page.unroute('**/api/**');
        await page.goto('/tenders');
        await expect.poll(() => rowsOf(page, 'outbox')).toEqual([]);
        // The rows of the server: whether the page or another worker has sent a change is no matter.
        await withServerDatabase(async (client) => {
          const count = async (sql: string) => (await client.query(sql, [session.user._id])).rows;
          expect(await count('SELECT 1 FROM bookmark WHERE user_id = $1')).toHaveLength(1);
          expect(await count('SELECT name FROM saved_search WHERE user_id = $1')).toEqual([{ name: 'Goa' }]);
          const message = await client.query("SELECT 1 FROM thread WHERE subject = 'Documents of a road'");
          expect(message.rows.length).toBeGreaterThan(0);
        });
      });
    });
});
