/** What official documents say, files that a user shares, and hits in documents, in four looks and both languages. */
import type { Page } from '@playwright/test';
import { englishIn, expectHindi } from '../languages/hindi.ts';
import { expectFourLooks } from '../support/browser/looks.ts';
import { makeSession, type StoredSession, storeSession } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import {
  answerReading,
  boqFile,
  boqItems,
  boqOf,
  fact,
  officialFile,
  readBoq,
  rupees,
  type TestReading,
} from './test-readings.ts';

test.describe.configure({ mode: 'parallel' });
test.use({ isMobile: false, expectedErrors: /status of (500|415) |net::ERR_(FAILED|INTERNET_DISCONNECTED)/ });

const LINES = [
  fact(
    'originals',
    43,
    'The original demand draft and the affidavit must reach the office of the Executive Engineer by hand before 11:00 AM on the day of opening, otherwise the bid is rejected.',
    { state: 'confirmed' },
  ),
  fact('emd', 2, 'Earnest money: Rs. 45,000 (Rupees forty-five thousand only) by demand draft', {
    ...rupees('45000.00'),
    state: 'corrected',
  }),
  fact('emd', 9, 'The earnest money of other than the lowest three bidders is given back within thirty days.'),
  fact('documents', 6, 'PAN card and GST registration certificate of the firm'),
  fact('documents', 6, 'Affidavit on non-judicial stamp paper that the firm is not blacklisted', { id: 'documents-7' }),
  fact('documents', 7, 'Work experience certificate of similar works', { id: 'documents-8' }),
  fact('documents', 8, 'Turnover certificate of a chartered accountant for the last three years', {
    id: 'documents-9',
  }),
  fact('class', 4, 'Contractors enlisted in class C and above of the Public Works Department'),
  fact('period', 1, 'Time of completion: 9 months', { value: { unit: 'months', amount: 9 } }),
  fact('validity', 3, 'The bid remains valid for 120 days from the last date of its submission', {
    value: { unit: 'days', amount: 120 },
  }),
  fact('priceVariation', 31, 'No price escalation is payable in any case whatsoever'),
];

/** Files in every state that a reading can have. */
const FILES = [
  officialFile(),
  officialFile({
    id: '3',
    name: 'Special_conditions.pdf',
    state: 'part',
    pages: 44,
    unreadPages: [3, 4, 5, 9].map((page) => ({ page, why: 'picture' })),
  }),
  officialFile({ id: '4', name: 'Drawings.pdf', state: 'pictures' }),
  officialFile({ id: '5', name: 'Corrigendum_1.pdf', state: 'font' }),
  officialFile({ id: '6', name: 'Corrigendum_2.pdf', state: 'waiting', pages: null }),
  officialFile({ id: '7', name: 'Agreement.pdf', state: 'too-large', pages: null }),
  officialFile({ id: '8', name: 'Technical.pdf', state: 'locked', pages: null }),
  officialFile({ id: '9', name: 'Map.dwg', kind: 'other', state: 'other', pages: null }),
  officialFile({ id: '10', name: 'my-notice.pdf', pages: 1, isOwn: true }),
  boqFile(),
];

const PHOTO = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');

const OWN_READING = {
  ...{ id: '4e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01', name: 'NIT.pdf', sha256: 'e'.repeat(64), state: 'done', pages: 3 },
  ...{ unreadPages: [], tenderId: null, expiresAt: '2099-01-01T00:00:00.000Z' },
  facts: LINES.slice(0, 4).map(({ id: _id, fileId: _file, state: _state, ...line }) => line),
  boq: boqOf('percentage', boqItems(8, '1050.75'), { statedTotal: '776451.5' }),
};

async function signInBefore(page: Page, session: StoredSession): Promise<void> {
  await page.goto('/');
  await storeSession(page, session);
}

