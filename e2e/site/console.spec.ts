import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

/**
 * Opens a page of this site with this body. Its policy allows scripts with one nonce, and workers from data
 * URLs.
 */
async function open(page: Page, body: string) {
  await page.route('**/console-probe', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'Content-Security-Policy': "script-src 'nonce-ours'; worker-src data:" },
      body: `<!doctype html><title>Probe</title><link rel="icon" href="data:,"><h1>Probe</h1>${body}`,
    }),
  );
  await page.goto('/console-probe');
  await expect(page.getByRole('heading', { name: 'Probe' })).toBeVisible();
}

test.describe('a journey fails', () => {
  test.fail();

  test('when the page logs an error', async ({ page }) => {
    await open(page, '<script nonce="ours">console.error("broken")</script>');
  });

  test('when the page throws', async ({ page }) => {
    await open(page, '<script nonce="ours">throw new Error("broken")</script>');
  });

  test('when the page breaks its content security policy', async ({ page }) => {
    await open(page, '<script>document.title = "injected"</script>');
  });

  test('when a worker logs an error', async ({ page }) => {
    const logged = page.waitForEvent('console');
    await open(page, '<script nonce="ours">new Worker("data:text/javascript,console.error(`broken`)")</script>');
    await logged;
  });
});

test.describe('a journey passes', () => {
  test('when the page is quiet', async ({ page }) => {
    await open(page, '<script nonce="ours">console.warn("slow")</script>');
  });
});

test.describe('a journey that expects an error', () => {
  test.use({ expectedErrors: /broken/ });

  test('passes when it comes', async ({ page }) => {
    await open(page, '<script nonce="ours">console.error("broken")</script>');
  });
});
