import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './test.ts';

interface RunOnly {
  type: 'tag' | 'rule';
  values: string[];
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Runs in the page itself, without foreign frames. Details of what passes would cost a third of the time. */
async function expectNoViolations(page: Page, runOnly: RunOnly): Promise<void> {
  // The builder would send axe to the page again for each analysis, twice.
  const isLoaded = await page.evaluate(() => 'axe' in window);
  const builder = new AxeBuilder({ page, ...(isLoaded && { axeSource: 'undefined' }) }).setLegacyMode(true);
  const { violations } = await builder.options({ runOnly, resultTypes: ['violations'] }).analyze();
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(' '))])).toEqual([]);
}

/** The present screen breaks no measurable rule of WCAG 2.2 AA. A failure lists rules and elements. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, { type: 'tag', values: WCAG });
}

/** The same in the light theme, and the colours in the dark theme. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  // no colour transitions
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, { type: 'rule', values: ['color-contrast'] });
}
