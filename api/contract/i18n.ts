/** The texts of app and server in the present language. English is in the code; other languages are catalogues. */
import { type Messages, setupI18n } from '@lingui/core';
import { knownLanguage, LANGUAGES, type Language, languages } from './languages.ts';

/**
 * Holds the present language and the loaded catalogues; the macros `t`, `plural` and `Trans` use it. A text that a catalogue
 * lacks is shown in English. Numbers have Indian groups and Latin digits in every language.
 */
export const i18n = setupI18n({
  locale: 'en',
  locales: LANGUAGES.en.locale,
  messages: Object.fromEntries(languages().map((language) => [language, {}])),
});

export const currentLanguage = (): Language => i18n.locale as Language;

/** Adds texts of a language to those that are loaded. */
export const addTexts = (language: Language, texts: Messages): void => i18n.load(language, texts);

/** From now on texts are in this language. Its catalogues must be loaded. */
export function setLanguage(language: Language): void {
  const known = knownLanguage(language);
  i18n.activate(known, `${LANGUAGES[known].locale}-u-nu-latn`);
}

/** Runs `work`, which must not wait for anything, in a language whose catalogues are loaded. */
export function inLanguage<T>(language: Language, work: () => T): T {
  const before = currentLanguage();
  setLanguage(language);
  try {
    return work();
  } finally {
    setLanguage(before);
  }
}

/** A text in the present language whose English is its own key in the catalogues; others stay as they are. */
export const inPresentLanguage = (text: string): string => (Object.hasOwn(i18n.messages, text) ? i18n._(text) : text);

let loadRest = async (): Promise<void> => undefined;

/** Resolves when all texts of the present language are here. */
export const allTexts = (): Promise<void> => loadRest();

/** Says how the texts are loaded that are not here from the beginning. */
export function setTextsLoader(load: () => Promise<void>): void {
  loadRest = load;
}
