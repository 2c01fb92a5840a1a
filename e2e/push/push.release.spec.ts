import { waitForWorker } from '../support/phone.ts';
import { makeSession, storeSession } from '../support/session.ts';
import { expect, test } from '../support/test.ts';
import { WITH_NOTIFICATIONS } from './chromium.ts';

test.use(WITH_NOTIFICATIONS);

test.describe('in a browser that denies notifications', () => {
  test.use({ permissions: [] });

  test('alerts come by e-mail instead, if the user says so', async ({ page, context, baseURL }) => {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Browser.setPermission', {
      permission: { name: 'notifications' },
      setting: 'denied',
      origin: baseURL ?? '',
    });
    const session = await makeSession();
    await page.goto('/');
    await waitForWorker(page);
    await storeSession(page, session);
    await page.goto('/notices');
    await page.getByRole('button', { name: 'Alert settings' }).tap();
    const panel = page.getByRole('dialog', { name: 'Alerts' });
    await expect(panel.getByText('This browser does not allow notifications from Nivida.')).toBeVisible();
    await panel.getByRole('button', { name: 'Send them by e-mail' }).tap();
    await expect(panel.getByText('On. Alerts go to the e-mail address of your account.')).toBeVisible();
    await panel.getByRole('checkbox', { name: '7 days before closing' }).tap();
    const byEmail = async () => {
      const answer = await page.request.get('/api/push/email', {
        headers: { Authorization: `Bearer ${session.token}` },
      });
      return ((await answer.json()) as { preferences: object | null }).preferences;
    };
    await expect.poll(byEmail).toMatchObject({ kinds: { closing_in_7_days: true } });
    // Alerts that are on can be turned off even where notifications are allowed.
    await context.grantPermissions(['notifications']);
    await page.reload();
    await page.getByRole('button', { name: 'Alert settings' }).tap();
    await expect(panel.getByRole('button', { name: 'Turn on alerts' })).toBeVisible();
    await panel.getByRole('button', { name: 'Stop the e-mails' }).tap();
    await expect.poll(byEmail).toBeNull();
  });
});
