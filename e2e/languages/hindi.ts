/** Pages in Hindi. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '../support/test.ts';

/** The English texts that have other words in Hindi. Texts with placeholders are left out. */
const ENGLISH = new Set(
  [...readFileSync(join(import.meta.dirname, '../../texts/hi.po'), 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm)]
    .filter(([, english, hindi]) => english !== hindi && !/[{<]/.test(english ?? ''))
    .map(([, english = '']) => english.replaceAll('\\"', '"')),
);

/** The texts and labels of the page that are still English. */
export async function englishIn(page: Page): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const texts: string[] = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const { parentElement, textContent } = nodes.currentNode;
      if (!parentElement?.closest('script, [lang="en"]')) texts.push(textContent?.trim() ?? '');
    }
    for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
      for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name) ?? '');
    return [...texts, document.title.replace(/ · Nivida$/, '')];
  });
  return [...new Set(shown.filter((text) => ENGLISH.has(text)))];
}

/** The page is in Hindi and has loaded; it has no English text of the app. */
export async function expectHindi(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  expect(await englishIn(page)).toEqual([]);
}
