import { phoneTest as test } from '../support/phone.ts';
import { cards, offlineBanner, openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

test('"May I bid?" asks one question at a time, without a network too, and another tender has the answers', async ({
  phone,
  request,
}) => {
  const list = {
    state: 'Himachal Pradesh',
    department: 'PWD',
    category: 'Works',
    limit: '10',
    sort: 'price',
    order: 'desc',
  };
  const answer = await request.get('/api/tenders', { params: list });
  const { tenders } = (await answer.json()) as { tenders: { _id: string; price: number | null }[] };
  const first = tenders.find(({ price }) => price !== null);
  const second = (await openTenders(request, 'Himachal Pradesh')).find(({ _id }) => _id !== first?._id);
  const { page } = phone;
  const asked = page.locator('li > form');
  const limit = page.getByLabel('Up to what amount are you enlisted at Himachal Pradesh PWD?');
  const lastDay = page.getByLabel('Until when is your enlistment of Himachal Pradesh PWD valid?');
  const work = page.getByLabel('Your largest similar work of the last 7 years?');
  await phone.visit(`/tenders/${first?._id}#checklist`);
  await expect(limit).toBeVisible();
  await expect(asked).toHaveCount(1);
  await phone.setOffline(true);
  await limit.fill('one');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Write rupees as a number, such as 25,00,000')).toBeVisible();
  await limit.fill('1');
  await page.keyboard.press('Enter');
  await expect(lastDay).toBeFocused();
  await expect(asked).toHaveCount(1);
  await lastDay.fill('2099-12-31');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No, by what you entered')).toBeVisible();
  await expect(work).toBeFocused();
  await expect(page.getByText('Saved on this phone.')).toBeVisible();
  await phone.kill({ isOffline: false });

  await phone.page.goto(`/tenders/${second?._id}#checklist`);
  await phone.page.getByText('Enter my enlistment, works and turnover').tap();
  await expect(phone.page.getByText('Himachal Pradesh PWD, up to ₹1.00, until 31 Dec 2099')).toBeVisible();
});

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
  // An entry of several works is not hidden, because its other works may be below the limit.
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
    await page.getByLabel('Enlisted at', { exact: true }).selectOption('Himachal Pradesh PWD');
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
