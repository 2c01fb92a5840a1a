// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { stopOutbox } from '../../data/outbox/outbox.ts';
import { isRequest } from '../../data/outbox/pending-changes.ts';
import { useReachability } from '../../data/server/reachability.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { ContactForm } from './ContactForm.tsx';
import { readContactDraft } from './contact-draft.ts';
import type { SendToSupport } from './useContactForm.ts';

const TEXT = 'Which documents come with the package?';
const FAILED = 'Failed to send message. Please try again.';
const MESSAGE = 'Message 10 to 1000 characters';
const MOBILE = 'Mobile number (optional)';
const TERMS = 'I agree to the terms and conditions';

let page: TestPage;
/** What signed-in users sent to support, and its outcome. */
let threads: string[][];
let outcome: () => ReturnType<SendToSupport>;
const sendToSupport: SendToSupport = (...sent) => {
  threads.push(sent);
  return outcome();
};
let onLine: MockInstance<() => boolean>;
let received: Record<string, unknown>[];
let answer: () => Response | Promise<Response>;

beforeEach(async () => {
  received = [];
  threads = [];
  outcome = async () => ({ kind: 'sent', threadId: 't1' });
  answer = () => Response.json({ success: true, message: 'Thank you for your message!' });
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async (request: Request) => {
    if (new URL(request.url).pathname !== '/api/contact') return new Response('', { status: 404 });
    received.push(JSON.parse(await request.clone().text()));
    return answer();
  });
  page = await openTestPage(<ContactForm sendToSupport={sendToSupport} />);
});
afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  stopOutbox();
  clearSession();
  useReachability.setState({ status: 'reachable' });
  sessionStorage.clear();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

async function fill(): Promise<void> {
  await page.fill({ Name: 'Asha Verma', Email: 'asha@builders.example', [MOBILE]: '98160 12345' });
  await page.fill({ 'Company (optional)': 'Verma Builders', Subject: 'Tenders of Kinnaur', [MESSAGE]: TEXT });
  await page.toggle(TERMS);
}
const dialog = () => ({
  title: page.texts('dialog h2')[0],
  texts: page.texts('dialog p'),
  buttons: page.texts('dialog footer button'),
});
const closeDialog = () =>
  act(async () => page.page.querySelector<HTMLButtonElement>('dialog footer button:last-of-type')?.click());
const ids = () => received.map(({ messageId }) => messageId);
const waiting = () =>
  withDatabase(async (db) => (await db.outbox.toArray()).filter(isRequest).map(({ id, body }) => ({ id, body })));
const goOffline = () =>
  act(async () => {
    onLine.mockReturnValue(false);
    window.dispatchEvent(new Event('offline'));
  });

