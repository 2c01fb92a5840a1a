import { button, formAlert, openSignIn, submitSignIn } from '../support/account-dialogs.ts';
import { callFailures, failNextCall } from '../support/forms.ts';
import { expect, test } from '../support/test.ts';
import { registerByApi } from '../support/test-accounts.ts';

// Chromium logs every response with a status of 400 or more, and every broken connection.
test.use({
  expectedErrors: /^Failed to load resource: (the server responded with a status of (400|401|500)|net::ERR_FAILED)/,
});

test.describe('the sign-in', () => {
  test('shows why it fails, and then succeeds', async ({ page }) => {
    const person = await registerByApi();
    const { dialog } = await openSignIn(page);
    for (const [name, failure, message] of callFailures('Failed to login'))
      await test.step(name, async () => {
        await failNextCall(page, '/api/auth/login', failure);
        await submitSignIn(page, person);
        await expect(formAlert(dialog)).toHaveText(message);
      });
    await button(dialog, 'Sign in').tap();
    await expect(dialog).toHaveCount(0);
  });
});
