import { phoneTest as test } from '../support/phone.ts';
import { cards, offlineBanner } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

test('with an enlistment, "Works I may bid" hides what is certainly above its limit, also offline and in saved searches', {
  tag: '@release',
}, async ({ phone, request }) => {
  test.slow();
  const list = { state: 'Himachal Pradesh', department: 'PWD', category: 'Works' };
  const answer = await request.get('/api/tenders', {
    params: { ...list, sort: 'price', order: 'desc', limit: '10', notices: '1' },
  });
  const { tenders } = (await answer.json()) as {
    tenders: { _id: string; title: string; price: number | null; works: string[] }[];
  };
  const above = tenders.filter(({ price }) => price !== null);
  // An entry of several works stays: the others may be below the limit.
  const hidden = above.filter(({ works }) => works.length === 0);
  const [first] = above;
  expect(hidden.length).toBeGreaterThan(0);
  const { page } = phone;
  const results = `/tenders/results?${new URLSearchParams(list)}`;
  const filter = page.getByRole('checkbox', { name: /^Works I may bid/ });
  const refused = page.getByText('Above my limit', { exact: true });

  await phone.visit(results);
  await expect(cards(page)).toHaveCount(tenders.length);
  await expect(filter).toHaveCount(0);
  await page.getByRole('button', { name: /^Save/ }).tap();

  await test.step('the user enters the limit of the certificate on the page of a tender', async () => {
    await page.goto(`/tenders/${first?._id}#checklist`);
    await page.getByText('Enter my enlistment, works and turnover').tap();
    await page.getByLabel('Enlisted at').selectOption('Himachal Pradesh PWD');
    await page.getByLabel('Limit in my certificate').fill('1');
    await page.getByLabel('Valid until').fill('0202-12-31');
    await page.getByRole('button', { name: 'Add enlistment' }).tap();
    await expect(page.getByText('Check the year')).toBeVisible();
    await page.getByLabel('Valid until').fill('2099-12-31');
    await page.getByRole('button', { name: 'Add enlistment' }).tap();
    await expect(page.getByText('No, by what you entered')).toBeVisible();
    await expect(page.getByText(/ is above the limit .+ of your enlistment of Himachal Pradesh PWD\.$/)).toBeVisible();
  });

  await test.step('the list marks the works above it, and the switch hides them', async () => {
    await page.goto(results);
    await expect(refused).toHaveCount(above.length);
    await filter.check();
    await expect(page.getByText(/ above the limit of your enlistment and hidden\.$/)).toBeVisible();
    await expect(cards(page)).toHaveCount(tenders.length - hidden.length);
  });

  await test.step('the switch stays on without a network', async () => {
    await expect(offlineBanner(page)).toBeVisible();
    await phone.setOffline(true);
    await page.reload();
    await expect(filter).toBeChecked();
    await expect(refused).toHaveCount(above.length - hidden.length);
    await phone.setOffline(false);
  });

  await test.step('the new hits of a saved search do not count them', async () => {
    await page.goto('/tenders');
    await expect(page.getByText('are not counted. Alerts name them too.')).toBeVisible();
    await page.goto(results);
    await filter.uncheck();
    await expect(refused).toHaveCount(above.length);
    await page.goto('/tenders');
    await expect(page.getByRole('heading', { name: 'Saved searches' })).toBeVisible();
    await expect(page.getByText('works above the limit of your enlistment are not counted.')).toHaveCount(0);
  });
});
