// @vitest-environment node
/** Texts of visitors and portals in mails: a subject stays one line, and a text stays text in the HTML. */
import { describe, expect, test } from 'vitest';
import type { Config } from '../base/config.ts';
import { MAX_AGE_SECONDS, type Mail } from './mail.ts';
import { composeMail } from './mail-texts.ts';
import { toSmtpMessage } from './mail-transport.port.ts';
import { refundReason } from './refund-reasons.ts';

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
  files: 0,
  link: 'https://nivida.example/desk/messages/7',
  ...changes,
});

test.each([
  ['Tenders\r\nBcc: all@example.org', 'Message: Tenders Bcc: all@example.org'],
  ['Tenders\u2028of Kinnaur\u2029', 'Message: Tenders of Kinnaur '],
  ['Tenders\u0000\tof\u007fKinnaur', 'Message: Tenders of Kinnaur'],
])('the subject %j is one line', (subject, line) => {
  expect(composeMail(contact({ subject }), SITE).subject).toBe(line);
});

test.each<[Mail, string, string]>([
  [
    { kind: 'order-review', to: 'a@b.example', orderId: 'X', what: 'Paid with another amount.' },
    'nivida orders show X',
    'npm run orders -- show X',
  ],
  [
    { kind: 'feed-held', to: 'a@b.example', portal: 'hptenders', what: 'A column is missing.' },
    '(nivida import FILE --portal NAME',
    '(npm run import -- FILE --portal NAME',
  ],
])('a mail to the operator names the command of the installation', (mail, own, usual) => {
  expect(composeMail(mail, { ...SITE, commandName: 'nivida' }).text).toContain(own);
  expect(composeMail(mail, SITE).text).toContain(usual);
});

describe('text with markup is text in the HTML of', () => {
  const link = 'https://nivida.example/tenders/7?a=1&b="';
  test.each<[string, Mail]>([
    ['a contact message', contact({ name: MARKUP, message: MARKUP })],
    [
      'an alert',
      {
        kind: 'tender-changed',
        to: 'a@b.example',
        title: MARKUP,
        lines: [MARKUP],
        language: 'en',
        link,
        stopLink: link,
      },
    ],
    ['available documents', { kind: 'documents-available', language: 'en', to: 'a@b.example', title: MARKUP, link }],
    ['a held feed', { kind: 'feed-held', to: 'a@b.example', portal: 'hptenders', what: MARKUP }],
    ['a passkey', { kind: 'passkey-added', language: 'en', to: 'a@b.example', username: 'Asha', name: MARKUP }],
    ['a new password', { kind: 'password-changed', language: 'en', to: 'a@b.example', username: MARKUP }],
  ])('%s', (_what, mail) => {
    const { html, text } = composeMail(mail, SITE);
    expect(html).toContain(ESCAPED);
    expect(html).not.toContain('<img');
    expect(html).not.toContain('b=""');
    expect(text).toContain(MARKUP);
  });
});

