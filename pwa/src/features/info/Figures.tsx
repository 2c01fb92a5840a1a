import type { Claim } from '@nivida/contract/claims';
import css from './Figures.module.css';

/** The figures that are shown, large, each over what it counts; nothing when none is. */
export function Figures({ figures }: { figures: readonly Claim[] }) {
  const shown = figures.filter((figure) => figure.shown);
  if (shown.length === 0) return null;
  return (
    <dl className={css.figures}>
      {shown.map(({ text, label }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
