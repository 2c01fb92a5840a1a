/**
 * Tests on a phone without free storage. Its profile is on a file system of 64 MB, so Chromium itself refuses
 * to store more.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { rowsOf } from '../support/device-rows.ts';
import { TestPhone } from '../support/phone.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

const PDF_BYTES = 4 * 1_048_576;
/** More files than fit. Together they are below the app's own limit of 50 MB. */
const MAX_FILES = 11;
const FULL = 'The storage of this phone is full. The document was not saved. Free some storage, then save again.';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const pdf = () => Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(PDF_BYTES)]);

/** A photo of noise, which no encoder can make small. */
async function takePhoto(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 2000, height: 1500 });
    const context = canvas.getContext('2d');
    const picture = context?.createImageData(2000, 1500);
    if (picture) {
      for (let at = 0; at < picture.data.length; at += 65_536)
        crypto.getRandomValues(picture.data.subarray(at, at + 65_536));
      for (let at = 3; at < picture.data.length; at += 4) picture.data[at] = 255;
      context?.putImageData(picture, 0, 0);
    }
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.95));
    return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
  });
  return Buffer.from(bytes);
}

/** The hashes of the files on the device. Each file is read to compute its hash. */
const readableFiles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const rows = await new Promise<{ hash: string; file: Blob }[]>((resolve, reject) => {
      const request = indexedDB.open('nivida');
      request.onsuccess = () => {
        const read = request.result.transaction('documentFiles').objectStore('documentFiles').getAll();
        read.onsuccess = () => resolve(read.result);
        read.onerror = () => reject(read.error);
        request.result.close();
      };
    });
    const good: string[] = [];
    for (const { hash, file } of rows) {
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
      if ([...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('') === hash) good.push(hash);
    }
    return good.sort();
  });

test('on a full phone a document is refused with what to do, nothing stored is lost, and the bid goes on', async ({
  baseURL,
  request,
}, testInfo) => {
  test.skip(process.getuid?.() !== 0 || !existsSync('/bin/mount'), 'mounting a small file system needs root');
  test.slow();
  const disk = testInfo.outputPath('disk');
  mkdirSync(disk, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]);
  const phone = await TestPhone.start(`${disk}/profile`, baseURL ?? '');
  try {
    const [tender] = await openTenders(request, 'Himachal Pradesh');
    await phone.visit(`/tenders/${tender?._id}#checklist`);
    await button(phone.page, 'Prepare bid').tap();
    await expect(phone.page).toHaveURL(/\/dashboard\/applications\/[\w-]+$/);
    const bid = new URL(phone.page.url()).pathname;
    await phone.page.goto(`${bid}#documents`);

    const rowOf = (name: string) => phone.page.getByRole('listitem', { includeHidden: true }).filter({ hasText: name });
    const addRow = async (name: string) => {
      await phone.page.getByLabel('Add a document').fill(name);
      await button(phone.page, 'Add').tap();
      await expect(rowOf(name)).toBeVisible();
      return rowOf(name);
    };
    /**
     * Adds a file. Returns whether it was stored. For a refused file, checks that the screen says why and
     * that the row is not ready.
     */
    const add = async (row: Locator, kind: 'file' | 'photo', buffer: Buffer): Promise<boolean> => {
      const { page } = phone;
      const chooser = page.waitForEvent('filechooser');
      await row.getByRole('button', { name: new RegExp(`^Add ${kind}`) }).tap();
      const [name, mimeType] = kind === 'file' ? ['a.pdf', 'application/pdf'] : ['a.jpg', 'image/jpeg'];
      await (await chooser).setFiles({ name, mimeType, buffer });
      await expect(page.getByText(FULL).or(row.getByText('1 file'))).toBeAttached();
      const isStored = (await page.getByText(FULL).count()) === 0;
      await expect(row.getByRole('checkbox', { includeHidden: true })).toBeChecked({ checked: isStored });
      if (!isStored) await page.reload();
      return isStored;
    };

    await test.step('PDFs are added until one is refused', async () => {
      let stored = 0;
      while (await add(await addRow(`PDF ${stored + 1}.`), 'file', pdf())) stored += 1;
      expect(stored).toBeGreaterThan(0);
      expect(stored).toBeLessThan(MAX_FILES);
      expect(await readableFiles(phone.page)).toHaveLength(stored);
    });
    const before = await readableFiles(phone.page);
    const documents = async () =>
      (await rowsOf<{ kind: string }>(phone.page, 'records')).filter(({ kind }) => kind === 'bidDocument').length;
    expect(await documents()).toBe(before.length);

    await test.step('photos are refused too', async () => {
      let photos = 0;
      while (await add(await addRow(`Photo ${photos + 1}.`), 'photo', await takePhoto(phone.page))) photos += 1;
      expect(await documents()).toBe(before.length + photos);
      expect(await readableFiles(phone.page)).toEqual(expect.arrayContaining(before));
    });

    await test.step('the bid goes on', async () => {
      const { page } = phone;
      const tick = page.getByRole('checkbox', { name: /^I read the list inside/, includeHidden: true });
      await tick.tap();
      await expect(tick).toBeChecked();
      await page.goto(`${bid}#money`);
      await button(page, 'Add EMD').tap();
      await page.getByLabel('Paid by').selectOption('FDR (fixed deposit)');
      await button(page, 'Save').tap();
      await expect(page.getByRole('dialog')).toBeHidden();
      await page.goto(`${bid}#notes`);
      await page.getByLabel('Note', { exact: true }).fill('the phone is full');
      await button(page, 'Save').tap();
      await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
    });

    await test.step('all of it is there after a restart', async () => {
      await phone.restart();
      await phone.page.goto(`${bid}#notes`);
      await expect(phone.page.getByLabel('Note', { exact: true })).toHaveValue('the phone is full');
      expect(await readableFiles(phone.page)).toEqual(expect.arrayContaining(before));
      await phone.page.goto(`${bid}#money`);
      await expect(phone.page.getByRole('listitem').filter({ hasText: 'EMD' }).first()).toContainText('FDR');
    });

    await test.step('with room the document is saved', async () => {
      execFileSync('mount', ['-o', 'remount,size=256m', disk]);
      // Chromium measures the disk when it starts.
      await phone.restart();
      await phone.page.goto(`${bid}#documents`);
      expect(await add(await addRow('With room.'), 'file', pdf())).toBe(true);
    });
  } finally {
    await phone.close().finally(() => execFileSync('umount', [disk]));
  }
});
