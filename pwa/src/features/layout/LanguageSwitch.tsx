/** The link to the same page in the other language. Without scripts it loads that page; with them the app is rendered anew. */
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, languages, pathIn } from '@nivida/contract/languages';
import type { MouseEvent } from 'react';
import { useLocation } from 'react-router-dom';
import css from './LanguageSwitch.module.css';

/** `onSwitch` is called with each tap, before a question or a failure is shown. */
export function LanguageSwitch({ onSwitch }: { onSwitch?: () => void }) {
  const { pathname, search } = useLocation();
  const switchOnClick = (event: MouseEvent<HTMLAnchorElement>, language: (typeof others)[number]) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onSwitch?.();
    const { href } = event.currentTarget;
    void import('./offer-language.ts').then(
      ({ switchOnTap }) => switchOnTap(language),
      () => location.assign(href),
    );
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
