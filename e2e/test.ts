import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';

/** The errors that the context's pages report from now on, but those that are expected; the list grows. */
export function noteErrors(context: BrowserContext, expected: RegExp | undefined): string[] {
  const errors: string[] = [];
  const note = (text: string) => {
    if (!expected?.test(text)) errors.push(text);
  };
  context.on('console', (message) => {
    if (message.type() === 'error') note(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (problem) => note(String(problem.error())));
  return errors;
}

/** Somebody touches the page as soon as it is there, so that the app takes it over without waiting for that. */
function touchAtOnce(): void {
  addEventListener('DOMContentLoaded', () => document.dispatchEvent(new Event('pointermove')));
}

/** Opens a page and returns when the app has put its own in the place of what the server has drawn. */
function thenTakenOver<Given extends unknown[], Answer>(page: Page, open: (...given: Given) => Promise<Answer>) {
  return async (...given: Given): Promise<Answer> => {
    const answer = await open(...given);
    await page.waitForFunction(() => document.querySelector('#root[data-drawn]') === null);
    return answer;
  };
}

/**
 * Playwright's test that fails when a page says something on its error console, throws, or breaks its Content Security Policy
 * (Chromium reports a violation as a console error). A journey that provokes errors names them:
 * `test.use({ expectedErrors: /status of 401/ })`. One that begins with a page nobody touches says `isTouched: false`.
 */
export const test = base.extend<{
  expectedErrors: RegExp | undefined;
  quietConsole: undefined;
  isTouched: boolean;
}>({
  expectedErrors: [undefined, { option: true }],
  isTouched: [true, { option: true }],
  page: async ({ page, isTouched }, use) => {
    if (isTouched) {
      await page.addInitScript(touchAtOnce);
      page.goto = thenTakenOver(page, page.goto.bind(page));
      page.reload = thenTakenOver(page, page.reload.bind(page));
    }
    await use(page);
    // A handler that still waits for the server's answer must not fail the journey that is over.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  quietConsole: [
    async ({ context, expectedErrors }, use) => {
      const errors = noteErrors(context, expectedErrors);
      await use(undefined);
      expect(errors, 'errors on the console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
