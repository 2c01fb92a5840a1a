import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatDate } from '@nivida/contract/format';
import { currentLanguage } from '@nivida/contract/i18n';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useSellsNothing } from '../../data/server/site.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import css from './LegalPage.module.css';

/** One section; `id` is its fragment on the page. */
export interface LegalSection {
  id: string;
  title: string;
  body: ReactNode;
  /** The section is hidden where nothing is sold. */
  isAboutSales?: boolean;
}

interface LegalPageProps {
  title: string;
  /** The day on which the text comes into force, '2026-11-21'. */
  updated: string;
  /** Summary of the page. */
  lead: ReactNode;
  sections: readonly LegalSection[];
  /** Content below the sections. `contents` lists its ids. */
  children?: ReactNode;
  contents?: readonly Pick<LegalSection, 'id' | 'title'>[];
}

type Entry = Pick<LegalSection, 'id' | 'title'>;

function Entries({ entries }: { entries: readonly Entry[] }) {
  return (
    <ol>
      {entries.map(({ id, title }) => (
        <li key={id}>
          <Link to={{ hash: id }} replace>
            {title}
          </Link>
        </li>
      ))}
    </ol>
  );
}

/** The table of contents: beside the text on a wide screen, folded above the text on a phone. */
function TableOfContents({ entries }: { entries: readonly Entry[] }) {
  return (
    <nav className={css.contents} aria-label={t`On this page`}>
      <details className={css.narrow}>
        <summary>
          {t`On this page`} <Icon name="next" small />
        </summary>
        <Entries entries={entries} />
      </details>
      <div className={css.wide}>
        <p>{t`On this page`}</p>
        <Entries entries={entries} />
      </div>
    </nav>
  );
}

/** A legal text with its date, its table of contents and its sections. */
export function LegalPage({ title, updated, lead, sections: all, children, contents = [] }: LegalPageProps) {
  const sellsNothing = useSellsNothing();
  const sections = all.filter(({ isAboutSales }) => !(sellsNothing && isAboutSales));
  const { pathname, hash } = useLocation();
  // On a first visit the router scrolls before this page's code is loaded, so the page scrolls again.
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);

  return (
    <div className={`page stack ${css.legal}`}>
      <header className={css.head}>
        <h1>{title}</h1>
        <p className="xs muted">
          <Trans>
            Last updated: <time dateTime={updated}>{formatDate(updated)}</time>
          </Trans>
        </p>
        {currentLanguage() !== 'en' && (
          <p className="s">
            <Trans>
              If the two texts differ, <a href={pathname}>the English text</a> decides.
            </Trans>
          </p>
        )}
        <div className={css.prose}>{lead}</div>
      </header>
      <TableOfContents entries={[...sections, ...contents]} />
      <div className={css.text}>
        <Panel>
          {sections.map((section) => (
            <section key={section.id} className={css.prose} id={section.id} aria-labelledby={`${section.id}-title`}>
              <h2 id={`${section.id}-title`}>{section.title}</h2>
              {section.body}
            </section>
          ))}
        </Panel>
        {children}
      </div>
    </div>
  );
}
