import { test } from '../support/test.ts';
import { expectIndianClosings } from './tender-list.ts';

test.describe('a phone set to America/Los_Angeles', () => {
  test.use({ timezoneId: 'America/Los_Angeles' });

  test('shows the closings by the Indian calendar and clock', async ({ page }) => {
    await expectIndianClosings(page);
  });
});
