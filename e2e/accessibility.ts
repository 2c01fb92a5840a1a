import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './test.ts';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** In the page itself: a page of its own for each result takes twice as long, and would look into foreign frames, of which there are none. */
const axeBuilder = (page: Page) => new AxeBuilder({ page }).setLegacyMode(true);

async function expectNoViolations(builder: AxeBuilder): Promise<void> {
  const { violations } = await builder.analyze();
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(' '))])).toEqual([]);
}

/** The screen as it is shown now breaks no rule of WCAG 2.2 AA that can be measured; each that it does, with where. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(axeBuilder(page).withTags(WCAG));
}

/** The same by day and at night, where only the colours are others. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  // a colour on its way from one to the other is neither
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(axeBuilder(page).withRules(['color-contrast']));
}
