// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { indianDay } from '@nivida/contract/format';
import { type AlertPreferences, DEFAULT_ALERT_PREFERENCES } from '@nivida/contract/push/push';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { writeSetting } from '../../../data/device/settings.ts';
import { stopOutbox } from '../../../data/outbox/outbox.ts';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { dismissToast, useToast } from '../../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../../ui/test-page.tsx';
import { type AlertState, useAlerts } from '../alert-state.ts';
import { AlertOffer } from './AlertOffer.tsx';
import { AlertSettings } from './AlertSettings.tsx';
import { readAlertRefusal, useAlertRefusal } from './alert-offer.ts';
import { MuteButton } from './MuteButton.tsx';
import { MuteStatus } from './MuteStatus.tsx';

interface Call {
  call: string;
  authorization: string | null;
  body: unknown;
}

let calls: Call[];
/** Answers by call; any other is answered with 204. */
let answers: Map<string, () => Response | Promise<Response>>;
let permission: NotificationPermission;
let askPermission: () => Promise<NotificationPermission>;
let phone: { onLine: boolean };

const SUBSCRIPTIONS = 'POST /api/push/subscriptions';
const CHANGE = 'PATCH /api/push/subscriptions/d1';
const DEVICE = { id: 'd1', rcpt: 'r1', applicationServerKey: 'key', preferences: DEFAULT_ALERT_PREFERENCES };
const refuse = (message: string) => () => Response.json({ code: 'INVALID', message, requestId: 'r' }, { status: 400 });
const preferencesWith = (changes: Partial<AlertPreferences>) => ({ ...DEFAULT_ALERT_PREFERENCES, ...changes });
const withPreferences = (changes: Partial<AlertPreferences>) => () =>
  Response.json({ ...DEVICE, preferences: preferencesWith(changes) });

beforeEach(() => {
  [calls, answers] = [[], new Map()];
  permission = 'granted';
  askPermission = async () => permission;
  const subscription = {
    options: {},
    unsubscribe: async () => true,
    toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
  };
  const registration = { pushManager: { getSubscription: async () => null, subscribe: async () => subscription } };
  phone = Object.assign(
    { onLine: true, userAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile', language: 'en-IN' },
    {
      serviceWorker: { getRegistration: async () => registration, ready: Promise.resolve(registration) },
      locks: { request: (_name: string, work: () => Promise<unknown>) => work() },
    },
  );
  vi.stubGlobal('navigator', phone);
  vi.stubGlobal('Notification', {
    get permission() {
      return permission;
    },
    requestPermission: () => askPermission(),
  });
  answers.set('GET /api/push/key', () => Response.json({ publicKey: 'key' }));
  answers.set(SUBSCRIPTIONS, () => Response.json({ ...DEVICE, secret: 's1' }));
  answers.set('GET /api/push/email', () => Response.json({ preferences: null }));
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    const text = await request.text();
    calls.push({
      call,
      authorization: request.headers.get('authorization'),
      body: text ? JSON.parse(text) : undefined,
    });
    return (await answers.get(call)?.()) ?? new Response(null, { status: 204 });
  });
});

