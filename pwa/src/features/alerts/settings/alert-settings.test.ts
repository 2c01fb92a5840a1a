// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { indianDay } from '@nivida/contract/format';
import { type AlertPreferences, DEFAULT_ALERT_PREFERENCES } from '@nivida/contract/push/push';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act } from 'preact/test-utils';
import { createElement, type ReactElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { writeSetting } from '../../../data/device/settings.ts';
import { stopOutbox } from '../../../data/outbox/outbox.ts';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { dismissToast, useToast } from '../../../ui/feedback/toast.ts';
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
let roots: Root[];

const SUBSCRIPTIONS = 'POST /api/push/subscriptions';
const CHANGE = 'PATCH /api/push/subscriptions/d1';
const DEVICE = { id: 'd1', rcpt: 'r1', applicationServerKey: 'key', preferences: DEFAULT_ALERT_PREFERENCES };
const refuse = (message: string) => () => Response.json({ code: 'INVALID', message, requestId: 'r' }, { status: 400 });
const preferencesWith = (changes: Partial<AlertPreferences>) => ({ ...DEFAULT_ALERT_PREFERENCES, ...changes });
const withPreferences = (changes: Partial<AlertPreferences>) => () =>
  Response.json({ ...DEVICE, preferences: preferencesWith(changes) });

beforeEach(() => {
  [calls, answers, roots] = [[], new Map(), []];
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
  await act(async () => {
    for (const root of roots) root.unmount();
  });
  document.body.replaceChildren();
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

async function show(element: ReactElement): Promise<HTMLElement> {
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  roots.push(root);
  const router = createMemoryRouter([{ path: '/', element }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  return page;
}

const nameOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent?.trim() ?? '';
const buttons = (page: HTMLElement) => [...page.querySelectorAll('button')];
const buttonNames = (page: HTMLElement) => buttons(page).map(nameOf);
async function press(page: HTMLElement, name: string): Promise<void> {
  // An earlier press may not be done.
  await expect.poll(() => page.querySelector('[aria-busy]')).toBeNull();
  await act(async () => {
    const button = buttons(page).find((each) => nameOf(each) === name);
    if (!button) throw new Error(`There is no button ${name}`);
    button.click();
  });
}
const checkbox = (page: HTMLElement, label: string) => {
  const found = [...page.querySelectorAll('label')].find(({ textContent }) => textContent?.trim() === label);
  return found?.querySelector('input') as HTMLInputElement;
};
const status = (page: HTMLElement) => page.querySelector('[role="status"]')?.textContent;
const alertText = (page: HTMLElement) => page.querySelector('[role="alert"]')?.textContent?.trim();
const toastText = () => useToast.getState().current?.text;
const areFieldsDisabled = (page: HTMLElement) => [...page.querySelectorAll('fieldset')].map(({ disabled }) => disabled);
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
  show(createElement(AlertSettings, { searchNames }));

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
    expect([status(page), buttonNames(page)]).toEqual([text, names]);
    expect(page.textContent?.includes(MAILS)).toBe(isMailNamed);
    expect(page.textContent?.includes('at 6 PM the evening before and again 3 hours before')).toBe(state === 'off');
    // Alerts by e-mail are those of an account.
    expect(page.querySelectorAll('fieldset, section')).toHaveLength(0);
    expect(calls).toEqual([]);
  });

  test('turn the alerts of the phone on, and off again', async () => {
    useAlerts.setState({ state: 'off' });
    const page = await showSettings();
    await press(page, 'Turn on alerts');
    await expect.poll(() => status(page)).toBe('On. You get alerts about your saved tenders on this phone.');
    expect(buttonNames(page)).toEqual(['Turn off alerts']);
    expect(page.textContent).toContain(
      'If you turn alerts off or sign out, our server forgets the address of this phone.',
    );
    expect(page.textContent).not.toContain(MAILS);
    await press(page, 'Turn off alerts');
    await expect.poll(() => status(page)).toBe('Off. Nothing is sent to this phone.');
    expect(await withDatabase((db) => db.pushDevice.count())).toBe(0);
  });

  test('cannot be turned on without signal', async () => {
    useAlerts.setState({ state: 'off' });
    const page = await showSettings();
    expect(buttons(page)[0]?.disabled).toBe(false);
    await setOnline(false);
    expect(buttons(page)[0]?.disabled).toBe(true);
    expect(page.textContent).not.toContain('Changes need a connection.');
  });

  test('say why they were not turned on, until they are', async () => {
    useAlerts.setState({ state: 'off' });
    askPermission = () => Promise.reject(new Error('no answer'));
    const page = await showSettings();
    await press(page, 'Turn on alerts');
    await expect.poll(() => alertText(page)).toBe('Alerts could not be turned on');
    askPermission = async () => permission;
    answers.set(SUBSCRIPTIONS, refuse('The endpoint is too long'));
    await press(page, 'Turn on alerts');
    await expect.poll(() => alertText(page)).toBe('The endpoint is too long');
    answers.set(SUBSCRIPTIONS, () => Response.json({ ...DEVICE, secret: 's1' }));
    await press(page, 'Turn on alerts');
    await expect.poll(() => buttonNames(page)).toEqual(['Turn off alerts']);
    expect(alertText(page)).toBeUndefined();
  });

  test('say when they could not be turned off', async () => {
    await turnedOn();
    const page = await showSettings();
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
      throw new DOMException('The phone is full', 'QuotaExceededError');
    });
    await press(page, 'Turn off alerts');
    await expect.poll(() => alertText(page)).toBe('Alerts could not be turned off');
    expect(buttonNames(page)).toEqual(['Turn off alerts']);
  });

  test('send a changed preference in the name of the phone and show it; a refused one is not shown, and its reason is', async () => {
    await turnedOn();
    const page = await showSettings();
    const days = () => checkbox(page, '3 days before closing');
    expect(days().checked).toBe(false);
    const answer = Promise.withResolvers<Response>();
    answers.set(CHANGE, () => answer.promise);
    await act(async () => days().click());
    await expect
      .poll(() => calls)
      .toEqual([{ call: CHANGE, authorization: 'Device s1', body: { kinds: { d3: true } } }]);
    expect(areFieldsDisabled(page)).toEqual([true, true]);
    answer.resolve(withPreferences({ kinds: { ...DEFAULT_ALERT_PREFERENCES.kinds, d3: true } })());
    await expect.poll(() => areFieldsDisabled(page)).toEqual([false, false]);
    expect([days().checked, useAlerts.getState().preferences?.kinds.d3]).toEqual([true, true]);

    answers.set(CHANGE, refuse('The language is en-IN or hi-IN'));
    await act(async () => checkbox(page, 'Quiet at night').click());
    await expect.poll(() => alertText(page)).toBe('The language is en-IN or hi-IN');
    expect(useAlerts.getState().preferences?.quiet).toEqual({ from: '21:00', until: '07:00' });

    answers.set(CHANGE, () => Response.json({ id: 'd1' }));
    await act(async () => checkbox(page, 'Quiet at night').click());
    await expect.poll(() => alertText(page)).toBe('The change was not saved');
  });

  test('cannot be changed without signal, but turned off', async () => {
    await turnedOn({ mutedTenders: ['7'] });
    const page = await showSettings();
    expect(areFieldsDisabled(page)).toEqual([false, false]);
    await setOnline(false);
    expect(areFieldsDisabled(page)).toEqual([true, true]);
    expect(page.textContent).toContain('Changes need a connection.');
    expect(buttons(page).map((each) => [nameOf(each), each.disabled])).toEqual([
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
    const names = () => [...page.querySelectorAll('section[aria-label="Muted"] li span:first-child')];
    await expect
      .poll(() => names().map(({ textContent }) => textContent))
      .toEqual(expect.arrayContaining(['Footbridge', 'Tender 8', 'Bridges', 'A search that was deleted']));
    expect(buttonNames(page).slice(0, 4)).toEqual([
      'Unmute Footbridge',
      'Unmute Tender 8',
      'Unmute Bridges',
      'Unmute A search that was deleted',
    ]);
    answers.set(CHANGE, withPreferences({ mutedTenders: ['7'], mutedSearches: [SEARCH, GONE] }));
    await press(page, 'Unmute Tender 8');
    await expect.poll(() => buttonNames(page)).not.toContain('Unmute Tender 8');
    answers.set(CHANGE, withPreferences({ mutedTenders: ['7'], mutedSearches: [GONE] }));
    await press(page, 'Unmute Bridges');
    await expect.poll(() => buttonNames(page)).not.toContain('Unmute Bridges');
    expect(calls.map(({ body }) => body)).toEqual([{ mutedTenders: ['7'] }, { mutedSearches: [GONE] }]);
    expect(buttonNames(page).slice(0, 2)).toEqual(['Unmute Footbridge', 'Unmute A search that was deleted']);
  });

  test('is no list where nothing is', async () => {
    await turnedOn();
    const page = await showSettings();
    expect(page.querySelector('[aria-label="Muted"]')).toBeNull();
  });

  test('is shown at a bookmarked tender, where it is muted and unmuted; others stay muted', async () => {
    await turnedOn({ mutedTenders: ['8'] });
    const page = await show(createElement(MuteStatus, { tenderId: '7' }));
    const text = () => [page.querySelector('p > span')?.textContent, ...buttonNames(page)];
    expect(text()).toEqual(['Reminder on.', 'Mute this tender']);
    answers.set(CHANGE, withPreferences({ mutedTenders: ['8', '7'] }));
    await press(page, 'Mute this tender');
    await expect.poll(text).toEqual(['Muted on this phone.', 'Unmute this tender']);
    answers.set(CHANGE, withPreferences({ mutedTenders: ['8'] }));
    await press(page, 'Unmute this tender');
    await expect.poll(text).toEqual(['Reminder on.', 'Mute this tender']);
    expect(calls.map(({ body }) => body)).toEqual([{ mutedTenders: ['8', '7'] }, { mutedTenders: ['8'] }]);
  });

  test('of a search is its own list, and says so on the button', async () => {
    await turnedOn({ mutedTenders: ['7'], mutedSearches: [GONE] });
    const page = await show(createElement(MuteButton, { kind: 'mutedSearches', id: SEARCH, name: 'Bridges' }));
    expect([buttonNames(page), page.textContent]).toEqual([['Mute Bridges'], 'Mute']);
    answers.set(CHANGE, withPreferences({ mutedSearches: [GONE, SEARCH] }));
    await press(page, 'Mute Bridges');
    await expect.poll(() => [buttonNames(page), page.textContent]).toEqual([['Unmute Bridges'], 'Unmute']);
    expect(calls.map(({ body }) => body)).toEqual([{ mutedSearches: [GONE, SEARCH] }]);
  });

  test('cannot be chosen where alerts are off', async () => {
    const page = await show(
      createElement(
        'main',
        null,
        createElement(MuteStatus, { tenderId: '7' }),
        createElement(MuteButton, { kind: 'mutedTenders', id: '7', name: 'this tender' }),
      ),
    );
    expect(page.textContent).toBe('');
  });

  test.each<[string, () => Response | Promise<Response>, string]>([
    ['with a reason', refuse('At most 200 tenders'), 'The change was not saved. At most 200 tenders'],
    [
      'without signal',
      () => Promise.reject(new TypeError('Failed to fetch')),
      'The change was not saved. It needs a connection.',
    ],
    ['with an unreadable answer', () => Response.json({}), 'The change was not saved. Please try again.'],
  ])('stays as it was when the server refuses the change %s', async (_what, answer, text) => {
    await turnedOn();
    const page = await show(createElement(MuteButton, { kind: 'mutedTenders', id: '7', name: 'this tender' }));
    answers.set(CHANGE, answer);
    await press(page, 'Mute this tender');
    await expect.poll(toastText).toBe(text);
    expect(buttonNames(page)).toEqual(['Mute this tender']);
  });
});

describe('the alerts of an account by e-mail', () => {
  const MAILS = '/api/push/email';
  const section = (page: HTMLElement) => page.querySelector('section');
  const headings = (page: HTMLElement) => [
    section(page)?.getAttribute('aria-label'),
    section(page)?.querySelector('h3')?.textContent,
  ];

  beforeEach(() => signInForTest('asha', 'abc'));

  test.each<AlertState>(['unsupported', 'install', 'denied'])(
    'are offered where those of the phone are %s, changed and stopped',
    async (state) => {
      useAlerts.setState({ state });
      const page = await showSettings();
      await expect.poll(() => buttonNames(page)).toEqual(['Send them by e-mail']);
      expect(headings(page)).toEqual(['By e-mail instead', 'By e-mail instead']);
      expect(page.textContent).toContain('The same alerts to the e-mail address of your account.');
      expect(page.textContent).not.toContain('With an account you can get alerts by e-mail');

      answers.set(`PUT ${MAILS}`, () => Response.json({ preferences: DEFAULT_ALERT_PREFERENCES }));
      await press(page, 'Send them by e-mail');
      await expect.poll(() => buttonNames(page)).toEqual(['Stop the e-mails']);
      expect(page.textContent).toContain('On. Alerts go to the e-mail address of your account.');
      expect(checkbox(page, 'New tenders of my saved searches').disabled).toBe(false);
      answers.set(`PUT ${MAILS}`, () => Response.json({ preferences: preferencesWith({ quiet: null }) }));
      await act(async () => checkbox(page, 'Quiet at night').click());
      await expect.poll(() => checkbox(page, 'Quiet at night').checked).toBe(false);

      answers.set(`DELETE ${MAILS}`, () => Response.json({ preferences: null }));
      await press(page, 'Stop the e-mails');
      await expect.poll(() => buttonNames(page)).toEqual(['Send them by e-mail']);
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
    expect(section(without)).toBeNull();
    answers.set(`GET ${MAILS}`, () => Response.json({ preferences: DEFAULT_ALERT_PREFERENCES }));
    const page = await showSettings();
    await expect.poll(() => headings(page)).toEqual(['By e-mail', 'By e-mail']);
    expect(buttonNames(page)).toEqual(['Turn on alerts', 'Stop the e-mails']);
  });

  test('that cannot be read say so, and are read again with the next signal', async () => {
    useAlerts.setState({ state: 'denied' });
    answers.set(`GET ${MAILS}`, () => Response.json({ preferences: 5 }));
    const page = await showSettings();
    await expect.poll(() => alertText(page)).toBe('Failed to read the alerts by e-mail');
    expect(buttonNames(page)).toEqual([]);
    await setOnline(false);
    expect(section(page)?.textContent).toContain('This needs a connection.');
    answers.set(`GET ${MAILS}`, () => Response.json({ preferences: null }));
    await setOnline(true);
    await expect.poll(() => buttonNames(page)).toEqual(['Send them by e-mail']);
    expect(alertText(page)).toBeUndefined();
    expect(section(page)?.textContent).not.toContain('This needs a connection.');
  });

  test('that are not saved say why, and stay as they were', async () => {
    useAlerts.setState({ state: 'denied' });
    const page = await showSettings();
    await expect.poll(() => buttonNames(page)).toEqual(['Send them by e-mail']);
    answers.set(`PUT ${MAILS}`, () => Response.json({}));
    await press(page, 'Send them by e-mail');
    await expect.poll(() => alertText(page)).toBe('The change was not saved');
    answers.set(`PUT ${MAILS}`, refuse('This account was deleted'));
    await press(page, 'Send them by e-mail');
    await expect.poll(() => alertText(page)).toBe('This account was deleted');
    expect(buttonNames(page)).toEqual(['Send them by e-mail']);
  });

  test('are not read, sent or stopped without signal', async () => {
    useAlerts.setState({ state: 'denied' });
    phone.onLine = false;
    const page = await showSettings();
    expect([calls, alertText(page), buttonNames(page)]).toEqual([[], undefined, []]);
    await setOnline(true);
    await expect.poll(() => buttons(page).map(({ disabled }) => disabled)).toEqual([false]);
    expect(calls).toHaveLength(1);
    await setOnline(false);
    expect(buttons(page).map(({ disabled }) => disabled)).toEqual([true]);
    answers.set(`GET ${MAILS}`, () => Response.json({ preferences: DEFAULT_ALERT_PREFERENCES }));
    await setOnline(true);
    await expect.poll(() => buttonNames(page)).toEqual(['Stop the e-mails']);
    expect([areFieldsDisabled(page), buttons(page)[0]?.disabled]).toEqual([[false, false], false]);
    await setOnline(false);
    expect([areFieldsDisabled(page), buttons(page)[0]?.disabled]).toEqual([[true, true], true]);
  });
});

describe('the offer of alerts', () => {
  const showOffer = () => show(createElement(AlertOffer));
  const refusal = async () => [
    useAlertRefusal.getState().day,
    (await withDatabase((db) => db.settings.get('alertsRefused')))?.value,
  ];
  const today = () => indianDay(new Date());

  test('turns them on', async () => {
    const page = await showOffer();
    expect([page.querySelector('p')?.textContent, buttonNames(page)]).toEqual([
      'Get reminders before closing',
      ['Turn on alerts', 'Not now'],
    ]);
    await press(page, 'Turn on alerts');
    await expect.poll(toastText).toBe('Alerts are on.');
    expect([useAlerts.getState().state, await refusal()]).toEqual(['on', [undefined, undefined]]);
  });

  test.each<[NotificationPermission, AlertState, string | undefined]>([
    ['denied', 'denied', 'This browser blocks notifications. See Settings to allow them.'],
    ['default', 'off', undefined],
  ])('answered with "%s" in the browser is refused for four weeks', async (answer, state, text) => {
    permission = answer;
    const page = await showOffer();
    await press(page, 'Turn on alerts');
    await expect.poll(refusal).toEqual([today(), today()]);
    await expect.poll(toastText).toBe(text);
    expect(useAlerts.getState().state).toBe(state);
  });

  test('that fails stays with its reason', async () => {
    const page = await showOffer();
    askPermission = () => Promise.reject(new Error('no answer'));
    await press(page, 'Turn on alerts');
    await expect.poll(() => alertText(page)).toBe('Alerts could not be turned on');
    expect([toastText(), await refusal()]).toEqual([undefined, [undefined, undefined]]);
  });

  test('is refused by "Not now"', async () => {
    const page = await showOffer();
    await press(page, 'Not now');
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