describe('a message', () => {
  test('is sent with each field, and the form is empty again', async () => {
    await fill();
    await page.press('Send Message');
    await expect.poll(dialog).toEqual({
      title: 'Message Sent!',
      texts: ['Thank you for your message!'],
      buttons: ['Close'],
    });
    expect(received).toEqual([
      {
        ...{ name: 'Asha Verma', email: 'asha@builders.example', phone: '9816012345', countryCode: '+91' },
        ...{ company: 'Verma Builders', subject: 'Tenders of Kinnaur', message: TEXT, agreeToTerms: true },
        ...{ messageId: expect.stringMatching(/^[\da-f-]{36}$/), website: '' },
      },
    ]);
    await closeDialog();
    expect(page.page.querySelector('dialog')).toBeNull();
    expect(
      ['Name', 'Email', MOBILE, 'Company (optional)', 'Subject', MESSAGE].map((label) => page.field(label).value),
    ).toEqual(Array(6).fill(''));
    expect(page.field(TERMS).checked).toBe(false);
    expect(readContactDraft('')).toEqual({ typed: {}, messageId: null });
  });

  test('of a robot is sent with the text of the hidden field', async () => {
    await fill();
    const honeypot = page.page.querySelector<HTMLInputElement>('[name="website"]');
    if (honeypot) honeypot.value = 'https://spam.example';
    expect([honeypot?.tabIndex, honeypot?.closest('[aria-hidden="true"]')]).toEqual([-1, expect.anything()]);
    await page.press('Send Message');
    await expect.poll(() => received.map(({ website }) => website)).toEqual(['https://spam.example']);
  });

  test('that the server refuses stays in the form, with the reason at its field', async () => {
    await fill();
    const message = 'Please enter a valid email address';
    answer = () => Response.json({ message, fields: { email: message } }, { status: 400 });
    await page.press('Send Message');
    await expect.poll(dialog).toEqual({
      title: 'Error',
      texts: [message, 'Your message is still in the form.'],
      buttons: ['Close'],
    });
    expect(page.errorAt('Email')).toBe(message);
    expect(page.field(MESSAGE).value).toBe(TEXT);
    await closeDialog();
    expect(page.page.querySelector('dialog')).toBeNull();
  });

  test('that fails on the server cannot wait, and one without an answer can', async () => {
    await fill();
    answer = () => Response.json({}, { status: 500 });
    await page.press('Send Message');
    await expect.poll(() => dialog().texts[0]).toBe(FAILED);
    expect(dialog().buttons).toEqual(['Close']);
    await closeDialog();
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await page.press('Send Message');
    await expect.poll(() => dialog().buttons).toEqual(['Send when there is a connection', 'Close']);
    expect(dialog().texts).toEqual([FAILED, 'Your message is still in the form.']);
  });

  test('that is sent again after a failure is the same one, unless its text was changed', async () => {
    await fill();
    answer = () => Response.json({}, { status: 500 });
    await page.press('Send Message');
    await expect.poll(() => dialog().title).toBe('Error');
    // The id outlives a reload of the page.
    await page.close();
    expect(readContactDraft('').messageId).toBe(ids()[0]);
    page = await openTestPage(<ContactForm sendToSupport={sendToSupport} />);
    expect(page.field(MESSAGE).value).toBe(TEXT);
    await page.press('Send Message');
    await expect.poll(() => dialog().title).toBe('Error');
    expect(ids()[1]).toBe(ids()[0]);
    await page.enter(MESSAGE, `${TEXT} Please answer.`);
    answer = () => Response.json({ success: true, message: 'Thank you' });
    await page.press('Send Message');
    await expect.poll(() => dialog().title).toBe('Message Sent!');
    expect(ids()).toHaveLength(3);
    expect(ids()[2]).not.toBe(ids()[0]);
    await fill();
    await page.press('Send Message');
    await expect.poll(() => ids().length).toBe(4);
    expect(new Set(ids()).size).toBe(3);
  });

  test('is not sent until each field is valid', async () => {
    await page.press('Send Message');
    expect(['Name', 'Email', 'Subject', MESSAGE, TERMS].map(page.errorAt)).toEqual([
      'Name is required',
      'Email is required',
      'Subject is required',
      'Message is required',
      'You must agree to the terms and conditions',
    ]);
    expect(received).toEqual([]);
  });
});

test('the fields are those that a browser fills, and the terms open beside the form', () => {
  const names = ['name', 'email', 'phone', 'company', 'subject'];
  expect(names.map((name) => page.page.querySelector(`[name="${name}"]`)?.getAttribute('autocomplete'))).toEqual([
    ...['name', 'email', 'tel-national', 'organization', 'off'],
  ]);
  expect([...page.field('Country code').options].map(({ value }) => value)).toEqual(['+91']);
  const terms = page.page.querySelector('a[href="/terms"]');
  expect([terms?.getAttribute('target'), terms?.getAttribute('rel')]).toEqual(['_blank', 'noopener']);
});

test('a field is checked when it is left, and no other one', async () => {
  await page.enter('Name', 'A');
  await page.leave('Name');
  expect(page.errorAt('Name')).toBe('Name must be at least 2 characters');
  await page.enter(MOBILE, '123456789012');
  expect(page.field(MOBILE).value).toBe('12345678901');
  await page.leave(MOBILE);
  expect(page.errorAt(MOBILE)).toBe('Please enter a valid 10-digit mobile number');
  await page.leave(MESSAGE);
  expect(page.errorAt(MESSAGE)).toBe('Message is required');
  await page.leave(TERMS);
  expect(page.errorAt(TERMS)).toBe('You must agree to the terms and conditions');
  expect(['Email', 'Subject', 'Company (optional)'].map(page.errorAt)).toEqual([undefined, undefined, undefined]);
  await page.enter('Name', 'Asha');
  await page.leave('Name');
  expect(page.errorAt('Name')).toBeUndefined();
});

