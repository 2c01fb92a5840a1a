import { test } from '@playwright/test';
import { waitForPacks } from '../support/packs.ts';

test('the packs of all states are built in the background after the first start', async ({ baseURL }) => {
  await waitForPacks(baseURL ?? '');
});
