/** The texts of app and server in the present language. English is in the code; other languages are catalogues. */
import { setupI18n } from '@lingui/core';

/**
 * Holds the present language and the loaded catalogues; the macros `t`, `plural` and `Trans` use it. A text that a catalogue
 * lacks is shown in English. Numbers have Indian groups and Latin digits in every language.
 */
export const i18n = setupI18n({ locale: 'en', locales: 'en-IN', messages: { en: {} } });