describe('without a connection', () => {
  const notes = () => page.texts('[role="status"]');

  test('a message waits above the form, which is empty again', async () => {
    await fill();
    await goOffline();
    await page.press('Send Message');
    await expect.poll(notes).toEqual(['Your message will be sent when this app is open and there is a connection']);
    expect(page.page.querySelector('dialog')).toBeNull();
    expect(page.field('Subject').value).toBe('');
    await expect.poll(() => readContactDraft('')).toEqual({ typed: {}, messageId: null });
    expect(received).toEqual([]);
    expect(await waiting()).toMatchObject([{ body: { subject: 'Tenders of Kinnaur', message: TEXT, website: '' } }]);
    const isSameId = (await waiting()).map(({ id, body }) => (body as { messageId: string }).messageId === id);
    expect(isSameId).toEqual([true]);
    await expect.poll(() => document.activeElement?.tagName).toBe('DIV');
    expect(document.activeElement?.textContent).toContain('Tenders of Kinnaur');
  });

  test('a message waits also in a network that carries nothing', async () => {
    await fill();
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await act(async () => useReachability.setState({ status: 'unreachable' }));
    await page.press('Send Message');
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await expect.poll(() => page.field('Subject').value).toBe('');
    expect(page.page.querySelector('dialog')).toBeNull();
  });

  test('a message that cannot be stored is sent all the same when the network may be back', async () => {
    await fill();
    await act(async () => useReachability.setState({ status: 'unreachable' }));
    await withDatabase(async (db) => vi.spyOn(db.outbox, 'put').mockRejectedValue(new Error('disk')));
    await page.press('Send Message');
    await expect.poll(() => dialog().title).toBe('Message Sent!');
    expect(received).toHaveLength(1);
  });

  test('a message whose call got no answer waits under the id of that call', async () => {
    await fill();
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    await page.press('Send Message');
    await expect.poll(() => dialog().buttons).toContain('Send when there is a connection');
    await goOffline();
    await page.press('Send when there is a connection');
    await expect.poll(async () => (await waiting()).map(({ id }) => id)).toEqual(ids().slice(0, 1));
    await expect.poll(() => page.page.querySelector('dialog')).toBeNull();
  });

  test('a message that cannot be stored stays in the form', async () => {
    await fill();
    await goOffline();
    await withDatabase(async (db) => vi.spyOn(db.outbox, 'put').mockRejectedValue(new Error('disk')));
    await page.press('Send Message');
    await expect.poll(dialog).toEqual({
      title: 'Error',
      texts: [FAILED, 'Your message is still in the form.'],
      buttons: ['Close'],
    });
    expect(page.field(MESSAGE).value).toBe(TEXT);
  });

  test('a waiting message says that it is tried again once there is a connection, and can be removed', async () => {
    await fill();
    await goOffline();
    await page.press('Send Message');
    await expect.poll(() => notes().length).toBe(1);
    answer = () => Response.json({}, { status: 503 });
    await act(async () => {
      onLine.mockReturnValue(true);
      window.dispatchEvent(new Event('online'));
    });
    expect(notes()).toEqual(['Not sent yet. Nivida will try again.']);
    expect(page.hasButton('Edit')).toBe(false);
    await page.press('Remove the message “Tenders of Kinnaur”');
    await expect.poll(notes).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test('a message that the server has refused goes back into the form by Edit', async () => {
    await fill();
    await goOffline();
    await page.press('Send Message');
    await expect.poll(() => notes().length).toBe(1);
    const reason = 'Please enter a valid email address';
    await withDatabase((db) => db.outbox.toCollection().modify((row) => void Object.assign(row, { refusal: reason })));
    await expect.poll(notes).toEqual([reason]);
    await page.press('Edit');
    await expect.poll(() => page.field(MESSAGE).value).toBe(TEXT);
    expect(['Name', 'Email', MOBILE, 'Company (optional)', 'Subject'].map((label) => page.field(label).value)).toEqual([
      'Asha Verma',
      'asha@builders.example',
      '9816012345',
      'Verma Builders',
      'Tenders of Kinnaur',
    ]);
    expect(page.field(TERMS).checked).toBe(true);
    await expect.poll(() => document.activeElement === page.field(MESSAGE)).toBe(true);
    await expect.poll(notes).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});

test('a form that stays open while the user changes shows the draft of the present user only', async () => {
  const subject = () => page.field('Subject').value;
  await act(async () => signInForTest('7'));
  await page.enter('Subject', 'A private question');
  expect(subject()).toBe('A private question');
  await act(async () => clearSession());
  expect(subject()).toBe('');
  await act(async () => signInForTest('8'));
  expect(subject()).toBe('');
  await act(async () => signInForTest('7'));
  expect(subject()).toBe('A private question');
});
