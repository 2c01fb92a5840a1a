// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { confirmationProblem } from '../../data/passkeys/passkey-prompts.ts';
import { clearSession, currentSession, useSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { ProfileEditor } from './ProfileEditor.tsx';

vi.mock('../../data/passkeys/passkey-prompts.ts', () => ({ confirmationProblem: vi.fn() }));

const STORED = { _id: '7', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' };
const COMPANY = {
  ...{ companyName: '', companyType: 'private', state: 'Goa', districts: [], departments: [], address: '' },
  ...{ billing: { gstin: '', firm: '', firmAddress: '' }, createdAt: '2026-04-01T00:00:00Z' },
};
const NEW_EMAIL = 'asha.verma@works.example';
const MOBILE = 'Mobile number 10 digits, without +91';
const CODE = 'Code from the email';

let page: TestPage;
/** The user's name in each rendering. */
let usernames: string[];
/** The calls, except the first one, which loads the user. */
let calls: [string, unknown][];
/** The answer to the call that loads the user. */
let me: () => Response | Promise<Response>;
let answer: (call: string, body: unknown) => Response | Promise<Response>;

/** The server stores what it gets; a new address waits for its code. */
function store(pendingEmail: string | null = null) {
  return (_call: string, body: unknown) => {
    const { username, email, mobileNo } = body as typeof STORED;
    const user = { _id: '7', username, mobileNo, email: pendingEmail === null ? email : STORED.email };
    return Response.json({ message: 'Stored', user, pendingEmail });
  };
}
const refuse = (status: number, body: object) => () => Response.json(body, { status });

beforeEach(() => {
  usernames = [];
  calls = [];
  me = () => Response.json({ user: STORED, ...COMPANY });
  answer = store();
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    if (!/ \/api\/(?:me|auth\/otp|user-info)\b/.test(call)) return new Response('', { status: 404 });
    if (call === 'GET /api/me') return me();
    const body: unknown = JSON.parse(await request.clone().text());
    calls.push([call, body]);
    return answer(call, body);
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  clearSession();
  localStorage.clear();
});

function Editor() {
  const user = useSession()?.user;
  if (user) usernames.push(user.username);
  return user ? <ProfileEditor user={user} /> : null;
}
async function open(): Promise<void> {
  signInForTest('7');
  page = await openTestPage(<Editor />);
}
const values = () => ['Username', 'Email', MOBILE].map((label) => page.field(label).value);
const alerts = () => page.texts('[role="alert"]');
const SAVED = 'Profile updated successfully!';

describe('the profile', () => {
  test('shows the stored user at once, and what another device has changed after it', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    me = () => promise;
    await open();
    expect(values()).toEqual(['Asha', 'asha@example.in', '9876543210']);
    resolve(Response.json({ user: { ...STORED, username: 'Asha Devi', mobileNo: '+919811111111' }, ...COMPANY }));
    await expect.poll(values).toEqual(['Asha Devi', 'asha@example.in', '9811111111']);
  });

  test('is saved with +91, and stored on the device as the server has it', async () => {
    await open();
    await page.enter('Username', ' Asha Verma ');
    await page.enter(MOBILE, '98111 11111');
    await page.press('Update Profile');
    await expect.poll(() => page.text()).toContain(SAVED);
    const sent = { username: 'Asha Verma', email: 'asha@example.in', mobileNo: '+919811111111' };
    expect(calls).toEqual([['PUT /api/user-info/7', sent]]);
    expect(currentSession()?.user).toEqual({ _id: '7', ...sent });
    expect(values()).toEqual(['Asha Verma', 'asha@example.in', '9811111111']);
    await page.enter('Username', 'Asha V');
    expect(page.text()).not.toContain(SAVED);
  });

  test('has the fields that a browser fills', async () => {
    await open();
    expect(['Username', 'Email', MOBILE].map((label) => page.field(label).getAttribute('autocomplete'))).toEqual([
      ...['name', 'email', 'tel-national'],
    ]);
    expect(page.field(MOBILE).inputMode).toBe('numeric');
  });

  test('is not sent while a field is wrong', async () => {
    await open();
    await page.enter('Username', ' ');
    await page.enter('Email', 'asha@');
    await page.enter(MOBILE, '');
    await page.press('Update Profile');
    expect(['Username', 'Email', MOBILE].map(page.errorAt)).toEqual([
      'Username is required',
      'Please enter a valid email address',
      'Please enter a valid 10-digit mobile number',
    ]);
    expect(calls).toEqual([]);
  });

  test('that was saved is not replaced by an older answer of the server', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    me = () => promise;
    await open();
    await page.enter('Username', 'Asha Verma');
    await page.press('Update Profile');
    await expect.poll(() => page.text()).toContain(SAVED);
    resolve(Response.json({ user: STORED, ...COMPANY }));
    await page.enter('Username', 'Asha V');
    await page.press('Update Profile');
    await expect.poll(() => page.text()).toContain(SAVED);
    expect(usernames.filter((name, nth) => name !== usernames[nth - 1])).toEqual(['Asha', 'Asha Verma', 'Asha V']);
  });

  test('without a connection is not sent, and what was typed stays', async () => {
    await open();
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await page.enter('Username', 'Asha Verma');
    await page.press('Update Profile');
    const text =
      'No connection, so nothing was sent. What you typed stays here: press the button again when there is a connection.';
    await expect.poll(alerts).toEqual([text]);
    expect([calls, values()[0]]).toEqual([[], 'Asha Verma']);
    onLine.mockReturnValue(true);
    await act(async () => void window.dispatchEvent(new Event('online')));
    expect(alerts()).toEqual([]);
    await page.press('Update Profile');
    await expect.poll(() => page.text()).toContain(SAVED);
  });

  test('that the server refuses says so at its field', async () => {
    await open();
    const message = 'An account with this mobile number already exists';
    answer = refuse(409, { message, fields: { mobileNo: message } });
    await page.enter(MOBILE, '9811111111');
    await page.press('Update Profile');
    await expect.poll(() => page.errorAt(MOBILE)).toBe(message);
    expect([alerts(), values()[2]]).toEqual([[], '9811111111']);
    expect(currentSession()?.user).toEqual(STORED);
  });

  test('that needs the password asks for it in place, and no other failure does', async () => {
    await open();
    answer = refuse(403, { message: 'Please sign in again to change this' });
    await page.enter(MOBILE, '9811111111');
    await page.press('Update Profile');
    await expect.poll(() => page.hasButton('Save')).toBe(true);
    const wrong = 'The password is wrong';
    answer = refuse(400, { message: wrong, fields: { password: wrong } });
    await page.enter('Your password', 'not-this-one');
    await page.press('Save');
    await expect.poll(page.text).toContain(wrong);
    answer = store();
    await page.enter('Your password', 'my-password');
    await page.press('Save');
    await expect.poll(page.text).toContain(SAVED);
    expect(page.hasButton('Save')).toBe(false);
    expect(calls.at(-1)?.[1]).toMatchObject({ mobileNo: '+919811111111', password: 'my-password' });
  });

  test('that needs a passkey asks for it, and is sent again after it', async () => {
    await open();
    answer = refuse(403, { code: 'PASSKEY_NEEDED', message: 'Please confirm first that it is you' });
    await page.enter(MOBILE, '9811111111');
    await page.press('Update Profile');
    await expect.poll(() => page.hasButton('Use your passkey')).toBe(true);
    expect([page.hasButton('Save'), alerts()]).toEqual([false, []]);
    await page.press('Cancel');
    expect([page.hasButton('Use your passkey'), values()[2]]).toEqual([false, '9811111111']);
    await page.press('Update Profile');
    await expect.poll(() => page.hasButton('Use your passkey')).toBe(true);
    answer = store();
    vi.mocked(confirmationProblem).mockResolvedValueOnce(null);
    await page.press('Use your passkey');
    await expect.poll(page.text).toContain(SAVED);
    expect(calls.at(-1)?.[1]).toMatchObject({ mobileNo: '+919811111111' });
  });

  test('that fails otherwise says why', async () => {
    await open();
    await page.enter(MOBILE, '9811111111');
    answer = refuse(500, {});
    await page.press('Update Profile');
    await expect.poll(alerts).toEqual(['Failed to update profile']);
    answer = refuse(400, { message: 'Not now', fields: { unknown: 'Not now' } });
    await page.press('Update Profile');
    await expect.poll(alerts).toEqual(['Not now']);
    expect(values()[2]).toBe('9811111111');
  });
});

