/** `/desk/orders`: acts on orders, two owners at once, an act pressed twice, and a desk without a connection. */
import { randomUUID } from 'node:crypto';
import { type APIRequestContext, request as api, type Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { mailText } from '../support/mailbox.ts';
import { withServerDatabase } from '../support/session.ts';
import { openTenders } from '../support/tenders.ts';
import { expect } from '../support/test.ts';
import { createEmail, createMobile } from '../support/test-accounts.ts';
import {
  act,
  auditRows,
  confirmAct,
  expectNoSideways,
  makeMember,
  openDesk,
  showOnPhone,
  deskTest as test,
} from './desk.ts';

// Chromium logs every response with a status of 400 or more, and calls without a connection.
test.use({
  expectedErrors:
    /^Failed to load resource: (the server responded with a status of (403|409|503) |net::ERR_(FAILED|INTERNET_DISCONNECTED))/,
});

/** A guest buys documents for ₹99 or a plan for ₹5,899. `outcome` is the bank's result (api/sandbox/outcomes.ts). */
async function buy(request: APIRequestContext, what: 'documents' | 'plan', outcome = 'success') {
  const [tender] = await openTenders(request, 'Himachal Pradesh');
  const buyer = { name: 'Asha Verma', mobileNo: createMobile(), email: createEmail() };
  const redirectUrl = `${process.env.E2E_ORIGIN}/payment-status`;
  const product =
    what === 'plan'
      ? { product: 'yearly-subscription', planId: 'basic', amount: 5899 }
      : { product: 'tender-documents', tenderId: tender?._id, documentId: tender?._id, amount: 99 };
  const reply = await request.post('/api/create-order', {
    headers: { 'idempotency-key': randomUUID() },
    data: { ...buyer, ...product, redirectUrl },
  });
  expect(reply.status(), await reply.text()).toBe(200);
  const { url, orderId } = await reply.json();
  const bank = await api.newContext({ extraHTTPHeaders: { 'Sec-Fetch-Site': 'same-origin' } });
  const paid = await bank.post(`${url}/act`, { form: { vpa: `${outcome}@sandbox` }, maxRedirects: 0 });
  expect(paid.status(), url).toBe(303);
  await bank.dispose();
  // The buyer's page asks too.
  await expect
    .poll(async () => {
      await request.get(`/api/status-check?id=${orderId}`);
      return numberOf('orders', orderId, "AND o.status NOT IN ('CREATED', 'PENDING')");
    })
    .toBe(1);
  return { orderId: orderId as string, ...buyer };
}

/** Number of an order's rows in a table. */
async function numberOf(table: 'orders' | 'refund', orderId: string, condition = ''): Promise<number> {
  let count = 0;
  const join = table === 'refund' ? 'JOIN refund r ON r.order_id = o.id' : '';
  await withServerDatabase(async (client) => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM orders o ${join} WHERE o.public_id = $1 ${condition}`,
      [orderId],
    );
    count = rows[0].n;
  });
  return count;
}

const details = (page: Page) => page.getByRole('region', { name: 'Details' });
const events = (page: Page) => details(page).getByRole('list', { name: 'Events' });
const actsOf = async (orderId: string, actor: string) =>
  (await auditRows(orderId)).filter((row) => row.actor === actor).map(({ action, reason }) => `${action}: ${reason}`);

test('an order is found and put right, and each act is written down', async ({ page, request }) => {
  const { orderId, email, mobileNo } = await buy(request, 'documents');
  const member = await makeMember('operator', 'Ravi Negi', 10);
  await openDesk(page, member, '/desk/orders');
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(details(page).getByText('Payment Successful!')).toBeVisible();
  await expect(events(page)).toContainText('Paid');
  await expect(details(page)).not.toContainText(email);
  await expectAccessible(page);

  await act(page, 'Show address and number', 'must call the buyer');
  await expect(details(page)).toContainText(mobileNo);
  await page.keyboard.press('e');
  await page.keyboard.type('the buyer asks');
  await page.keyboard.press('Enter');
  await expect(events(page)).toContainText('Payment provider asked');
  await act(page, 'Send documents again', 'the mail did not arrive');
  await expect(events(page)).toContainText('Documents sent again');
  await page.getByRole('button', { name: 'Correct address' }).click();
  const right = createEmail();
  await page.getByRole('textbox', { name: /^Right e-mail address/ }).fill(right);
  await confirmAct(page, 'Correct address', 'the buyer mistyped it');
  await expect(events(page)).toContainText('E-mail address corrected');
  await mailText(right, 'Your tender documents');

  // The passkey of ten minutes ago does not do for money.
  await act(page, 'Refund', 'the documents are wrong');
  await page.getByRole('button', { name: 'Show passkey' }).click();
  await expect(details(page).getByText('Payment refunded')).toBeVisible();
  expect(await numberOf('refund', orderId)).toBe(1);
  expect(await actsOf(orderId, member.user._id)).toEqual([
    'order.buyer-opened: must call the buyer',
    'order.rechecked: the buyer asks',
    'order.resent: the mail did not arrive',
    'order.email-changed: the buyer mistyped it',
    'refund.queued: the documents are wrong',
    'order.refund-asked: the documents are wrong',
  ]);

  await showOnPhone(page);
  await expectNoSideways(page);
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
  await expectNoSideways(page);
  await expectAccessible(page);
});

test('a refund that is pressed twice and whose answer is lost is made once', async ({ page, request }) => {
  const { orderId } = await buy(request, 'documents');
  await openDesk(page, await makeMember('operator'), `/desk/orders/${orderId}`);
  await page.route(
    '**/refund',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('paid twice');
  await dialog.getByRole('button', { name: 'Refund', exact: true }).dblclick();
  await expect(dialog).toHaveCount(0);
  await expect(details(page).getByText('Payment refunded')).toBeVisible();
  expect(await numberOf('refund', orderId)).toBe(1);
  expect((await auditRows(orderId)).filter(({ action }) => action === 'order.refund-asked')).toHaveLength(1);
});

test('a large refund needs a second person, and of two owners at once one confirms it', async ({
  page,
  colleague,
  request,
}) => {
  const { orderId } = await buy(request, 'plan');
  const path = `/desk/orders/${orderId}`;
  await openDesk(page, await makeMember('operator', 'Ravi Negi'), path);
  const asha = await colleague(await makeMember('owner', 'Asha Thakur'), path);
  const dev = await colleague(await makeMember('owner', 'Dev Chauhan'), path);
  const propose = async () => {
    await act(page, 'Refund', 'bought by mistake');
    await expect(page.getByText('Ravi Negi proposes to refund ₹5,899.00: bought by mistake')).toBeVisible();
  };
  await propose();
  await act(page, 'Withdraw proposal', 'wrong order');
  await expect(page.getByRole('button', { name: 'Refund', exact: true })).toBeVisible();
  await propose();
  await asha.reload();
  await act(asha, 'Refuse refund', 'used for a month');
  await expect(events(asha)).toContainText('Refund refused');
  await page.reload();
  await propose();
  for (const owner of [asha, dev]) {
    await owner.reload();
    await owner.getByRole('button', { name: 'Confirm refund' }).click();
  }
  await confirmAct(asha, 'Confirm refund', 'looks right');
  await expect(details(asha).getByText('Payment refunded')).toBeVisible();
  await confirmAct(dev, 'Confirm refund', 'looks right to me');
  // The newest state has no proposal, so the dialog goes, and what happened stays to be read.
  await expect(dev.getByText(/Asha Thakur decided this already/).last()).toBeVisible();
  await expect(details(dev).getByText('Payment refunded')).toBeVisible();
  expect(await numberOf('refund', orderId)).toBe(1);
  const actions = (await auditRows(orderId)).map(({ action }) => action);
  expect(actions.filter((action) => action === 'order.refund.confirmed')).toHaveLength(1);
  expect(actions).toEqual(expect.arrayContaining(['order.refund.withdrawn', 'order.refund.refused']));
});

test('a desk without a connection says so, sends nothing, and does the act when it is pressed again', async ({
  page,
  request,
}) => {
  const { orderId } = await buy(request, 'documents', 'amount-off');
  await openDesk(page, await makeMember('operator'), `/desk/orders/${orderId}?status=REVIEW`);
  await expect(details(page).getByText('Not confirmed yet')).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText('No connection. Nothing is sent.')).toBeVisible();
  await act(page, 'Accept payment', 'the difference is ours');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toContainText('You are offline');
  expect(await numberOf('orders', orderId, "AND o.status = 'REVIEW'")).toBe(1);
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: 'Accept payment' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(details(page).getByText('Payment Successful!')).toBeVisible();
  expect((await auditRows(orderId)).filter(({ action }) => action === 'order.accepted')).toHaveLength(1);
});
