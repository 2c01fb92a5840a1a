/** The languages of app and server, and their addresses. */

/**
 * `name` in the language itself, `locale` for numbers and for the page's `lang`, `prefix` of its addresses, `offer` for a
 * browser in this language. Each language but English has a catalogue in `texts/`.
 */
export const LANGUAGES = {
  en: { name: 'English', locale: 'en-IN', prefix: '', offer: 'This app is also in English.' },
  hi: { name: 'हिन्दी', locale: 'hi-IN', prefix: '/hi', offer: 'यह ऐप हिन्दी में भी है।' },
} as const;

export type Language = keyof typeof LANGUAGES;

export const languages = (): Language[] => Object.keys(LANGUAGES) as Language[];

/** The language of an address and its path without the language: '/hi/tenders' is '/tenders' in Hindi. */
export function splitLanguage(address: string): { language: Language; path: string } {
  const first = address.split('/', 2)[1] ?? '';
  if (first === '' || !Object.hasOwn(LANGUAGES, first) || LANGUAGES[first as Language].prefix === '')
    return { language: 'en', path: address };
  return { language: first as Language, path: address.slice(first.length + 1) || '/' };
}

/** A stored language; English for one that this version does not have, after a step back to it. */
export const knownLanguage = (language: string): Language =>
  Object.hasOwn(LANGUAGES, language) ? (language as Language) : 'en';

/** The path of a page in a language. `path` is without a language. */
export const pathIn = (language: Language, path: string): string =>
  `${LANGUAGES[knownLanguage(language)].prefix}${path === '/' ? '' : path}` || '/';

/** The language of the browser; undefined when the app is not in it. */
export const languageOfBrowser = (): Language | undefined =>
  languages().find((language) => navigator.language.split('-')[0] === language);

/** The language whose home page has this path; undefined for another path, such as that of a language that was removed. */
export const languageOfHome = (home: unknown): Language | undefined =>
  languages().find((language) => pathIn(language, '/') === home);

/** The language of a page with `lang`, such as 'hi-IN'. English for an unknown one. */
export const languageOfLocale = (locale: string): Language =>
  languages().find((language) => LANGUAGES[language].locale === locale) ?? 'en';

/** The language of a catalogue's file, such as 'texts/hi.po'. */
export const languageOfFile = (path: string): Language => /(\w+)\.po$/.exec(path)?.[1] as Language;
