import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/start-app.ts';
import { readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const MESSAGE = {
  name: 'Asha Verma',
  email: 'asha@builders.example',
  phone: '9816012345',
  countryCode: '+91',
  company: 'Verma Builders',
  subject: 'Tenders of Kinnaur',
  message: 'Do you also list the works of the forest division?',
  agreeToTerms: true,
};

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ now: NOW, env: { SUPPORT_EMAIL: 'help@nivida.example', TRUST_PROXY: '1' } });
});
afterAll(() => app.close());
beforeEach(() => app.database.dataSource.query('TRUNCATE thread, message, attachment, rate_limit'));

async function send(changes: object = {}, address = '203.0.113.7') {
  const reply = await app.app.inject({
    method: 'POST',
    url: '/api/contact',
    payload: { ...MESSAGE, ...changes },
    headers: { 'x-forwarded-for': address },
  });
  return { status: reply.statusCode, json: reply.json() };
}

const stored = (): Promise<{ name: string; subject: string; message: string }[]> =>
  app.database.dataSource.query(
    'SELECT t.name, t.subject, m.text AS message FROM thread t JOIN message m ON m.thread_id = t.id',
  );

/** `count` letters, each with two code units and one code point. */
const letters = (count: number) => '𑊠'.repeat(count);

describe('is rejected', () => {
  test.each<[string, object, string]>([
    ['no name', { name: ' ' }, 'Name is required'],
    ['a name of 1', { name: letters(1) }, 'Name must be at least 2 characters'],
    ['a name of 101', { name: letters(101) }, 'Name must be less than 100 characters'],
    [
      'a line break in the name',
      { name: 'Asha\r\nBcc: all@example.org' },
      'Line breaks and control characters are not allowed',
    ],
    ['no e-mail', { email: '' }, 'Email is required'],
    ['half an e-mail', { email: 'asha@' }, 'Please enter a valid email address'],
    ['two e-mails', { email: 'a@b.example,c@d.example' }, 'Please enter a valid email address'],
    ['a short number', { phone: '98160' }, 'Please enter a valid 10-digit mobile number'],
    ['a company of 101', { company: letters(101) }, 'Company name must be less than 100 characters'],
    ['no subject', { subject: undefined }, 'Subject is required'],
    ['a subject of 4', { subject: ` ${letters(4)} ` }, 'Subject must be at least 5 characters'],
    ['a subject of 201', { subject: letters(201) }, 'Subject must be less than 200 characters'],
    [
      'a line break in the subject',
      { subject: 'Hello\nBcc: all@example.org' },
      'Line breaks and control characters are not allowed',
    ],
    ['no message', { message: '' }, 'Message is required'],
    ['a message of 9', { message: letters(9) }, 'Message must be at least 10 characters'],
    ['a message of 1001', { message: letters(1001) }, 'Message must be less than 1000 characters'],
    ['terms not agreed to', { agreeToTerms: false }, 'You must agree to the terms and conditions'],
    ['a field of its own', { role: 'admin' }, 'The body holds a field that does not belong there'],
  ])('%s: %s -> its message', async (_name, changes, message) => {
    expect(await send(changes)).toMatchObject({ status: 400, json: { code: 'INVALID', message } });
    expect(await stored()).toEqual([]);
  });
});

test('values at every limit are accepted', async () => {
  const maxLengthForm = { name: letters(100), company: letters(100), subject: letters(200), message: letters(1000) };
  const shortest = { name: letters(2), company: '', phone: '', subject: letters(5), message: letters(10) };
  expect((await send(maxLengthForm)).status).toBe(200);
  expect((await send(shortest)).status).toBe(200);
  expect(await stored()).toHaveLength(2);
});

