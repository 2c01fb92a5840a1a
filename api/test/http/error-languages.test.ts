/** Errors in the language of the request: the same code, status and fields, another text. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
let asha: SignedInAccount;
let ravi: SignedInAccount;

beforeAll(async () => {
  app = await startApp({ now: new Date('2026-11-10T11:30:00+05:30') });
  asha = await createSession(app);
  ravi = await createSession(app);
});
afterAll(() => app.close());

interface Call {
  method?: 'GET' | 'POST' | 'PUT';
  url: string;
  payload?: object;
  headers?: Record<string, string>;
}

const call = ({ method = 'GET', headers, ...rest }: Call, language?: string) =>
  app.app.inject({ method, ...rest, headers: { ...headers, ...(language && { 'accept-language': language }) } });

describe('an error is in the language of the request, with the same code and status', () => {
  test.each<[string, () => Call, number, string, string, string]>([
    ['an unknown tender', () => ({ url: '/api/tenders/999999' }), 404, 'NOT_FOUND', 'Tender not found', 'टेंडर नहीं मिला'],
    [
      'an address without a page',
      () => ({ url: '/api/nothing' }),
      404,
      'NOT_FOUND',
      'There is nothing at this address',
      'इस पते पर कुछ नहीं है',
    ],
    [
      'a call without a sign-in',
      () => ({ url: '/api/me' }),
      401,
      'UNAUTHENTICATED',
      'Please sign in',
      'कृपया साइन इन करें',
    ],
    [
      'a wrong password',
      () => ({
        method: 'POST',
        url: '/api/auth/login',
        payload: { mobileNo: '+919800000999', password: 'wrong-one', rememberMe: false },
      }),
      401,
      'UNAUTHENTICATED',
      'Invalid mobile number or password',
      'मोबाइल नंबर या पासवर्ड ग़लत है',
    ],
    [
      'an e-mail address of another account',
      () => ({
        method: 'PUT',
        url: `/api/user-info/${asha.user._id}`,
        headers: asha.headers,
        payload: { username: 'Asha', email: ravi.user.email, mobileNo: asha.user.mobileNo },
      }),
      409,
      'CONFLICT',
      'An account with this email already exists',
      'इस ईमेल पते से एक खाता पहले ही बना हुआ है',
    ],
  ])('%s', async (_what, request, status, code, english, hindi) => {
    for (const [language, message, header] of [
      [undefined, english, 'en-IN'],
      ['en-IN', english, 'en-IN'],
      ['hi', hindi, 'hi-IN'],
      ['fr-FR, hi-IN;q=0.9, en;q=0.8', hindi, 'hi-IN'],
    ] as const) {
      const reply = await call(request(), language);
      const { message: sent, code: sentCode, fields } = reply.json();
      expect([reply.statusCode, sentCode, sent]).toEqual([status, code, message]);
      if (fields) expect(Object.values(fields)).toEqual([message]);
      expect(reply.headers['content-language']).toBe(header);
      expect(String(reply.headers.vary)).toContain('Accept-Language');
    }
  });

  test('a message for each wrong field', async () => {
    const payload = { username: '', email: 'asha', mobileNo: asha.user.mobileNo };
    const form = { method: 'PUT', url: `/api/user-info/${asha.user._id}`, headers: asha.headers, payload } as const;
    const readErrors = async (language: string) => {
      const reply = await call(form, language);
      expect(reply.headers.vary).toBe('Accept-Language');
      const { code, message, fields } = reply.json();
      return [reply.statusCode, code, message, fields];
    };
    expect(await readErrors('en')).toEqual([
      400,
      'INVALID',
      'Username is required',
      { username: 'Username is required', email: 'Please enter a valid email address' },
    ]);
    expect(await readErrors('hi')).toEqual([
      400,
      'INVALID',
      'यूज़र नाम लिखना ज़रूरी है',
      { username: 'यूज़र नाम लिखना ज़रूरी है', email: 'सही ईमेल लिखें' },
    ]);
  });

  test('how long to wait', async () => {
    const code = { method: 'POST', url: '/api/auth/otp/generate', payload: { email: 'new@builders.example' } } as const;
    expect((await call(code)).statusCode).toBe(200);
    app.clock.now = new Date(app.clock.now.getTime() + 30_000);
    const messages = [];
    for (const language of ['en', 'hi']) {
      const reply = await call(code, language);
      expect([reply.statusCode, reply.json().code, reply.headers['retry-after']]).toEqual([429, 'TOO_MANY', '30']);
      messages.push(reply.json().message);
    }
    expect(messages).toEqual([
      'Too many attempts. Please try again in 30 seconds.',
      'बहुत बार कोशिश हो चुकी है। कृपया 30 सेकंड बाद फिर कोशिश करें।',
    ]);
  });

  test('the refused changes of a device', async () => {
    const payload = { bookmarks: [{ tenderId: '999999', wanted: true }], searches: [], offices: [] };
    const outbox = { method: 'POST', url: '/api/outbox', headers: asha.headers, payload } as const;
    for (const [language, message] of [
      ['en', 'Tender not found'],
      ['hi', 'टेंडर नहीं मिला'],
    ] as const)
      expect((await call(outbox, language)).json().bookmarks).toEqual([
        { id: '999999', refusal: { code: 'REFUSED', message } },
      ]);
  });
});

test('an error for programs stays English and does not depend on the language', async () => {
  const reply = await call({ url: '/api/sync/segments/none', headers: {} }, 'hi');
  expect([reply.statusCode, reply.json().code]).toEqual([404, 'NOT_FOUND']);
  expect(reply.headers['content-language']).toBeUndefined();
});

test('the page of a download link that does not exist is in the language of the browser', async () => {
  const page = async (language: string) => {
    const { statusCode, headers, body } = await call({ url: `/d/${'A'.repeat(43)}` }, language);
    const heading = /<h1>(.*?)<\/h1>/.exec(body)?.[1];
    return [statusCode, headers['content-language'], /<html lang="(.*?)">/.exec(body)?.[1], heading];
  };
  expect(await page('en')).toEqual([404, 'en-IN', 'en-IN', 'This link has ended or does not exist']);
  expect(await page('hi')).toEqual([404, 'hi-IN', 'hi-IN', 'यह लिंक ख़त्म हो चुका है या है ही नहीं']);
});

test('the page that ends alert mails names its language, also to caches', async () => {
  const { headers, body } = await call({ url: '/api/unsubscribe/none' }, 'hi');
  expect(body).toContain('<html lang="hi-IN">');
  expect([headers['content-language'], headers.vary]).toEqual(['hi-IN', 'Accept-Language']);
});

test('the message of an answer is in the language of the request', async () => {
  const payload = { username: 'Asha', email: asha.user.email, mobileNo: asha.user.mobileNo };
  const save = { method: 'PUT', url: `/api/user-info/${asha.user._id}`, headers: asha.headers, payload } as const;
  const reply = await call(save, 'hi');
  expect([reply.statusCode, reply.json().message]).toEqual([200, 'प्रोफ़ाइल अपडेट हो गई!']);
  expect(reply.headers['content-language']).toBe('hi-IN');
  expect((await call(save)).json().message).toBe('Profile updated successfully!');
});
