import type { ReactNode } from 'react';
import type { Tone } from './Badge.tsx';
import css from './Gauge.module.css';

/** A share of 0 to 1, in whole percent. */
const percent = (share: number) => Math.round(Math.min(Math.max(share, 0), 1) * 100);

/**
 * The gauge on the left edge of its parent. The parent must be `position: relative`. Screen readers skip the
 * gauge, because a badge beside it says the same. `left` is the remaining share, 0 to 1. `look`: `stale` is
 * dashed, `hollow` means over.
 */
export function EdgeGauge({ tone, left, look }: { tone: Tone; left: number; look?: 'stale' | 'hollow' }) {
  const height = percent(left);
  return (
    <svg
      className={css.rail}
      data-tone={tone}
      data-look={look}
      data-clock=""
      viewBox="0 0 1 100"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect y={100 - height} width="1" height={height} />
    </svg>
  );
}

const WEEK_PARTS = [6, 5, 4, 3, 2, 1, 0];

/**
 * The gauge as a horizontal bar of seven parts whose last part is coloured. `left` is the remaining share, 0
 * to 1. `start` and `end` are the labels of its ends.
 */
export function WeekGauge({ tone, left, start, end }: { tone: Tone; left: number; start: ReactNode; end: ReactNode }) {
  return (
    <div data-tone={tone}>
      <div className={css.week} data-clock="" aria-hidden="true">
        {WEEK_PARTS.map((after) => {
          const width = percent(left * WEEK_PARTS.length - after);
          return (
            <svg key={after} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect x={100 - width} width={width} height="1" />
            </svg>
          );
        })}
      </div>
      <p className={css.ends}>
        <span>{start}</span>
        <strong>{end}</strong>
      </p>
    </div>
  );
}

/** The gauge as an edge that fills from the left. `share` is 0 to 1. */
export function ShareRail({ share, className }: { share: number; className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={percent(share)} height="1" />
    </svg>
  );
}
