import { t } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import { HOME_FIGURES, TRIAL_CLAIM } from '@nivida/contract/site/claims';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { Suspense, useState } from 'react';
import { Form, Link } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { Figures, Testimonial } from '../../features/info/Figures.tsx';
import { homeServices } from '../../features/info/home-services.ts';
import { ServiceTiles } from '../../features/info/ServiceTiles.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { isSigningOut, useStartRegistration } from '../account/useAccountActions.ts';
import { TrialDialog, UserHome } from '../lazy.tsx';
import css from './Home.module.css';
import { Today } from './Today.tsx';

function SearchSection() {
  return (
    <Form className={css.find} role="search" action="/tenders/results">
      <label className="sr" htmlFor="q">
        {t`Work, place, department or tender ID`}
      </label>
      <input
        id="q"
        name="q"
        type="search"
        placeholder={t`Work, place or tender ID`}
        enterKeyHint="search"
        autoComplete="off"
        maxLength={100}
        required
      />
      <Button look="main" type="submit" aria-label={t`Search`}>
        <Icon name="search" />
      </Button>
    </Form>
  );
}

/** The actions for a signed-in user, who has had the trial already. */
function UserActions() {
  return (
    <div className={css.actions}>
      <ButtonLink look="main" to="/dashboard">
        {t`My dashboard`}
      </ButtonLink>
      <ButtonLink to="/tenders">{t`View Tenders`}</ButtonLink>
    </div>
  );
}

/** The three actions of SPEC, with the price of the trial. */
function VisitorActions() {
  const [isExplaining, setIsExplaining] = useState(false);
  const start = useStartRegistration();
  const startFromDialog = () => {
    setIsExplaining(false);
    start();
  };
  return (
    <div className={css.actions} data-visitor="">
      <Button look="main" onClick={start}>
        <Sold free={t`Get Started Free`}>{t`Start Free Trial`}</Sold>
      </Button>
      <ButtonLink to="/tenders">{t`View Tenders`}</ButtonLink>
      <p className="xs muted">
        <Sold free={t`Everything is free here, also without a connection.`}>
          {TRIAL_CLAIM.shown && `${t`${{ sentence: i18n._(TRIAL_CLAIM.text) }}.`} `}
          {t`Search stays free, also without a connection.`}
        </Sold>
      </p>
      <Sold>
        <Button look="plain" onClick={() => setIsExplaining(true)}>
          {t`Learn More`}
        </Button>
      </Sold>
      <TrialDialog isOpen={isExplaining} onClose={() => setIsExplaining(false)} onStart={startFromDialog} />
    </div>
  );
}

function ServicesSection() {
  return (
    <section className="page" aria-labelledby="services">
      <div className="head">
        <h2 id="services">{t`Services`}</h2>
        <Link className={css.all} to="/services">
          {t`View All Services`}
        </Link>
      </div>
      <ServiceTiles tiles={homeServices()} columns={4} to="/services" />
    </section>
  );
}

/** Home: the search, then the signed-in user's tenders, with today's closings beside them. */
export function Home() {
  const isSignedIn = useSession() !== null && !isSigningOut();
  return (
    <>
      <PageMeta {...pageText(PAGES['/'])} />
      <section className={css.hero}>
        <div className={css.inner}>
          <div className="stack">
            <h1>{t`Government tenders, down to the closing hour.`}</h1>
            <SearchSection />
            {isSignedIn ? <UserActions /> : <VisitorActions />}
          </div>
          {isSignedIn && (
            <div className={css.mine}>
              <UserHome />
            </div>
          )}
          <div className={css.day}>
            <Today />
          </div>
        </div>
      </section>
      <Suspense>
        <ServicesSection />
        <section className={`page ${css.claims}`} aria-label={t`In numbers`}>
          <Figures figures={HOME_FIGURES} />
          <Testimonial />
        </section>
      </Suspense>
    </>
  );
}
