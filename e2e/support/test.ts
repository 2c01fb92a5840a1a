import { type BrowserContext, test as base, expect } from '@playwright/test';

/** The app itself retries when a worker is still building a pack. */
const PACK_IN_PREPARATION = /status of 503 .*\/api\/sync\/[a-z-]+\)$/;

/** The unexpected errors that the context's pages report from now on. The list grows. */
export function recordErrors(context: BrowserContext, expected: RegExp | undefined): string[] {
  const errors: string[] = [];
  const record = (text: string) => {
    if (!expected?.test(text) && !PACK_IN_PREPARATION.test(text)) errors.push(text);
  };
  context.on('console', (message) => {
    if (message.type() === 'error') record(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (problem) => record(String(problem.error())));
  return errors;
}

/** The pages of the context are those of a device that has shown the tour of the app. */
export async function skipTour(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // A frame of another origin may have no storage.
    try {
      localStorage.setItem('tour', '"seen"');
    } catch {}
  });
}

/**
 * Playwright's test that fails when a page writes to its error console, throws, differs from what the server rendered
 * (React reports an error of hydration as an uncaught one), or breaks its Content Security Policy (Chromium reports a
 * violation as a console error). A journey that provokes errors names them: `test.use({ expectedErrors: /status of 401/ })`.
 */
export const test = base.extend<{
  expectedErrors: RegExp | undefined;
  quietConsole: undefined;
  /** The device has not shown the tour yet. */
  isNewDevice: boolean;
}>({
  expectedErrors: [undefined, { option: true }],
  isNewDevice: [false, { option: true }],
  context: async ({ context, isNewDevice }, use) => {
    if (!isNewDevice) await skipTour(context);
    await use(context);
  },
  page: async ({ page }, use) => {
    await use(page);
    // A request handler that still waits for the server's answer must not fail a journey that has ended.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  quietConsole: [
    async ({ context, expectedErrors }, use) => {
      const errors = recordErrors(context, expectedErrors);
      await use(undefined);
      expect(errors, 'errors on the console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
