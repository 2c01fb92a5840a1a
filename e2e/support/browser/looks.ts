/** The four looks of a screen: phone and laptop, light and dark. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoViolations } from '../accessibility.ts';
import { expect } from '../test.ts';

const SIZES = { phone: { width: 360, height: 640 }, laptop: { width: 1280, height: 800 } };
const THEMES = ['light', 'dark'] as const;
const PICTURES = join(import.meta.dirname, '../../output/looks');

/**
 * Checks the open screen in four looks: it breaks no measurable rule of accessibility and nothing is wider than the
 * screen. Saves a picture of each look under this name in `output/looks`, for people to look at.
 */
export async function expectFourLooks(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    const scrolled = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return { width: scrollWidth, height: scrollHeight };
    });
    expect(scrolled.width, `width of ${name} on a ${size}`).toBeLessThanOrEqual(viewport.width);
    // Bars that stick to the screen would cover controls of a longer page.
    const height = Math.max(viewport.height, scrolled.height);
    if (height > viewport.height) await page.setViewportSize({ width: viewport.width, height });
    for (const theme of THEMES) {
      // Colours change at once.
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      if (theme === 'light') await expectAccessible(page);
      else await expectNoViolations(page, { type: 'rule', values: ['color-contrast'] });
      const path = join(PICTURES, `${name}-${size}-${theme}.png`);
      await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    }
  }
  await page.setViewportSize(SIZES.phone);
  await page.emulateMedia({ colorScheme: 'light' });
}
