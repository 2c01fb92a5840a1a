import { makeSession, storeSession } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

test('the figures of a partner are added for a signed-in user, and no request has any of them', async ({
  page,
  request,
}) => {
  const sent: string[] = [];
  page.on('request', (each) => sent.push(`${each.url()} ${JSON.stringify(each.headers())}`));
  // Chromium does not report the body of a request that was cloned.
  await page.exposeFunction('recordBody', (body: string) => void sent.push(body));
  await page.addInitScript(() => {
    const { fetch: send, recordBody } = window as unknown as Window & { recordBody: (body: string) => Promise<void> };
    window.fetch = async (...input) => {
      const request = new Request(...input);
      await recordBody(await request.clone().text());
      return send(request);
    };
  });
  const [first, second] = await openTenders(request, 'Himachal Pradesh');
  await page.goto('/');
  await storeSession(page, await makeSession());
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto(`/tenders/${first?._id}#checklist`);
  await page.getByText('Bid together with partners').tap();
  await button('Add partner').tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the firm').fill('Zanskar Infra');
  for (const field of await dialog.getByLabel(/^Turnover from works/).all()) await field.fill('98765432.1');
  await dialog.getByLabel(/^Works in hand/).fill('0');
  await dialog.getByRole('button', { name: 'Save' }).tap();
  const chosen = page.getByRole('checkbox', { name: 'Bid with Zanskar Infra' });
  await chosen.tap();
  await expect(chosen).toBeChecked();
  await expect(page.getByText('Which rule for joint bids stands in the NIT?')).toBeVisible();
  await page.getByLabel('Rule for joint bids in the NIT').selectOption('Figures of the partners are added');
  await button('Use this rule').tap();
  await expect(page.getByText('Turnover of the last 3 financial years is not entered for: You.')).toBeVisible();
  const own = page.getByText('Enter my enlistment, works and turnover');
  await own.tap();
  for (const field of await page.getByLabel(/^Turnover from works/).all()) await field.fill('1000000');
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/bids/changes'));
  await button('Save figures').tap();
  await saved;
  await expect(page.getByText(/You ₹10\.00 Lakh, Zanskar Infra ₹9\.88 Cr\./)).toBeVisible();

  await page.goto(`/tenders/${second?._id}#checklist`);
  await page.getByText('Bid together with partners').tap();
  await expect(page.getByRole('checkbox', { name: 'Bid with Zanskar Infra' })).not.toBeChecked();
  await button('Remove Zanskar Infra').tap();
  await expect(page.getByRole('checkbox', { name: 'Bid with Zanskar Infra' })).toHaveCount(0);
  expect(sent.some((each) => each.includes('turnover'))).toBe(true);
  expect(sent.filter((each) => /zanskar|98765432|9876543210/i.test(each))).toEqual([]);
});
