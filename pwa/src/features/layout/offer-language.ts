/** Offers the language of the browser, once, on a device where no language was chosen. */
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, languages } from '@nivida/contract/languages';
import { readInstantSetting, writeInstantSetting } from '../../data/device/instant-settings.ts';
import { hasChosenLanguage, switchLanguage } from '../../data/texts/language.ts';
import { showToast } from '../../ui/feedback/toast.ts';

const OFFERED_KEY = 'language offered';

export function offerLanguage(): void {
  if (hasChosenLanguage() || readInstantSetting(OFFERED_KEY) !== undefined) return;
  const [preferred = ''] = navigator.languages;
  const language = languages().find((each) => preferred.split('-')[0] === each);
  if (!language || language === currentLanguage()) return;
  writeInstantSetting(OFFERED_KEY, true);
  const { offer, name } = LANGUAGES[language];
  showToast({
    text: offer,
    passing: true,
    action: { label: name, run: () => void switchLanguage(language).catch(() => undefined) },
  });
}
