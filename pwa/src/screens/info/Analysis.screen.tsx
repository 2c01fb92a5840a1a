import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { AwardStatesResponse } from '@nivida/contract/awards/awards';
import { placeName } from '@nivida/contract/regions/states';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { Link } from 'react-router-dom';
import { useAwardStates } from '../../features/awards/award-queries.ts';
import { monthText } from '../../features/awards/award-texts.ts';
import list from '../../features/awards/awards.module.css';
import type { Service } from '../../features/info/home-services.ts';
import { ServiceTiles } from '../../features/info/ServiceTiles.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { StatusStamp } from '../../ui/display/Status.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { AwardsError, AwardsLoading } from '../awards/AwardPlaceholders.tsx';
import css from './Info.module.css';

/** What the award pages show in a state that has awards. */
const awardFeatures = (): readonly Service[] => [
  {
    icon: 'eye',
    title: t`Who bids here`,
    text: t`How many firms bid for works of a department in your district, and how often the same ones win.`,
  },
  {
    icon: 'rupee',
    title: t`Award prices`,
    text: t`At what share of the estimate comparable works were awarded, from the portals’ own award notices.`,
  },
];

const seasons = (): Service => ({
  icon: 'chart',
  title: t`Seasons and trends`,
  text: t`When a department publishes, how long its tenders stay open, and how its budgets move over the years.`,
});

/** Works without awards: it uses the bids that the user records. */
const ownRecord = (): Service => ({
  icon: 'user',
  title: t`Your own record`,
  text: t`How often you win, by office and size of work, and your rate beside the awarded one, from the bids you keep here.`,
});

/** The states with awards, and the planned features. */
function States({ states }: AwardStatesResponse) {
  const [own, planned] = [ownRecord(), seasons()];
  return (
    <>
      <Panel stack>
        <h2>{t`States with awards`}</h2>
        <ul className={list.list} data-facts>
          {states.map(({ state, awards, offices, lastKnownOn, isDemonstration }) => (
            <li key={state}>
              <Link to={`/analysis/${encodeURIComponent(state)}`}>
                {placeName(state)}{' '}
                <span>
                  {[
                    plural(awards, { one: '# award', other: '# awards' }),
                    plural(offices, { one: '# office', other: '# offices' }),
                    lastKnownOn && t`until ${{ month: monthText(lastKnownOn) }}`,
                    isDemonstration && t`demonstration`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel stack>
        <h2>{own.title}</h2>
        <p className="muted">{own.text}</p>
        <div className="row">
          <ButtonLink to="/dashboard/analytics">{t`My bids in figures`}</ButtonLink>
        </div>
      </Panel>
      <Panel stack>
        <h2>{t`Coming Soon`}</h2>
        <h3>{planned.title}</h3>
        <p className="muted">{planned.text}</p>
      </Panel>
    </>
  );
}

/** Shown when no state has awards: most features are then planned. */
function Plans() {
  const planned = [...awardFeatures(), seasons()].map((tile): Service => ({ ...tile, status: 'soon' }));
  return (
    <>
      <section aria-labelledby="planned">
        <h2 className="sr" id="planned">
          {t`What it shows`}
        </h2>
        <ServiceTiles tiles={[...planned, ownRecord()]} columns={4} />
      </section>
      <Panel stack>
        <h2>{t`Until then`}</h2>
        <p className="muted">
          <Trans>
            Open tenders with their estimates, changes and closing hours can be searched already, and your own bids are
            counted.
          </Trans>
        </p>
        <div className="row">
          <ButtonLink look="main" to="/tenders">
            {t`View Tenders`}
          </ButtonLink>
          <ButtonLink to="/dashboard/analytics">{t`My bids in figures`}</ButtonLink>
        </div>
      </Panel>
    </>
  );
}

/**
 * Competitive Analysis: the states with awards. It is called planned only when the server answers that no
 * state has any.
 */
export function Analysis() {
  const { answer, error, reload } = useAwardStates();
  const isPlanned = answer?.states.length === 0;
  return (
    <div className={`page ${css.info}`}>
      <PageMeta {...pageText(PAGES['/analysis'])} />
      <header className={css.lead}>
        <h1>{t`Competitive Analysis`}</h1>
        {isPlanned ? (
          <>
            <p>
              <StatusStamp tone="gray" label={t`Coming Soon`} />
            </p>
            <p className="muted">
              <Trans>
                Know your competitors before you quote. Competitive Analysis will show who bid for comparable works, and
                how low. It does not work yet.
              </Trans>
            </p>
          </>
        ) : (
          <p className="muted">
            <Trans>
              Know your competitors before you quote: how many bid at an office, how many bids are refused, and the
              range in which comparable works were awarded. From published awards, with their numbers and dates.
            </Trans>
          </p>
        )}
      </header>
      {isPlanned && <Plans />}
      {answer && !isPlanned && <States states={answer.states} />}
      {!answer && (error ? <AwardsError error={error} onRetry={reload} heading="h2" /> : <AwardsLoading />)}
    </div>
  );
}
