/** Checks of a form while it is filled in and sent. */
import type { Locator, Page, Route } from '@playwright/test';
import { expect } from './test.ts';

/** A control is marked as invalid and shows why. Screen readers get the reason too. */
export async function expectInvalid(control: Locator, message: string): Promise<void> {
  await expect(control).toHaveAccessibleDescription(message);
  await expect(control).toHaveAttribute('aria-invalid', 'true');
  await expect(control.page().getByText(message, { exact: true }).filter({ visible: true })).not.toHaveCount(0);
}

/** A control is not marked as invalid. */
export async function expectValid(control: Locator): Promise<void> {
  await expect(control).not.toHaveAttribute('aria-invalid');
  await expect(control).toHaveAccessibleDescription('');
}

/** How a call fails: without an answer, or with this status and body. */
export type CallFailure = 'no answer' | { status: number; json: object };

const NO_RESPONSE = 'No response from server. Please check your internet connection.';

/**
 * The text of the error box for each failure of a call. `fallback` is shown when the server gives no message.
 */
export function callFailures(fallback: string): [name: string, failure: CallFailure, message: string][] {
  return [
    ['the server says why', { status: 500, json: { message: 'Back in a minute' } }, 'Back in a minute'],
    ['the server does not say why', { status: 500, json: {} }, fallback],
    ['there is no answer', 'no answer', `${fallback}. ${NO_RESPONSE}`],
  ];
}

/** Makes the next call of a path fail. */
export async function failNextCall(page: Page, path: string, failure: CallFailure): Promise<void> {
  const fail = (route: Route) => (failure === 'no answer' ? route.abort() : route.fulfill(failure));
  await page.route(`**${path}`, fail, { times: 1 });
}

/** Starts a call by `act` and returns while the call is running. `release` lets the answer through. */
export async function holdResponse(page: Page, path: string, act: () => Promise<void>) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  let calls = 0;
  await page.route(`**${path}`, async (route) => {
    calls += 1;
    ask();
    await released;
    await route.continue();
  });
  await act();
  await asked;
  return { release, calls: () => calls };
}

/**
 * While a call is running, its button shows the spinner, and the form's fields and other buttons are
 * disabled.
 */
export async function expectBusy(within: Locator): Promise<void> {
  const form = within.locator('form');
  await expect(form.locator('button[aria-busy="true"]')).toHaveCount(1);
  // The button that shows a password sends nothing, so it stays enabled.
  for (const button of await form.locator('button:not([aria-busy])').filter({ hasNotText: /^Show/ }).all())
    await expect(button).toBeDisabled();
  for (const input of await form.getByRole('textbox').all()) await expect(input).not.toBeEditable();
}
