import { NOTICE_KINDS } from '@nivida/contract/push/alert-kinds';
import type { AlertPreferences, AlertPreferencesChange } from '@nivida/contract/push/push';
import { expect, test } from 'vitest';
import { openTestPage } from '../../../ui/test-page.tsx';
import { PreferenceForm } from './PreferenceForm.tsx';

const preferences = {
  kinds: Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, true])),
  quiet: null,
  language: 'en-IN',
  matches: 'digest',
} as unknown as AlertPreferences;

/** The form, and the changes that it sends. */
async function open(changes: Partial<AlertPreferences> = {}, { isSignedIn = true, disabled = false } = {}) {
  const sent: AlertPreferencesChange[] = [];
  const form = await openTestPage(
    <PreferenceForm
      {...{ preferences: { ...preferences, ...changes }, isSignedIn, disabled }}
      onChange={(change) => sent.push(change)}
    />,
  );
  return { ...form, sent };
}

/** Labels of the checkboxes that are on, and of those that can be changed. */
async function checkboxes(isSignedIn: boolean) {
  const { field, texts } = await open({}, { isSignedIn });
  const labels = texts('label').filter((label) => field(label).getAttribute('type') === 'checkbox');
  return {
    on: labels.filter((label) => field(label).checked),
    possible: labels.filter((label) => !field(label).disabled),
  };
}

test('alerts that need an account are off, and cannot be turned on, without one', async () => {
  const { on, possible } = await checkboxes(false);
  expect(on.length).toBeGreaterThan(2);
  expect(on).not.toContainEqual(expect.stringMatching(/saved search|office|vault/i));
  for (const text of on) expect(possible).toContain(text);
  expect((await checkboxes(true)).on).toContainEqual(expect.stringMatching(/saved search/i));
});

test('the form says what an alert needs, and that alerts of saved searches name works above the limit too', async () => {
  expect((await open()).text()).toContain(
    'Saved searches and followed offices: only in the states of your plan or free trial. Alerts also include works above the limit of your enlistment: “Works I may bid” filters the app only.',
  );
  expect((await open({}, { isSignedIn: false })).text()).toContain(
    'Saved searches and followed offices need an account with a plan or the free trial. The vault needs an account. The rest is free.',
  );
});

test('each kind of alert is turned on or off alone', async () => {
  const { sent, toggle, field } = await open({ kinds: { ...preferences.kinds, closing_in_3_days: false } });
  expect([field('3 days before closing').checked, field('3 hours before closing').checked]).toEqual([false, true]);
  await toggle('3 days before closing');
  await toggle('3 hours before closing');
  await toggle('A document of my vault expires in 30 or 7 days');
  expect(sent).toEqual([
    { kinds: { closing_in_3_days: true } },
    { kinds: { closing_in_3_hours: false } },
    { kinds: { expiry: false } },
  ]);
});

const TIME = 'Send new tenders';

test.each<[Partial<AlertPreferences['kinds']>, boolean]>([
  [{}, false],
  [{ match: false }, false],
  [{ office: false }, false],
  [{ match: false, office: false }, true],
])(
  'the time at which new tenders come needs one of the kinds that name them; with %j it is disabled: %s',
  async (kinds, isDisabled) => {
    const { field } = await open({ kinds: { ...preferences.kinds, ...kinds } });
    expect(field(TIME).disabled).toBe(isDisabled);
  },
);

test('a visitor is not asked when new tenders come', async () => {
  expect((await open({}, { isSignedIn: false })).texts('label')).not.toContain(TIME);
});

test.each([
  ['digest', 'Together, at 6:30 PM', 'at-once'],
  ['at-once', 'At once', 'digest'],
] as const)('new tenders that come %s, “%s”, can come %s', async (matches, label, other) => {
  const { sent, field, enter } = await open({ matches });
  expect([field(TIME).value, field(TIME).selectedOptions[0]?.text]).toEqual([matches, label]);
  await enter(TIME, other);
  expect(sent).toEqual([{ matches: other }]);
});

test('quiet hours begin with 9 PM to 7 AM', async () => {
  const { sent, toggle, field, texts } = await open({ quiet: null });
  expect([field('Quiet at night').checked, texts('label').includes('From')]).toEqual([false, false]);
  await toggle('Quiet at night');
  expect(sent).toEqual([{ quiet: { from: '21:00', until: '07:00' } }]);
});

test('both times of the quiet hours are shown, and each is saved when its field is left', async () => {
  const { sent, toggle, leave, field, page } = await open({ quiet: { from: '21:30', until: '06:15' } });
  expect(page.querySelectorAll('input[type="time"]')).toHaveLength(2);
  expect([field('Quiet at night').checked, field('From').value, field('Until').value]).toEqual([
    ...[true, '21:30', '06:15'],
  ]);
  const leaveWith = (label: string, time: string) => {
    field(label).value = time;
    return leave(label);
  };
  await leaveWith('From', '21:30');
  await leaveWith('From', '');
  expect(sent).toEqual([]);
  await leaveWith('From', '22:00');
  await leaveWith('Until', '05:45');
  await toggle('Quiet at night');
  expect(sent).toEqual([
    { quiet: { from: '22:00', until: '06:15' } },
    { quiet: { from: '21:30', until: '05:45' } },
    { quiet: null },
  ]);
});

test('the language is saved at once', async () => {
  const { sent, enter, field } = await open({ language: 'hi-IN' });
  expect(field('Language of the alerts').selectedOptions[0]?.text.trim()).toBe('हिन्दी');
  await enter('Language of the alerts', 'en-IN');
  expect(sent).toEqual([{ language: 'en-IN' }]);
});

test('nothing can be changed while a change is saved', async () => {
  const { page } = await open({}, { disabled: true });
  const controls = [...page.querySelectorAll<HTMLFieldSetElement | HTMLSelectElement>('fieldset, select')];
  expect(controls.map(({ disabled }) => disabled)).toEqual([true, true, true, true]);
});
