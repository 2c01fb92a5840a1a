import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFirefox } from '../push/firefox.ts';
import { expect } from '../support/test.ts';
import { breakSegments, isSegment, MAX_BYTES_AGAIN, storedBytes, weakNetworkTest as test } from './weak-network.ts';

const RESULTS = '/tenders/results?state=Himachal+Pradesh';

test('in Firefox, files of a state that trickle and break in the middle are continued', async ({ network }) => {
  const folder = mkdtempSync(join(tmpdir(), 'nivida-firefox-'));
  const { browser, page } = await startFirefox(folder, 'ws://127.0.0.1:1/');
  try {
    network.holds = isSegment;
    await page.goto(`${network.origin}${RESULTS}`);
    await page.locator('summary').click();
    const again = await breakSegments(network, () => page.waitForFunction(storedBytes).then(() => undefined));
    await page.waitForSelector('::-p-text(Offline copy · Saved)');
    expect(again).toBeLessThanOrEqual(2 * MAX_BYTES_AGAIN);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
