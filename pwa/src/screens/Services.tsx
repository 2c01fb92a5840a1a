import { PAGES } from '@nivida/contract/pages';
import { ALL_SERVICES, BENEFITS } from '../features/info/services.ts';
import { Tiles } from '../features/info/Tiles.tsx';
import { ButtonLink } from '../ui/Button.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import css from './Info.module.css';

/** Six services, three benefits, and the way to the plans. */
export function Services() {
  return (
    <div className={`page ${css.info}`}>
      <PageHead {...PAGES['/services']} />
      <header className={css.lead}>
        <h1>Services</h1>
        <p className="muted">
          What Nivida does for contractors who bid for public works, and what comes next. What cannot be used yet says
          so.
        </p>
      </header>
      <section aria-labelledby="all">
        <h2 className="sr" id="all">
          All services
        </h2>
        <Tiles tiles={ALL_SERVICES} columns={3} />
      </section>
      <section className="stack" aria-labelledby="benefits">
        <h2 id="benefits">What you gain</h2>
        <Tiles tiles={BENEFITS} columns={3} />
      </section>
      <div className="row">
        <ButtonLink look="main" to="/pricing">
          View Pricing Plans
        </ButtonLink>
      </div>
    </div>
  );
}
