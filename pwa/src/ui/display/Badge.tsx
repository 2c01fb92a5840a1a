import type { ReactNode } from 'react';
import css from './Badge.module.css';

/**
 * The meaning of a colour. `today` is the strongest red; `blue` is action and progress. The colours are in
 * `base.css`.
 */
export type Tone = 'today' | 'red' | 'amber' | 'green' | 'blue' | 'gray' | 'purple';

/**
 * A short text whose style shows its urgency: `today` is solid, red and amber are tinted, green is plain,
 * gray is done.
 */
export function Badge({ tone, closes, children }: { tone: Tone; closes?: string; children: ReactNode }) {
  return (
    <span className={css.badge} data-tone={tone} data-closes={closes}>
      {children}
    </span>
  );
}
