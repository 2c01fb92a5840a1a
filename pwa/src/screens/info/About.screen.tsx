import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IMPACT_FIGURES } from '@nivida/contract/site/claims';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useSession } from '../../data/session.ts';
import { Figures } from '../../features/info/Figures.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { useStartRegistration } from '../account/useAccountActions.ts';
import css from './Info.module.css';

const values = () =>
  [
    [
      t`The closing hour`,
      t`Many tenders close before noon, so a date alone is not enough. Each shows its hour too, by the Indian clock.`,
    ],
    [t`Honest age`, t`A copy says how old it is. Where the date may have moved, you read that, not a guess.`],
    [
      t`Works without a connection`,
      t`A site in the hills is no reason to miss a tender: a whole state fits on the phone.`,
    ],
    [t`Nothing hidden`, t`Official documents are free at the portal. We say so beside the button that asks for money.`],
  ] as const;

/** Mission, story, values and impact. */
export function About() {
  const start = useStartRegistration();
  const isSignedIn = useSession() !== null;
  return (
    <div className={`page ${css.info}`}>
      <PageMeta {...pageText(PAGES['/about'])} />
      <header className={css.lead}>
        <h1>{t`About Us`}</h1>
        <p className="muted">
          <Trans>
            Nivida (<span lang="hi">निविदा</span>) is the Hindi word for tender. That is all this product is about.
          </Trans>
        </p>
      </header>
      <div>
        <Panel aria-labelledby="mission">
          <div className={css.prose}>
            <h2 id="mission">{t`Our mission`}</h2>
            <p>
              <Trans>
                Public works should go to those who build them best, not to those who happened to hear of them. Nivida
                puts the open tenders of India’s governments into the pocket of every contractor: found in three taps,
                read in plain words, remembered in time.
              </Trans>
            </p>
          </div>
        </Panel>
        <Panel aria-labelledby="story">
          <div className={css.prose}>
            <h2 id="story">{t`Our story`}</h2>
            <p>
              <Trans>
                It began with counting. In years of notices from one state’s portal, half of all tenders closed before
                noon, four in ten were open for a week or less, and about one in eight had its date moved after it was
                published. Checking once a day, or yesterday’s copy, was too late.
              </Trans>
            </p>
            <p>
              <Trans>
                So the closing hour comes first here, changes are shown as old and new, and a copy of the whole state is
                small enough to be fetched over a weak connection and searched with none.
              </Trans>
            </p>
          </div>
        </Panel>
        <Panel aria-labelledby="values">
          <div className="stack">
            <h2 id="values">{t`Our values`}</h2>
            <dl className={css.values}>
              {values().map(([name, meaning]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd className="muted">{meaning}</dd>
                </div>
              ))}
            </dl>
          </div>
        </Panel>
        <Panel aria-labelledby="impact">
          <div className="stack">
            <h2 id="impact">{t`Our impact`}</h2>
            <Figures figures={IMPACT_FIGURES} />
            <p className={`muted ${css.prose}`}>
              <Trans>
                What counts most has no figure: the bid that was handed in because a bidder knew of it a day earlier.
              </Trans>
            </p>
          </div>
        </Panel>
      </div>
      <div className="row">
        {isSignedIn ? (
          <ButtonLink look="main" to="/dashboard">
            {t`My dashboard`}
          </ButtonLink>
        ) : (
          <Button look="main" data-visitor="" onClick={start}>
            {t`Get Started Free`}
          </Button>
        )}
        <ButtonLink to="/contact">{t`Contact Us`}</ButtonLink>
      </div>
    </div>
  );
}
