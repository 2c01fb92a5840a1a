import { chromium, devices, type Page, type TestInfo } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../browsers.ts';
import { FONTS, type Font, writeFontSettings } from './fonts.ts';

/** Opens a page on a phone of 360 px, once for each font. */
export async function withEachFont(
  testInfo: TestInfo,
  baseURL: string | undefined,
  look: (page: Page, font: Font) => Promise<void>,
): Promise<void> {
  for (const font of Object.keys(FONTS) as Font[]) {
    const browser = await chromium.launch({
      executablePath: process.env.E2E_HEADLESS_SHELL ?? '',
      args: CHROMIUM_FLAGS,
      env: { ...process.env, FONTCONFIG_FILE: writeFontSettings(testInfo.outputPath(font), font) },
    });
    const page = await browser.newPage({
      ...devices['Pixel 5'],
      viewport: { width: 360, height: 640 },
      ...(baseURL && { baseURL }),
    });
    await look(page, font);
    await browser.close();
  }
}
