import { phoneTest as test } from '../support/phone.ts';
import { openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

const DAY_MS = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

test('a won bid turns its EMD into a guarantee, is warned of its end, gets a part back, and a lost one writes its letters, all offline', async ({
  phone,
  request,
}) => {
  test.slow();
  const [first, second] = await openTenders(request, 'Himachal Pradesh');
  const { page } = phone;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await phone.visit(`/tenders/${first?._id}#checklist`);
  await button('Prepare bid').tap();
  await expect(page).toHaveURL(/\/dashboard\/applications\/[0-9a-f-]{36}$/);
  const won = new URL(page.url()).pathname;
  await page.goto(`/tenders/${second?._id}#checklist`);
  await button('Prepare bid').tap();
  await expect(page).toHaveURL(/\/dashboard\/applications\/[0-9a-f-]{36}$/);
  const lost = new URL(page.url()).pathname;
  // Opening it stores the code of letters on the device.
  await page.goto(`${lost}#letters`);
  await expect(page.getByText('Letters appear here after you submitted the bid.')).toBeVisible();
  await phone.setOffline(true);

  await test.step('the EMD of the won bid continues as a bank guarantee that ends in 60 days', async () => {
    await page.goto(`${won}#money`);
    await button('Add EMD').tap();
    await page.getByLabel('Paid by').selectOption('FDR (fixed deposit)');
    await page.getByLabel('Amount ₹').fill('25,000');
    await button('Save').tap();
    await button('Move to').tap();
    await page.getByRole('button', { name: /^Won/ }).tap();
    await button('Continue as performance security').tap();
    await page.getByLabel('Amount ₹').fill('1,00,000.50');
    await page.getByLabel('Paid by').selectOption('Bank guarantee');
    await page.getByLabel('Valid until').fill(day(55));
    await page.getByLabel(/^Claims until/).fill(day(400));
    await page.getByLabel(/^Obligation ends on/).fill(day(300));
    await button('Save').tap();
    await expect(page.getByRole('listitem').filter({ hasText: 'EMD ₹25,000' })).toContainText('Adjusted in the work');
  });
  await test.step('a part comes back, and the ledger counts the rest to the paisa', async () => {
    await button('Performance security: a part came back').tap();
    await page.getByLabel(/^Amount that came back/).fill('40,000.25');
    await button('Save').tap();
    await expect(page.getByRole('listitem').filter({ hasText: 'Performance security ₹60,000.25' })).toBeVisible();
    await page.goto('/dashboard/analytics');
    await expect(page.locator('dl > div').filter({ hasText: 'Locked now' })).toContainText('₹60,000.25');
    await expect(page.locator('dl > div').filter({ hasText: 'Came back' })).toContainText('₹40,000.25');
  });
  await test.step('the list of bids warns of the guarantee until it is renewed', async () => {
    await page.goto('/dashboard/applications');
    const warning = page.getByText(/^The bank guarantee of your Performance security ends on/);
    await expect(warning).toBeVisible();
    await page.goto(`${won}#money`);
    await button('Performance security: renewed').tap();
    await page.getByLabel('Renewed until').fill(day(500));
    await button('Save').tap();
    await expect(page.getByText(/renewed until/)).toBeVisible();
    await page.goto('/dashboard/applications');
    await expect(page.getByRole('heading', { level: 1, name: 'My Applications' })).toBeVisible();
    await expect(warning).toHaveCount(0);
  });
  await test.step('the lost bid has an RTI application that is edited, kept and sent', async () => {
    await page.goto(`${lost}#letters`);
    await button('Move to').tap();
    await page.getByRole('button', { name: /^Lost/ }).tap();
    await button('RTI application').tap();
    const letter = page.getByRole('textbox', { name: 'Letter', exact: true });
    await expect(letter).toHaveValue(/section 6\(1\) of the Right to Information Act, 2005/);
    await expect(letter).toHaveValue(new RegExp(second?.title.slice(0, 20).replace(/[^\w ]/g, '.') ?? ''));
    await letter.fill(`${await letter.inputValue()}\nMy own line`);
    await button('Keep').tap();
    await button('I sent it').tap();
    await expect(page.getByText(/^Sent\. The answer is due by /)).toBeVisible();
    await phone.kill({ isOffline: true });
    await phone.page.goto(`${lost}#letters`);
    await phone.page.getByRole('button', { name: 'Open: RTI application' }).tap();
    await expect(phone.page.getByRole('textbox', { name: 'Letter', exact: true })).toHaveValue(/My own line$/);
  });
});
