import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { RunOnly, run } from 'axe-core';
import { expect } from './test.ts';

/** The minified text: half as long to send, and for the page to compile. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Runs in the page itself, without frames. Details of the passed rules would cost a third of the time. */
async function expectNoViolations(page: Page, runOnly: RunOnly, part = 'html'): Promise<void> {
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

/** The present screen breaks no measurable rule of WCAG 2.2 AA. A failure lists rules and elements. */
export async function expectAccessible(page: Page): Promise<void> {
  // The app renders the screens of an account itself, after the page has loaded.
  await expect(page.locator('h1').first()).toBeAttached();
  await expectNoViolations(page, { type: 'tag', values: WCAG });
}

/** True while the tests of a release run, which look at every screen in all four looks. */
export const ALL_LOOKS = process.env.RELEASE_TESTS === '1';

/** The screen in the light theme, and before a release the colours of a part of it in the dark theme. */
export async function expectAccessibleInBothThemes(page: Page, darkPart = 'html'): Promise<void> {
  // no colour transitions
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page);
  if (!ALL_LOOKS) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, { type: 'rule', values: ['color-contrast'] }, darkPart);
}
