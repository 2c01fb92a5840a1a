import { phoneTest as test } from '../support/phone.ts';
import { openTenders, tenderHeading } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

test('a tender becomes a bid that moves, can be moved back, and has its EMD offline, without an account', async ({
  phone,
  request,
}) => {
  const [tender] = await openTenders(request, 'Himachal Pradesh');
  const [id, title] = [tender?._id ?? '', tender?.title ?? ''];
  const { page } = phone;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const heading = tenderHeading(page, title);
  const step = page.getByRole('list', { name: 'Steps of this bid' }).locator('[aria-current="step"]');
  const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: title, exact: true }) });

  await phone.visit(`/tenders/${id}#checklist`);
  await button('Prepare bid').tap();
  await expect(page).toHaveURL(/\/dashboard\/applications\/[0-9a-f-]{36}$/);
  await expect(heading).toBeVisible();
  await expect(page.getByText('You are signed out, so this is on this device only.')).toBeVisible();
  await expect(page.getByText('Bids are submitted at the portal, not here.')).toBeVisible();

  await button('Move to').tap();
  await button('Submitted जमा').tap();
  await expect(step).toHaveText('Submitted');
  await button('Undo').tap();
  await expect(step).toHaveText('Preparing');

  await page.getByRole('tab', { name: 'Money' }).tap();
  await button('Add EMD').tap();
  await page.getByLabel('Paid by').selectOption('FDR (fixed deposit)');
  await page.getByLabel('Amount ₹').fill('25,000');
  await button('Save').tap();
  const deposit = page.getByRole('listitem').filter({ hasText: 'EMD ₹25,000' });
  await expect(deposit).toContainText('Locked');

  await page.getByRole('link', { name: 'All my applications' }).tap();
  await expect(card).toContainText(/documents? to check/);
  await phone.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'My Applications' })).toBeVisible();
  await expect(card).toContainText(/documents? to check/);
  await expect(card).not.toContainText('EMD not entered');
  await card.getByRole('link', { name: title, exact: true }).tap();
  await expect(heading).toBeVisible();
  await page.getByRole('tab', { name: 'Money' }).tap();
  await expect(deposit).toContainText('Locked');
  await page.goto(`/tenders/${id}#checklist`);
  await expect(page.getByRole('link', { name: 'Open my bid' })).toBeVisible();
});
