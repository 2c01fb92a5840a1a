/** The BOQ of a tender and the rate book in four looks and both languages. */
import type { Page } from '@playwright/test';
import { expectHindi } from '../languages/hindi.ts';
import { expectFourLooks } from '../support/browser/looks.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { answerReading, boqFile, boqItems, boqOf, fact, officialFile, readBoq, rupees } from './test-readings.ts';

test.use({ isMobile: false, expectedErrors: /status of 500 / });

const ITEM_RATE = boqOf('item-rate', boqItems(12));
const LATER_SHA = 'c'.repeat(64);

/** Rates of the operator's schedule for the first item. */
const CANDIDATES = {
  schedules: [{ id: '7', name: 'Schedule of rates of the Public Works Department, zone 2', from: '2025-04-01' }],
  lines: [
    {
      fileId: '2',
      row: 13,
      items: [
        {
          ...{ scheduleId: '7', code: '2.8.1', unit: 'cum', rate: '315.45' },
          text: 'Earth work in excavation by mechanical means over areas, in all kinds of soil, lift up to 1.5 m',
        },
        { scheduleId: '7', code: '2.10', text: 'Excavation in trenches for foundations', unit: 'cum', rate: '1288' },
      ],
    },
  ],
};

/** A filled copy as the reader returns it. The bidder has typed 110.5 and 4250 into the first rows. */
const FILLED = {
  ...ITEM_RATE,
  items: ITEM_RATE.items.slice(0, 12).map((item) => ({
    ...item,
    quantity: item.row === 15 ? '9.5' : item.quantity,
    offered: item.quantity === null || item.row > 16 ? null : '110.5',
  })),
};

/** Opens an address anew and waits for a text of it. */
async function open(page: Page, address: string, ready: () => Promise<void>): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address);
  await ready();
}

for (const language of ['en', 'hi'] as const)
  test(`in ${language}`, async ({ page, request }) => {
    test.setTimeout(1_200_000);
    const session = await makeSession();
    const tenders = await openTenders(request, 'Himachal Pradesh');
    const prefix = language === 'hi' ? '/hi' : '';
    const boqOfTender = (at: number) => `${prefix}/tenders/${tenders[at]?._id}/boq`;
    const heading = page.getByRole('heading', { level: 1 });
    const rates = page.locator('[data-row] input');
    const looks = async (name: string) => {
      if (language === 'hi') await expectHindi(page);
      await expectFourLooks(page, `${name}-${language}`);
    };
    const showBoq = async (at: number, name: string, reading: Parameters<typeof answerReading>[1], shown: string) =>
      test.step(name, async () => {
        await answerReading(page, reading);
        await open(page, boqOfTender(at), () => expect(page.locator(shown).first()).toBeVisible());
        await looks(name);
      });
    await page.route('**/rate-candidates', (route) => route.fulfill({ json: CANDIDATES }));
    await page.goto('/');
    await storeSession(page, session);

    await showBoq(0, 'boq-none', { files: [] }, 'main h2');
    await showBoq(1, 'boq-failed', null, 'main [role="alert"]');
    await showBoq(
      2,
      'boq-not-bought',
      {
        files: [
          boqFile(),
          boqFile({ id: '3', name: 'BOQ_88232.xls', state: 'locked' }),
          boqFile({ id: '4', name: 'BOQ_88233.xls', state: 'template' }),
        ],
        boqs: [readBoq(ITEM_RATE, {}, { boq: null })],
      },
      'main h2',
    );
    await showBoq(
      3,
      'boq-lump-sum',
      { files: [boqFile()], boqs: [readBoq(boqOf('item-rate', boqItems(1).slice(1)), { isLumpSum: true })] },
      '[data-row]',
    );

    await test.step('percentage', async () => {
      await answerReading(page, {
        files: [officialFile(), boqFile(), boqFile({ id: '3', name: 'BOQ_88232.xls', sha256: LATER_SHA })],
        facts: [fact('estimate', 1, 'Estimated cost Rs. 7,76,450', rupees('776450.00'))],
        boqs: [
          readBoq(boqOf('percentage', boqItems(8, '1050.75')), {
            ...{ totalPaise: 77_645_050, statedTotalPaise: 77_645_150, totalState: 'differs' },
          }),
          readBoq(boqOf('percentage', boqItems(2, '100')), {}, { fileId: '3' }),
        ],
      });
      await open(page, boqOfTender(4), () => expect(page.locator('[data-row]').first()).toBeVisible());
      await page.locator('main input[inputmode="decimal"]').first().fill('4.25');
      await expect(page.locator('[data-total]')).toBeVisible();
      await looks('boq-percentage');
    });

    await test.step('item rates, with a wrong one and candidates', async () => {
      await answerReading(page, { files: [boqFile()], boqs: [readBoq(ITEM_RATE)] });
      await open(page, boqOfTender(5), () => expect(rates).toHaveCount(12));
      await looks('boq-items-empty');
      await rates.nth(1).fill('4250');
      await rates.nth(2).fill('12,34,567.89');
      await rates.nth(3).fill('about ten');
      await rates.nth(0).fill('110.5');
      await page.locator('[data-row="13"] div > button').click();
      await expect(page.getByText('315.45')).toBeVisible();
      await looks('boq-items');
    });

    await test.step('a filled copy, compared', async () => {
      await page.route('**/api/readings/files/**', (route) =>
        route.fulfill({
          json: {
            stored: 1,
            reading: {
              ...{ id: 'r1', name: 'BOQ_88231_filled.xls', sha256: 'd'.repeat(64), state: 'done', pages: null },
              ...{ unreadPages: [], facts: [], boq: FILLED, tenderId: null, expiresAt: '2099-01-01T00:00:00.000Z' },
            },
          },
        }),
      );
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'BOQ.xls', mimeType: '', buffer: Buffer.from('x') });
      await expect(page.locator('main [role="status"] [role="alert"]')).toBeVisible();
      await looks('boq-filled-copy');
    });

    await test.step('after a corrigendum', async () => {
      const items = ITEM_RATE.items.slice(0, 10);
      const [first] = items.filter(({ quantity }) => quantity !== null);
      const changes = {
        added: [{ ...ITEM_RATE.items[13], row: 30 }],
        removed: [ITEM_RATE.items[12]],
        changed: [{ before: { ...first, quantity: '1800.5' }, after: first }],
      };
      await answerReading(page, {
        files: [boqFile({ sha256: LATER_SHA })],
        boqs: [readBoq(boqOf('item-rate', items), {}, { changes })],
      });
      await open(page, boqOfTender(5), () => expect(rates.first()).toBeVisible());
      await page
        .locator('main details')
        .first()
        .evaluate((details: HTMLDetailsElement) => Object.assign(details, { open: true }));
      await looks('boq-changed');
    });

    await test.step('the rate book', async () => {
      await open(page, `${prefix}/dashboard/rates`, () => expect(heading).toBeVisible());
      await expect(page.getByText('4,250').first()).toBeVisible();
      await looks('rates');
      await page.evaluate(() => localStorage.clear());
      await open(page, `${prefix}/dashboard/rates`, () => expect(page.locator('main h2').first()).toBeVisible());
      await looks('rates-empty');
    });
  });
