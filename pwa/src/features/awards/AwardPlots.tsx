import { t } from '@lingui/core/macro';
import type { AwardRange, PriceMass } from '@nivida/contract/awards/awards';
import css from './AwardPlots.module.css';
import { bidderDots, priceScale } from './plot-scale.ts';

/**
 * The typical numbers of bidders as filled dots among 1 to 8 or more. The sentence above the dots says the
 * same.
 */
export function BidderDots({ range }: { range: AwardRange }) {
  if (!range.isShown) return null;
  const dots = bidderDots(range);
  return (
    <svg className={css.dots} viewBox={`0 0 ${dots.length * 16} 28`} aria-hidden="true">
      {dots.map(({ bidders, isTypical }, index) => (
        <g key={bidders} data-typical={isTypical || undefined}>
          <circle cx={index * 16 + 8} cy="8" r="5" />
          <text x={index * 16 + 8} y="26" textAnchor="middle">
            {bidders}
          </text>
        </g>
      ))}
    </svg>
  );
}

function label(price: number): string {
  if (price === 0) return t`estimate`;
  const percent = `${Math.abs(price) / 100} %`;
  return price < 0 ? t`${percent} below` : t`${percent} above`;
}

/** The range of prices as a bar below the estimate's line. Common prices are ticks. */
export function PriceBar({ range, masses }: { range: AwardRange; masses: readonly PriceMass[] }) {
  if (!range.isShown) return null;
  const { at, low, high } = priceScale(range, masses);
  const left = at(range.low);
  const width = Math.max(1, at(range.high) - left);
  return (
    <div className={css.price} aria-hidden="true">
      <svg className={css.name} aria-hidden="true">
        <text x={`${at(0)}%`} y="13" textAnchor="middle">
          {t`estimate`}
        </text>
      </svg>
      <svg className={css.bar} viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
        <rect className={css.axis} x="0" y="11" width="100" height="2" />
        <rect className={css.range} x={left} y="7" width={width} height="10" />
        <rect className={css.estimate} x={at(0) - 0.25} y="0" width="0.5" height="24" />
        {masses.map(({ price }) => (
          <rect className={css.mass} key={price} x={at(price) - 0.4} y="3" width="0.8" height="18" />
        ))}
      </svg>
      <p className={css.ends}>
        <span>{label(low)}</span>
        <span>{label(high)}</span>
      </p>
    </div>
  );
}
