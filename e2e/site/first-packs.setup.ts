import { test } from '@playwright/test';
import { waitForPacks } from '../support/servers.ts';

test('the packs that most journeys use are built in the background after the first start', async ({ baseURL }) => {
  test.setTimeout(240_000);
  await waitForPacks(baseURL ?? '', ['himachal-pradesh', 'india']);
});
