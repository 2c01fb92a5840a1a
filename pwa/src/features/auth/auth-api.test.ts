// @vitest-environment-options { "url": "http://localhost/" }
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failureText, fieldErrorsOf } from '../../data/server/api.ts';
import { clearSession, currentOwner, currentSession } from '../../data/session.ts';
import { accountLanguage } from '../../data/texts/account-language.ts';
import { register, signIn } from './auth-api.ts';
import { EMPTY_REGISTRATION, toRegistrationBody } from './registration/registration.ts';

const user = { _id: '7', username: 'Asha Verma', email: 'asha@builders.example', mobileNo: '+919876543210' };
const credentials = { mobileNo: '9876543210', password: 'cloudy lamp 7', rememberMe: true };
const body = toRegistrationBody({ ...EMPTY_REGISTRATION, password: 'cloudy lamp 7' });

let requests: Request[];
let bodies: string[];
let answer: () => Response;

beforeEach(() => {
  requests = [];
  bodies = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(request);
    bodies.push(await request.clone().text());
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  clearSession();
});

const refuse = (status: number, said: object) => () =>
  Response.json({ code: 'INVALID', requestId: 'r', ...said }, { status });
const failureOf = (call: Promise<void>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

test('signing in sends number, code, password and "remember me", and stores token and user', async () => {
  answer = () => Response.json({ token: 'abc', user });
  await signIn(credentials);
  expect(JSON.parse(bodies[0] ?? '')).toEqual({
    mobileNo: '9876543210',
    countryCode: '+91',
    password: 'cloudy lamp 7',
    rememberMe: true,
  });
  expect(localStorage.getItem('token')).toBe('abc');
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(user);
  expect(currentOwner()).toBe('7');
});

describe('registering', () => {
  test('names the version of the terms and signs in', async () => {
    answer = () => Response.json({ token: 'abc', user }, { status: 201 });
    await register(body);
    expect(requests[0]?.headers.get('x-terms-version')).toBe('2026-11-21');
    expect(currentOwner()).toBe('7');
  });

  test('forgets the language of the account that was here before', async () => {
    answer = () => Response.json({ token: 'abc', user, language: 'hi' });
    await signIn(credentials);
    expect(accountLanguage()).toBe('hi');
    answer = () => Response.json({ token: 'def', user, language: 'en' }, { status: 201 });
    await register(body);
    expect(accountLanguage()).toBeUndefined();
  });

  test('stores nothing when no token is returned', async () => {
    answer = () => Response.json({});
    await register(body);
    expect(currentSession()).toBeNull();
  });

  test("shows the server's message and the fields that it names", async () => {
    const taken = 'An account with this mobile number already exists';
    answer = refuse(409, { message: taken, fields: { mobileNo: taken } });
    const error = await failureOf(register(body));
    expect(failureText(error, 'Failed to register')).toBe(taken);
    expect(fieldErrorsOf(error)).toEqual({ mobileNo: taken });
  });
});

describe('a failed sign-in says', () => {
  test.each<[string, () => Response, string]>([
    [
      "the server's message",
      refuse(401, { message: 'Invalid mobile number or password' }),
      'Invalid mobile number or password',
    ],
    ['the default text when the server gives none', refuse(500, {}), 'Failed to login'],
    ['the default text for the page of a captive portal', () => new Response('<p>Wi-Fi</p>'), 'Failed to login'],
    [
      'what to check when there is no reply',
      () => {
        throw new TypeError('Failed to fetch');
      },
      'Failed to login. No response from server. Please check your internet connection.',
    ],
  ])('%s', async (_what, answered, text) => {
    answer = answered;
    const error = await failureOf(signIn(credentials).then(() => undefined));
    expect(failureText(error, 'Failed to login')).toBe(text);
    expect(fieldErrorsOf(error)).toEqual({});
    expect(currentSession()).toBeNull();
  });
});