test('an alert names its language, a link is the same in its text and its address, and the stop link follows', () => {
  const mail: Mail = {
    kind: 'new-tenders',
    to: 'a@b.example',
    title: 'Two new tenders',
    lines: ['Road', 'Bridge'],
    language: 'hi',
    link: 'https://nivida.example/notices?a=1&b=2',
    stopLink: 'https://nivida.example/stop',
  };
  const { html, stopLink } = composeMail(mail, SITE);
  expect(html).toContain('<html lang="hi-IN">');
  expect(composeMail({ ...mail, language: 'en' }, SITE).html).toContain('<html lang="en-IN">');
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
        language: 'en',
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

describe('the text of a mail', () => {
  const to = 'asha@firm.example';
  const link = 'https://nivida.example/page';
  const NOT_YOU =
    'If this was not you, choose a new password at once: open the sign-in dialog and press "Forgot password?".';
  const TEST = 'This was a test: no money has moved.';
  const order = { to, orderId: 'T1', title: 'Basic plan', amountPaise: 589_900, link, isTest: false };
  const checked = { ...order, kind: 'order-checked' as const, language: 'en' as const, isLate: false };
  const paid = { amountPaise: 100_000, currency: 'INR' };
  const refund = {
    ...order,
    kind: 'order-refunded' as const,
    language: 'en' as const,
    currency: 'INR',
    reason: 'you were debited twice',
  };
  const plan = {
    kind: 'plan-ends' as const,
    language: 'en' as const,
    to,
    planName: 'Basic',
    endsAt: '2026-11-18T18:29:59.000Z',
    link,
  };
  const documents = { to, orderId: 'T1', title: 'Footbridge', link, expiresAt: '2026-11-18T18:29:59.000Z' };
  const ready = { ...documents, kind: 'documents-ready' as const, language: 'en' as const, isDemonstration: false };
  const alert = { to, title: 'Closing tomorrow', lines: ['Road', 'Shimla'], link };
  const CHECKED =
    'A person checks your order. Within 24 hours you get what you ordered, or the money goes back the way you paid. Do not pay again. We email you then.';
  const UNPAID = [
    'To try again, open the page of your order:',
    link,
    'If money left your account, do not pay again. It is matched with your order as soon as the bank confirms it, or comes back by itself within 5 working days.',
    'Order T1. Reply to this mail if something is wrong.',
  ];
  const FREE =
    'Searching, reading and reminders of bookmarked tenders stay free. Bookmarks, saved searches and documents you bought stay.';
  const LINK_WORKS =
    'The link works until 18 Nov 2026, 11:59 PM, up to 20 times. Anyone who has the link can download, so do not share it.';

  const atTheDesk = [
    'Answer at the desk. The sender does not see an answer there that you send by mail.',
    'https://nivida.example/desk/messages/7',
  ];

  const MAILS: [Mail, string, string[]][] = [
    [
      { kind: 'email-code', language: 'en', to, code: '402917' },
      'Your code for Nivida',
      [
        'Your code is',
        '402917',
        'It works for 10 minutes, only in the browser where you asked for it.',
        'If you did not ask for it, ignore this mail. Nivida never asks you for this code.',
      ],
    ],
    [
      { kind: 'already-registered', language: 'en', to },
      'You already have a Nivida account',
      [
        'A code was requested for this address, probably by you. The address already has an account, so no code was created.',
        'Sign in with your mobile number. If you no longer know the password, press "Forgot password?" there.',
        'https://nivida.example',
        'If it was not you, ignore this mail: nothing has changed.',
      ],
    ],
    [
      { kind: 'password-reset', language: 'en', to, username: 'Asha', link },
      'Choose a new password for Nivida',
      [
        'Hello Asha,',
        'open this link to choose a new password. It works once, within 30 minutes.',
        link,
        'If you did not ask for it, ignore this mail: your password stays as it is.',
      ],
    ],
    [
      { kind: 'firm-invitation', language: 'en', to, firm: 'Verma Builders', invitedBy: 'Asha', days: 7, link },
      'Asha invites you to Verma Builders on Nivida',
      [
        'Asha invites you to work on the bids of Verma Builders together: you share bids, deposits, documents and saved searches.',
        'Open this link and sign in with this email address. It works once, within 7 days.',
        link,
        'If you do not know the sender, ignore this mail: nothing happens.',
      ],
    ],
    [
      { kind: 'password-changed', language: 'en', to, username: 'Asha' },
      'Your Nivida password was changed',
      [
        'Hello Asha,',
        'the password of your account was changed, and the other devices were signed out.',
        NOT_YOU,
        'https://nivida.example',
      ],
    ],
    [
      { kind: 'passkey-added', language: 'en', to, username: 'Asha', name: 'Asha' },
      'A passkey was added to your Nivida account',
      [
        'Hello Asha,',
        'you can now sign in with this passkey, too: Asha',
        'If this was not you, sign in, open Settings and remove it. Then choose a new password.',
        'https://nivida.example',
      ],
    ],
    [
      { kind: 'passkey-removed', language: 'en', to, username: 'Asha', name: 'Asha' },
      'A passkey was removed from your Nivida account',
      ['Hello Asha,', 'this passkey does not open your account any more: Asha', NOT_YOU, 'https://nivida.example'],
    ],
    [
      { kind: 'recovery-code-used', language: 'en', to, username: 'Asha', left: 1 },
      'A recovery code was used for your Nivida account',
      [
        'Hello Asha,',
        'you signed in with a recovery code instead of a passkey. This code does not work again.',
        '1 code is left.',
        NOT_YOU,
        'https://nivida.example',
      ],
    ],
    [
      { kind: 'email-changed', language: 'en', to, username: 'Asha', newEmail: 'new@firm.example' },
      'The e-mail address of your Nivida account was changed',
      [
        'Hello Asha,',
        'mails of your account now go to new@firm.example, no longer to this address.',
        'If this was not you, write to support@nivida.example at once.',
      ],
    ],
    [
      { kind: 'mobile-changed', language: 'en', to, username: 'Asha', lastDigits: '2345' },
      'The mobile number of your Nivida account was changed',
      [
        'Hello Asha,',
        'you now sign in with the mobile number that ends in 2345, no longer with the one before.',
        NOT_YOU,
        'https://nivida.example',
      ],
    ],
    [
      { kind: 'account-deleted', language: 'en', to, username: 'Asha', erasedOn: new Date('2026-11-17T20:00:00Z') },
      'Your Nivida account will be erased',
      [
        'Hello Asha,',
        'your account is closed and all devices are signed out. Your personal data will be erased on 18 Nov 2026; invoices are kept as the law requires.',
        'If you want to keep the account, sign in before that day.',
        'https://nivida.example',
      ],
    ],
    [
      { kind: 'account-restored', language: 'en', to, username: 'Asha' },
      'Your Nivida account is open again',
      [
        'Hello Asha,',
        'you signed in, so your account stays and nothing will be erased.',
        NOT_YOU,
        'https://nivida.example',
      ],
    ],
    [
      { ...order, kind: 'order-paid', language: 'en', receiptNumber: 'R/7' },
      'Your payment for Nivida',
      [
        'We have received ₹5,899.00 for: Basic plan',
        'Order T1, receipt R/7. The receipt is on the page of your order:',
        link,
        'Reply to this mail if something does not work.',
      ],
    ],
    [
      { ...order, kind: 'order-paid', language: 'en', receiptNumber: 'R/7', isTest: true },
      'Your test payment for Nivida',
      [
        'We have received ₹5,899.00 for: Basic plan',
        'Order T1, receipt R/7. The receipt is on the page of your order:',
        link,
        TEST,
        'Reply to this mail if something does not work.',
      ],
    ],
    [
      { ...order, kind: 'order-unpaid', language: 'en', end: 'declined' },
      'Your payment for Nivida was not completed',
      ['Your payment was declined. Nothing was bought. It was ₹5,899.00 for: Basic plan', ...UNPAID],
    ],
    [
      { ...order, kind: 'order-unpaid', language: 'en', end: 'cancelled' },
      'Your payment for Nivida was not completed',
      ['Your payment was cancelled. Nothing was bought. It was ₹5,899.00 for: Basic plan', ...UNPAID],
    ],
    [
      { ...order, kind: 'order-unpaid', language: 'en', end: 'expired', isTest: true },
      'Your test payment for Nivida was not completed',
      ['Your payment was not completed in time. Nothing was bought. It was ₹5,899.00 for: Basic plan', ...UNPAID, TEST],
    ],
    [
      { ...checked, paid },
      'Your payment for Nivida is being checked',
      [
        'We have received ₹1,000.00 for: Basic plan',
        'The price of your order is ₹5,899.00.',
        CHECKED,
        link,
        'Order T1. Reply to this mail if you have a question.',
      ],
    ],
    [
      { ...checked, paid, isLate: true, isTest: true },
      'Your test payment for Nivida is being checked',
      [
        'We have received ₹1,000.00 for: Basic plan',
        'It came more than 7 days after you opened the payment page.',
        CHECKED,
        link,
        'Order T1. Reply to this mail if you have a question.',
        TEST,
      ],
    ],
    [
      { ...refund, creditNoteNumber: 'C/7' },
      'Your refund from Nivida',
      [
        'We have sent ₹5,899.00 back, because you were debited twice. It was for: Basic plan',
        'Order T1. The money reaches you the way you paid, within 5 working days.',
        'Credit note C/7 is on the page of your order:',
        link,
      ],
    ],
    [
      { ...refund, currency: 'USD', creditNoteNumber: null, isTest: true },
      'Your test refund from Nivida',
      [
        'We have sent USD 5899.00 back, because you were debited twice. It was for: Basic plan',
        'Order T1. The money reaches you the way you paid, within 5 working days.',
        TEST,
      ],
    ],
    [
      { ...plan, days: 7 },
      'Your Basic plan ends in 7 days',
      [
        'Your Basic plan ends on 18 Nov 2026, 11:59 PM. Alerts for saved searches and included downloads stop then.',
        FREE,
        'Nothing renews by itself. Buy the same plan before that day to add a year:',
        link,
      ],
    ],
    [
      { ...plan, days: -1 },
      'Your Basic plan has ended',
      [
        'Your Basic plan ended on 18 Nov 2026, 11:59 PM. Alerts for saved searches and included downloads have stopped.',
        FREE,
        'Nothing renews by itself. To go on, buy a plan:',
        link,
      ],
    ],
    [
      { kind: 'order-review', to, orderId: 'T1', what: 'It was paid twice.' },
      'Order T1 needs a person',
      ['It was paid twice.', 'Look at it with: npm run orders -- show T1'],
    ],
    [
      { kind: 'feed-held', to, portal: 'hptenders', what: 'The column "EMD" is missing.' },
      'The file of hptenders was not imported',
      [
        'The feed hptenders gave a file that needs a decision. Nothing of it was stored, and the stored tenders are as they were.',
        'The column "EMD" is missing.',
        'Import the file by hand with the option that is named (npm run import -- FILE --portal NAME --state STATE), or correct it. For a column that the portal never gives, add ;allow-missing=NAME to the feed, with dashes for spaces.',
        'Until then the feed is tried again at its usual times, without another mail.',
      ],
    ],
    [
      { ...ready, news: 'bought' },
      'Your tender documents',
      [
        'Footbridge',
        'Open this page and press Download:',
        link,
        LINK_WORKS,
        'Order T1. Reply to this mail if it does not work.',
      ],
    ],
    [
      { ...ready, news: 'again', isDemonstration: true },
      'Your tender documents',
      [
        'Footbridge',
        'Open this page and press Download:',
        link,
        LINK_WORKS,
        'DEMONSTRATION: the tender is not a live one, and its files were generated.',
        'Order T1. Reply to this mail if it does not work.',
      ],
    ],
    [
      { ...ready, news: 'changed' },
      'New version of your tender documents',
      [
        'The tender was changed. There is a new version of the documents you bought.',
        'Footbridge',
        'Open this page and press Download:',
        link,
        LINK_WORKS,
        'Order T1. Reply to this mail if it does not work.',
      ],
    ],
    [
      { kind: 'order-email-changed', language: 'en', to, orderId: 'T1', isNew: true },
      'The e-mail address of your Nivida order was changed',
      [
        'Mails about order T1 now come to this address. Receipt and documents are on the page of the order:',
        'https://nivida.example/payment-status?id=T1',
        'Reply to this mail if the order is not yours.',
      ],
    ],
    [
      { kind: 'order-email-changed', language: 'en', to, orderId: 'T1', isNew: false },
      'The e-mail address of your Nivida order was changed',
      [
        'Support has corrected the e-mail address of order T1: mails about it no longer come here, and links to documents that were sent here have ended.',
        'Reply to this mail if you bought it and did not ask for this.',
      ],
    ],
    [
      { kind: 'documents-available', language: 'en', to, title: 'Footbridge', link },
      'The documents you asked for are available',
      [
        'You asked for the documents of this tender. They are available now:',
        'Footbridge',
        link,
        'Official documents are free at the portal. The fee at Nivida pays for collecting, bundling and delivery.',
        'You get this mail once: the request for the documents named this address.',
      ],
    ],
    [
      { ...alert, kind: 'closing-reminder', language: 'en', stopLink: 'https://nivida.example/stop' },
      'Closing tomorrow',
      [
        'Road',
        'Shimla',
        link,
        'You can turn these mails off in the app (Notices, then Alert settings), or stop them here:',
        'https://nivida.example/stop',
      ],
    ],
    [
      contact({ phone: '9876543210', company: 'Asha & Sons', message: 'First\nline\n\n\nSecond' }),
      'Message: Tenders',
      ['From Asha, asha@builders.example, +91 9876543210, Asha & Sons', 'First\nline', 'Second', ...atTheDesk],
    ],
    [
      {
        kind: 'support-answer',
        language: 'en',
        to,
        username: 'Asha',
        subject: 'Footbridge',
        answer: 'Shimla\n\nRoad',
        files: 2,
        link: 'https://nivida.example/page',
      },
      'Answer: Footbridge',
      [
        'Hello Asha,',
        'support has answered your message “Footbridge”:',
        'Shimla',
        'Road',
        '2 files belong to this answer. You find them in the app, in the conversation.',
        'Read the conversation and write again in the app:',
        'https://nivida.example/page',
        'Please do not reply to this mail: replies are not added to your message.',
      ],
    ],
    [
      {
        kind: 'visitor-answer',
        language: 'en',
        to,
        name: 'Asha',
        subject: 'Footbridge',
        question: 'Road',
        answer: 'Shimla',
      },
      'Answer: Footbridge',
      [
        'Hello Asha,',
        'thank you for your message “Footbridge”. Our answer:',
        'Shimla',
        'You wrote:',
        'Road',
        'Please do not reply to this mail: replies are not added to your message.',
        'To write again, use the contact form. With a free account you have your messages and answers in the app:',
        'https://nivida.example/contact',
      ],
    ],
    [contact({}), 'Message: Tenders', ['From Asha, asha@builders.example', 'Which divisions?', ...atTheDesk]],
  ];

  test.each(MAILS)('(%#) is the same in its two forms', (mail, subject, paragraphs) => {
    const signature = ['Nivida, tenders of India', 'https://nivida.example', 'support@nivida.example'];
    const note = 'Nivida is not a government site. Bids are submitted at the portal that published the tender.';
    const composed = composeMail(mail, SITE);
    expect(composed.subject).toBe(subject);
    expect(composed.text.split('\n\n')).toEqual([...paragraphs, `-- \n${signature.join('\n')}\n${note}\n`]);
    const page = composed.html
      .replaceAll(/<[^>]+>/g, '\n')
      .replaceAll('&amp;', '&')
      .replaceAll('&quot;', '"');
    expect(
      page
        .split(/\n{2,}/)
        .filter((text) => text.trim() !== '')
        .slice(1),
    ).toEqual([...paragraphs, [...signature, note].join('\n')]);
  });

  /** What a Hindi mail has in Latin letters: addresses, names, numbers, and the portal's own words. */
  const LATIN = [
    /https:\S+/g,
    /\S+@\S+/g,
    /\b(?:Nivida|OTP|USD|Asha|Basic plan|Basic|T1|[RC]\/7|Footbridge|Road|Shimla|Closing tomorrow|Verma Builders)(?!\w)/g,
  ];

  test.each(MAILS.filter(([mail]) => 'language' in mail))(
    '(%#) has no English in Hindi, and its links lead to Hindi pages',
    (mail) => {
      const english = composeMail(mail, SITE);
      const hindi = composeMail({ ...mail, language: 'hi' } as Mail, SITE);
      for (const text of [hindi.subject, hindi.text, hindi.html.replaceAll(/<[^>]+>/g, '\n')])
        expect(LATIN.reduce((rest, pattern) => rest.replaceAll(pattern, ''), text)).not.toMatch(/[a-z]/i);
      expect(hindi.html).toContain('<html lang="hi-IN">');
      const links = (text: string) => text.match(/https:\S+/g);
      const home = 'https://nivida.example';
      expect(links(hindi.text)).toEqual(
        // A link that the sender of the mail gives is in its language already.
        links(english.text)?.map((each) => (/page|stop/.test(each) ? each : each.replace(home, `${home}/hi`))),
      );
    },
  );

  test.each([
    ['you were debited twice', 'आपके खाते से पैसा दो बार कट गया था'],
    [refundReason('accountHasThem', 'T2'), 'ये दस्तावेज़ आपके खाते में ऑर्डर T2 से पहले ही मिल चुके हैं'],
    [refundReason('firmClosed'), 'आपके भुगतान से पहले फ़र्म बंद कर दी गई थी'],
    ['the bridge was washed away', 'the bridge was washed away'],
  ])('the reason "%s" of a refund is in Hindi, unless the operator wrote it', (reason, hindi) => {
    const mail: Mail = { ...refund, reason, creditNoteNumber: null };
    expect(composeMail(mail, SITE).text).toContain(`because ${reason}.`);
    expect(composeMail({ ...mail, language: 'hi' }, SITE).text).toContain(`कारण: ${hindi}।`);
  });

  test.each([
    [0, 'today'],
    [1, 'tomorrow'],
    [2, 'in 2 days'],
  ])('with %i days left says that the plan ends %s', (days, when) => {
    expect(composeMail({ ...plan, days }, SITE).subject).toBe(`Your Basic plan ends ${when}`);
  });

  test.each([
    [-1, 'ख़त्म हो गया'],
    [0, 'आज ख़त्म होगा'],
    [1, 'कल ख़त्म होगा'],
    [2, '2 दिन में ख़त्म होगा'],
  ])('with %i days left says in Hindi that the plan %s', (days, when) => {
    expect(composeMail({ ...plan, days, language: 'hi' }, SITE).subject).toBe(`आपका Basic प्लान ${when}`);
  });

  test('names no support address where there is none', () => {
    const changed: Mail = { kind: 'email-changed', language: 'en', to, username: 'Asha', newEmail: 'new@firm.example' };
    const { text, html } = composeMail(changed, { ...SITE, supportEmail: undefined });
    expect(text).toContain('If this was not you, contact us at once.');
    expect(text).toContain('-- \nNivida, tenders of India\nhttps://nivida.example\nNivida is not');
    expect(`${text}${html}`).not.toContain('undefined');
  });

  test('leads back to the writer of a contact message, and stops only alerts', () => {
    expect(composeMail(contact({}), SITE)).toMatchObject({ replyTo: 'asha@builders.example' });
    const stopping = composeMail({ ...alert, kind: 'new-tenders', language: 'en', stopLink: link }, SITE);
    expect(stopping).toMatchObject({ stopLink: link });
    for (const mail of [contact({}), { kind: 'already-registered', language: 'en', to } as const])
      expect(composeMail(mail, SITE)).not.toHaveProperty('stopLink');
    expect(stopping).not.toHaveProperty('replyTo');
  });
});

describe('a mail on its way', () => {
  const composed = { subject: 'Closing tomorrow', text: 'Road', html: '<p>Road</p>' };
  const config = { mailFrom: 'Nivida <no-reply@nivida.example>', publicOrigin: 'https://nivida.example:8443' };
  const date = new Date('2026-11-10T06:00:00Z');
  const message = (changes: object = {}, settings: object = {}) =>
    toSmtpMessage({ ...composed, ...changes }, 'asha@firm.example', 'job-1', date, {
      ...config,
      ...settings,
    } as Config);

  test('has one recipient, the sender of the settings, and an id by which a second copy is recognised', () => {
    expect(message({ replyTo: 'ravi@firm.example' })).toEqual({
      ...composed,
      replyTo: 'ravi@firm.example',
      from: 'Nivida <no-reply@nivida.example>',
      to: { name: '', address: 'asha@firm.example' },
      messageId: '<job-1@nivida.example>',
      date,
      headers: { 'Auto-Submitted': 'auto-generated' },
      textEncoding: 'quoted-printable',
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    expect(message({}, { mailFrom: undefined }).from).toBe('Nivida <no-reply@localhost>');
  });

  test('of an alert has the button of mail programs that stops it', () => {
    expect(message({ stopLink: 'https://nivida.example/stop' })).toMatchObject({
      headers: {
        'Auto-Submitted': 'auto-generated',
        'List-Unsubscribe': '<https://nivida.example/stop>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
    expect(message({ stopLink: 'https://nivida.example/stop' })).not.toHaveProperty('stopLink');
  });
});

test('each mail is outdated after its time', () => {
  const minutes = Object.fromEntries(Object.entries(MAX_AGE_SECONDS).map(([kind, seconds]) => [kind, seconds / 60]));
  const [hour, day] = [60, 24 * 60];
  expect(minutes).toEqual({
    ...{ 'email-code': 10, 'already-registered': hour, 'password-reset': 30, 'password-changed': 6 * hour },
    ...{ 'email-changed': 6 * hour, 'mobile-changed': 6 * hour, 'account-deleted': 6 * hour },
    ...{ 'passkey-added': 6 * hour, 'passkey-removed': 6 * hour, 'recovery-code-used': 6 * hour },
    ...{ 'account-restored': 6 * hour, 'order-paid': 3 * day, 'order-unpaid': day, 'order-checked': day },
    ...{ 'plan-ends': day, 'order-refunded': 3 * day, 'order-review': 7 * day, 'feed-held': 7 * day },
    ...{ 'documents-ready': 3 * day, 'documents-available': 3 * day, 'order-email-changed': 3 * day },
    ...{ 'closing-reminder': 3 * hour, 'tender-changed': day, 'new-tenders': day, 'document-expiry': day },
    contact: 7 * day,
    'firm-invitation': day,
    'operator-message': 7 * day,
    'support-answer': 3 * day,
    'visitor-answer': 3 * day,
  });
});
