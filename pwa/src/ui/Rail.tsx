import type { CSSProperties, ReactNode } from 'react';
import css from './Rail.module.css';
import type { Tone } from './tone.ts';

function filled(share: number): CSSProperties {
  return { '--left': `${Math.round(Math.min(Math.max(share, 0), 1) * 100)}%` } as CSSProperties;
}

/**
 * The gauge on the left edge of its parent, which must be `position: relative`. It speaks to the eye only: a badge
 * beside it says the same in words. `left` is the share left, 0 to 1; `stale` is dashed, `hollow` is over.
 */
export function Rail({ tone, left, look }: { tone: Tone; left: number; look?: 'stale' | 'hollow' }) {
  return <span className={css.rail} data-tone={tone} data-look={look} style={filled(left)} aria-hidden="true" />;
}

const PARTS = [6, 5, 4, 3, 2, 1, 0];

/**
 * The same gauge lying down in seven parts, the last of them coloured: `left` is the share left, 0 to 1.
 * `start` and `end` stand under its ends.
 */
export function WeekRail({ tone, left, start, end }: { tone: Tone; left: number; start: ReactNode; end: ReactNode }) {
  return (
    <div data-tone={tone}>
      <div className={css.week} aria-hidden="true">
        {PARTS.map((after) => (
          <span key={after} style={filled(left * PARTS.length - after)} />
        ))}
      </div>
      <p className={css.ends}>
        <span>{start}</span>
        <strong>{end}</strong>
      </p>
    </div>
  );
}
