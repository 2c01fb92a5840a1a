import { t } from '@lingui/core/macro';
import type { AwardExclusionReason, AwardResponse } from '@nivida/contract/awards/awards';
import { formatFullRupees } from '@nivida/contract/format';
import { PAGES } from '@nivida/contract/site/pages';
import { Link, useParams } from 'react-router-dom';
import { isNotFoundError } from '../../data/server/api.ts';
import { useAward } from '../../features/awards/award-queries.ts';
import { awardDayText, awardPriceText } from '../../features/awards/award-texts.ts';
import css from '../../features/awards/awards.module.css';
import { ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { AwardsError, AwardsLoading } from './AwardPlaceholders.tsx';
import { ANALYSIS_PAGE, Trail } from './Trail.tsx';

/** Why an award is not counted in the figures. */
const EXCLUSION_TEXTS: Record<AwardExclusionReason, string> = {
  'no-organisation': 'The portal names no organisation, so we count it for no office.',
  'not-awarded': 'The portal names no award, so we do not count it.',
  'bids-unknown': 'Its bids are not published, so we do not count it.',
  'no-dates': 'The portal gives no usable dates, so we do not count it.',
  'published-after-closing': 'Its dates contradict each other, so we do not count it.',
  'awarded-before-closing': 'Its dates contradict each other, so we do not count it.',
  'open-too-long': 'It was open for more than 180 days, so we do not count it.',
  'no-estimate': 'It has no estimate, so its price does not count.',
  'no-value': 'It has no awarded value, so its price does not count.',
  'several-winners': 'It has several winners, so its price does not count.',
  'value-too-small': 'Its value looks like a rate and not like rupees, so its price does not count.',
  'estimate-too-small': 'Its estimate looks like a rate and not like rupees, so its price does not count.',
  'value-far-from-estimate': 'Its value is far from its estimate, so its price does not count.',
  'other-currency': 'Its value is not in rupees, so its price does not count.',
};

function Facts({ award }: { award: AwardResponse['award'] }) {
  const { estimate, awardedValue, price, bidders, bids, winner, portal } = award;
  const { publishedOn, closesOn, contractOn } = award;
  const refused = bids.refusedTechnical + bids.notAdmitted;
  const rows: [string, string | null][] = [
    ['Estimate', estimate === null ? null : formatFullRupees(estimate)],
    ['Awarded at', awardedValue === null ? null : formatFullRupees(awardedValue)],
    ['Against the estimate', price === null ? null : awardPriceText(price)],
    ['Bidders', `${bidders}`],
    [
      'Refused before prices were opened',
      // Some portals do not publish them.
      refused === 0 ? null : `${refused}: ${bids.refusedTechnical} technical, ${bids.notAdmitted} not admitted`,
    ],
    ['Awarded to', winner === null ? null : `${winner.name}, as published on ${portal}`],
    ['Published', publishedOn && awardDayText(publishedOn)],
    ['Closed', closesOn && awardDayText(closesOn)],
    ['Contract', contractOn && awardDayText(contractOn)],
  ];
  return (
    <dl className={css.facts}>
      {rows.map(
        ([name, text]) =>
          text && (
            <div key={name}>
              <dt className="xs muted">{name}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** One award. No other page names the winner of an award. */
export function AwardDetail() {
  const { id = '' } = useParams();
  const { answer, error, reload } = useAward(id);
  const award = answer?.award;
  return (
    <div className="page stack">
      <PageMeta
        title={award ? t`Award: ${award.title}` : PAGES['/awards/:id'].title}
        description={PAGES['/awards/:id'].description}
      />
      {award && (
        <>
          <header className={css.lead}>
            {award.office && (
              <Trail pages={[ANALYSIS_PAGE, { to: `/analysis/offices/${award.office.id}`, name: award.office.name }]} />
            )}
            <h1 className={css.title}>{award.title}</h1>
            <p className="muted">
              {award.sourceTenderId} · {[award.department, award.state].filter(Boolean).join(', ')}
            </p>
            {award.isDemonstration && <p className="muted">{t`Demonstration: this award is generated.`}</p>}
          </header>
          <Panel stack>
            <h2>{t`Result`}</h2>
            <Facts award={award} />
            {award.exclusion && <p className="muted">{EXCLUSION_TEXTS[award.exclusion]}</p>}
            {award.tenderId && (
              <div className="row">
                <ButtonLink to={`/tenders/${award.tenderId}`}>{t`See the tender`}</ButtonLink>
              </div>
            )}
            {!award.isDemonstration && (
              <p className="xs muted">{t`Source: ${award.portal}. The portal’s own notice of the award decides.`}</p>
            )}
          </Panel>
        </>
      )}
      {!award && isNotFoundError(error) && (
        <EmptyState
          heading="h1"
          title={t`Award not found`}
          actions={<Link to="/analysis">{t`States with awards`}</Link>}
        >
          {t`There is no award at this address.`}
        </EmptyState>
      )}
      {!award &&
        !isNotFoundError(error) &&
        (error ? <AwardsError error={error} onRetry={reload} /> : <AwardsLoading />)}
    </div>
  );
}
