import { currentLanguage } from '@nivida/contract/i18n';

/** The `lang` of a text of a portal, which may be in another language than the page. Undefined in the page's own. */
export function langOf(text: string): string | undefined {
  const language = /[\u0900-\u097f]/.test(text) ? 'hi' : 'en';
  return language === currentLanguage() ? undefined : language;
}
