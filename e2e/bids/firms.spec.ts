/** A firm of three people, each on an own device. */
import type { Browser, Page } from '@playwright/test';
import { button } from '../support/account-dialogs.ts';
import { sendFirmBid } from '../support/bids.ts';
import { rowsOf } from '../support/device-rows.ts';
import { waitForWholeApp } from '../support/phone.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { expect, recordErrors, skipTour, test } from '../support/test.ts';
import { giveFirmPlan, mailedInvitation, nameAccount } from './firms.ts';

interface StoredRow {
  owner: string;
  kind: string;
  fields: Record<string, unknown>;
}

const FIRM = 'Negi Roads';

/** A signed-in person on a device of an own. */
async function startDevice(browser: Browser, name: string) {
  const context = await browser.newContext({
    ...{ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, serviceWorkers: 'allow' },
    locale: 'en-IN',
  });
  await skipTour(context);
  // The server refuses the calls of a removed member.
  const errors = recordErrors(context, /ERR_INTERNET_DISCONNECTED|status of 403 .*firm=/);
  const page = await context.newPage();
  const session = await makeSession();
  await nameAccount(session, name);
  await page.goto('/');
  await storeSession(page, session);
  return { context, page, session, errors };
}

/** The bids of a firm on the device. */
const firmBids = async (page: Page, firm: string): Promise<StoredRow[]> =>
  (await rowsOf<StoredRow>(page, 'records')).filter(({ owner, kind }) => owner.endsWith(` ${firm}`) && kind === 'bid');

const unsent = async (page: Page): Promise<number> =>
  (await rowsOf<{ kind: string }>(page, 'outbox')).filter(({ kind }) => kind === 'record').length;

async function writeNote(page: Page, bid: string, note: string): Promise<void> {
  await page.goto(`${bid}#notes`);
  await page.getByLabel('Note', { exact: true }).fill(note);
  await button(page, 'Save').tap();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
}

test('three members work on one bid; changes made offline are merged, and a removed member loses the bids and reads why', async ({
  browser,
  request,
}) => {
  test.slow();
  const asha = await startDevice(browser, 'Asha Verma');
  const ravi = await startDevice(browser, 'Ravi Negi');
  const meena = await startDevice(browser, 'Meena Thakur');

  await test.step('the owner creates the firm and invites both', async () => {
    const { page } = asha;
    await page.goto('/dashboard/firms');
    await button(page, 'New firm').tap();
    await page.getByRole('dialog').getByLabel('Name of the firm').fill(FIRM);
    await button(page.getByRole('dialog'), 'Create').tap();
    await expect(page.getByRole('heading', { name: FIRM, exact: true })).toBeVisible();
    for (const { session } of [ravi, meena]) {
      await button(page, 'Invite').tap();
      await page.getByRole('dialog').getByLabel('Email').fill(session.user.email);
      await button(page.getByRole('dialog'), 'Invite').tap();
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(page.getByText(`${session.user.email} Member`)).toBeVisible();
    }
  });
  await test.step('both join by the links of their mails', async () => {
    for (const { page, session } of [ravi, meena]) {
      await page.goto(await mailedInvitation(session.user.email, `Asha Verma invites you to ${FIRM} on Nivida`));
      await button(page, `Join ${FIRM}`).tap();
      await expect(page).toHaveURL('/dashboard/applications');
    }
  });

  const firm = await asha.page.evaluate(() => localStorage.getItem('space')?.split(' ')[1] ?? '');
  await giveFirmPlan(firm);
  const bid = await sendFirmBid(request, asha.session.token, firm);
  for (const { page, context } of [asha, ravi, meena]) {
    await page.goto('/dashboard/applications');
    await expect.poll(async () => (await firmBids(page, firm)).length).toBe(1);
    await page.goto(bid);
    await expect(button(page, 'Move to')).toBeVisible();
    await waitForWholeApp(page);
    await context.setOffline(true);
  }

  await test.step('two change the bid offline; at their return both devices have both changes', async () => {
    await button(asha.page, 'Move to').tap();
    await button(asha.page, 'Submitted जमा').tap();
    await expect.poll(() => unsent(asha.page)).toBeGreaterThan(0);
    await writeNote(ravi.page, bid, 'Ravi has the receipt');
    for (const { page, context } of [asha, ravi]) {
      await context.setOffline(false);
      await page.goto('/dashboard/applications');
      await expect.poll(() => unsent(page)).toBe(0);
    }
    for (const { page } of [asha, ravi]) {
      await page.goto('/dashboard/applications');
      await expect
        .poll(async () => (await firmBids(page, firm))[0]?.fields)
        .toMatchObject({ stage: 'submitted', note: 'Ravi has the receipt' });
    }
  });

  await test.step('a member who was removed while offline', async () => {
    await writeNote(meena.page, bid, 'Never sent');
    await asha.page.goto('/dashboard/firms');
    await button(asha.page, 'Remove Meena Thakur').tap();
    await button(asha.page.getByRole('dialog'), 'Remove').tap();
    await expect(asha.page.getByText('Meena Thakur')).toHaveCount(0);
    expect((await firmBids(meena.page, firm))[0]?.fields.note).toBe('Never sent');

    await meena.context.setOffline(false);
    await meena.page.goto('/dashboard/applications');
    const main = meena.page.getByRole('main');
    await expect(
      main.getByText(
        `You are not a member of ${FIRM} any more. Its bids and documents were removed from this device. 1 record with changes that were not sent is lost.`,
      ),
    ).toBeVisible();
    const owners = async () => (await rowsOf<StoredRow>(meena.page, 'records')).map(({ owner }) => owner);
    expect((await owners()).filter((owner) => owner.endsWith(firm))).toEqual([]);
    expect(await unsent(meena.page)).toBe(0);
    await expect(meena.page.getByRole('link', { name: 'Work with others of my firm' })).toBeVisible();
    await button(meena.page, 'Understood').tap();
    await expect(main.getByText('You are not a member of')).toHaveCount(0);
  });
  await asha.page.goto('/dashboard/applications');
  await expect.poll(async () => (await firmBids(asha.page, firm))[0]?.fields.note).toBe('Ravi has the receipt');

  for (const { context, errors } of [asha, ravi, meena]) {
    await context.close();
    expect(errors).toEqual([]);
  }
});
