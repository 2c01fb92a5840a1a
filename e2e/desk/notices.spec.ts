import { expectAccessible } from '../support/accessibility.ts';
import { expect } from '../support/test.ts';
import {
  type AuditRow,
  auditRows,
  expectNoSideways,
  makeMember,
  openDesk,
  showOnPhone,
  deskTest as test,
} from './desk.ts';

/** An end before now is refused. */
test.use({ expectedErrors: /^Failed to load resource: the server responded with a status of 400 / });

const idAt = (url: string): string => /-(\d+)$/.exec(new URL(url).pathname)?.[1] ?? '';

/** The newest audit row of an object, which a member has left. */
async function expectAudited(subject: string, row: Partial<AuditRow>): Promise<void> {
  await expect(async () => expect((await auditRows(subject)).at(-1)).toMatchObject(row)).toPass();
}

test('a notice is published as users will see it, and ended; an incident is opened, updated and closed', async ({
  page,
}) => {
  const member = await makeMember('operator');
  const actor = member.user._id;
  await openDesk(page, member, '/desk/notices');
  await expect(page.getByRole('heading', { level: 1, name: 'Notices and incidents' })).toBeVisible();

  await test.step('published with a preview, by keyboard', async () => {
    await page.getByRole('button', { name: 'Publish a notice' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await page.keyboard.type('The portal of Himachal is down until noon');
    await dialog.getByLabel('Text in Hindi').fill('हिमाचल का पोर्टल दोपहर तक बंद है');
    await dialog.getByLabel('Kind of line').selectOption('Warning');
    const preview = dialog.getByRole('region', { name: 'As users see it' });
    await expect(preview.getByText('हिमाचल का पोर्टल दोपहर तक बंद है')).toBeVisible();
    await expectAccessible(page);
    // An end before now is refused with its reason, and nothing that was typed is lost.
    await dialog.getByLabel('Shown until').fill('2020-01-01T10:00');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('told by the portal');
    await dialog.getByRole('textbox', { name: 'Reason' }).press('Enter');
    await expect(dialog.getByText('The end must be later than the start and than now')).toBeVisible();
    await dialog.getByLabel('Shown until').fill('');
    // Not now, because the other journeys would see it.
    await dialog.getByLabel('Shown from').fill('2099-01-01T10:00');
    await dialog.getByRole('textbox', { name: 'Reason' }).press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('Published', { exact: true })).toBeVisible();
  });
  const notice = page.getByRole('link', { name: 'The portal of Himachal is down until noon' });
  await notice.click();
  await expect(page.getByText('Planned').first()).toBeVisible();
  const noticeId = idAt(page.url());
  await expectAudited(noticeId, { action: 'notice.published', actor, reason: 'told by the portal' });
  await expectAccessible(page);

  await test.step('ended with the key e', async () => {
    await notice.focus();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'No longer true' }).click();
    await dialog.getByRole('button', { name: 'End this notice' }).click();
    await expect(page.getByText('Planned')).toHaveCount(0);
    await expectAudited(noticeId, { action: 'notice.ended', actor, reason: 'No longer true' });
  });

  await test.step('an incident from its beginning to its end, on a phone too', async () => {
    const say = async (button: string, text: string, reason: string) => {
      await page.getByRole('button', { name: button }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Text in English').fill(text);
      await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
      await dialog.getByRole('button', { name: button }).click();
      await expect(dialog).toHaveCount(0);
    };
    await say('Open an incident', 'Payments are not confirmed', 'seen by monitoring');
    await page.getByRole('link', { name: 'Payments are not confirmed' }).click();
    await expect(page.getByRole('heading', { name: 'Incident', exact: true })).toBeVisible();
    const incidentId = idAt(page.url());
    await expectAudited(incidentId, { action: 'incident.opened', actor, reason: 'seen by monitoring' });
    await showOnPhone(page);
    await expectNoSideways(page);
    // The heading of the page stays above an opened row.
    await expect(page.locator('h1:visible')).toHaveCount(1);
    await expectAccessible(page);
    await say('Add news', 'The bank has answered', 'called the bank');
    await expectAudited(incidentId, { action: 'incident.updated', actor, reason: 'called the bank' });
    await expect(page.getByText('The bank has answered')).toBeVisible();
    await say('Close the incident', 'All payments are confirmed', 'the bank has written');
    await expectAudited(incidentId, { action: 'incident.closed', actor, reason: 'the bank has written' });
    await expect(page.getByRole('button', { name: 'Close the incident' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await expect(page.getByText('Closed', { exact: true }).first()).toBeVisible();
    await expectNoSideways(page);
  });
});
