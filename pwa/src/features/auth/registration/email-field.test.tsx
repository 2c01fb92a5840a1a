// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useForm } from '../../../ui/form/useForm.ts';
import { openTestPage, type TestPage } from '../../../ui/test-page.tsx';
import { MobileField } from '../MobileField.tsx';
import { EmailField } from './EmailField.tsx';
import { EMPTY_REGISTRATION, type RegistrationValues } from './registration.ts';

const EMAIL = 'asha@builders.example';

let page: TestPage;
let requests: Request[];
let answer: () => Response;

beforeEach(() => {
  requests = [];
  answer = () => Response.json({ message: 'A code has been sent' });
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.includes('/api/auth/otp/')) return new Response('', { status: 404 });
    requests.push(request.clone());
    return answer();
  });
});
afterEach(async () => {
  await page.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The fields of an address in the first step; a code was sent to it `codeSent` seconds ago. */
async function open(codeSent?: number): Promise<void> {
  const codeSentAt = codeSent === undefined ? null : Date.now() - codeSent * 1_000;
  const values: RegistrationValues = { ...EMPTY_REGISTRATION, email: EMAIL, codeSentAt };
  function Step() {
    const form = useForm<RegistrationValues>(values, { stepOf: () => 1 });
    return (
      <form ref={form.ref}>
        <EmailField form={form} />
        <MobileField codes="all" form={form} />
      </form>
    );
  }
  page = await openTestPage(<Step />);
}
const sent = async () =>
  Promise.all(requests.map(async (each) => [new URL(each.url).pathname, await each.clone().json()]));

const hasFocus = (label: string) => () => document.activeElement === page.field(label);

test('Enter in the code verifies it, and does not submit the step', async () => {
  await open(0);
  const press = (key: string) =>
    page.field('OTP').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  expect(press('1')).toBe(true);
  await act(async () => expect(press('Enter')).toBe(false));
  expect(page.errorAt('OTP')).toBe('Please enter the OTP');
});

describe('an address', () => {
  test('gets a code, whose field then has the focus', async () => {
    await open();
    expect(page.text()).not.toContain('Code sent');
    await page.press('Verify Email');
    await expect.poll(() => page.text()).toContain(`Code sent to ${EMAIL}. Check your spam folder too.`);
    expect(await sent()).toEqual([['/api/auth/otp/generate', { email: EMAIL }]]);
    await expect.poll(hasFocus('OTP')).toBe(true);
    expect(page.hasButton('Verify Email')).toBe(false);
    expect(page.field('Email').readOnly).toBe(false);
    expect(page.field('OTP').getAttribute('autocomplete')).toBe('one-time-code');
  });

  test('that is not valid gets no code', async () => {
    await open();
    await page.enter('Email', 'asha@');
    await page.press('Verify Email');
    expect(page.errorAt('Email')).toBe('Please enter a valid email address');
    expect(requests).toEqual([]);
  });

  test('that is changed while its code is awaited needs a code of its own', async () => {
    await open(0);
    await page.press('Verify');
    expect(page.errorAt('OTP')).toBe('Please enter the OTP');
    await page.enter('Email', `other.${EMAIL}`);
    expect(page.field('Email').value).toBe(`other.${EMAIL}`);
    expect(page.hasButton('Verify Email')).toBe(true);
    expect(page.text()).not.toContain('Code sent');
    await page.press('Verify Email');
    await expect.poll(() => page.text()).toContain(`Code sent to other.${EMAIL}.`);
    expect(page.errorAt('OTP')).toBeUndefined();
  });

  test('shows at its field why no code was sent', async () => {
    await open();
    answer = () => Response.json({ message: 'The post is closed' }, { status: 500 });
    await page.press('Verify Email');
    await expect.poll(() => page.errorAt('Email')).toBe('The post is closed');
    expect(page.texts('[role="alert"]')).toEqual([]);
    expect(page.hasButton('Verify Email')).toBe(true);
  });
});

describe('a code', () => {
  test('verifies its address, which can then be changed only on purpose', async () => {
    await open(5);
    await page.enter('OTP', '12 34-56 78');
    expect(page.field('OTP').value).toBe('123456');
    await page.press('Verify');
    await expect.poll(() => page.text()).toContain('Email verified successfully!');
    expect(await sent()).toEqual([['/api/auth/otp/verify', { email: EMAIL, otp: '123456' }]]);
    expect(page.field('Email').readOnly).toBe(true);
    expect(page.page.querySelector('[name="otp"]')).toBeNull();
    await expect.poll(hasFocus('Mobile number')).toBe(true);

    await page.press('Change email');
    expect(page.field('Email').readOnly).toBe(false);
    expect(hasFocus('Email')()).toBe(true);
    expect(page.text()).not.toContain('Email verified successfully!');
    expect(page.hasButton('Verify Email')).toBe(true);
  });

  test('that the server refuses stays with the reason', async () => {
    await open(5);
    answer = () => Response.json({ message: 'The code is wrong. 4 tries left' }, { status: 400 });
    await page.enter('OTP', '123456');
    await page.press('Verify');
    await expect.poll(() => page.errorAt('OTP')).toBe('The code is wrong. 4 tries left');
    expect([page.field('OTP').value, page.errorAt('Email')]).toEqual(['123456', undefined]);
    answer = () => Response.json({}, { status: 500 });
    await page.press('Verify');
    await expect.poll(() => page.errorAt('OTP')).toBe('Error verifying OTP');
  });

  test('can be requested again after a minute, whose seconds are counted', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    await open(0);
    expect(page.text()).toContain('New code in 1:00');
    await act(async () => void vi.advanceTimersByTime(51_000));
    expect(page.text()).toContain('New code in 0:09');
    await act(async () => void vi.advanceTimersByTime(8_000));
    expect(page.hasButton('Send a new code')).toBe(false);
    await act(async () => void vi.advanceTimersByTime(1_000));
    expect(page.text()).not.toContain('New code in');
    await page.enter('OTP', '123456');
    page.field('Email').focus();
    await page.press('Send a new code');
    await expect.poll(() => page.text()).toContain('New code in 1:00');
    expect(await sent()).toEqual([['/api/auth/otp/generate', { email: EMAIL }]]);
    expect(page.field('OTP').value).toBe('');
    await expect.poll(hasFocus('OTP')).toBe(true);
    await page.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that could not be sent again shows the reason at its field', async () => {
    await open(61);
    answer = () => Response.json({}, { status: 500 });
    await page.press('Send a new code');
    await expect.poll(() => page.errorAt('OTP')).toBe('Error sending OTP');
    expect(page.errorAt('Email')).toBeUndefined();
  });
});
