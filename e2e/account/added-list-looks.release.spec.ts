/** The list of tenders at `/add-tenders`, and ids in the search field, in four looks and both languages. */
import { expectHindi } from '../languages/hindi.ts';
import { expectFourLooks } from '../support/browser/looks.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

test.use({ isMobile: false, expectedErrors: /ERR_INTERNET_DISCONNECTED/ });

for (const language of ['en', 'hi'] as const)
  test(`a list of tenders, in ${language}`, async ({ page, request, context }) => {
    test.setTimeout(600_000);
    const tenders = (await openTenders(request, 'Himachal Pradesh')).slice(0, 3);
    const ids = tenders.map(({ source_tender_id }) => source_tender_id);
    const prefix = language === 'hi' ? '/hi' : '';
    const form = page.locator('main form');
    const found = page.locator('main li input[type="checkbox"]');
    const unknown = page.locator('main textarea[readonly]');
    const looks = async (name: string) => {
      if (language === 'hi') await expectHindi(page);
      await expectFourLooks(page, `list-${name}-${language}`);
    };
    const add = async (text: string) => {
      await form.getByRole('textbox').fill(text);
      await form.locator('button[type="submit"]').click();
      await expect(form).toHaveCount(0);
    };
    const remove = () => page.locator('main button').last().click();

    await page.goto(`${prefix}/add-tenders`);
    await expect(form).toBeVisible();
    await looks('form');
    await form.locator('button[type="submit"]').click();
    await expect(form.getByRole('alert').or(form.locator('[aria-invalid="true"]')).first()).toBeVisible();
    await looks('error');
    await add(
      [...ids, '2026_NONE_1_1', 'NIT 2026_NONE_2', language === 'hi' ? 'शिमला की सड़कें' : 'roads at Shimla'].join('\n'),
    );
    await expect(found).toHaveCount(3);
    await expect(unknown).toHaveCount(2);
    await looks('found');
    await remove();
    await add('2026_NONE_1_1');
    await expect(unknown).toHaveValue('2026_NONE_1_1');
    await looks('none');
    await remove();
    await expect(form).toBeVisible();
    await context.setOffline(true);
    await add('2026_NONE_1_1\n2026_NONE_1_2');
    await expect(unknown).toHaveValue('2026_NONE_1_1\n2026_NONE_1_2');
    await looks('waiting');
    await context.setOffline(false);

    await page.goto(`${prefix}/tenders/results?q=${encodeURIComponent(`${ids.join(' ')} 2026_NONE_1_1`)}`);
    await expect(page.locator('main article h2 a')).toHaveCount(3);
    await expect(unknown).toHaveValue('2026_NONE_1_1');
    await looks('typed');
  });
