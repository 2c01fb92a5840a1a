import { i18n } from '@nivida/contract/i18n';
import { type MarketingClaim, TESTIMONIAL_CLAIM } from '@nivida/contract/site/claims';
import css from './Figures.module.css';

/** Large figures, each above its label; renders nothing without figures. */
export function Figures({ figures }: { figures: readonly MarketingClaim[] }) {
  const visibleFigures = figures.filter((figure) => figure.shown);
  if (visibleFigures.length === 0) return null;
  return (
    <dl className={`figures ${css.figures}`}>
      {visibleFigures.map(({ text, label }) => (
        <div key={text.id}>
          <dt>{label && i18n._(label)}</dt>
          <dd>{i18n._(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A customer's quote; renders nothing until the operator has configured one (R60). */
export function Testimonial() {
  const { text, label, shown } = TESTIMONIAL_CLAIM;
  if (!shown || text.id === '') return null;
  return (
    <blockquote className={css.quote}>
      <p>“{i18n._(text)}”</p>
      <footer className="xs muted">{label && i18n._(label)}</footer>
    </blockquote>
  );
}
