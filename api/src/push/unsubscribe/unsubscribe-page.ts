/** The page of a link that stops the alert mails of an account. */
import { t } from '@lingui/core/macro';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import '../../base/texts.ts';
import { plainPage } from '../../http/html/plain-page.ts';

/** `asks`: the mails are on. `stopped`: they were just stopped. `off`: they were already off. `unknown`: the link is not valid. */
export type UnsubscribeState = 'asks' | 'stopped' | 'off' | 'unknown';

interface UnsubscribeText {
  title: string;
  line: string;
  button?: string;
}

function pageText(state: UnsubscribeState): UnsubscribeText {
  switch (state) {
    case 'asks':
      return {
        title: t`Stop the alert mails?`,
        line: t`Nivida sends alerts about tenders to the e-mail address of your account. Notifications on your phone stay.`,
        button: t`Stop the e-mails`,
      };
    case 'stopped':
      return {
        title: t`The alert mails are stopped`,
        line: t`You can turn them on again in the app: Notices, then Alert settings.`,
      };
    case 'off':
      return {
        title: t`The alert mails are off`,
        line: t`You can turn them on in the app: Notices, then Alert settings.`,
      };
    case 'unknown':
      return {
        title: t`This link does not work`,
        line: t`It may not be complete. Open it from the mail again, or sign in and open Notices, then Alert settings.`,
      };
  }
}

/** The page in a language. */
export const unsubscribePage = (state: UnsubscribeState, language: Language): string =>
  inLanguage(language, () => {
    const { title, line, button } = pageText(state);
    const body = [
      `<h1>${title}</h1>`,
      `<p>${line}</p>`,
      ...(button ? [`<form method="post"><button>${button}</button></form>`] : []),
    ];
    const footer = t`Nivida is not a government site; bids are submitted at the portal.`;
    return plainPage(title, body.join('\n'), footer);
  });
