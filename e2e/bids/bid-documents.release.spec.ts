import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessibleInBothThemes } from '../support/accessibility.ts';
import { rowsOf } from '../support/device-rows.ts';
import { phoneTest as test } from '../support/phone.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { openTenders, tenderHeading } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

/**
 * Camera data of a photo that is turned by 90 degrees and has a latitude. The byte order is Intel's, as in
 * TIFF files.
 */
const CAMERA_DATA = [
  ...[0xff, 0xe1, 0x00, 0x56],
  ...[...'Exif\0\0II*\0'].map((letter) => letter.charCodeAt(0)),
  ...[8, 0, 0, 0, 2, 0],
  ...[0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0],
  ...[0x25, 0x88, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0],
  ...[0, 0, 0, 0],
  ...[1, 0],
  ...[2, 0, 5, 0, 3, 0, 0, 0, 56, 0, 0, 0],
  ...[0, 0, 0, 0],
  ...[31, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0],
];

/**
 * A photo as a phone's camera writes it: 2,400 × 1,200 pixels. It is upright only after the turn in its
 * camera data.
 */
async function takePhoto(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 2400, height: 1200 });
    const context = canvas.getContext('2d');
    if (context) context.fillStyle = '#c33';
    context?.fillRect(0, 0, 1200, 1200);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg'));
    return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
  });
  return Buffer.from([...bytes.slice(0, 2), ...CAMERA_DATA, ...bytes.slice(2)]);
}

interface StoredPicture {
  width: number;
  height: number;
  hasCameraData: boolean;
}

/** A user's records on the server. The cursor contains the number of changes. */
interface RecordPage {
  records: { kind: string }[];
  cursor: string;
}

/** The files of documents on the device: for a picture its facts, for a PDF its content. */
const storedFiles = (page: Page): Promise<(StoredPicture | { text: string })[]> =>
  page.evaluate(async () => {
    const files = await new Promise<{ file: Blob }[]>((resolve, reject) => {
      const request = indexedDB.open('nivida');
      request.onsuccess = () => {
        const read = request.result.transaction('documentFiles').objectStore('documentFiles').getAll();
        read.onsuccess = () => resolve(read.result);
        read.onerror = () => reject(read.error);
        request.result.close();
      };
    });
    return Promise.all(
      files.map(async ({ file }) => {
        if (file.type === 'application/pdf') return { text: await file.text() };
        const { width, height } = await createImageBitmap(file);
        return { width, height, hasCameraData: (await file.text()).includes('Exif') };
      }),
    );
  });