describe('a new address', () => {
  /** Enters it and updates the profile; the server has sent a code to it. */
  async function change(): Promise<void> {
    await open();
    answer = store(NEW_EMAIL);
    await page.enter('Username', 'Asha Verma');
    await page.enter('Email', NEW_EMAIL);
    await page.press('Update Profile');
    await expect.poll(() => page.text()).toContain('We sent a code');
    calls = [];
  }

  test('waits for its code, while the other fields are saved', async () => {
    await change();
    expect(page.text()).toContain(
      `We sent a code to ${NEW_EMAIL}. Enter it to change your email; until then it stays asha@example.in.`,
    );
    expect(page.hasButton('Update Profile')).toBe(false);
    expect(page.text()).not.toContain(SAVED);
    expect(document.activeElement).toBe(page.field(CODE));
    expect(values()).toEqual(['Asha Verma', NEW_EMAIL, '9876543210']);
    expect(currentSession()?.user).toEqual({ ...STORED, username: 'Asha Verma' });
  });

  test('is saved when its code is entered', async () => {
    await change();
    answer = (call, body) =>
      call.endsWith('/verify') ? Response.json({ message: 'Email verified' }) : store()(call, body);
    await page.enter(CODE, '12 34 56');
    await page.press('Verify Email');
    await expect.poll(() => page.text()).toContain(SAVED);
    expect(calls).toEqual([
      ['POST /api/auth/otp/verify', { email: NEW_EMAIL, otp: '123456' }],
      ['PUT /api/user-info/7', { username: 'Asha Verma', email: NEW_EMAIL, mobileNo: '+919876543210' }],
    ]);
    expect(page.text()).not.toContain('We sent a code');
    expect(currentSession()?.user.email).toBe(NEW_EMAIL);
    expect(page.hasButton('Update Profile')).toBe(true);
  });

  test('is not verified without a whole code, and a wrong one says so', async () => {
    await change();
    await page.press('Verify Email');
    expect(page.errorAt(CODE)).toBe('Please enter the OTP');
    expect(calls).toEqual([]);
    const message = 'The code is wrong. 4 tries left';
    answer = refuse(400, { message, fields: { otp: message } });
    await page.enter(CODE, '123456');
    await page.press('Verify Email');
    await expect.poll(() => page.errorAt(CODE)).toBe(message);
    expect([calls.length, alerts(), currentSession()?.user.email]).toEqual([1, [], 'asha@example.in']);
  });

  test('gets another code on request, without the one that was typed', async () => {
    await change();
    await page.enter(CODE, '12');
    await page.press('Send a new code');
    await expect.poll(() => calls.map(([call]) => call)).toEqual(['PUT /api/user-info/7']);
    await expect.poll(() => page.field(CODE).value).toBe('');
    expect(page.text()).toContain('We sent a code');
  });

  test('that is typed otherwise is another one, unless the server reads it alike', async () => {
    await change();
    await page.enter('Email', ` ${NEW_EMAIL.replace('works', 'WORKS')} `);
    expect(page.text()).toContain('We sent a code');
    await page.enter('Email', `x${NEW_EMAIL}`);
    expect(page.text()).not.toContain('We sent a code');
    expect(page.hasButton('Update Profile')).toBe(true);
    await page.enter('Email', NEW_EMAIL);
    expect(page.text()).toContain('We sent a code');
  });

  test('that is verified but could not be saved needs no second code', async () => {
    await change();
    answer = (call) =>
      call.endsWith('/verify') ? Response.json({ message: 'Email verified' }) : Response.json({}, { status: 500 });
    await page.enter(CODE, '123456');
    await page.press('Verify Email');
    await expect.poll(alerts).toEqual(['Failed to update profile']);
    expect(page.text()).not.toContain('We sent a code');
    calls = [];
    answer = store();
    await page.press('Update Profile');
    await expect.poll(() => page.text()).toContain(SAVED);
    expect(calls.map(([call]) => call)).toEqual(['PUT /api/user-info/7']);
  });

  test('cannot be changed during the call', async () => {
    await change();
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    await page.enter(CODE, '123456');
    await page.press('Verify Email');
    await expect.poll(() => page.button('Verify Email').getAttribute('aria-busy')).toBe('true');
    expect(page.button('Send a new code').disabled).toBe(true);
    expect([page.field(CODE).readOnly, page.field('Email').readOnly]).toEqual([true, true]);
    expect(page.text()).toContain('Updating your profile');
    resolve(Response.json({}, { status: 500 }));
    await expect.poll(alerts).toEqual(['Failed to update profile']);
  });
});
