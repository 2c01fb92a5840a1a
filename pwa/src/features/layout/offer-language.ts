/** What the language of the app needs after the first screen: the switch, the offer of another one, and the manifest's link. */
import { t } from '@lingui/core/macro';
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, type Language, languageOfBrowser, languages, pathIn } from '@nivida/contract/languages';
import { chosenLanguage } from '../../data/device/chosen-language.ts';
import { readInstantSetting, writeInstantSetting } from '../../data/device/instant-settings.ts';
import { onOwnerChange } from '../../data/session.ts';
import { accountLanguage } from '../../data/texts/account-language.ts';
import { lacksTexts, onLanguageChange, switchLanguage } from '../../data/texts/language.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { hasEnteredText } from '../../ui/form/entered-text.ts';

/** The setting with the language that was offered last. */
const OFFERED_KEY = 'language offered';

const showMissingLanguage = (language: Language): void =>
  showToast({
    text: t`${{ name: LANGUAGES[language].name }}: this language is not on the phone yet and needs a connection.`,
  });

/** Switches the language of the app; asks first when typed text would be lost. */
export function switchOnTap(language: Language): void {
  const run = () => void switchLanguage(language).catch(() => showMissingLanguage(language));
  const { name } = LANGUAGES[language];
  // The page is rendered anew, without what was typed.
  if (hasEnteredText())
    showToast({ text: t`What you typed on this page would be lost.`, action: { label: name, run }, passing: true });
  else run();
}

function offerLanguage(): void {
  const preferred = accountLanguage() ?? languageOfBrowser();
  const language = languages().find((each) => each === preferred);
  // A language that is offered was never used here, so its texts need a connection.
  if (!language || language === currentLanguage() || !navigator.onLine) return;
  if (chosenLanguage() || readInstantSetting(OFFERED_KEY) === language) return;
  writeInstantSetting(OFFERED_KEY, language);
  const { offer, name } = LANGUAGES[language];
  showToast({
    text: offer,
    passing: true,
    action: { label: name, run: () => switchOnTap(language) },
  });
}

/** The stored app has one page for every address, and a switch loads none. */
function linkManifest(): void {
  const manifest = document.querySelector('link[rel="manifest"]');
  const address = pathIn(currentLanguage(), '/manifest.webmanifest');
  if (manifest && manifest.getAttribute('href') !== address) manifest.setAttribute('href', address);
}

/** Links the manifest of the page's language. Offers a language now and after a sign-in. Says when the page lacks the texts of its own. */
export function followLanguage(): void {
  if (lacksTexts()) showMissingLanguage(currentLanguage());
  else offerLanguage();
  onOwnerChange(offerLanguage);
  linkManifest();
  onLanguageChange(linkManifest);
}
