import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './test.ts';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Legacy mode runs in the page itself: twice as fast, and there are no foreign frames. */
const axeBuilder = (page: Page) => new AxeBuilder({ page }).setLegacyMode(true);

async function expectNoViolations(builder: AxeBuilder): Promise<void> {
  const { violations } = await builder.analyze();
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(' '))])).toEqual([]);
}

/** The present screen breaks no measurable rule of WCAG 2.2 AA. A failure lists rules and elements. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(axeBuilder(page).withTags(WCAG));
}

/** The same in the light theme, and the colours in the dark theme. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  // no colour transitions
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(axeBuilder(page).withRules(['color-contrast']));
}
