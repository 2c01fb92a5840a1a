import type { Page } from '@playwright/test';
import { button, field } from '../support/account-dialogs.ts';
import { deleteNewerFunctions } from '../support/browser/newer-functions.ts';
import {
  accessDialog,
  createBuyer,
  downloadZip,
  expectInZip,
  expectProviderPage,
  fillBuyer,
  mailedDocumentsLink,
  openProviderPage,
  payByUpi,
  statusDialog,
  tapDownload,
} from '../support/checkout.ts';
import { mailText } from '../support/mailbox.ts';
import { phoneTest } from '../support/phone.ts';
import { runJobCommand } from '../support/run-job.ts';
import { noteSecrets } from '../support/secrets.ts';
import { openTenders, tenderHeading } from '../support/tenders.ts';
import { expect } from '../support/test.ts';

const CHECKING = 'Checking your payment';
const PAID = 'Payment Successful!';
const FAILED = 'Payment Failed';
const DOCUMENTS_LATER = 'Documents will be sent to your email shortly.';

interface BoughtTender {
  _id: string;
  title: string;
}

const test = phoneTest.extend<{ tender: BoughtTender }>({
  // any open tender
  tender: async ({ request }, use) => {
    const [tender] = await openTenders(request, 'Himachal Pradesh');
    await use(tender as BoughtTender);
  },
});

/** The dialog confirms the payment and does not offer to pay again. */
async function expectPaid(page: Page): Promise<void> {
  const dialog = statusDialog(page, PAID);
  await expect(dialog.getByText(DOCUMENTS_LATER, { exact: true })).toBeVisible();
  await expect(dialog.getByText('Tender documents (NIT & BOQ)', { exact: true })).toBeVisible();
  await expect(button(dialog, 'Try Again')).toHaveCount(0);
}

/** The orders that the page sends from now on. The list grows. */
function recordOrders(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/create-order')) sent.push(request.postData() ?? '');
  });
  return sent;
}

