// @vitest-environment node
/** Texts of visitors and portals in mails: a subject stays one line, and a text stays text in the HTML. */
import { describe, expect, test } from 'vitest';
import { MAX_AGE_SECONDS, type Mail } from './mail.ts';
import { composeMail } from './mail-texts.ts';

const SITE = { publicOrigin: 'https://nivida.example', supportEmail: 'support@nivida.example' };
const MARKUP = `"><img src=x onerror=alert(1)> A&B 'C'`;
const ESCAPED = '&quot;&gt;&lt;img src=x onerror=alert(1)&gt; A&amp;B &apos;C&apos;';

const contact = (changes: Partial<Extract<Mail, { kind: 'contact' }>>): Mail => ({
  kind: 'contact',
  to: 'support@nivida.example',
  replyTo: 'asha@builders.example',
  name: 'Asha',
  email: 'asha@builders.example',
  phone: '',
  company: '',
  subject: 'Tenders',
  message: 'Which divisions?',
  ...changes,
});

test.each([
  ['Tenders\r\nBcc: all@example.org', 'Contact form: Tenders Bcc: all@example.org'],
  ['Tenders\u2028of Kinnaur\u2029', 'Contact form: Tenders of Kinnaur '],
  ['Tenders\u0000\tof\u007fKinnaur', 'Contact form: Tenders of Kinnaur'],
])('the subject %j is one line', (subject, line) => {
  expect(composeMail(contact({ subject }), SITE).subject).toBe(line);
});

describe('text with markup is text in the HTML of', () => {
  const link = 'https://nivida.example/tenders/7?a=1&b="';
  test.each<[string, Mail]>([
    ['a contact message', contact({ name: MARKUP, message: MARKUP })],
    [
      'an alert',
      { kind: 'tender-changed', to: 'a@b.example', title: MARKUP, lines: [MARKUP], language: 'en-IN', link },
    ],
    ['available documents', { kind: 'documents-available', to: 'a@b.example', title: MARKUP, link }],
    ['a held feed', { kind: 'feed-held', to: 'a@b.example', portal: 'hptenders', what: MARKUP }],
    ['a new password', { kind: 'password-changed', to: 'a@b.example', username: MARKUP }],
  ])('%s', (_what, mail) => {
    const { html, text } = composeMail(mail, SITE);
    expect(html).toContain(ESCAPED);
    expect(html).not.toContain('<img');
    expect(html).not.toContain('b=""');
    expect(text).toContain(MARKUP);
  });
});

test('a link is the same in its text and its address, and the stop link follows the alert', () => {
  const mail: Mail = {
    kind: 'new-tenders',
    to: 'a@b.example',
    title: 'Two new tenders',
    lines: ['Road', 'Bridge'],
    language: 'hi-IN',
    link: 'https://nivida.example/notices?a=1&b=2',
    stopLink: 'https://nivida.example/stop',
  };
  const { html, stopLink } = composeMail(mail, SITE);
  expect(html).toContain(
    '<a href="https://nivida.example/notices?a=1&amp;b=2">https://nivida.example/notices?a=1&amp;b=2</a>',
  );
  expect(stopLink).toBe('https://nivida.example/stop');
});

test('a payment in another currency is named with that currency', () => {
  const sent = (currency: string) =>
    composeMail(
      {
        kind: 'order-checked',
        to: 'a@b.example',
        orderId: 'T1',
        title: 'Basic plan',
        amountPaise: 589_900,
        paid: { amountPaise: 9_900, currency },
        isLate: false,
        link: 'https://nivida.example/payment-status',
        isTest: false,
      },
      SITE,
    ).text;
  expect(sent('USD')).toContain('We have received USD 99.00 for: Basic plan');
  expect(sent('INR')).toContain('We have received ₹99.00 for: Basic plan');
});

test('each mail is outdated after its time', () => {
  const minutes = Object.fromEntries(Object.entries(MAX_AGE_SECONDS).map(([kind, seconds]) => [kind, seconds / 60]));
  const [hour, day] = [60, 24 * 60];
  expect(minutes).toEqual({
    ...{ 'email-code': 10, 'already-registered': hour, 'password-reset': 30, 'password-changed': 6 * hour },
    ...{ 'email-changed': 6 * hour, 'mobile-changed': 6 * hour, 'account-deleted': 6 * hour },
    ...{ 'account-restored': 6 * hour, 'order-paid': 3 * day, 'order-unpaid': day, 'order-checked': day },
    ...{ 'plan-ends': day, 'order-refunded': 3 * day, 'order-review': 7 * day, 'feed-held': 7 * day },
    ...{ 'documents-ready': 3 * day, 'documents-available': 3 * day, 'order-email-changed': 3 * day },
    ...{ 'closing-reminder': 3 * hour, 'tender-changed': day, 'new-tenders': day, 'document-expiry': day },
    contact: 7 * day,
  });
});
