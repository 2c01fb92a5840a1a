import { t } from '@lingui/core/macro';
import type { AwardExclusionReason, AwardResponse } from '@nivida/contract/awards/awards';
import { formatFullRupees } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { Link, useParams } from 'react-router-dom';
import { isNotFoundError } from '../../data/server/api.ts';
import { useAward } from '../../features/awards/award-queries.ts';
import { awardDayText, awardPriceText } from '../../features/awards/award-texts.ts';
import css from '../../features/awards/awards.module.css';
import { ButtonLink } from '../../ui/Button.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import { AwardsError, AwardsLoading } from './AwardPlaceholders.tsx';
import { analysisPage, Trail } from './Trail.tsx';

/** Why an award is not counted in the figures. */
const exclusionTexts = (): Record<AwardExclusionReason, string> => ({
  'no-organisation': t`The portal names no organisation, so we count it for no office.`,
  'not-awarded': t`The portal names no award, so we do not count it.`,
  'bids-unknown': t`Its bids are not published, so we do not count it.`,
  'no-dates': t`The portal gives no usable dates, so we do not count it.`,
  'published-after-closing': t`Its dates contradict each other, so we do not count it.`,
  'awarded-before-closing': t`Its dates contradict each other, so we do not count it.`,
  'open-too-long': t`It was open for more than 180 days, so we do not count it.`,
  'no-estimate': t`It has no estimate, so its price does not count.`,
  'no-value': t`It has no awarded value, so its price does not count.`,
  'several-winners': t`It has several winners, so its price does not count.`,
  'value-too-small': t`Its value looks like a rate and not like rupees, so its price does not count.`,
  'estimate-too-small': t`Its estimate looks like a rate and not like rupees, so its price does not count.`,
  'value-far-from-estimate': t`Its value is far from its estimate, so its price does not count.`,
  'other-currency': t`Its value is not in rupees, so its price does not count.`,
});

function Facts({ award }: { award: AwardResponse['award'] }) {
  const { estimate, awardedValue, price, bidders, bids, winner, portal } = award;
  const { publishedOn, closesOn, contractOn } = award;
  const { refusedTechnical: technical, notAdmitted } = bids;
  const refused = technical + notAdmitted;
  const rows: [string, string | null][] = [
    [t`Estimate`, estimate === null ? null : formatFullRupees(estimate)],
    [t`Awarded at`, awardedValue === null ? null : formatFullRupees(awardedValue)],
    [t`Against the estimate`, price === null ? null : awardPriceText(price)],
    [t`Bidders`, `${bidders}`],
    [
      t`Refused before prices were opened`,
      // Some portals do not publish them.
      refused === 0 ? null : t`${refused}: ${technical} technical, ${notAdmitted} not admitted`,
    ],
    [t`Awarded to`, winner === null ? null : t`${{ name: winner.name }}, as published on ${portal}`],
    [t({ message: 'Published', context: 'label of a date' }), publishedOn && awardDayText(publishedOn)],
    [t({ message: 'Closed', context: 'label of a date' }), closesOn && awardDayText(closesOn)],
    [t({ message: 'Contract', context: 'label of a date' }), contractOn && awardDayText(contractOn)],
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
        title={award ? t`Award: ${{ title: award.title }}` : pageText(PAGES['/awards/:id']).title}
        description={pageText(PAGES['/awards/:id']).description}
      />
      {award && (
        <>
          <header className={css.lead}>
            {award.office && (
              <Trail
                pages={[analysisPage(), { to: `/analysis/offices/${award.office.id}`, name: award.office.name }]}
              />
            )}
            <h1 className={css.title} lang={langOf(award.title)}>
              {award.title}
            </h1>
            <p className="muted">
              {award.sourceTenderId} · {[award.department, placeName(award.state)].filter(Boolean).join(', ')}
            </p>
            {award.isDemonstration && <p className="muted">{t`Demonstration: this award is generated.`}</p>}
          </header>
          <Panel stack>
            <h2>{t`Result`}</h2>
            <Facts award={award} />
            {award.exclusion && <p className="muted">{exclusionTexts()[award.exclusion]}</p>}
            {award.tenderId && (
              <div className="row">
                <ButtonLink to={`/tenders/${award.tenderId}`}>{t`See the tender`}</ButtonLink>
              </div>
            )}
            {!award.isDemonstration && (
              <p className="xs muted">{t`Source: ${{ portal: award.portal }}. The portal’s own notice of the award decides.`}</p>
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
