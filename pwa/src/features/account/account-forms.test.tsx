// @vitest-environment-options { "url": "http://localhost/" }
import type { SessionSummary } from '@nivida/contract/account/auth';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { confirmationProblem } from '../../data/passkeys/passkey-prompts.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { ChangePassword } from './ChangePassword.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { ExportData } from './ExportData.tsx';
import { Sessions } from './Sessions.tsx';

vi.mock('../../data/passkeys/passkey-prompts.ts', () => ({ confirmationProblem: vi.fn() }));

const OFFLINE = 'You are offline: this needs a connection. Nothing was sent.';
const PHONE = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let page: TestPage;
/** 'POST /api/…' of each call, with its body. */
let calls: [string, unknown][];
let answer: (call: string) => Response | Promise<Response>;

beforeEach(() => {
  calls = [];
  answer = () => Response.json({ message: 'Done' });
  signInForTest('7');
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    if (!/^\/api\/(?:me|sessions|auth\/change-password)\b/.test(pathname)) return new Response('', { status: 404 });
    const call = `${request.method} ${pathname}${search}`;
    const body = await request.clone().text();
    calls.push([call, body === '' ? null : JSON.parse(body)]);
    return answer(call);
  });
});
afterEach(async () => {
  await page.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  while (useToast.getState().current) dismissToast();
});

const goOffline = () => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
const refuse = (status: number, body: object) => () => Response.json(body, { status });
const failAsBroken = () => Promise.reject(new TypeError('Failed to fetch'));
const alerts = () => page.texts('[role="alert"]');

describe('the change of the password', () => {
  const open = async () => {
    const renderHint = (password: string) => `Hint about "${password}"`;
    page = await openTestPage(<ChangePassword userId="7" mobileNo="+919876543210" renderHint={renderHint} />);
  };
  const fill = () => page.fill({ 'Current password': 'old-river-72', 'New password': 'monsoon-bridge-2026' });

  test('sends both passwords, empties the form, and loads the list of sessions again', async () => {
    await open();
    await fill();
    expect(page.text()).toContain('Hint about "monsoon-bridge-2026"');
    await page.press('Change Password');
    await expect.poll(() => useToast.getState().current?.text).toBe('Done');
    expect(calls[0]).toEqual([
      'POST /api/auth/change-password',
      { currentPassword: 'old-river-72', newPassword: 'monsoon-bridge-2026' },
    ]);
    await expect.poll(() => calls.map(([call]) => call)).toContain('GET /api/sessions');
    expect(['Current password', 'New password'].map((label) => page.field(label).value)).toEqual(['', '']);
  });

  test('belongs to the mobile number in the password manager', async () => {
    await open();
    const username = page.page.querySelector<HTMLInputElement>('[name="username"]');
    expect([username?.value, username?.getAttribute('autocomplete')]).toEqual(['+919876543210', 'username']);
    expect(['Current password', 'New password'].map((label) => page.field(label).getAttribute('autocomplete'))).toEqual(
      ['current-password', 'new-password'],
    );
  });

  test('is not sent until both fields are valid', async () => {
    await open();
    await page.press('Change Password');
    expect([page.errorAt('Current password'), page.errorAt('New password')]).toEqual([
      'Password is required',
      'Password is required',
    ]);
    expect(calls).toEqual([]);
  });

  test('that the server refuses shows the reason at the field only, and keeps the typed values', async () => {
    await open();
    answer = refuse(400, { message: 'The password is wrong', fields: { currentPassword: 'The password is wrong' } });
    await fill();
    await page.press('Change Password');
    await expect.poll(() => page.errorAt('Current password')).toBe('The password is wrong');
    expect([alerts(), page.field('New password').value]).toEqual([[], 'monsoon-bridge-2026']);
    expect(useToast.getState().current).toBeUndefined();
  });

  test('that needs a passkey asks for it, and is sent again after it', async () => {
    await open();
    await fill();
    answer = refuse(403, { code: 'PASSKEY_NEEDED', message: 'Please confirm first that it is you' });
    await page.press('Change Password');
    await expect.poll(() => page.hasButton('Use your passkey')).toBe(true);
    vi.mocked(confirmationProblem).mockResolvedValueOnce('No passkey was used').mockResolvedValueOnce(null);
    await page.press('Use your passkey');
    await expect.poll(alerts).toEqual(['No passkey was used']);
    answer = () => Response.json({ message: 'Done' });
    await page.press('Use your passkey');
    await expect.poll(() => useToast.getState().current?.text).toBe('Done');
    expect(page.hasButton('Use your passkey')).toBe(false);
    expect(calls.filter(([call]) => call.startsWith('POST')).map(([, body]) => body)).toEqual(
      Array(2).fill({ currentPassword: 'old-river-72', newPassword: 'monsoon-bridge-2026' }),
    );
  });

  test('is not sent when the dialog is closed before the passkey is shown', async () => {
    await open();
    await fill();
    answer = refuse(403, { code: 'PASSKEY_NEEDED', message: 'Please confirm first that it is you' });
    await page.press('Change Password');
    await expect.poll(() => page.hasButton('Use your passkey')).toBe(true);
    const shown = Promise.withResolvers<null>();
    vi.mocked(confirmationProblem).mockReturnValueOnce(shown.promise);
    await page.press('Use your passkey');
    await page.press('Cancel');
    expect(vi.mocked(confirmationProblem).mock.lastCall?.[0].aborted).toBe(true);
    await act(async () => shown.resolve(null));
    expect(calls.filter(([call]) => call.startsWith('POST'))).toHaveLength(1);
  });

  test('that fails for another reason shows it above the button', async () => {
    await open();
    await fill();
    answer = refuse(500, {});
    await page.press('Change Password');
    await expect.poll(alerts).toEqual(['Failed to change the password']);
    answer = failAsBroken;
    await page.press('Change Password');
    await expect
      .poll(alerts)
      .toEqual(['Failed to change the password. No response from server. Please check your internet connection.']);
    calls = [];
    goOffline();
    await page.press('Change Password');
    await expect.poll(alerts).toEqual([OFFLINE]);
    expect(calls).toEqual([]);
  });
});