test('a bid with a photo and a PDF made without a network survives kill -9 of the browser and reaches the server exactly once', async ({
  phone,
  page: other,
  request,
}) => {
  const [tender] = await openTenders(request, 'Himachal Pradesh');
  const checklist = `/tenders/${tender?._id}#checklist`;
  const session = await makeSession();
  await phone.visit('/');
  await storeSession(phone.page, session);
  // Chromium writes localStorage with some seconds of delay. A crash would sign the user out.
  await phone.restart();
  await phone.visit('/dashboard/documents');
  await expect(phone.page.getByRole('heading', { name: 'No documents yet.' })).toBeVisible();
  // Opening the page stores its code on the device.
  await phone.visit(`/dashboard/applications/${randomUUID()}`);
  await phone.visit(checklist);
  await expect(phone.page.getByRole('heading', { name: 'Will my bid survive?' })).toBeVisible();
  const photo = await takePhoto(phone.page);
  await phone.setOffline(true);

  const row = () => phone.page.getByRole('listitem', { includeHidden: true }).filter({ hasText: 'Price bid / BOQ' });
  const pdf = '%PDF-1.4\n%%EOF\n';
  await test.step('added by one tap and a photo', async () => {
    const chooser = phone.page.waitForEvent('filechooser');
    await row()
      .getByRole('button', { name: /^Add photo/ })
      .tap();
    await (await chooser).setFiles({ name: 'IMG_2041.jpeg', mimeType: 'image/jpeg', buffer: photo });
    await expect(row().getByRole('checkbox', { includeHidden: true })).toBeChecked();
    await expect(row().getByText('✓ Ready')).toBeAttached();
  });

  const own = () =>
    phone.page.getByRole('listitem', { includeHidden: true }).filter({ hasText: 'NRC of the district' });
  await test.step('a row of the user has a PDF', async () => {
    await phone.page.getByLabel('Add a document').fill('NRC of the district');
    await phone.page.getByRole('button', { name: 'Add', exact: true }).tap();
    const chooser = phone.page.waitForEvent('filechooser');
    await own()
      .getByRole('button', { name: /^Add file/ })
      .tap();
    await (await chooser).setFiles({ name: 'nrc.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf) });
    await expect(own().getByRole('checkbox', { includeHidden: true })).toBeChecked();
  });

  await test.step('the tender becomes a bid', async () => {
    await phone.page.getByRole('button', { name: 'Prepare bid', exact: true }).tap();
    await expect(phone.page).toHaveURL(/\/dashboard\/applications\/[\w-]+$/);
    await expect(tenderHeading(phone.page, tender?.title ?? '')).toBeVisible();
  });

  await phone.kill({ isOffline: true });
  await test.step('after the kill the rows are served, and the photo is upright, scaled and without its location', async () => {
    await phone.page.goto(checklist);
    await expect(row().getByRole('checkbox', { includeHidden: true })).toBeChecked();
    await expect(own().getByRole('checkbox', { includeHidden: true })).toBeChecked();
    const stored = await storedFiles(phone.page);
    expect(stored).toHaveLength(2);
    expect(stored).toEqual(
      expect.arrayContaining([{ width: 1000, height: 2000, hasCameraData: false }, { text: pdf }]),
    );
  });

  await test.step('in the vault', async () => {
    const { page } = phone;
    await page.goto('/dashboard/documents');
    await expect(page.getByRole('heading', { level: 2, name: 'Price bid / BOQ' })).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.getByRole('button', { name: 'IMG_2041.jpg' }).tap();
    await expect(page.getByRole('dialog').getByRole('img', { name: 'IMG_2041.jpg' })).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: /^Edit Price bid/ }).tap();
    await expectAccessibleInBothThemes(page);
    await page.getByRole('dialog').getByLabel('Valid until').fill('2020-01-31');
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await expect(page.getByText(/Expired on 31 Jan 2020\. Renew it/)).toBeVisible();
  });

  await test.step('deleted, and brought back by Undo', async () => {
    const { page } = phone;
    await page.getByRole('button', { name: /^Delete Price bid/ }).tap();
    await expect(page.getByRole('heading', { level: 2, name: 'Price bid / BOQ' })).toBeHidden();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect(page.getByText('Expired on 31 Jan 2020', { exact: true })).toBeVisible();
    expect(await storedFiles(page)).toHaveLength(2);
  });

  const readServer = async () => {
    const reply = await request.get('/api/bids/changes', { headers: { authorization: `Bearer ${session.token}` } });
    const page: RecordPage = reply.status() === 200 ? await reply.json() : { records: [], cursor: '' };
    return { kinds: page.records.map(({ kind }) => kind).sort(), changes: Number(page.cursor.split('.')[1] ?? 0) };
  };
  const each = { kinds: ['bid', 'bidDocument', 'bidDocument', 'check', 'check'], changes: 5 };
  const unsent = async () => (await rowsOf<{ kind: string }>(phone.page, 'outbox')).map(({ kind }) => kind);

  await test.step('with a connection each record reaches the server, and its answer is lost in another kill', async () => {
    await phone.page.route('**/api/bids/changes', async (route) => {
      await route.fetch();
      // The call is never answered.
    });
    await phone.setOffline(false);
    await expect.poll(readServer).toEqual(each);
    await phone.kill();
  });

  await test.step('sent once more, each record is there exactly once', async () => {
    await phone.page.goto(checklist);
    await expect.poll(unsent).not.toContain('record');
    expect(await readServer()).toEqual(each);
    expect(await storedFiles(phone.page)).toHaveLength(2);
  });

  await test.step('backed up to the account, the PDF opens on another device, until the backup is switched off', async () => {
    await phone.page.goto('/dashboard/documents');
    await phone.page.getByRole('checkbox', { name: 'Back up to my account' }).check();
    await expect(phone.page.getByText('2 of 2 files are in your account.')).toBeVisible();
    await other.goto('/');
    await storeSession(other, session);
    await other.goto('/dashboard/documents');
    await expect(other.getByText('2 of 2 files are in your account.')).toBeVisible();
    await other.getByRole('button', { name: 'nrc.pdf' }).tap();
    await expect(other.getByRole('dialog').getByText(/^PDF, /)).toBeVisible();
    expect(await storedFiles(other)).toEqual([{ text: pdf }]);
    await other.getByRole('button', { name: 'Close' }).tap();
    await other.getByRole('checkbox', { name: 'Back up to my account' }).uncheck();
    await expect(other.getByText('Photos and PDFs are only on the phone that added them.')).toBeVisible();
    await other.getByRole('button', { name: 'IMG_2041.jpg' }).tap();
    await expect(other.getByText('This file is not on this phone.')).toBeVisible();
  });
});
