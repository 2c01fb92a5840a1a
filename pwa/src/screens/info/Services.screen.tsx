import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { Sold, useSellsNothing } from '../../data/server/site.ts';
import { ServiceTiles } from '../../features/info/ServiceTiles.tsx';
import { allServices, benefits } from '../../features/info/services.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import css from './Info.module.css';

/** Six services, three benefits, and the link to the plans. */
export function Services() {
  return (
    <div className={`page ${css.info}`}>
      <PageMeta {...pageText(PAGES['/services'])} />
      <header className={css.lead}>
        <h1>{t`Services`}</h1>
        <p className="muted">
          <Trans>
            What Nivida does for contractors who bid for public works. Unfinished services say “Coming soon”.
          </Trans>
        </p>
      </header>
      <section aria-labelledby="all">
        <h2 className="sr" id="all">
          {t`All services`}
        </h2>
        <ServiceTiles tiles={allServices()} columns={3} />
      </section>
      <section className="stack" aria-labelledby="benefits">
        <h2 id="benefits">{t`What you gain`}</h2>
        <ServiceTiles tiles={benefits(useSellsNothing())} columns={3} />
      </section>
      <div className="row">
        <Sold
          free={
            <ButtonLink look="main" to="/tenders">
              {t`View Tenders`}
            </ButtonLink>
          }
        >
          <ButtonLink look="main" to="/pricing">
            {t`View Pricing Plans`}
          </ButtonLink>
        </Sold>
      </div>
    </div>
  );
}
