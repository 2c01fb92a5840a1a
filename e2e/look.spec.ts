import { withRealPayments } from './site.ts';
import { cards } from './tenders.ts';
import { expect, test } from './test.ts';

test('a phone shows five tenders of 104 px on a screen', async ({ page }) => {
  await withRealPayments(page);
  await page.goto('/tenders/results?state=Uttar+Pradesh');
  await expect(cards(page)).toHaveCount(10);
  const boxes = await cards(page).evaluateAll((all) => all.map((card) => card.getBoundingClientRect().toJSON()));
  for (const { height } of boxes) expect(Math.abs(height - 104)).toBeLessThanOrEqual(2);
  expect(boxes.filter(({ bottom }) => bottom <= 640)).toHaveLength(5);
});
