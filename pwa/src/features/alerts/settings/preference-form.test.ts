import { NOTICE_KINDS } from '@nivida/contract/push/alert-kinds';
import type { AlertPreferences } from '@nivida/contract/push/push';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PreferenceForm } from './PreferenceForm.tsx';

const preferences = {
  kinds: Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, true])),
  quiet: null,
  language: 'en-IN',
  matches: 'digest',
} as unknown as AlertPreferences;

const render = (isSignedIn: boolean, changes: Partial<AlertPreferences> = {}) =>
  renderToString(
    createElement(PreferenceForm, {
      preferences: { ...preferences, ...changes },
      isSignedIn,
      disabled: false,
      onChange: () => undefined,
    }),
  );

/** Labels of the checkboxes that are on, and of those that can be changed. */
function checkboxes(isSignedIn: boolean) {
  const page = document.createElement('div');
  page.innerHTML = render(isSignedIn);
  const all = [...page.querySelectorAll('label')].flatMap((label) => {
    const box = label.querySelector<HTMLInputElement>('input[type="checkbox"]');
    return box ? [{ text: label.textContent?.trim(), isOn: box.checked, isPossible: !box.disabled }] : [];
  });
  return {
    on: all.filter(({ isOn }) => isOn).map(({ text }) => text),
    possible: all.filter(({ isPossible }) => isPossible).map(({ text }) => text),
  };
}

test('alerts that need an account are off, and cannot be turned on, without one', () => {
  const { on, possible } = checkboxes(false);
  expect(on.length).toBeGreaterThan(2);
  expect(on).not.toContainEqual(expect.stringMatching(/saved search|office|vault/i));
  for (const text of on) expect(possible).toContain(text);
  expect(checkboxes(true).on).toContainEqual(expect.stringMatching(/saved search/i));
});

test('where alerts of saved searches are turned on, the form says that they name works above the limit too', () => {
  expect(render(true)).toContain(
    'They also name works above the limit of your enlistment: “Works I may bid” hides those in the app only.',
  );
});

test('the quiet hours are shown with their begin and their end', () => {
  const page = document.createElement('div');
  page.innerHTML = render(true, { quiet: { from: '21:30', until: '06:15' } });
  const times = [...page.querySelectorAll('input[type="time"]')].map((input) => [
    page.querySelector(`label[for="${input.id}"]`)?.textContent.trim(),
    input.getAttribute('value'),
  ]);
  expect(times).toEqual([
    ['From', '21:30'],
    ['Until', '06:15'],
  ]);
});