afterEach(async () => {
  await closeTestPages();
  stopOutbox();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  useAlerts.setState({ state: 'unknown', preferences: null, unread: 0 });
  useAlertRefusal.setState({ day: undefined });
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

async function open(element: ReactElement) {
  const opened = await openTestPage(element);
  const { page, texts, names } = opened;
  const areFieldsDisabled = () => [...page.querySelectorAll('fieldset')].map(({ disabled }) => disabled);
  /** Waits until an earlier press is done. */
  const whenIdle = () =>
    expect.poll(() => [page.querySelector('[aria-busy]'), areFieldsDisabled().includes(true)]).toEqual([null, false]);
  return {
    ...opened,
    areFieldsDisabled,
    buttons: () => names('button'),
    status: () => texts('[role="status"]')[0],
    alert: () => texts('[role="alert"]')[0],
    press: async (name: string) => {
      await whenIdle();
      await opened.press(name);
    },
    toggle: async (label: string) => {
      await whenIdle();
      await opened.toggle(label);
    },
  };
}

const toastText = () => useToast.getState().current?.text;
const setOnline = (isOnline: boolean) =>
  act(async () => {
    phone.onLine = isOnline;
    window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  });

/** Alerts are on: the phone has its row, and the app has read it. */
async function turnedOn(changes: Partial<AlertPreferences> = {}): Promise<void> {
  const preferences = preferencesWith(changes);
  await withDatabase((db) =>
    db.pushDevice.put({ key: 'device', owner: '', id: 'd1', secret: 's1', rcpt: 'r1', watched: [], preferences }),
  );
  useAlerts.setState({ state: 'on', preferences });
}

const showSettings = (searchNames: ReadonlyMap<string, string> = new Map()) =>
  open(<AlertSettings searchNames={searchNames} />);

describe('the alert settings of a visitor', () => {
  const MAILS = 'With an account you can get alerts by e-mail instead. Sign in, then open this page again.';

  test.each<[AlertState, string, string[], boolean]>([
    ['unknown', 'Checking alerts…', [], false],
    [
      'unsupported',
      'This browser cannot show alerts: they need Chrome, Edge, Firefox or Safari outside a private window.',
      [],
      true,
    ],
    [
      'install',
      'On iPhone and iPad, alerts work only in the installed app. Tap Share in Safari, then “Add to Home Screen”. Open Nivida from there and turn alerts on.',
      [],
      true,
    ],
    [
      'denied',
      'This browser does not allow notifications from Nivida. To allow them, tap the sign left of the address, then Permissions or Site settings, then Notifications: Allow. Then come back here.',
      [],
      true,
    ],
    ['off', 'Off. Nothing is sent to this phone.', ['Turn on alerts'], false],
  ])('where they are %s say "%s"', async (state, text, names, isMailNamed) => {
    useAlerts.setState({ state });
    const page = await showSettings();
    expect([page.status(), page.buttons()]).toEqual([text, names]);
    expect(page.text().includes(MAILS)).toBe(isMailNamed);
    expect(page.text().includes('at 6 PM the evening before and again 3 hours before')).toBe(state === 'off');
    // Alerts by e-mail are those of an account.
    expect(page.page.querySelectorAll('fieldset, section')).toHaveLength(0);
    expect(calls).toEqual([]);
  });

  test('turn the alerts of the phone on, and off again', async () => {
    useAlerts.setState({ state: 'off' });
    const page = await showSettings();
    await page.press('Turn on alerts');
    await expect.poll(page.status).toBe('On. You get alerts about your saved tenders on this phone.');
    expect(page.buttons()).toEqual(['Turn off alerts']);
    expect(page.text()).toContain('If you turn alerts off or sign out, our server forgets the address of this phone.');
    expect(page.text()).not.toContain(MAILS);
    await page.press('Turn off alerts');
    await expect.poll(page.status).toBe('Off. Nothing is sent to this phone.');
    await expect.poll(() => withDatabase((db) => db.pushDevice.count())).toBe(0);
  });

  test('cannot be turned on without a connection', async () => {
    useAlerts.setState({ state: 'off' });
    const page = await showSettings();
    expect(page.button('Turn on alerts').disabled).toBe(false);
    await setOnline(false);
    expect(page.button('Turn on alerts').disabled).toBe(true);
    expect(page.text()).not.toContain('Changes need a connection.');
  });

  test('say why they were not turned on, until they are', async () => {
    useAlerts.setState({ state: 'off' });
    askPermission = () => Promise.reject(new Error('no answer'));
    const page = await showSettings();
    await page.press('Turn on alerts');
    await expect.poll(page.alert).toBe('Alerts could not be turned on');
    askPermission = async () => permission;
    answers.set(SUBSCRIPTIONS, refuse('The endpoint is too long'));
    await page.press('Turn on alerts');
    await expect.poll(page.alert).toBe('The endpoint is too long');
    answers.set(SUBSCRIPTIONS, () => Response.json({ ...DEVICE, secret: 's1' }));
    await page.press('Turn on alerts');
    await expect.poll(page.buttons).toEqual(['Turn off alerts']);
    expect(page.alert()).toBeUndefined();
  });

  test('say when they could not be turned off', async () => {
    await turnedOn();
    const page = await showSettings();
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
      throw new DOMException('The phone is full', 'QuotaExceededError');
    });
    await page.press('Turn off alerts');
    await expect.poll(page.alert).toBe('Alerts could not be turned off');
    expect(page.buttons()).toEqual(['Turn off alerts']);
  });

  test('send a changed preference as the phone and show it; a refused change is not shown, but its reason is', async () => {
    await turnedOn();
    const page = await showSettings();
    const days = () => page.field('3 days before closing');
    expect(days().checked).toBe(false);
    const answer = Promise.withResolvers<Response>();
    answers.set(CHANGE, () => answer.promise);
    await page.toggle('3 days before closing');
    await expect
      .poll(() => calls)
      .toEqual([{ call: CHANGE, authorization: 'Device s1', body: { kinds: { closing_in_3_days: true } } }]);
    expect(page.areFieldsDisabled()).toEqual([true, true]);
    answer.resolve(withPreferences({ kinds: { ...DEFAULT_ALERT_PREFERENCES.kinds, closing_in_3_days: true } })());
    await expect.poll(page.areFieldsDisabled).toEqual([false, false]);
    expect([days().checked, useAlerts.getState().preferences?.kinds.closing_in_3_days]).toEqual([true, true]);

    answers.set(CHANGE, refuse('The language is en-IN or hi-IN'));
    await page.toggle('Quiet at night');
    await expect.poll(page.alert).toBe('The language is en-IN or hi-IN');
    expect(useAlerts.getState().preferences?.quiet).toEqual({ from: '21:00', until: '07:00' });

    answers.set(CHANGE, () => Response.json({ id: 'd1' }));
    await page.toggle('Quiet at night');
    await expect.poll(page.alert).toBe('The change was not saved');
  });

  test('cannot be changed without a connection, but can be turned off', async () => {
    await turnedOn({ mutedTenders: ['7'] });
    const page = await showSettings();
    expect(page.areFieldsDisabled()).toEqual([false, false]);
    await setOnline(false);
    expect(page.areFieldsDisabled()).toEqual([true, true]);
    expect(page.text()).toContain('Changes need a connection.');
    expect(page.buttons().map((name) => [name, page.button(name).disabled])).toEqual([
      ['Unmute Tender 7', true],
      ['Turn off alerts', false],
    ]);
  });
});

