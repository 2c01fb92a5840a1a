import { type BrowserContext, test as base, expect } from '@playwright/test';

/** The app asks again by itself for a pack that a worker builds. */
const PACK_IN_PREPARATION = /status of 503 .*\/api\/sync\/[a-z-]+\)$/;

/** The errors that the context's pages report from now on, but those that are expected; the list grows. */
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

/**
 * Runs in the page: reports an error when the hydration of a part changes it, because the server rendered it differently. A page that
 * the service worker stored has later closing labels and closings than its data. The app leaves the content of `noscript` out.
 * After a navigation in the app there is no rendered page to compare with.
 */
function reportHydrationChanges(): void {
  const content = () => {
    const root = document.getElementById('root')?.cloneNode(true) as HTMLElement;
    const isStoredPage = document.documentElement.dataset.saved !== undefined;
    const ignored = isStoredPage ? 'noscript, [data-closes], [data-closings]' : 'noscript';
    for (const part of root.querySelectorAll(ignored)) part.remove();
    // a dialog opens itself when it appears
    for (const dialog of root.querySelectorAll('dialog')) dialog.open = false;
    return root.innerHTML;
  };
  const mark = performance.mark.bind(performance);
  const address = () => location.pathname + location.search;
  const rendered = address();
  let before = '';
  performance.mark = (name, options) => {
    if (name === 'hydration start') before = content();
    if (name === 'hydration end' && before !== '') {
      const after = content();
      if (before !== after && address() === rendered) {
        const at = [...before].findIndex((character, index) => character !== after[index]);
        const part = (html: string) => html.slice(Math.max(0, at - 100), at + 100);
        console.error(`hydration changes ${part(before)} to ${part(after)}`);
      }
    }
    return mark(name, options);
  };
}

/**
 * Playwright's test that fails when a page writes to its error console, throws, differs from what the server rendered
 * (hydration changes it), or breaks its Content Security Policy (Chromium reports a violation as
 * a console error). A journey that provokes errors names them: `test.use({ expectedErrors: /status of 401/ })`.
 */
export const test = base.extend<{
  expectedErrors: RegExp | undefined;
  quietConsole: undefined;
}>({
  expectedErrors: [undefined, { option: true }],
  page: async ({ page }, use) => {
    await use(page);
    // A handler that still waits for the server's answer must not fail the journey that is over.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  quietConsole: [
    async ({ context, expectedErrors }, use) => {
      const errors = recordErrors(context, expectedErrors);
      await context.addInitScript(reportHydrationChanges);
      await use(undefined);
      expect(errors, 'errors on the console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
