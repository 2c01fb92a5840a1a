/** The page of a link that stops the alert mails of an account. */
import { plainPage } from '../../http/html/plain-page.ts';
import type { AlertLanguage } from '../messages/localised-text.ts';

/** `asks`: the mails are on. `stopped`: they were just stopped. `off`: they were already off. `unknown`: the link is not valid. */
export type UnsubscribeState = 'asks' | 'stopped' | 'off' | 'unknown';

interface UnsubscribeText {
  title: string;
  lines: string[];
  button?: string;
}

const PAGE_TEXTS: Readonly<Record<AlertLanguage, Record<UnsubscribeState, UnsubscribeText>>> = {
  'en-IN': {
    asks: {
      title: 'Stop the alert mails?',
      lines: [
        'Nivida sends alerts about tenders to the e-mail address of your account. Notifications on your phone stay.',
      ],
      button: 'Stop the e-mails',
    },
    stopped: {
      title: 'The alert mails are stopped',
      lines: ['You can turn them on again in the app: Notices, then Alert settings.'],
    },
    off: {
      title: 'The alert mails are off',
      lines: ['You can turn them on in the app: Notices, then Alert settings.'],
    },
    unknown: {
      title: 'This link does not work',
      lines: ['It may not be complete. Open it from the mail again, or sign in and open Notices, then Alert settings.'],
    },
  },
  'hi-IN': {
    asks: {
      title: 'सूचना वाले मेल बंद करें?',
      lines: ['निविदा आपके खाते के ई-मेल पते पर निविदाओं की सूचनाएँ भेजता है। फ़ोन की सूचनाएँ चालू रहेंगी।'],
      button: 'मेल बंद करें',
    },
    stopped: {
      title: 'सूचना वाले मेल बंद हो गए हैं',
      lines: ['आप इन्हें ऐप में फिर चालू कर सकते हैं: Notices, फिर Alert settings।'],
    },
    off: {
      title: 'सूचना वाले मेल बंद हैं',
      lines: ['आप इन्हें ऐप में चालू कर सकते हैं: Notices, फिर Alert settings।'],
    },
    unknown: {
      title: 'यह लिंक काम नहीं करता',
      lines: ['शायद यह पूरा नहीं है। इसे मेल से फिर खोलें, या साइन इन करके Notices, फिर Alert settings खोलें।'],
    },
  },
};

/** The page in the language of the mails. */
export function unsubscribePage(state: UnsubscribeState, language: AlertLanguage): string {
  const { title, lines, button } = PAGE_TEXTS[language][state];
  const body = [
    `<h1>${title}</h1>`,
    ...lines.map((line) => `<p>${line}</p>`),
    ...(button ? [`<form method="post"><button>${button}</button></form>`] : []),
  ];
  return plainPage(
    title,
    body.join('\n'),
    'Nivida is not a government site; bids are submitted at the portal.',
    language,
  );
}