describe('the deletion of the account', () => {
  let deleted: string[];
  const open = async () => {
    deleted = [];
    const onDeleted = (message: string) => deleted.push(message);
    page = await openTestPage(<DeleteAccount mobileNo="+919876543210" onDeleted={onDeleted} />);
    expect(page.page.querySelector('dialog')).toBeNull();
    await page.press('Delete Account');
  };
  const submit = () => page.page.querySelector<HTMLFormElement>('dialog form')?.requestSubmit();

  test('needs the password and ends with the message of the server', async () => {
    await open();
    await page.enter('Your password', 'old-river-72');
    submit();
    await expect.poll(() => deleted).toEqual(['Done']);
    expect(calls).toEqual([['DELETE /api/me', { password: 'old-river-72' }]]);
    const username = page.page.querySelector<HTMLInputElement>('dialog [name="username"]');
    expect(username?.value).toBe('+919876543210');
  });

  test('is refused without a password and with a wrong one', async () => {
    await open();
    submit();
    await expect.poll(() => page.errorAt('Your password')).toBe('Password is required');
    expect(calls).toEqual([]);
    answer = refuse(400, { message: 'The password is wrong', fields: { password: 'The password is wrong' } });
    await page.enter('Your password', 'another');
    submit();
    await expect.poll(() => page.errorAt('Your password')).toBe('The password is wrong');
    expect([alerts(), deleted]).toEqual([[], []]);
  });

  test('that fails for another reason says so, and nothing is deleted', async () => {
    await open();
    await page.enter('Your password', 'old-river-72');
    answer = refuse(500, {});
    submit();
    await expect.poll(alerts).toEqual(['Failed to delete the account']);
    answer = refuse(429, { message: 'Too many attempts. Please try again in 1 second.' });
    submit();
    await expect.poll(alerts).toEqual(['Too many attempts. Please try again in 1 second.']);
    calls = [];
    goOffline();
    submit();
    await expect.poll(alerts).toEqual([OFFLINE]);
    expect([calls, deleted]).toEqual([[], []]);
  });

  test('is cancelled by “Keep it”', async () => {
    await open();
    await page.press('Keep it');
    expect([page.texts('dialog'), calls, deleted]).toEqual([[], [], []]);
  });
});

describe('the export', () => {
  const savedNames = (click: { mock: { contexts: unknown[] } }) =>
    (click.mock.contexts as HTMLAnchorElement[]).map(({ download }) => download);

  test.each([
    ['JSON', 'GET /api/me/export', /^nivida-my-data-\d{4}-\d\d-\d\d\.json$/],
    ['CSV', 'GET /api/me/export?format=csv', /^nivida-my-data-\d{4}-\d\d-\d\d\.csv$/],
  ])('as %s is loaded by %s and saved as a file', async (format, call, name) => {
    page = await openTestPage(<ExportData />);
    answer = () => new Response(new Blob(['{}']));
    // A click on a download would leave the page of the tests after this one.
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await page.press(`Download ${format}`);
    await expect.poll(() => savedNames(click)).toEqual([expect.stringMatching(name)]);
    expect(calls.map(([each]) => each)).toEqual([call]);
    expect(alerts()).toEqual([]);
  });

  test('that fails says so, and the other format can still be chosen', async () => {
    page = await openTestPage(<ExportData />);
    answer = refuse(500, {});
    await page.press('Download CSV');
    await expect.poll(alerts).toEqual(['Failed to export your data']);
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    await page.press('Download JSON');
    expect(page.button('Download JSON').getAttribute('aria-busy')).toBe('true');
    expect(page.button('Download CSV').getAttribute('aria-busy')).toBeNull();
    resolve(Response.json({ message: 'Too many attempts. Please try again in 1 hour.' }, { status: 429 }));
    await expect.poll(alerts).toEqual(['Too many attempts. Please try again in 1 hour.', 'Failed to export your data']);
  });
});

