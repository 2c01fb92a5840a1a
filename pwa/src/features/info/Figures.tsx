import type { MarketingClaim } from '@nivida/contract/site/claims';
import css from './Figures.module.css';

/** Large figures, each above its label; renders nothing without figures. */
export function Figures({ figures }: { figures: readonly MarketingClaim[] }) {
  const visibleFigures = figures.filter((figure) => figure.shown);
  if (visibleFigures.length === 0) return null;
  return (
    <dl className={css.figures}>
      {visibleFigures.map(({ text, label }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
