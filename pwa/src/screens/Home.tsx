import { HOME_FIGURES, TRIAL } from '@nivida/contract/claims';
import { PAGES } from '@nivida/contract/pages';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Form, Link } from 'react-router-dom';
import { tellScreen } from '../data/first-screen.ts';
import { Figures } from '../features/info/Figures.tsx';
import { HOME_SERVICES } from '../features/info/services.ts';
import { Testimonial } from '../features/info/Testimonial.tsx';
import { Tiles } from '../features/info/Tiles.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import css from './Home.module.css';
import { OpenFigures } from './OpenFigures.tsx';
import { useStart } from './start.ts';

const TrialDialog = lazy(() => import('../features/home/TrialDialog.tsx').then((m) => ({ default: m.TrialDialog })));

function Search() {
  return (
    <Form className={css.find} role="search" action="/tenders/results">
      <label className="sr" htmlFor="q">
        Work, place, department or tender ID
      </label>
      <input
        id="q"
        name="q"
        type="search"
        placeholder="Work, place or tender ID"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={100}
        required
      />
      <Button look="main" type="submit" aria-label="Search">
        <Icon name="search" />
      </Button>
    </Form>
  );
}

/** The three actions of SPEC, and what the trial costs. */
function Actions() {
  const [isExplaining, setIsExplaining] = useState(false);
  const start = useStart();
  const startFromDialog = () => {
    setIsExplaining(false);
    start();
  };
  return (
    <div className={css.actions}>
      <Button look="main" onClick={start}>
        Start Free Trial
      </Button>
      <ButtonLink to="/tenders">View Tenders</ButtonLink>
      <p className="xs muted">{TRIAL.shown && `${TRIAL.text}. `}Search stays free, also without signal.</p>
      <Button look="plain" onClick={() => setIsExplaining(true)}>
        Learn More
      </Button>
      {isExplaining && (
        <Suspense>
          <TrialDialog onClose={() => setIsExplaining(false)} onStart={startFromDialog} />
        </Suspense>
      )}
    </div>
  );
}

function Services() {
  return (
    <section className="page" aria-labelledby="services">
      <div className="head">
        <h2 id="services">Services</h2>
        <Link className={css.all} to="/services">
          View All Services
        </Link>
      </div>
      <Tiles tiles={HOME_SERVICES} columns={4} to="/services" />
    </section>
  );
}

/** Home: the search stands first; what is open now beside it. */
export function Home() {
  useEffect(tellScreen, []);
  return (
    <>
      <PageHead {...PAGES['/']} />
      <section className={css.hero}>
        <div className={css.inner}>
          <div className="stack">
            <h1>Government tenders, down to the closing hour.</h1>
            <Search />
            <Actions />
          </div>
          <OpenFigures />
        </div>
      </section>
      <Services />
      <section className={`page ${css.claims}`} aria-label="In numbers">
        <Figures figures={HOME_FIGURES} />
        <Testimonial />
      </section>
    </>
  );
}
