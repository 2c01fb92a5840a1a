import type { Page } from '@playwright/test';
import { cards } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { LONG_LIST } from '../tenders/tender-list.ts';

// The translator changes the page before the app loads. React reports that when it hydrates the page.
test.use({ expectedErrors: /React error #418/ });

/**
 * Runs in the page. Replaces each text, and each text that is added or changed, as Chrome's translator does.
 */
function translatePage(): void {
  const translate = (text: Text) => {
    if (text.data.trim() === '' || text.parentElement?.closest('font, script, style, svg')) return;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = `«${text.data.trim()}»`;
    outer.append(inner);
    text.replaceWith(outer);
  };
  const translateAll = (node: Node) => {
    if (node instanceof Text) return translate(node);
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    for (const text of found) translate(text);
  };
  const start = () => {
    translateAll(document.body);
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records)
        for (const node of [target, ...addedNodes])
          if (node.isConnected && (node instanceof Text || node !== target)) translateAll(node);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  };
  document.addEventListener('DOMContentLoaded', start);
}

/** The line over the list. */
const resultCount = (page: Page) => page.getByRole('status').filter({ hasText: 'Showing' });

/** The titles of the list, translated. */
const translatedTitles = (page: Page) => cards(page).getByRole('heading').allInnerTexts();

test('a page that the browser translates goes on: counts, lists, errors and buttons change', async ({ page }) => {
  await page.addInitScript(translatePage);
  await page.goto(LONG_LIST);
  await expect(resultCount(page)).toHaveText(/^«Showing 1 to \d+ of \d+ tenders/);
  const first = await translatedTitles(page);
  expect(first[0]).toMatch(/^«.+»$/);

  await test.step('the next page, and back', async () => {
    await page.getByRole('link', { name: 'Next' }).tap();
    await expect(resultCount(page)).toHaveText(/^«Showing (?!1 )\d+ to \d+ of \d+ tenders/);
    await expect(cards(page)).toHaveCount(10);
    expect((await translatedTitles(page)).filter((title) => first.includes(title))).toEqual([]);
    await page.goBack();
    await expect(resultCount(page)).toHaveText(/^«Showing 1 to \d+ of \d+ tenders/);
    expect(await translatedTitles(page)).toEqual(first);
  });

  await test.step('a tender and its bookmark', async () => {
    await cards(page).first().getByRole('link').tap();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^«/);
    await expect(page.getByText('Loading').filter({ visible: true })).toHaveCount(0);
    const bookmark = page
      .getByRole('main')
      .getByRole('button', { name: /^«?Bookmark/ })
      .first();
    await bookmark.tap();
    await expect(bookmark).toHaveAttribute('aria-pressed', 'true');
    await page.goBack();
    await expect(resultCount(page)).toHaveText(/^«Showing 1 to \d+ of \d+ tenders/);
  });

  await test.step('the errors of a form come and go', async () => {
    await page.getByRole('button', { name: 'Menu' }).tap();
    await page.locator('#menu').getByRole('button', { name: 'Sign in' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog.locator('[type="submit"]').tap();
    const error = dialog.getByText('Mobile number is required');
    await expect(error).toHaveText('«Mobile number is required»');
    await dialog.getByRole('textbox', { name: 'Mobile number' }).fill('98');
    await dialog.locator('[type="submit"]').tap();
    await expect(error).toHaveCount(0);
  });
});
