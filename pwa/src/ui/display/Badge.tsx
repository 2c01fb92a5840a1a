import type { ReactNode } from 'react';
import type { Tone } from '../tone.ts';
import css from './Badge.module.css';

/** A short text whose style shows its urgency: `today` solid, red and amber tinted, green plain, gray done. */
export function Badge({ tone, closes, children }: { tone: Tone; closes?: string; children: ReactNode }) {
  return (
    <span className={css.badge} data-tone={tone} data-closes={closes}>
      {children}
    </span>
  );
}