describe('a message', () => {
  test('is confirmed, stored, and mailed to support with the sender in Reply-To', async () => {
    const before = (await readSentMails(app)).length;
    expect(await send({ subject: 'निविदा के बारे में' })).toEqual({
      status: 200,
      json: { success: true, message: "Thank you for your message! We'll get back to you soon." },
    });
    const [thread] = await app.database.dataSource.query('SELECT * FROM thread');
    expect(thread).toMatchObject({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      user_id: null,
      name: 'Asha Verma',
      email: 'asha@builders.example',
      phone: '9816012345',
      company: 'Verma Builders',
      subject: 'निविदा के बारे में',
      language: 'en',
      state: 'waiting',
      created_at: NOW,
      waiting_since: NOW,
    });
    expect(await stored()).toMatchObject([{ message: 'Do you also list the works of the forest division?' }]);
    const mails = (await readSentMails(app)).slice(before);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      subject: 'Message: निविदा के बारे में',
      to: [{ address: 'help@nivida.example' }],
      replyTo: [{ address: 'asha@builders.example' }],
    });
    expect(mails[0]?.text).toContain('From Asha Verma, asha@builders.example, +91 9816012345, Verma Builders');
    expect(mails[0]?.text).toContain('Do you also list the works of the forest division?');
    expect(mails[0]?.text).toContain(`/desk/messages/${thread.id}`);
  });

  test('with markup arrives as text', async () => {
    const before = (await readSentMails(app)).length;
    await send({ message: '<img src=x onerror=alert(1)> and <script>alert(2)</script>' });
    const mail = (await readSentMails(app))[before];
    expect(mail?.html).toContain('&lt;script&gt;alert(2)&lt;/script&gt;');
    expect(mail?.html).not.toContain('<img');
  });

  test('that is repeated after a lost response, also concurrently, is stored and mailed once', async () => {
    const before = (await readSentMails(app)).length;
    const messageId = '5b0f54d0-8f6c-4d8e-9d0a-0a8a3f0d6a11';
    const answers = await Promise.all(Array.from({ length: 4 }, () => send({ messageId })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await stored()).toHaveLength(1);
    expect((await readSentMails(app)).length - before).toBe(1);
    for (let again = 1; again <= 6; again += 1) expect((await send({ messageId })).status).toBe(200);
    expect((await readSentMails(app)).length - before).toBe(1);
  });

  test('of a robot that fills the hidden field is confirmed and discarded', async () => {
    expect((await send({ website: 'https://spam.example' })).status).toBe(200);
    expect(await stored()).toEqual([]);
  });

  test('is refused when it is the sixth in an hour of one mailbox, and accepted an hour later', async () => {
    for (let n = 0; n < 5; n += 1) expect((await send({}, `203.0.113.${n + 1}`)).status).toBe(200);
    expect(await send({}, '203.0.113.9')).toMatchObject({ status: 429, json: { code: 'TOO_MANY' } });
    expect((await send({ email: 'ASHA@builders.example' }, '203.0.113.9')).status).toBe(429);
    expect((await send({ email: 'asha+works@builders.example' }, '203.0.113.9')).status).toBe(429);
    for (let n = 0; n < 6; n += 1)
      expect((await send({ email: `b${n}@builders.example` }, '198.51.100.7')).status).toBe(200);
    expect(await stored()).toHaveLength(11);
    app.clock.now = new Date(NOW.getTime() + 3_600_000);
    expect((await send({}, '198.51.100.7')).status).toBe(200);
    app.clock.now = NOW;
  });
});

test('is stored without a mail where no address of support is configured', async () => {
  const silent = await startApp({ now: NOW, database: app.database });
  try {
    const { length } = await readSentMails(app);
    const reply = await silent.app.inject({ method: 'POST', url: '/api/contact', payload: MESSAGE });
    expect(reply.statusCode).toBe(200);
    expect(await stored()).toHaveLength(1);
    expect(await readSentMails(app)).toHaveLength(length);
  } finally {
    await silent.close();
  }
});

test('is stored and mailed for each of many concurrent requests right after the start', async () => {
  const started = await startApp({ now: NOW, env: { SUPPORT_EMAIL: 'help@nivida.example' } });
  try {
    // More requests than the pool has connections.
    const visitors = Array.from({ length: 40 }, (_, n) => ({ ...MESSAGE, email: `visitor${n}@builders.example` }));
    const replies = await Promise.all(
      visitors.map((payload) => started.app.inject({ method: 'POST', url: '/api/contact', payload })),
    );
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(visitors.map(() => 200));
    expect(await readSentMails(started)).toHaveLength(40);
  } finally {
    await started.close();
  }
});
