import { describe, expect, test } from 'vitest';
import { UnsubscribeLinks } from './unsubscribe-links.ts';
import { type UnsubscribeState, unsubscribePage } from './unsubscribe-page.ts';

const USER = '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01';
const [FIRST, SECOND] = ['first-key-of-the-tests-0123456789', 'second-key-of-the-tests-0123456789'];

describe('the page of an unsubscribe link', () => {
  test.each<[UnsubscribeState, string, string[], string, string[]]>([
    [
      'asks',
      'Stop the alert mails?',
      [
        'Nivida sends alerts about tenders to the e-mail address of your account. Notifications on your phone stay.',
        'Stop the e-mails',
      ],
      'अलर्ट के ईमेल बंद करें?',
      ['Nivida टेंडरों के अलर्ट आपके खाते के ईमेल पते पर भेजता है। फ़ोन पर आने वाले अलर्ट चालू रहेंगे।', 'ईमेल बंद करें'],
    ],
    [
      'stopped',
      'The alert mails are stopped',
      ['You can turn them on again in the app: Notices, then Alert settings.'],
      'अलर्ट के ईमेल बंद हो गए हैं',
      ['आप इन्हें ऐप में फिर चालू कर सकते हैं: “सूचनाएँ”, फिर “अलर्ट सेटिंग”।'],
    ],
    [
      'off',
      'The alert mails are off',
      ['You can turn them on in the app: Notices, then Alert settings.'],
      'अलर्ट के ईमेल बंद हैं',
      ['आप इन्हें ऐप में चालू कर सकते हैं: “सूचनाएँ”, फिर “अलर्ट सेटिंग”।'],
    ],
    [
      'unknown',
      'This link does not work',
      ['It may not be complete. Open it from the mail again, or sign in and open Notices, then Alert settings.'],
      'यह लिंक काम नहीं करता',
      ['शायद लिंक पूरा नहीं है। इसे ईमेल से फिर खोलें, या साइन इन करके “सूचनाएँ”, फिर “अलर्ट सेटिंग” खोलें।'],
    ],
  ])('that is in the state "%s" is written in both languages', (state, title, lines, hindiTitle, hindiLines) => {
    for (const [language, heading, texts] of [
      ['en', title, lines],
      ['hi', hindiTitle, hindiLines],
    ] as const) {
      const page = unsubscribePage(state, language);
      const [, main = ''] = /<main>\n(.*)\n<\/main>/s.exec(page) ?? [];
      expect(page).toContain(`<html lang="${language}-IN">`);
      expect(page).toContain(`<title>${heading} - Nivida</title>`);
      expect(main.split('\n').map((line) => line.replaceAll(/<[^>]+>/g, ''))).toEqual([heading, ...texts]);
      expect(main.includes('<form method="post"><button>')).toBe(state === 'asks');
      const footer = {
        en: 'Nivida is not a government site; bids are submitted at the portal.',
        hi: 'Nivida सरकारी साइट नहीं है; बोली पोर्टल पर जमा होती है।',
      };
      expect(page).toContain(`<footer>${footer[language]}</footer>`);
    }
  });
});

describe('the token of an unsubscribe link', () => {
  test('is 43 letters that name the account, the same for each mail', () => {
    const links = new UnsubscribeLinks([FIRST, SECOND]);
    const token = links.tokenOf(USER);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(links.tokenOf(USER)).toBe(token);
    expect(new UnsubscribeLinks([SECOND, FIRST]).userIdOf(token)).toBe(USER);
    expect(new UnsubscribeLinks([FIRST]).tokenOf(USER)).toBe(token);
    expect(links.tokenOf(USER.replace('7e', '7f'))).not.toBe(token);
  });

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(42), 'A'.repeat(44)])('is not the text "%s"', (text) => {
    expect(new UnsubscribeLinks([FIRST]).userIdOf(text)).toBeUndefined();
  });

  test('in another spelling of the same bytes is refused', () => {
    const links = new UnsubscribeLinks([FIRST]);
    const token = links.tokenOf(USER);
    expect(links.userIdOf(`${token}=`)).toBeUndefined();
    expect(links.userIdOf(token.replaceAll('-', '+').replaceAll('_', '/').concat('='))).toBeUndefined();
  });

  test('needs a key', () => {
    expect(() => new UnsubscribeLinks([]).tokenOf(USER)).toThrow('There is no session key to sign links with');
  });
});
