/** The link to the same page in the other language. Without scripts it loads that page; with them the app is rendered anew. */
import { t } from '@lingui/core/macro';
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, type Language, languages, pathIn } from '@nivida/contract/languages';
import type { MouseEvent } from 'react';
import { useLocation } from 'react-router-dom';
import { switchLanguage } from '../../data/texts/language.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { hasEnteredText } from '../../ui/form/entered-text.ts';
import css from './LanguageSwitch.module.css';

export const showMissingLanguage = (language: Language): void =>
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

/** `onSwitch` is called with each tap, before a question or a failure is shown. */
export function LanguageSwitch({ onSwitch }: { onSwitch?: () => void }) {
  const { pathname, search } = useLocation();
  const switchOnClick = (event: MouseEvent, language: (typeof others)[number]) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onSwitch?.();
    switchOnTap(language);
  };
  const others = languages().filter((language) => language !== currentLanguage());
  return others.map((language) => (
    <a
      key={language}
      className={css.link}
      href={pathIn(language, pathname) + search}
      hrefLang={language}
      lang={language}
      onClick={(event) => switchOnClick(event, language)}
    >
      {LANGUAGES[language].name}
    </a>
  ));
}
