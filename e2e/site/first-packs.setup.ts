import { setTimeout as wait } from 'node:timers/promises';
import { test } from '@playwright/test';

test('the packs that most journeys use are built in the background after the first start', async ({ baseURL }) => {
  test.setTimeout(240_000);
  // Before a worker has built a pack the server answers 503.
  for (const scope of ['himachal-pradesh', 'india'])
    while ((await fetch(`${baseURL}/api/sync/${scope}`)).status === 503) await wait(200);
});
