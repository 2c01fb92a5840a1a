import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { RunOnly, run } from 'axe-core';
import { expect } from './test.ts';

/** The minified text: it is half as long to send and to compile. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Checks rules of axe in a part of the page, without frames. Details of passed rules are left out, because they
 * would take a third of the time.
 */
export async function expectNoViolations(page: Page, runOnly: RunOnly, part = 'html'): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(
    async ([rules, within]) => {
      const { axe: engine } = window as unknown as { axe: { run: typeof run } };
      const result = await engine.run(within, { runOnly: rules, iframes: false, resultTypes: ['violations'] });
      return result.violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(' '))]);
    },
    [runOnly, part] as const,
  );
  expect(violations).toEqual([]);
}

/** The current screen breaks no measurable rule of WCAG 2.2 AA. A failure lists rules and elements. */
export async function expectAccessible(page: Page): Promise<void> {
  // The app itself renders the screens of an account, after the page has loaded.
  await expect(page.locator('h1').first()).toBeAttached();
  await expectNoViolations(page, { type: 'tag', values: WCAG });
}

/** True for the tests before a release. They check every screen in all four looks. */
export const ALL_LOOKS = process.env.RELEASE_TESTS === '1';

/**
 * Checks the screen in the light theme. Before a release it also checks the colours of a part in the dark
 * theme.
 */
export async function expectAccessibleInBothThemes(page: Page, darkPart = 'html'): Promise<void> {
  // Prevents colour transitions.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page);
  if (!ALL_LOOKS) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, { type: 'rule', values: ['color-contrast'] }, darkPart);
}