for (const language of ['en', 'hi'] as const) {
  const prefix = language === 'hi' ? '/hi' : '';
  const looks = async (page: Page, name: string) => {
    if (language === 'hi') await expectHindi(page);
    await expectFourLooks(page, `${name}-${language}`);
  };

  test(`the lines of a tender, in ${language}`, async ({ page, request, context }) => {
    test.setTimeout(1_200_000);
    const tenders = await openTenders(request, 'Himachal Pradesh');
    const block = page.locator('section[aria-labelledby="documents-say"]');
    await signInBefore(page, await makeSession());
    const show = async (at: number, name: string, reading: TestReading | null, part = '#documents') =>
      test.step(name, async () => {
        await answerReading(page, reading);
        await page.goto('about:blank');
        await page.goto(`${prefix}/tenders/${tenders[at]?._id}${part}`);
        await expect(block).toBeVisible();
        await expect(block.locator('[aria-busy="true"]')).toHaveCount(0);
        await expect(block.locator('p').first()).toBeVisible();
        await looks(page, name);
      });
    await show(0, 'lines-no-files', {});
    await show(1, 'lines-not-read', { files: [officialFile({ state: 'waiting', pages: null })] });
    await show(2, 'lines-pictures', { files: [officialFile({ state: 'pictures' })] });
    await show(3, 'lines-failed', null);
    const found: TestReading = {
      files: FILES,
      facts: LINES,
      boqs: [
        readBoq(
          boqOf('percentage', boqItems(8, '1050.75')),
          { totalPaise: 2_481_346_100, totalState: 'agrees' },
          { boq: null },
        ),
      ],
    };
    await show(4, 'lines', found, '#fact-emd-9');
    await test.step('beside the checklist', async () => {
      await page.goto('about:blank');
      await page.goto(`${prefix}/tenders/${tenders[4]?._id}#checklist`);
      await expect(page.locator('main li q').first()).toBeVisible();
      await looks(page, 'lines-checklist');
    });
    await test.step('without a connection', async () => {
      await page.unroute('**/api/tenders/*/reading');
      await page.route('**/api/tenders/*/reading', (route) => route.abort());
      await page.goto('about:blank');
      await page.goto(`${prefix}/tenders/${tenders[5]?._id}#documents`);
      await expect(block.locator('h2 ~ div').first()).toBeVisible();
      await expect(block.locator('[aria-busy="true"]')).toHaveCount(0);
      await looks(page, 'lines-offline');
    });
    await context.close();
  });

  test(`shared files, in ${language}`, async ({ page }) => {
    test.setTimeout(600_000);
    const choose = (name: string, size = 1_000) =>
      page
        .locator('input[type="file"]')
        .first()
        .setInputFiles({ name, mimeType: '', buffer: Buffer.from('%PDF-1.7 '.padEnd(size, 'x')) });
    const cards = page.locator('main section');
    await page.goto(`${prefix}/shared-files`);
    await looks(page, 'shared-signed-out');
    await storeSession(page, await makeSession());
    await page.goto('about:blank');
    await page.goto(`${prefix}/shared-files?problem=lost`);
    await expect(page.locator('input[type="file"]')).toBeAttached();
    await looks(page, 'shared-none');
    await page.route('**/api/readings/files/**', (route) => {
      const name = new URL(route.request().url()).searchParams.get('name');
      if (name === 'waiting.pdf') return route.abort();
      if (name === 'refused.pdf') return route.fulfill({ status: 415, json: {} });
      return route.fulfill({ json: { stored: 1, reading: OWN_READING } });
    });
    for (const [index, name] of ['NIT.pdf', 'refused.pdf', 'waiting.pdf'].entries()) {
      await choose(name);
      const card = page.locator('main').getByRole('region', { name });
      await expect(card).toBeVisible();
      await card.locator('fieldset button').first().tap();
      if (index === 0) await expect(card.locator('details').first()).toBeVisible();
      if (index === 1) await expect(card.getByRole('alert')).toBeVisible();
    }
    await choose('Notice_of_the_footbridge_over_Ashni_Khad_2026_27_final_signed.pdf');
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: PHOTO });
    await expect(cards).not.toHaveCount(0);
    // The card of the waiting file is busy.
    if (language === 'hi') expect(await englishIn(page)).toEqual([]);
    await expectFourLooks(page, `shared-${language}`);
  });

  test(`hits in documents, in ${language}`, async ({ page, request }) => {
    test.setTimeout(600_000);
    const tenders = await openTenders(request, 'Himachal Pradesh');
    const hit = (at: number, place: object) => ({
      file: 'BOQ_88231.xls',
      page: null,
      item: null,
      tender: tenders[at],
      ...place,
    });
    const words = [{ typed: 'rock', alternatives: ['rock'] }];
    await page.route('**/api/tenders/in-documents?**', (route) =>
      route.fulfill({
        json: {
          total: 12,
          words,
          hits: [
            hit(0, { item: '1.02', snippet: '… hard rock …' }),
            hit(1, { item: '', snippet: 'rock' }),
            hit(2, {
              page: 43,
              snippet:
                '… where hard rock is met with, blasting is allowed only with the written permission of the engineer …',
            }),
          ],
        },
      }),
    );
    await page.goto(`${prefix}/tenders/results?state=Himachal+Pradesh&q=road`);
    await page.locator('main article').last().scrollIntoViewIfNeeded();
    await expect(page.locator('mark', { hasText: 'rock' }).first()).toBeVisible();
    await looks(page, 'hits');
  });
}