describe('what is muted on the phone', () => {
  const SEARCH = '11111111-2222-4333-8444-555555555555';
  const GONE = '11111111-2222-4333-8444-666666666666';

  test('is listed with titles and names, and each is unmuted alone', async () => {
    await withDatabase((db) =>
      db.tenders.put({ id: '7', tender: testTenderDetail({ _id: '7', title: 'Footbridge' }), savedAt: 1 }),
    );
    await turnedOn({ mutedTenders: ['7', '8'], mutedSearches: [SEARCH, GONE] });
    const page = await showSettings(new Map([[SEARCH, 'Bridges']]));
    await expect
      .poll(() => page.texts('section[aria-label="Muted"] li span:first-child'))
      .toEqual(expect.arrayContaining(['Footbridge', 'Tender 8', 'Bridges', 'A search that was deleted']));
    expect(page.buttons().slice(0, 4)).toEqual([
      'Unmute Footbridge',
      'Unmute Tender 8',
      'Unmute Bridges',
      'Unmute A search that was deleted',
    ]);
    answers.set(CHANGE, withPreferences({ mutedTenders: ['7'], mutedSearches: [SEARCH, GONE] }));
    await page.press('Unmute Tender 8');
    await expect.poll(page.buttons).not.toContain('Unmute Tender 8');
    answers.set(CHANGE, withPreferences({ mutedTenders: ['7'], mutedSearches: [GONE] }));
    await page.press('Unmute Bridges');
    await expect.poll(page.buttons).not.toContain('Unmute Bridges');
    expect(calls.map(({ body }) => body)).toEqual([{ mutedTenders: ['7'] }, { mutedSearches: [GONE] }]);
    expect(page.buttons().slice(0, 2)).toEqual(['Unmute Footbridge', 'Unmute A search that was deleted']);
  });

  test('has no list when nothing is muted', async () => {
    await turnedOn();
    const page = await showSettings();
    expect(page.page.querySelector('[aria-label="Muted"]')).toBeNull();
  });

  test('is shown at a bookmarked tender, where it is muted and unmuted; others stay muted', async () => {
    await turnedOn({ mutedTenders: ['8'] });
    const page = await open(<MuteStatus tenderId="7" />);
    const text = () => [page.page.querySelector('p > span')?.textContent, ...page.buttons()];
    expect(text()).toEqual(['Reminder on.', 'Mute this tender']);
    answers.set(CHANGE, withPreferences({ mutedTenders: ['8', '7'] }));
    await page.press('Mute this tender');
    await expect.poll(text).toEqual(['Muted on this phone.', 'Unmute this tender']);
    answers.set(CHANGE, withPreferences({ mutedTenders: ['8'] }));
    await page.press('Unmute this tender');
    await expect.poll(text).toEqual(['Reminder on.', 'Mute this tender']);
    expect(calls.map(({ body }) => body)).toEqual([{ mutedTenders: ['8', '7'] }, { mutedTenders: ['8'] }]);
  });

  test('of a search is its own list, and says so on the button', async () => {
    await turnedOn({ mutedTenders: ['7'], mutedSearches: [GONE] });
    const page = await open(<MuteButton kind="mutedSearches" id={SEARCH} name="Bridges" />);
    expect([page.buttons(), page.text()]).toEqual([['Mute Bridges'], 'Mute']);
    answers.set(CHANGE, withPreferences({ mutedSearches: [GONE, SEARCH] }));
    await page.press('Mute Bridges');
    await expect.poll(() => [page.buttons(), page.text()]).toEqual([['Unmute Bridges'], 'Unmute']);
    expect(calls.map(({ body }) => body)).toEqual([{ mutedSearches: [GONE, SEARCH] }]);
  });

  test('cannot be chosen where alerts are off', async () => {
    const page = await open(
      <main>
        <MuteStatus tenderId="7" />
        <MuteButton kind="mutedTenders" id="7" name="this tender" />
      </main>,
    );
    expect(page.text()).toBe('');
  });

  test.each<[string, () => Response | Promise<Response>, string]>([
    ['with a reason', refuse('At most 200 tenders'), 'The change was not saved. At most 200 tenders'],
    [
      'without a connection',
      () => Promise.reject(new TypeError('Failed to fetch')),
      'The change was not saved. It needs a connection.',
    ],
    ['with an unreadable answer', () => Response.json({}), 'The change was not saved. Please try again.'],
  ])('stays as it was when the server refuses the change %s', async (_what, answer, text) => {
    await turnedOn();
    const page = await open(<MuteButton kind="mutedTenders" id="7" name="this tender" />);
    answers.set(CHANGE, answer);
    await page.press('Mute this tender');
    await expect.poll(toastText).toBe(text);
    expect(page.buttons()).toEqual(['Mute this tender']);
  });
});

