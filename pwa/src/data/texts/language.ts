/** The language of the app: its catalogues, the switch and the user's choice. English needs no catalogue. */
import type { Messages } from '@lingui/core';
import { addTexts, currentLanguage, setLanguage, setTextsLoader } from '@nivida/contract/i18n';
import { LANGUAGES, type Language, pathIn, splitLanguage } from '@nivida/contract/languages';
import { chooseLanguage } from '../device/chosen-language.ts';

type Catalogues = Record<string, () => Promise<{ messages: Messages }>>;

/** `first` has the texts of what a visitor sees first, `rest` those of the other screens. */
const PARTS = {
  first: import.meta.glob('../../../../texts/*.po', { query: '?part=first' }) as Catalogues,
  rest: import.meta.glob('../../../../texts/*.po', { query: '?part=rest' }) as Catalogues,
};

/** Loads texts. Throws when the file cannot be loaded. A file that is here already is not requested again. */
async function loadTexts(language: Language, part: keyof typeof PARTS): Promise<void> {
  const load = PARTS[part][`../../../../texts/${language}.po`];
  if (load) addTexts(language, (await load()).messages);
}

/** Loads the texts of parts of the app that few users load. */
const loadersOfParts: ((language: Language) => Promise<void>)[] = [];

/** Loads all texts of a language. Throws when a file cannot be loaded. */
export async function loadLanguage(language: Language): Promise<void> {
  const parts = loadersOfParts.map((load) => load(language));
  await Promise.all([loadTexts(language, 'first'), loadTexts(language, 'rest'), ...parts]);
}

/** Loads the texts of a part in the present language, and from now on in each language that is chosen. */
export async function addTextsPart(load: (language: Language) => Promise<void>): Promise<void> {
  if (!loadersOfParts.includes(load)) loadersOfParts.push(load);
  await load(currentLanguage()).catch(() => undefined);
}

// A screen without its texts is shown in English.
setTextsLoader(() => loadTexts(currentLanguage(), 'rest').catch(() => undefined));

function applyLanguage(language: Language): void {
  setLanguage(language);
  // The stored app has the same page for every address.
  document.documentElement.lang = LANGUAGES[language].locale;
}

// Not read from the page's `lang`, which a translator of the browser changes.
let isLacking = false;

/** Makes the language of the address the present one and loads its first texts. False without them: the page is then English. */
export async function startLanguage(): Promise<boolean> {
  const { language } = splitLanguage(location.pathname);
  applyLanguage(language);
  try {
    await loadTexts(language, 'first');
    return true;
  } catch {
    document.documentElement.lang = LANGUAGES.en.locale;
    isLacking = true;
    return false;
  }
}

/** True when the first page is English because the texts of its language could not be loaded. */
export const lacksTexts = (): boolean => isLacking;

const listeners = new Set<() => void>();

/** Calls `show` after each change of the language. */
export function onLanguageChange(show: () => void): void {
  listeners.add(show);
}

/** Shows the present page in another language and remembers it. Throws when its texts cannot be loaded. */
export async function switchLanguage(language: Language): Promise<void> {
  await loadLanguage(language);
  if (language === currentLanguage()) return;
  chooseLanguage(language);
  const { pathname, search, hash } = location;
  history.pushState(null, '', pathIn(language, splitLanguage(pathname).path) + search + hash);
  showLanguage(language);
}

/** Renders the app anew in a language whose texts are loaded, or in English where they are not. */
export function showLanguage(language: Language): void {
  applyLanguage(language);
  for (const show of listeners) show();
}
