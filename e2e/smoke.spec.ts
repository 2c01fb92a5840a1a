import { expect, test } from './test.ts';

test('the home page opens with one main heading', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
});

test('the server says that it is well', async ({ request }) => {
  const answer = await request.get('/api/health');
  expect(answer.status()).toBe(200);
});
