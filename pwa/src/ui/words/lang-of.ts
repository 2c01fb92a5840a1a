import { currentLanguage } from '@nivida/contract/i18n';

const DEVANAGARI = /\p{Script=Devanagari}/u;
const LATIN = /\p{Script=Latin}/u;
const OTHER_LETTERS = /[^\P{L}\p{Script=Latin}]/u;

/** Hindi in Devanagari, English in Latin letters only. A text in another script may be in several languages. */
function languageOf(text: string): string | undefined {
  if (DEVANAGARI.test(text)) return 'hi';
  return LATIN.test(text) && !OTHER_LETTERS.test(text) ? 'en' : undefined;
}

/** The `lang` of a text of a portal, which may be in another language than the page. Undefined in the page's own, and when unknown. */
export function langOf(text: string): string | undefined {
  const language = languageOf(text);
  return language === currentLanguage() ? undefined : language;
}
