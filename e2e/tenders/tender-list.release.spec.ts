import { badges, cards, resultCount, rupeesFromText } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';
import { expectIndianClosings, LONG_LIST, sortBy, sorting } from './tender-list.ts';

test.describe('the list', () => {
  test('is sorted by price from the dearest, and the same choice reverses it', async ({ page }) => {
    const prices = async () => (await cards(page).getByText(/^₹/).allInnerTexts()).map(rupeesFromText);
    await page.goto(LONG_LIST);
    await expect(sorting(page)).toHaveText('Sort by Price ↓, high to low');
    await expect(cards(page)).toHaveCount(10);
    const dearest = await prices();
    expect(dearest).toHaveLength(10);
    expect(dearest).toEqual(dearest.toSorted((a, b) => b - a));

    await sortBy(page, 'Price');
    await expect(page).toHaveURL(`${LONG_LIST}&order=asc`);
    await expect(sorting(page)).toHaveText('Sort by Price ↑, low to high');
    await expect.poll(async () => (await prices())[0]).toBeLessThan(dearest[9] as number);
    const cheapest = await prices();
    expect(cheapest).toEqual(cheapest.toSorted((a, b) => a - b));

    await sortBy(page, 'Price');
    await expect(page).toHaveURL(LONG_LIST);
  });

  test('is sorted by closing date from the soonest, and the same choice reverses it', async ({ page }) => {
    const closings = () =>
      cards(page)
        .locator('time')
        .evaluateAll((times) => times.map((time) => Date.parse(time.getAttribute('datetime') ?? '')));
    await page.goto(LONG_LIST);
    await sortBy(page, 'Closing Date');
    await expect(page).toHaveURL(`${LONG_LIST}&sort=closing_date`);
    await expect(cards(page)).toHaveCount(10);
    const soonest = await closings();
    expect(soonest).toEqual(soonest.toSorted((a, b) => a - b));

    await sortBy(page, 'Closing Date');
    await expect(page).toHaveURL(`${LONG_LIST}&sort=closing_date&order=desc`);
    await expect.poll(async () => (await closings())[0]).toBeGreaterThan(soonest[9] as number);
    const latest = await closings();
    expect(latest).toEqual(latest.toSorted((a, b) => b - a));
  });

  test('shows closed tenders when asked', async ({ page }) => {
    await page.goto(LONG_LIST);
    await sorting(page).tap();
    await page.getByRole('checkbox', { name: 'Show closed tenders' }).tap();
    await expect(page).toHaveURL(`${LONG_LIST}&open=0`);
    await expect(page.getByRole('heading', { level: 1, name: 'Closed tenders in Uttar Pradesh' })).toBeAttached();
    await expect(resultCount(page)).toHaveText(/^Showing 1 to \d+ of \d+ tenders/);
    expect(await badges(page)).toEqual(Array(10).fill('Closed'));
  });
});

for (const timezoneId of ['Asia/Kolkata', 'Asia/Dubai']) {
  test.describe(`a phone set to ${timezoneId}`, () => {
    test.use({ timezoneId });

    test('shows the closings by the Indian calendar and clock', async ({ page }) => {
      await expectIndianClosings(page);
    });
  });
}
