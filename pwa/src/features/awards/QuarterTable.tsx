import { t } from '@lingui/core/macro';
import type { AwardQuarter, RegimeNotice } from '@nivida/contract/awards/awards';
import { formatCount } from '@nivida/contract/format';
import { Disclosure } from '../../ui/display/Disclosure.tsx';
import { awardDayText, pricePlace } from './award-texts.ts';
import shared from './awards.module.css';
import css from './QuarterTable.module.css';

/** '2026-Q1' as 'Jan to Mar 2026'. */
function quarterText(quarter: string): string {
  const [year = '', part] = quarter.split('-');
  if (part === 'Q1') return t`Jan to Mar ${year}`;
  if (part === 'Q2') return t`Apr to Jun ${year}`;
  return part === 'Q3' ? t`Jul to Sep ${year}` : t`Oct to Dec ${year}`;
}

function rateChangeText({ department, from }: RegimeNotice): string {
  const day = awardDayText(from);
  return department
    ? t`Rates changed for tenders published from about ${day} (${department})`
    : t`Rates changed for tenders published from about ${day}`;
}

/** The quarter of a day: '2026-01-03' is in '2026-Q1'. */
const quarterOf = (day: string) => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;

interface QuarterTableProps {
  quarters: readonly AwardQuarter[];
  regimes: readonly RegimeNotice[];
}

/**
 * Awards by quarter as bars, with a table of the figures below. Quarters in which the rules changed are
 * marked.
 */
export function QuarterTable({ quarters, regimes }: QuarterTableProps) {
  const [first, last] = [quarters[0], quarters.at(-1)];
  if (!first || !last) return null;
  const most = Math.max(1, ...quarters.map(({ awards }) => awards));
  const changed = new Set(regimes.map(({ from }) => quarterOf(from)));
  return (
    <>
      <svg
        className={css.bars}
        viewBox={`0 0 ${quarters.length * 10} 60`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {quarters.map(({ quarter, awards }, index) => {
          const height = Math.max(1, (awards / most) * 60);
          return (
            <g key={quarter}>
              <rect className={css.bar} x={index * 10 + 1} y={60 - height} width="8" height={height} />
              {changed.has(quarter) && <rect className={css.change} x={index * 10} y="0" width="1" height="60" />}
            </g>
          );
        })}
      </svg>
      <p className={css.ends} aria-hidden="true">
        <span>{quarterText(first.quarter)}</span>
        <span>{t`most: ${{ count: formatCount(most) }} awards`}</span>
        <span>{quarterText(last.quarter)}</span>
      </p>
      {regimes.map((regime) => (
        <p key={`${regime.department} ${regime.from}`} className="xs muted">
          {rateChangeText(regime)}
          {regime.rule && `: ${regime.rule}`}
          {regime.source && ` · ${t`Source: ${{ source: regime.source }}`}`}
        </p>
      ))}
      <Disclosure title={t`Table by quarter`} className={shared.printed}>
        <table className={shared.table}>
          <caption className="xs muted">
            {t`Each figure is the middle one: half of the works had less, half had more.`}
          </caption>
          <thead>
            <tr>
              <th scope="col">{t`Quarter`}</th>
              <th scope="col">{t`Awards`}</th>
              <th scope="col">{t`Bidders`}</th>
              <th scope="col">{t`Price`}</th>
              <th scope="col">{t`Days`}</th>
            </tr>
          </thead>
          <tbody>
            {quarters.map(({ quarter, awards, bidders, price, daysToContract }) => (
              <tr key={quarter}>
                <th scope="row">{quarterText(quarter)}</th>
                <td>{awards}</td>
                <td>{bidders ?? t`too few`}</td>
                <td>{price === null ? t`too few` : pricePlace(price)}</td>
                <td>{daysToContract ?? t`too few`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </>
  );
}
