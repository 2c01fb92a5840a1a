import { type Language, languageOfHome, pathIn } from '@nivida/contract/languages';
import { readInstantSetting, writeInstantSetting } from './instant-settings.ts';

/** The setting with the path of home in the chosen language. `early.ts` reads it when the app is started. */
const HOME_KEY = 'home';

/** The language that the user has chosen on this device; undefined without a choice, and when the app no longer has it. */
export const chosenLanguage = (): Language | undefined => languageOfHome(readInstantSetting(HOME_KEY));

export const chooseLanguage = (language: Language): void => writeInstantSetting(HOME_KEY, pathIn(language, '/'));
