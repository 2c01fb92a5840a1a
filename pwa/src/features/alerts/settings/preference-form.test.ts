import { NOTICE_KINDS } from '@nivida/contract/push/alert-kinds';
import type { AlertPreferences, AlertPreferencesChange } from '@nivida/contract/push/push';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, test } from 'vitest';
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

describe('a change in the form', () => {
  afterEach(() => document.body.replaceChildren());

  async function open(changes: Partial<AlertPreferences> = {}, { isSignedIn = true, disabled = false } = {}) {
    const sent: AlertPreferencesChange[] = [];
    const page = document.createElement('div');
    document.body.append(page);
    const form = createElement(PreferenceForm, {
      preferences: { ...preferences, ...changes },
      isSignedIn,
      disabled,
      onChange: (change) => sent.push(change),
    });
    await act(async () => createRoot(page).render(form));
    const labels = [...page.querySelectorAll('label')];
    /** The control of a label, which names it or is around it. */
    const control = <Control extends HTMLElement>(text: string) => {
      const label = labels.find(({ textContent }) => textContent?.trim() === text);
      return (label?.querySelector('input') ?? page.querySelector(`[id="${label?.htmlFor}"]`)) as Control;
    };
    return {
      sent,
      control,
      page,
      tick: (text: string) => act(async () => control<HTMLInputElement>(text).click()),
      choose: (text: string, value: string) =>
        act(async () => {
          control<HTMLSelectElement>(text).value = value;
          control<HTMLSelectElement>(text).dispatchEvent(new Event('change', { bubbles: true }));
        }),
      leave: (text: string, value: string) =>
        act(async () => {
          control<HTMLInputElement>(text).value = value;
          control<HTMLInputElement>(text).dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
        }),
    };
  }

  test('of a kind turns this kind on or off, and leaves the others', async () => {
    const { sent, tick, control } = await open({ kinds: { ...preferences.kinds, d3: false } });
    const box = (text: string) => control<HTMLInputElement>(text).checked;
    expect([box('3 days before closing'), box('3 hours before closing')]).toEqual([false, true]);
    await tick('3 days before closing');
    await tick('3 hours before closing');
    await tick('A document of my vault expires in 30 or 7 days');
    expect(sent).toEqual([{ kinds: { d3: true } }, { kinds: { h3: false } }, { kinds: { expiry: false } }]);
  });

  test('of the time at which new tenders come needs one of the kinds that name them', async () => {
    const { match, office, ...others } = preferences.kinds;
    const isDisabled = async (kinds: Partial<AlertPreferences['kinds']>) => {
      const { control } = await open({ kinds: { ...others, match, office, ...kinds } });
      return control<HTMLSelectElement>('New tenders come').disabled;
    };
    expect(await isDisabled({})).toBe(false);
    expect(await isDisabled({ match: false })).toBe(false);
    expect(await isDisabled({ office: false })).toBe(false);
    expect(await isDisabled({ match: false, office: false })).toBe(true);
    expect((await open({}, { isSignedIn: false })).control('New tenders come')).toBeNull();

    const together = await open();
    expect(together.control<HTMLSelectElement>('New tenders come').value).toBe('digest');
    await together.choose('New tenders come', 'at-once');
    const atOnce = await open({ matches: 'at-once' });
    expect(atOnce.control<HTMLSelectElement>('New tenders come').selectedOptions[0]?.text).toBe('At once');
    await atOnce.choose('New tenders come', 'digest');
    expect([together.sent, atOnce.sent]).toEqual([[{ matches: 'at-once' }], [{ matches: 'digest' }]]);
  });

  test('of the quiet hours begins with 9 PM to 7 AM, and each time is saved when its field is left', async () => {
    const without = await open({ quiet: null });
    expect(without.control<HTMLInputElement>('Quiet at night').checked).toBe(false);
    expect(without.control('From')).toBeNull();
    await without.tick('Quiet at night');
    expect(without.sent).toEqual([{ quiet: { from: '21:00', until: '07:00' } }]);

    const { sent, tick, leave, control } = await open({ quiet: { from: '21:30', until: '06:15' } });
    expect(control<HTMLInputElement>('Quiet at night').checked).toBe(true);
    await leave('From', '21:30');
    await leave('From', '');
    expect(sent).toEqual([]);
    await leave('From', '22:00');
    await leave('Until', '05:45');
    await tick('Quiet at night');
    expect(sent).toEqual([
      { quiet: { from: '22:00', until: '06:15' } },
      { quiet: { from: '21:30', until: '05:45' } },
      { quiet: null },
    ]);
  });

  test('of the language is saved at once', async () => {
    const { sent, choose, control } = await open({ language: 'hi-IN' });
    expect(control<HTMLSelectElement>('Language of the alerts').selectedOptions[0]?.text.trim()).toBe('हिन्दी');
    await choose('Language of the alerts', 'en-IN');
    expect(sent).toEqual([{ language: 'en-IN' }]);
  });

  test('is not possible while another one is saved', async () => {
    const { page } = await open({}, { disabled: true });
    const controls = [...page.querySelectorAll<HTMLFieldSetElement | HTMLSelectElement>('fieldset, select')];
    expect(controls.map(({ disabled }) => disabled)).toEqual([true, true, true, true]);
  });

  test('says what an alert needs, with and without an account', () => {
    expect(render(true)).toContain(
      'Saved searches and followed offices: only in the states of your plan or free trial.',
    );
    expect(render(false)).toContain(
      'Saved searches and followed offices need an account with a plan or the free trial. The vault needs an account. The rest is free.',
    );
  });
});
