import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { rowsOf } from '../support/device-rows.ts';
import { makeSession, storeSession, withServerDatabase } from '../support/session.ts';
import { offlineBanner, openStoredApp, titles } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

/**
 * IndexedDB and localStorage of Chromium after a use of the build of commit 768704a, whose database has version 4 (40 in
 * the browser's count). The user saved Himachal Pradesh with 12 invented tenders that close in 2039, bookmarked one and
 * saved a search; then, without a network, bookmarked a second, saved a second search and sent a message. An object with
 * `$buffer` is an ArrayBuffer in base64.
 */
interface EarlierDevice {
  version: number;
  /** The id of the user, and that of the search that was saved without a network. */
  owner: string;
  unsentSearch: string;
  localStorage: Record<string, string>;
  stores: Record<string, EarlierStore>;
}

interface EarlierStore {
  keyPath: string | string[];
  indexes: { name: string; keyPath: string | string[] }[];
  rows: object[];
}

// The server of the journey is not the one that the pack came from. The whole Chromium asks for an icon of /robots.txt.
test.use({
  expectedErrors:
    /net::ERR_FAILED|status of 409 .*\/api\/sync\/himachal-pradesh\/delta|status of 404 .*\/favicon\.ico\)$/,
});

/** Makes the earlier build's database on an address of the site that does not start the app. */
async function writeEarlierDevice(page: Page, device: EarlierDevice): Promise<void> {
  await page.goto('/robots.txt');
  await page.evaluate(async ({ version, localStorage: texts, stores }) => {
    const withBytes = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(withBytes);
      if (typeof value !== 'object' || value === null) return value;
      if ('$buffer' in value) return Uint8Array.from(atob(String(value.$buffer)), (byte) => byte.charCodeAt(0)).buffer;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withBytes(each)]));
    };
    for (const [name, text] of Object.entries(texts)) localStorage.setItem(name, text);
    await new Promise((resolve, reject) => {
      const opening = indexedDB.open('nivida', version);
      opening.onupgradeneeded = () => {
        for (const [name, { keyPath, indexes, rows }] of Object.entries(stores)) {
          const store = opening.result.createObjectStore(name, { keyPath });
          for (const index of indexes) store.createIndex(index.name, index.keyPath);
          for (const row of rows) store.add(withBytes(row));
        }
      };
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        opening.result.close();
        resolve(undefined);
      };
    });
  }, device);
}

test('a phone of an earlier build has its pack, bookmarks and searches, and sends its unsent changes', async ({
  page,
}) => {
  const session = await makeSession();
  const text = readFileSync(join(import.meta.dirname, 'earlier-device.json'), 'utf8');
  const { owner, unsentSearch } = JSON.parse(text) as EarlierDevice;
  const sentSearch = randomUUID();
  const device: EarlierDevice = JSON.parse(
    text.replaceAll(owner, session.user._id).replaceAll(unsentSearch, sentSearch),
  );
  await writeEarlierDevice(page, device);
  await storeSession(page, session);

  await test.step('without an answer of the server', async () => {
    await page.route('**/api/**', (route) => route.abort());
    await openStoredApp(page, '/tenders/results?state=Himachal+Pradesh&q=school');
    await expect(offlineBanner(page)).toBeVisible();
    expect(await titles(page)).toEqual([
      'Repair of school building at Gohar, Distt. Mandi',
      'Repair of school building at Banjar, Distt. Kullu',
      'Repair of school building at Rohru, Distt. Shimla',
      'Repair of school building at Nalagarh, Distt. Solan',
    ]);
    await page.goto('/tenders#saved');
    await expect(page.getByText('1 change saved on this phone. Not sent yet.')).toBeVisible();
    expect(await page.getByRole('main').getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Providing drinking water supply scheme to Anni, Distt. Kullu',
      'Construction of link road to Theog, Distt. Shimla',
    ]);
    expect(await rowsOf(page, 'tenders')).toEqual(device.stores.tenders?.rows);
    const searches = await rowsOf<{ name: string }>(page, 'searches');
    expect(searches.map(({ name }) => name).sort()).toEqual(['road · Himachal Pradesh', 'school · Himachal Pradesh']);
  });

  await test.step('with the server', async () => {
    await page.unroute('**/api/**');
    await page.goto('/tenders');
    await expect.poll(() => rowsOf(page, 'outbox')).toEqual([]);
    const [message] = (device.stores.messages?.rows ?? []) as { id: string }[];
    // The rows of the server: whether the page or another worker has sent a change is no matter.
    await withServerDatabase(async (client) => {
      const rows = async (sql: string, value: unknown) => (await client.query(sql, [value])).rows;
      expect(await rows('SELECT tender_id FROM bookmark WHERE user_id = $1', session.user._id)).toEqual([
        { tender_id: 2 },
      ]);
      expect(
        await rows('SELECT id, name, filter FROM saved_search WHERE user_id = $1', session.user._id),
      ).toMatchObject([{ id: sentSearch, name: 'road · Himachal Pradesh', filter: { q: 'road' } }]);
      expect(await rows('SELECT subject, message FROM contact_message WHERE id = $1', message?.id)).toEqual([
        { subject: 'Documents of a road', message: 'Which documents come with the package?' },
      ]);
    });
  });
});