test('documents are bought without an account, from the tender to the downloaded ZIP', async ({
  browser,
  page,
  tender,
}) => {
  await deleteNewerFunctions(page.context());
  const buyer = createBuyer();
  await page.goto(`/tenders/${tender._id}`);

  await test.step('the dialog names the package and its terms before the payment', async () => {
    await tapDownload(page);
    const dialog = accessDialog(page);
    await expect(dialog.getByText(/^In the package: \d+ files/)).toBeVisible();
    await expect(dialog.getByText('NIT-summary.pdf', { exact: true })).toBeAttached();
    await expect(dialog.getByText('Sample files only, no tender documents.')).toBeAttached();
    await expect(
      dialog.getByText(
        'Official documents are free at the portal. ₹99 pays for collecting, bundling and delivery. This is not a government site; bids are submitted at the portal.',
      ),
    ).toBeVisible();
    await expect(
      dialog.getByText(
        'All payments are non-refundable, except duplicate debits and packages that could not be delivered, which are refunded automatically: refund policy.',
      ),
    ).toBeVisible();
    await expect(dialog.getByText('+91', { exact: true })).toBeVisible();
    await dialog.getByText('GST invoice').tap();
    await expect(dialog.getByRole('combobox', { name: 'State' })).toHaveValue('Himachal Pradesh');
  });

  await test.step('every field is required', async () => {
    const dialog = accessDialog(page);
    await button(dialog, 'Pay ₹99').tap();
    await expect(field(dialog, 'Name')).toHaveAccessibleDescription('Name is required');
    await expect(field(dialog, 'Mobile number')).toHaveAccessibleDescription('Mobile number is required');
    await expect(field(dialog, 'Email')).toHaveAccessibleDescription('Email is required');
  });

  await test.step('paying at the provider', async () => {
    await fillBuyer(accessDialog(page), buyer);
    await button(accessDialog(page), 'Pay ₹99').tap();
    await expectProviderPage(page, '₹99.00');
    await expect(page.getByText(`NIT & BOQ: ${tender.title.slice(0, 40)}`)).toBeVisible();
    await payByUpi(page, 'success');
  });

  await test.step('back at the tender', async () => {
    await expectPaid(page);
    await expect(page).toHaveURL(new RegExp(`/tenders/${tender._id}\\?id=[\\w-]{22}$`));
    const orderId = new URL(page.url()).searchParams.get('id') ?? '';
    await expect(statusDialog(page, PAID).getByText(`Order number ${orderId}`)).toBeVisible();
    // The two main actions are first.
    await expect(statusDialog(page, PAID).locator('button, a')).toHaveText([
      '',
      'Download',
      'Close',
      'Receipt PDF',
      'Send the email again',
      'Page of your order',
    ]);
    await button(statusDialog(page, PAID), 'Close').last().tap();
    await expect(page).toHaveURL(`/tenders/${tender._id}`);
    await page.reload();
    await expect(tenderHeading(page, tender.title)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('the page of the order gives documents and receipt without an account, also later', async () => {
    await button(page, 'Your documents').tap();
    await expect(page).toHaveURL(/\/payment-status\?id=[\w-]{22}$/);
    const address = page.url();
    await expect(
      page.getByText('Save this page: it gives your documents and the receipt again.', { exact: true }),
    ).toBeVisible();
    const receipt = page.waitForEvent('download');
    await button(page, 'Receipt PDF').tap();
    expect((await receipt).suggestedFilename()).toMatch(/^nivida-TEST-\d\d-\d\d-\d{7}\.pdf$/);
    await button(page, 'Download').tap();
    await page.waitForURL(/\/d\/[\w-]{43}$/);
    noteSecrets(new URL(page.url()).pathname.replace('/d/', ''));
    expectInZip(await downloadZip(page), 'NIT-summary.pdf');
    await page.goto(address);
    await expect(button(page, 'Download')).toBeVisible();
  });

  await test.step('on another phone the same address is warned before it buys again', async () => {
    const other = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const otherPage = await other.newPage();
    await otherPage.goto(`/tenders/${tender._id}`);
    await button(otherPage, 'Download documents · ₹99').click();
    await fillBuyer(accessDialog(otherPage), buyer);
    await button(accessDialog(otherPage), 'Pay ₹99').click();
    await expect(
      accessDialog(otherPage).getByText('These documents were bought with this email address before.'),
    ).toBeVisible();
    await expect(button(accessDialog(otherPage), 'Pay ₹99 again')).toBeEnabled();
    await other.close();
  });

  await test.step('the mails', async () => {
    const receipt = await mailText(buyer.email, 'Your test payment for Nivida');
    expect(receipt).toContain(`We have received ₹99.00 for: ${tender.title}`);
    expect(receipt).toMatch(/receipt TEST\/\d\d-\d\d\/\d{7}\./);
    expect(receipt).toContain('This was a test: no money has moved.');
  });

  await test.step('the link of the mail', async () => {
    await page.goto(await mailedDocumentsLink(buyer.email));
    await expect(tenderHeading(page, tender.title)).toBeVisible();
    await expect(
      page.getByText('DEMONSTRATION: the tender is not a live one, and its files were generated.'),
    ).toBeVisible();
    await expect(page.getByText('after 20 more downloads')).toBeVisible();
    expectInZip(await downloadZip(page), 'NIT-summary.pdf');
    await page.reload();
    await expect(page.getByText('after 19 more downloads')).toBeVisible();
  });
});

test('a declined payment is named and can be tried again at once', async ({ page, tender }) => {
  const buyer = createBuyer();
  await page.goto(`/tenders/${tender._id}`);
  await openProviderPage(page, buyer);
  await payByUpi(page, 'fail');

  const failed = statusDialog(page, FAILED);
  await expect(failed.getByText('The payment was declined. Please try again.', { exact: true })).toBeVisible();
  await expect(failed.getByText(DOCUMENTS_LATER)).toHaveCount(0);
  await button(failed, 'Try Again').tap();
  await expect(field(accessDialog(page), 'Name')).toHaveValue(buyer.name);
  await expect(field(accessDialog(page), 'Mobile number')).toHaveValue(buyer.mobileNo);
  await expect(field(accessDialog(page), 'Email')).toHaveValue(buyer.email);
  await button(accessDialog(page), 'Pay ₹99').tap();
  await expectProviderPage(page, '₹99.00');
  await payByUpi(page, 'success');
  await expectPaid(page);
  await mailedDocumentsLink(buyer.email);
});

test('Back from the payment page offers to continue the payment', { tag: '@release' }, async ({ page, tender }) => {
  const buyer = createBuyer();
  await page.goto(`/tenders/${tender._id}`);
  await openProviderPage(page, buyer);
  await page.goBack();
  await statusDialog(page, CHECKING).getByRole('link', { name: 'Continue payment' }).tap();
  await expectProviderPage(page, '₹99.00');
  await payByUpi(page, 'success');
  await expectPaid(page);
});

test('a buyer who cancels at the provider returns to the tender and has paid nothing', async ({ page, tender }) => {
  await page.goto(`/tenders/${tender._id}`);
  await openProviderPage(page, createBuyer());
  await button(page, 'Cancel and go back to Nivida').tap();
  const failed = statusDialog(page, FAILED);
  await expect(failed.getByText('The payment was cancelled.', { exact: true })).toBeVisible();
  await button(failed, 'Close').last().tap();
  await expect(tenderHeading(page, tender.title)).toBeVisible();
});

test('a pending payment is followed until it succeeds', { tag: '@release' }, async ({ page, tender }) => {
  const buyer = createBuyer();
  await page.goto(`/tenders/${tender._id}`);
  await openProviderPage(page, buyer);
  await payByUpi(page, 'pending-success');
  await expect(
    statusDialog(page, CHECKING).getByText(
      'This takes a few seconds. You may close this page: we email you in any case.',
      { exact: true },
    ),
  ).toBeVisible();
  // The bank needs ten seconds. The page polls at 15 seconds.
  await expect(statusDialog(page, PAID)).toBeVisible({ timeout: 40_000 });
  await expectPaid(page);
  await mailedDocumentsLink(buyer.email);
});

test('a payment that stays pending for five minutes is not called failed, and the buyer is not asked to pay again', {
  tag: '@release',
}, async ({ page, tender }) => {
  await page.clock.install();
  await page.goto(`/tenders/${tender._id}`);
  await openProviderPage(page, createBuyer());
  // Only the time of day is changed. Timers run as usual, so that no call times out.
  const begun = Date.now();
  const askedAt = async (time: number) => {
    await page.clock.setSystemTime(time);
    const answer = page.waitForResponse('**/api/status-check?*');
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await answer;
  };
  await payByUpi(page, 'late-success');
  // The order number is shown with the first answer. Before that, the five minutes may not have started.
  await expect(statusDialog(page, CHECKING).getByText(/^Order number /)).toBeVisible();
  await askedAt(begun + 270_000);
  await expect(statusDialog(page, CHECKING)).toBeVisible();
  await askedAt(Date.now() + 301_000);

  const open = statusDialog(page, 'Not confirmed yet');
  await expect(
    open.getByText(
      'We have not received confirmation. If money left your account, do not pay again; we will email you.',
      { exact: true },
    ),
  ).toBeVisible();
  await expect(open.getByText(FAILED)).toHaveCount(0);
  await expect(button(open, 'Try Again')).toHaveCount(0);
  await button(open, 'Check again').tap();
  await expect(statusDialog(page, CHECKING)).toBeVisible();
});

test('a payment of a buyer who never returned is found by a job, and the buyer gets the documents', {
  tag: '@release',
}, async ({ page, tender }) => {
  const buyer = createBuyer();
  await page.goto(`/tenders/${tender._id}`);
  await openProviderPage(page, buyer);
  await payByUpi(page, 'paid-no-return');
  await expect(page.getByRole('heading', { name: 'You left the payment' })).toBeVisible();
  await page.close();
  // Neither a webhook nor a return reports this payment. The job finds it at its next run; here it is run at
  // once.
  await runJobCommand('reconcile-orders', new Date(Date.now() + 60_000));
  await mailedDocumentsLink(buyer.email);
});

test('a payment whose browser was closed is found at the next start, without a connection at first', async ({
  phone,
  tender,
}) => {
  await phone.visit(`/tenders/${tender._id}`);
  await openProviderPage(phone.page, createBuyer());
  await payByUpi(phone.page, 'paid-no-return');
  await expect(phone.page.getByRole('heading', { name: 'You left the payment' })).toBeVisible();

  await phone.restartOffline();
  const { page } = phone;
  await page.goto('/');
  const offer = page.getByRole('region', { name: 'Your payment' });
  await expect(offer.getByText('We could not confirm your payment.')).toBeVisible();
  await offer.getByRole('link', { name: 'Check payment' }).tap();
  await expect(page.getByRole('heading', { level: 1, name: 'Waiting for a connection' })).toBeVisible();
  await expect(
    page.getByText('You are offline. We check your payment when you are online again. Do not pay again.', {
      exact: true,
    }),
  ).toBeVisible();

  await phone.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: PAID })).toBeVisible();
  await expect(page.getByText(DOCUMENTS_LATER, { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Tender' }).tap();
  await expect(tenderHeading(page, tender.title)).toBeVisible();
  await expect(offer).toHaveCount(0);
});

test('a buyer who returns without a connection reads that nothing is lost, and then the result', {
  tag: '@release',
}, async ({ phone, tender }) => {
  const { page } = phone;
  await phone.visit(`/tenders/${tender._id}`);
  await openProviderPage(page, createBuyer());
  await payByUpi(page, 'paid-no-return');
  await expect(page.getByRole('heading', { name: 'You left the payment' })).toBeVisible();
  await phone.setOffline(true);
  await page.goto(`/tenders/${tender._id}`);
  await expect(
    statusDialog(page, 'Waiting for a connection').getByText(
      'You are offline. We check your payment when you are online again. Do not pay again.',
      { exact: true },
    ),
  ).toBeVisible();
  await phone.setOffline(false);
  await expectPaid(page);
});

test('without a connection nothing is ordered, then or later', async ({ phone, tender }) => {
  const { page } = phone;
  const sent = recordOrders(page);
  await phone.visit(`/tenders/${tender._id}`);
  await tapDownload(page);
  const dialog = accessDialog(page);
  await fillBuyer(dialog, createBuyer());
  await phone.setOffline(true);
  await expect(dialog.getByText('You are offline', { exact: true })).toBeVisible();
  await expect(button(dialog, 'Pay ₹99')).toBeDisabled();
  await field(dialog, 'Name').press('Enter');

  await phone.setOffline(false);
  await expect(button(dialog, 'Pay ₹99')).toBeEnabled();
  await page.reload();
  await page.waitForLoadState('networkidle');
  expect(sent).toEqual([]);
});

test.describe('the status page', () => {
  test.use({ expectedErrors: /^Failed to load resource: the server responded with a status of (404|500) / });

  test('without an order it says what is missing', async ({ page }) => {
    await page.goto('/payment-status');
    await expect(page.getByRole('heading', { level: 1, name: 'Error Checking Payment' })).toBeVisible();
    await expect(page.getByText('Order ID is missing', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Tender' })).toHaveAttribute('href', '/tenders');
  });

  test('an order that is unknown, or cannot be read now, is an error and not a failed payment', async ({ page }) => {
    await page.goto('/payment-status?id=AAAAAAAAAAAAAAAAAAAAAA');
    await expect(page.getByRole('heading', { level: 1, name: 'Error Checking Payment' })).toBeVisible();
    await expect(page.getByText('Order not found', { exact: true })).toBeVisible();

    await page.route('**/api/payment-status?*', (route) => route.fulfill({ status: 500, body: '' }));
    await page.reload();
    await expect(page.getByText('Failed to check payment status', { exact: true })).toBeVisible();
  });

  test('an unpaid order can be tried again, and a link leads to other tenders', { tag: '@release' }, async ({
    page,
    tender,
  }) => {
    await page.goto(`/tenders/${tender._id}`);
    await openProviderPage(page, createBuyer());
    await payByUpi(page, 'fail');
    await expect(statusDialog(page, FAILED)).toBeVisible();
    const id = new URL(page.url()).searchParams.get('id');

    await page.goto(`/payment-status?id=${id}`);
    await expect(page.getByRole('heading', { level: 1, name: FAILED })).toBeVisible();
    await expect(page.getByText('The payment was declined. Please try again.', { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Tender' })).toHaveAttribute('href', `/tenders/${tender._id}`);
    await page.getByRole('link', { name: 'Browse More Tenders' }).tap();
    await expect(page).toHaveURL('/tenders');
  });
});
