import { makeSession, storeSession } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect, test } from '../support/test.ts';

test('the figures of a partner are added for a signed-in user, and no request has any of them', async ({
  page,
  request,
}) => {
  const sent: string[] = [];
  page.on('request', (each) => sent.push(`${each.url()} ${JSON.stringify(each.headers())} ${each.postData() ?? ''}`));
  const [first, second] = await openTenders(request, 'Himachal Pradesh');
  await page.goto('/');
  const session = await makeSession();
  await storeSession(page, session);
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
  await button('Save figures').tap();
  await expect(page.getByText(/You ₹10\.00 Lakh, Zanskar Infra ₹9\.88 Cr\./)).toBeVisible();

  await page.goto(`/tenders/${second?._id}#checklist`);
  await page.getByText('Bid together with partners').tap();
  await expect(page.getByRole('checkbox', { name: 'Bid with Zanskar Infra' })).not.toBeChecked();
  await button('Remove Zanskar Infra').tap();
  await expect(page.getByRole('checkbox', { name: 'Bid with Zanskar Infra' })).toHaveCount(0);
  // Chromium does not report the body of a cloned request, so what arrived is read from the server.
  const headers = { authorization: `Bearer ${session.token}` };
  const arrived = async () => (await request.get('/api/bids/changes', { headers })).text();
  await expect.poll(arrived).toContain('turnover');
  expect([...sent, await arrived()].filter((each) => /zanskar|98765432|9876543210/i.test(each))).toEqual([]);
});
