/** Offers the language of the account or of the browser, once, on a device where no language was chosen. */
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, languages } from '@nivida/contract/languages';
import { readInstantSetting, writeInstantSetting } from '../../data/device/instant-settings.ts';
import { onOwnerChange } from '../../data/session.ts';
import { accountLanguage, hasChosenLanguage, switchLanguage } from '../../data/texts/language.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** The setting with the language that was offered last. */
const OFFERED_KEY = 'language offered';

function offerLanguage(): void {
  const preferred = accountLanguage() ?? navigator.languages[0]?.split('-')[0];
  const language = languages().find((each) => each === preferred);
  if (!language || language === currentLanguage()) return;
  if (hasChosenLanguage() || readInstantSetting(OFFERED_KEY) === language) return;
  writeInstantSetting(OFFERED_KEY, language);
  const { offer, name } = LANGUAGES[language];
  showToast({
    text: offer,
    passing: true,
    action: { label: name, run: () => void switchLanguage(language).catch(() => undefined) },
  });
}

/** Offers a language now and after a sign-in. */
export function watchLanguageOffer(): void {
  offerLanguage();
  onOwnerChange(offerLanguage);
}