test('alerts that need an account are disabled for a visitor, and enabled for a user', async () => {
  await turnedOn();
  const ofVisitor = await showSettings();
  expect(ofVisitor.field('New tenders of my saved searches').disabled).toBe(true);
  expect(ofVisitor.text()).toContain('Saved searches and followed offices need an account');
  await ofVisitor.close();
  await act(async () => signInForTest('asha', 'abc'));
  const ofUser = await showSettings();
  expect(ofUser.field('New tenders of my saved searches').disabled).toBe(false);
  expect(ofUser.text()).not.toContain('Saved searches and followed offices need an account');
});

describe('the alerts of an account by e-mail', () => {
  const MAILS = '/api/push/email';
  const headings = ({ page, texts }: TestPage) => [
    page.querySelector('section')?.getAttribute('aria-label'),
    ...texts('section h3'),
  ];

  beforeEach(() => signInForTest('asha', 'abc'));

  test.each<AlertState>(['unsupported', 'install', 'denied'])(
    'are offered where those of the phone are %s, changed and stopped',
    async (state) => {
      useAlerts.setState({ state });
      const page = await showSettings();
      await expect.poll(page.buttons).toEqual(['Send them by e-mail']);
      expect(headings(page)).toEqual(['By e-mail instead', 'By e-mail instead']);
      expect(page.text()).toContain('The same alerts to the e-mail address of your account.');
      expect(page.text()).not.toContain('With an account you can get alerts by e-mail');

      answers.set(`PUT ${MAILS}`, () => Response.json({ preferences: DEFAULT_ALERT_PREFERENCES }));
      await page.press('Send them by e-mail');
      await expect.poll(page.buttons).toEqual(['Stop the e-mails']);
      expect(page.text()).toContain('On. Alerts go to the e-mail address of your account.');
      expect(page.field('New tenders of my saved searches').disabled).toBe(false);
      answers.set(`PUT ${MAILS}`, () => Response.json({ preferences: preferencesWith({ quiet: null }) }));
      await page.toggle('Quiet at night');
      await expect.poll(() => page.field('Quiet at night').checked).toBe(false);

      answers.set(`DELETE ${MAILS}`, () => Response.json({ preferences: null }));
      await page.press('Stop the e-mails');
      await expect.poll(page.buttons).toEqual(['Send them by e-mail']);
      expect(calls).toEqual([
        { call: `GET ${MAILS}`, authorization: 'Bearer abc', body: undefined },
        { call: `PUT ${MAILS}`, authorization: 'Bearer abc', body: {} },
        { call: `PUT ${MAILS}`, authorization: 'Bearer abc', body: { quiet: null } },
        { call: `DELETE ${MAILS}`, authorization: 'Bearer abc', body: undefined },
      ]);
    },
  );

  test('are shown beside those of the phone only while they are on', async () => {
    useAlerts.setState({ state: 'off' });
    const without = await showSettings();
    await expect.poll(() => calls).toHaveLength(1);
    await act(async () => undefined);
    expect(without.page.querySelector('section')).toBeNull();
    await without.close();
    answers.set(`GET ${MAILS}`, () => Response.json({ preferences: DEFAULT_ALERT_PREFERENCES }));
    const page = await showSettings();
    await expect.poll(() => headings(page)).toEqual(['By e-mail', 'By e-mail']);
    expect(page.buttons()).toEqual(['Turn on alerts', 'Stop the e-mails']);
  });

  test('that cannot be read say so, and are read again with the next connection', async () => {
    useAlerts.setState({ state: 'denied' });
    answers.set(`GET ${MAILS}`, () => Response.json({ preferences: 5 }));
    const page = await showSettings();
    await expect.poll(page.alert).toBe('Failed to read the alerts by e-mail');
    expect(page.buttons()).toEqual([]);
    await setOnline(false);
    expect(page.texts('section p')).toContain('This needs a connection.');
    answers.set(`GET ${MAILS}`, () => Response.json({ preferences: null }));
    await setOnline(true);
    await expect.poll(page.buttons).toEqual(['Send them by e-mail']);
    expect(page.alert()).toBeUndefined();
    expect(page.text()).not.toContain('This needs a connection.');
  });

  test('that are not saved say why, and stay as they were', async () => {
    useAlerts.setState({ state: 'denied' });
    const page = await showSettings();
    await expect.poll(page.buttons).toEqual(['Send them by e-mail']);
    answers.set(`PUT ${MAILS}`, () => Response.json({}));
    await page.press('Send them by e-mail');
    await expect.poll(page.alert).toBe('The change was not saved');
    answers.set(`PUT ${MAILS}`, refuse('This account was deleted'));
    await page.press('Send them by e-mail');
    await expect.poll(page.alert).toBe('This account was deleted');
    expect(page.buttons()).toEqual(['Send them by e-mail']);
  });

  test('are not read, sent or stopped without a connection', async () => {
    useAlerts.setState({ state: 'denied' });
    phone.onLine = false;
    const page = await showSettings();
    expect([calls, page.alert(), page.buttons()]).toEqual([[], undefined, []]);
    await setOnline(true);
    await expect.poll(page.buttons).toEqual(['Send them by e-mail']);
    expect([page.button('Send them by e-mail').disabled, calls.length]).toEqual([false, 1]);
    await setOnline(false);
    expect(page.button('Send them by e-mail').disabled).toBe(true);
    answers.set(`GET ${MAILS}`, () => Response.json({ preferences: DEFAULT_ALERT_PREFERENCES }));
    await setOnline(true);
    await expect.poll(page.buttons).toEqual(['Stop the e-mails']);
    expect([page.areFieldsDisabled(), page.button('Stop the e-mails').disabled]).toEqual([[false, false], false]);
    await setOnline(false);
    expect([page.areFieldsDisabled(), page.button('Stop the e-mails').disabled]).toEqual([[true, true], true]);
  });
});

