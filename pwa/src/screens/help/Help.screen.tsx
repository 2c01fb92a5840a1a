import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { HowItWorks } from '../../features/help/HowItWorks.tsx';
import { WordList } from '../../features/help/WordList.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { useShownLocation } from '../../ui/browser-state.ts';
import { PageMeta } from '../../ui/PageMeta.tsx';
import info from '../info/Info.module.css';
import { TourDialog } from '../lazy-help.ts';

const TOUR = '#tour';
/** The state of the tour's address when this page is the entry before it in the history. */
const FROM_HELP = { fromHelp: true };

/** `/help`: the way of a bid in pictures, the tour, and the words of tendering. `/help#emd` is a word, `/help#tour` the tour. */
export function Help() {
  const navigate = useNavigate();
  const { hash, state } = useShownLocation();
  // On a first visit the router scrolls before this page's code is loaded.
  useEffect(() => {
    const word = document.getElementById(hash.slice(1));
    word?.scrollIntoView();
    word?.focus({ preventScroll: true });
  }, [hash]);
  const closeTour = () =>
    void (state?.fromHelp ? navigate(-1) : navigate({ hash: '' }, { replace: true, preventScrollReset: true }));
  return (
    <div className={`page ${info.info}`}>
      <PageMeta {...pageText(PAGES['/help'])} />
      <header className={info.lead}>
        <h1>{t`Help`}</h1>
        <p className="muted">{t`How Nivida works, and the words of tendering in plain language.`}</p>
        <div className="row">
          <ButtonLink to={{ hash: TOUR }} state={FROM_HELP} preventScrollReset>
            {t`See how it works in three cards`}
          </ButtonLink>
        </div>
      </header>
      <HowItWorks />
      <WordList />
      <p>
        <Trans>
          Answers to frequent questions, and a form to ask us, are on the page <Link to="/contact">Contact</Link>.
        </Trans>
      </p>
      <TourDialog isOpen={hash === TOUR} onClose={closeTour} />
    </div>
  );
}
