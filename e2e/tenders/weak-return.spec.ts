import { enableSaveData } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import {
  breakInTheMiddle,
  comeBack,
  expectWholeList,
  holdListCode,
  weakNetworkTest as test,
  visitBefore,
} from './weak-network.ts';

const isList = (path: string) => path.startsWith('/api/tenders?');

// A file that never arrives as a whole is an error of the page. The data of a stored page are made older than
// its texts.
test.use({
  serviceWorkers: 'allow',
  expectedErrors: /net::ERR_|dynamically imported module|FetchEvent|React error #418/,
});

test('on a return without a file that never comes whole, the saved list stays readable and the page is loaded again at most once', {
  tag: '@release',
}, async ({ page, network }) => {
  await visitBefore(page, network);
  const loads = await holdListCode(page, network);
  network.onHeld = (answer) => {
    answer.sendUpTo(Math.floor(answer.bytes / 2));
    answer.cut();
  };
  await comeBack(page, network);
  await expect(page.getByRole('alert').filter({ hasText: 'could not be loaded' })).toBeVisible();
  await expectWholeList(page);
  expect(loads(), 'loads of the page').toBeLessThanOrEqual(2);
});

test('on a return the answer of the list that breaks in the middle is asked for again behind the saved list', async ({
  page,
  network,
}) => {
  // The list comes from the server.
  await enableSaveData(page);
  await visitBefore(page, network);
  network.holds = isList;
  const counts = page.waitForResponse((response) => response.url().endsWith('/api/regions'));
  await comeBack(page, network);
  await breakInTheMiddle(page, await network.nextHeld());
  const again = await network.nextHeld();
  await counts;
  await expectWholeList(page);
  await expect(page.locator('html[data-saved]')).toHaveCount(1);
  again.release();
  await expect(page.locator('html[data-saved]')).toHaveCount(0);
  await expectWholeList(page);
});
