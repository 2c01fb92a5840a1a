import type { CSSProperties, ReactNode } from 'react';
import type { Tone } from '../tone.ts';
import css from './Gauge.module.css';

function gaugeStyle(share: number): CSSProperties {
  return { '--left': `${Math.round(Math.min(Math.max(share, 0), 1) * 100)}%` } as CSSProperties;
}

/**
 * The gauge on the left edge of its parent, which must be `position: relative`. It speaks to the eye only: a badge
 * beside it says the same in words. `left` is the share left, 0 to 1; `stale` is dashed, `hollow` is over.
 */
export function EdgeGauge({ tone, left, look }: { tone: Tone; left: number; look?: 'stale' | 'hollow' }) {
  return <span className={css.rail} data-tone={tone} data-look={look} style={gaugeStyle(left)} aria-hidden="true" />;
}

const WEEK_PARTS = [6, 5, 4, 3, 2, 1, 0];

/**
 * The same gauge lying down in seven parts, the last of them coloured: `left` is the share left, 0 to 1.
 * `start` and `end` stand under its ends.
 */
export function WeekGauge({ tone, left, start, end }: { tone: Tone; left: number; start: ReactNode; end: ReactNode }) {
  return (
    <div data-tone={tone}>
      <div className={css.week} aria-hidden="true">
        {WEEK_PARTS.map((after) => (
          <span key={after} style={gaugeStyle(left * WEEK_PARTS.length - after)} />
        ))}
      </div>
      <p className={css.ends}>
        <span>{start}</span>
        <strong>{end}</strong>
      </p>
    </div>
  );
}
