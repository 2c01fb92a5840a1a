/** Files that other apps share into the app: kept without a network and through a killed browser, then read and kept at a bid. */
import { randomUUID } from 'node:crypto';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { boqWorkbook } from '../../api/test/support/generated-documents/boq-workbook.ts';
import { pdfOf } from '../../api/test/support/generated-documents/pdf.ts';
import { button } from '../support/account-dialogs.ts';
import { rowsOf } from '../support/device-rows.ts';
import { phoneTest as test } from '../support/phone.ts';
import { makeSession, type StoredSession, storeSession } from '../support/session.ts';
import { type OpenTender, openTenders } from '../support/tenders.ts';

/** A file as the phone's share sheet passes it on. */
interface SharedContent {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

interface ShareTarget {
  action: string;
  method: string;
  enctype: string;
  params: { files: { name: string; accept: string[] }[] };
}

/** Reads the share target of the manifest, which the phone read when the app was installed. */
async function shareTarget(request: APIRequestContext): Promise<ShareTarget> {
  const manifest = await (await request.get('/manifest.webmanifest')).json();
  return manifest.share_target;
}

/** Posts a file to the share target, as the share sheet does. Returns when the page that answers is open. */
async function share(page: Page, target: ShareTarget, content: SharedContent): Promise<void> {
  const { action, method, enctype, params } = target;
  await page.evaluate(
    (fields) => {
      const form = Object.assign(document.createElement('form'), fields);
      const input = Object.assign(document.createElement('input'), { type: 'file', name: fields.field, id: 'shared' });
      form.append(input);
      document.body.append(form);
    },
    { action, method, enctype, field: params.files[0]?.name ?? '' },
  );
  await page.locator('#shared').setInputFiles(content);
  await Promise.all([
    page.waitForURL('/shared-files'),
    page.evaluate(() => document.querySelector<HTMLInputElement>('#shared')?.form?.submit()),
  ]);
}

/** Gives a user a bid for a tender, on the server. */
async function storeBid(request: APIRequestContext, { token }: StoredSession, tender: OpenTender): Promise<void> {
  const fields = { tenderId: tender._id, title: tender.title, stage: 'preparing' };
  const stamp = `${String(Date.now()).padStart(13, '0')}-0000-aaaaaaaaaaaaaaaa`;
  const stamps = Object.fromEntries(Object.keys(fields).map((name) => [name, stamp]));
  const records = [{ kind: 'bid', id: randomUUID(), fields, stamps }];
  await request.post('/api/bids/changes', { headers: { authorization: `Bearer ${token}` }, data: { records } });
}

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const sharedRows = (page: Page) => rowsOf<{ name: string; tenderId: string | null }>(page, 'sharedFiles');

test('a file that is shared without a network is still there at its bid after a killed browser, and is read later', async ({
  phone,
  request,
}) => {
  test.slow();
  const session = await makeSession();
  const tenders = await openTenders(request, 'Himachal Pradesh');
  const tender = tenders.at(-2) as OpenTender;
  const { _id: id, title } = tender;
  await storeBid(request, session, tender);
  const target = await shareTarget(request);
  const toBid = () => phone.page.getByRole('group', { name: 'To which bid?' }).getByRole('button', { name: title });

  await phone.page.goto('/');
  await storeSession(phone.page, session);
  // Chromium writes localStorage with some seconds of delay. A crash would sign the user out.
  await phone.restart();
  await phone.visit('/dashboard/applications');
  await expect(phone.page.getByRole('link', { name: title, exact: true })).toBeVisible();

  await test.step('shared without a network, and put to a bid', async () => {
    const { page } = phone;
    await phone.setOffline(true);
    const buffer = await pdfOf([
      [{ cells: ['Notice Inviting Tender'] }],
      [{ cells: ['1.', 'Earnest Money Deposit', 'Rs. 91,400/-'] }],
    ]);
    await share(page, target, { name: 'My NIT.pdf', mimeType: 'application/pdf', buffer });
    await expect(card(page, 'My NIT.pdf')).toBeVisible();
    await toBid().tap();
    await expect(card(page, 'My NIT.pdf')).toContainText('The file is saved on this phone.');
    await expect.poll(() => sharedRows(page)).toMatchObject([{ name: 'My NIT.pdf', tenderId: id }]);
  });

  await test.step('it is there after the browser was killed', async () => {
    await phone.kill({ isOffline: true });
    await phone.page.goto('/shared-files');
    await expect(card(phone.page, 'My NIT.pdf')).toContainText('The file is saved on this phone.');
    await expect.poll(() => sharedRows(phone.page)).toMatchObject([{ name: 'My NIT.pdf', tenderId: id }]);
  });

  await test.step('with a network it is read, and its lines are kept with the bid', async () => {
    const { page } = phone;
    await phone.setOffline(false);
    await page.reload();
    await expect(card(page, 'My NIT.pdf')).toContainText('Kept with this tender:');
    await expect(card(page, 'My NIT.pdf')).toContainText('Earnest Money Deposit Rs. 91,400/-');
    await page.goto(`/tenders/${id}#documents`);
    await expect(page.getByRole('region', { name: 'EMD', exact: true })).toContainText('The document says, p. 2');
    await expect(page.getByText('Your own file: only you see it.')).toBeVisible();
  });

  await test.step('a workbook is read as a BOQ', async () => {
    const { page } = phone;
    const buffer = boqWorkbook({
      format: 'biff8',
      items: [
        [10, 25.5],
        [4, 100],
      ],
    });
    await share(page, target, { name: 'BOQ.xls', mimeType: 'application/vnd.ms-excel', buffer });
    await toBid().tap();
    await expect(card(page, 'BOQ.xls')).toContainText('Kept with this tender:');
    await expect(card(page, 'BOQ.xls')).toContainText('The items add up to the total in the file.');
    await page.goto(`/tenders/${id}/boq`);
    await expect(page.getByText('Invented item 2').first()).toBeVisible();
  });

  await test.step('a file of another type says what to do', async () => {
    const { page } = phone;
    await share(page, target, { name: 'Letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear Sir') });
    await expect(card(page, 'Letter.txt')).toContainText(
      '“Letter.txt” is no PDF, Excel workbook or picture, so it was not taken. Save it as a PDF, then share the PDF.',
    );
    await button(card(page, 'Letter.txt'), 'Remove').tap();
    await expect(card(page, 'Letter.txt')).toHaveCount(0);
  });
});
