import { test } from '../support/test.ts';
import { expectNothingMoves, STILL_PAGES } from './hydration.ts';

test.describe('nothing moves on a desktop when the app hydrates', () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  for (const address of STILL_PAGES)
    test(address, async ({ page }) => {
      await expectNothingMoves(page, address);
    });
});
