import type { Language } from '@nivida/contract/languages';
import { readInstantSetting, writeInstantSetting } from '../device/instant-settings.ts';

const ACCOUNT_KEY = 'language of account';

/** The language of the account that has last signed in here. Undefined for English: it may be no choice. */
export const accountLanguage = (): unknown => readInstantSetting(ACCOUNT_KEY);

/** Stores the language of an account that signs in. Undefined from a server that does not name it. */
export const writeAccountLanguage = (language: Language | undefined): void =>
  writeInstantSetting(ACCOUNT_KEY, language === 'en' ? undefined : language);
