import { lazy, Suspense } from 'react';
import { Form } from 'react-router-dom';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import css from './Home.module.css';

const OpenFigures = lazy(() => import('./OpenFigures.tsx').then((m) => ({ default: m.OpenFigures })));

/** Home: the search stands first; what is open now beside it. */
export function Home() {
  return (
    <section className={css.hero}>
      <title>Government tenders in India · Nivida</title>
      <div className={css.inner}>
        <div className="stack">
          <h1>Government tenders, down to the closing hour.</h1>
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
          <div className="row">
            <ButtonLink to="/tenders">View Tenders</ButtonLink>
            <p className="xs muted">Search by state, district and department. Free, no account needed.</p>
          </div>
        </div>
        <div className={css.now}>
          <Suspense>
            <OpenFigures />
          </Suspense>
        </div>
      </div>
    </section>
  );
}