describe('the offer of alerts', () => {
  const showOffer = () => open(<AlertOffer />);
  const refusal = async () => [
    useAlertRefusal.getState().day,
    (await withDatabase((db) => db.settings.get('alertsRefused')))?.value,
  ];
  const today = () => indianDay(new Date());

  test('turns them on', async () => {
    const page = await showOffer();
    expect([page.page.querySelector('p')?.textContent, page.buttons()]).toEqual([
      'Get reminders before closing',
      ['Turn on alerts', 'Not now'],
    ]);
    await page.press('Turn on alerts');
    await expect.poll(toastText).toBe('Alerts are on.');
    expect([useAlerts.getState().state, await refusal()]).toEqual(['on', [undefined, undefined]]);
  });

  test.each<[NotificationPermission, AlertState, string | undefined]>([
    ['denied', 'denied', 'This browser blocks notifications. See Settings to allow them.'],
    ['default', 'off', undefined],
  ])('answered with "%s" in the browser is refused for four weeks', async (answer, state, text) => {
    permission = answer;
    const page = await showOffer();
    await page.press('Turn on alerts');
    await expect.poll(refusal).toEqual([today(), today()]);
    await expect.poll(toastText).toBe(text);
    expect(useAlerts.getState().state).toBe(state);
  });

  test('that fails stays with its reason', async () => {
    const page = await showOffer();
    askPermission = () => Promise.reject(new Error('no answer'));
    await page.press('Turn on alerts');
    await expect.poll(page.alert).toBe('Alerts could not be turned on');
    expect([toastText(), await refusal()]).toEqual([undefined, [undefined, undefined]]);
  });

  test('is refused by "Not now"', async () => {
    const page = await showOffer();
    await page.press('Not now');
    await expect.poll(refusal).toEqual([today(), today()]);
    expect(calls).toEqual([]);
  });

  test.each<[unknown, number | null]>([
    [20_000, 20_000],
    ['yesterday', null],
    [undefined, null],
  ])('was last refused on the stored day %j: %j', async (value, day) => {
    if (value !== undefined) await writeSetting('alertsRefused', value);
    await readAlertRefusal();
    expect(useAlertRefusal.getState().day).toBe(day);
  });
});
