import type { Page } from '@playwright/test';
import axe, { type RunOnly } from 'axe-core';
import { expect } from './test.ts';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Rules {
  runOnly: RunOnly;
  rules?: Record<string, { enabled: boolean }>;
}

/** Runs in the page itself, without frames. Details of the passed rules would cost a third of the time. */
async function expectNoViolations(page: Page, rules: Rules): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (checked) => {
    const { axe: engine } = window as unknown as { axe: typeof axe };
    const result = await engine.run(document, { ...checked, iframes: false, resultTypes: ['violations'] });
    return result.violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => target.join(' '))]);
  }, rules);
  expect(violations).toEqual([]);
}

/** The present screen breaks no measurable rule of WCAG 2.2 AA. A failure lists rules and elements. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, { runOnly: { type: 'tag', values: WCAG } });
}

/** The same without the colours, for another width of a screen whose colours were checked. */
export async function expectAccessibleWithoutColours(page: Page): Promise<void> {
  const rules = { 'color-contrast': { enabled: false } };
  await expectNoViolations(page, { runOnly: { type: 'tag', values: WCAG }, rules });
}

/** The screen in the light theme, and its colours in the dark theme. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  // no colour transitions
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, { runOnly: { type: 'rule', values: ['color-contrast'] } });
}