describe('the list of sessions', () => {
  const now = Date.now();
  const session = (id: string, changes: Partial<SessionSummary>): SessionSummary => ({
    ...{ id, userAgent: PHONE, signedInAt: '2026-04-15T18:45:00Z', isCurrent: false },
    ...{ lastUsedAt: new Date(now - 3.5 * 3_600_000).toISOString(), expiresAt: '2026-12-01T00:00:00Z' },
    ...changes,
  });
  const here = session('here', { isCurrent: true });
  const there = session('there', { userAgent: FIREFOX });
  let sessions: SessionSummary[];
  let userNumber = 0;

  /** Opens the list of a user whose sessions were never loaded. */
  const open = async () => {
    userNumber += 1;
    signInForTest(`user-${userNumber}`);
    page = await openTestPage(<Sessions userId={`user-${userNumber}`} />);
  };
  const answerList = (ended: (call: string) => Response | undefined) => (call: string) =>
    call.startsWith('GET') ? Response.json({ sessions }) : (ended(call) ?? Response.json({ message: 'Done' }));

  beforeEach(() => {
    sessions = [here, there];
    answer = answerList(() => undefined);
  });
  const rows = () => page.texts('li');
  const deletions = () => calls.map(([call]) => call).filter((call) => call.startsWith('DELETE'));

  test('names each device with its times, and only another one can be signed out', async () => {
    await open();
    await expect
      .poll(rows)
      .toEqual([
        'Chrome on Android This deviceSigned in 16 Apr 2026, 12:15 AM',
        'Firefox on Linux Signed in 16 Apr 2026, 12:15 AM · last used 3 h agoSign out Firefox on Linux',
      ]);
    expect(page.text()).not.toContain('No other device is signed in.');
  });

  test('signs out one device, which then leaves the list', async () => {
    await open();
    await expect.poll(() => rows().length).toBe(2);
    sessions = [here];
    await page.press('Sign out Firefox on Linux');
    await expect.poll(() => rows().length).toBe(1);
    expect(deletions()).toEqual(['DELETE /api/sessions/there']);
    expect(page.text()).toContain('No other device is signed in.');
    expect(page.hasButton('Sign out all other devices')).toBe(false);
  });

  test('signs out all others at once', async () => {
    await open();
    await expect.poll(() => rows().length).toBe(2);
    sessions = [here];
    await page.press('Sign out all other devices');
    await expect.poll(() => rows().length).toBe(1);
    expect(deletions()).toEqual(['DELETE /api/sessions']);
  });

  test('removes a device that has signed out by itself', async () => {
    await open();
    await expect.poll(() => rows().length).toBe(2);
    sessions = [here];
    answer = answerList(refuse(404, { message: 'Session not found' }));
    await page.press('Sign out Firefox on Linux');
    await expect.poll(() => rows().length).toBe(1);
    expect(alerts()).toEqual([]);
  });

  test('says at the device, or below the list, that a sign-out has failed', async () => {
    await open();
    await expect.poll(() => rows().length).toBe(2);
    answer = answerList(refuse(500, {}));
    await page.press('Sign out Firefox on Linux');
    await expect.poll(alerts).toEqual(['Failed to sign out the device']);
    expect(rows()[1]).toContain('Failed to sign out the device');
    await page.press('Sign out all other devices');
    await expect.poll(alerts).toEqual(['Failed to sign out the device', 'Failed to sign out the device']);
    expect(rows()).toHaveLength(2);
  });

  test('shows its age when it could not be loaded again', async () => {
    await open();
    await expect.poll(() => rows().length).toBe(2);
    answer = (call) =>
      call.startsWith('GET') ? Response.json({}, { status: 500 }) : Response.json({ message: 'Done' });
    await page.press('Sign out all other devices');
    await expect.poll(alerts).toEqual(['Server error occurred As of just now.Try Again']);
    expect(rows()).toHaveLength(2);
  });

  test('says why it could not be loaded, and loads again', async () => {
    answer = refuse(500, {});
    await open();
    await expect.poll(alerts).toEqual(['Server error occurredTry Again']);
    expect(page.text()).not.toContain('No other device is signed in.');
    expect(page.hasButton('Sign out all other devices')).toBe(false);
    answer = answerList(() => undefined);
    await page.press('Try Again');
    await expect.poll(() => rows().length).toBe(2);
    expect(alerts()).toEqual([]);
  });

  test('shows that it is loading, and that it needs a connection', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    await open();
    expect(page.text()).toContain('Loading your sessions');
    expect(page.text()).not.toContain('No other device is signed in.');
    expect(page.hasButton('Sign out all other devices')).toBe(false);
    goOffline();
    resolve(Response.json({}, { status: 500 }));
    await expect.poll(alerts).toEqual(['You are offline. The list needs a connection.']);
    expect(page.text()).not.toContain('Loading your sessions');
  });

  test('is loaded again each time it is opened', async () => {
    await open();
    await expect.poll(() => rows().length).toBe(2);
    await page.close();
    sessions = [here];
    page = await openTestPage(<Sessions userId={`user-${userNumber}`} />);
    await expect.poll(() => rows().length).toBe(1);
  });
});
